/// The loop of libFuzzer, which draws inputs, watches which code they reach and keeps the new ones.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// `planklab-fuzz READER [libFuzzer options] [corpus folders]`; `scripts/fuzz` builds and runs it.
@main
enum Fuzzer {
  private static let reader = CommandLine.arguments.dropFirst().first.flatMap(FuzzedReader.init)

  static func main() {
    guard reader != nil else {
      print(FuzzedReader.allCases.map(\.rawValue).joined(separator: "\n"))
      return
    }
    // libFuzzer takes the first word as the program's name: that of the reader.
    var count = CommandLine.argc - 1
    var arguments = CommandLine.unsafeArgv + 1
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
