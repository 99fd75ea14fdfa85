import Foundation

/// The loop of libFuzzer, which draws inputs, watches which code they reach and keeps the new ones.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// `planklab-fuzz [libFuzzer options] [corpus folders]`; `scripts/fuzz` builds and runs it.
///
/// The variable `PLANKLAB_FUZZ_READER` names the reader, because libFuzzer starts the program again to
/// reduce and to merge inputs; without it, the readers are listed.
@main enum Fuzzer {
  private static let reader = ProcessInfo.processInfo.environment["PLANKLAB_FUZZ_READER"].flatMap(
    FuzzedReader.init)

  static func main() {
    guard reader != nil else {
      print(FuzzedReader.allCases.map(\.rawValue).joined(separator: "\n"))
      return
    }
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runDriver(&count, &arguments) { bytes, count in
      do {
        try Fuzzer.reader?.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
      } catch {
        fatalError("\(error)")
      }
      return 0
    }
  }
}
