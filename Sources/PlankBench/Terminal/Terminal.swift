internal import ArgumentParser
internal import FoundationEssentials
internal import PoseDatasets

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where results and remarks go.
enum Terminal {
  /// Whether a person reads stdout in color.
  static var usesColor: Bool {
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
  }

  /// Takes the numbers of stdin, stdout and stderr where the caller closed them.
  ///
  /// The next file or pipe of this process would get them otherwise, and a result would be written
  /// into it. What stands there now cannot be written, so that a lost result is an error.
  static func occupyClosedDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// Says something of long work before it starts.
  static func say(_ sentence: String) {
    write(PrintableText.line(sentence) + "\n", to: STDERR_FILENO)
  }

  /// Runs a command and ends the process with its exit code.
  ///
  /// While it runs, every file that it reads is noted, so that no result takes its place.
  static func run(_ body: () async throws -> Outcome) async throws {
    do {
      try finish(await FilesRead.$current.withValue(FilesRead()) { try await body() })
    } catch let failure as WorkflowFailure {
      write("error: \(failure.printableMessage)\n", to: STDERR_FILENO)
      throw ExitCode(failure.status.rawValue)
    }
  }

  /// Prints an outcome; throws its exit code unless that is 0.
  private static func finish(_ outcome: Outcome) throws {
    for remark in outcome.printableRemarks { write(remark + "\n", to: STDERR_FILENO) }
    do {
      try writeResult(outcome.text)
    } catch {
      write("error: \(error.printableMessage)\n", to: STDERR_FILENO)
      throw ExitCode(error.status.rawValue)
    }
    if outcome.status != .success { throw ExitCode(outcome.status.rawValue) }
  }

  /// Writes a part of the result to stdout.
  static func writeResult(_ text: String) throws(WorkflowFailure) {
    guard write(text, to: STDOUT_FILENO) else { throw OutputFile.failure("stdout", errno) }
  }

  /// Writes all of a text; a reader that went away (`| head`) ends it quietly.
  ///
  /// - Returns: whether the text is where it belongs, or nobody wants it.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
          Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
          Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
      }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { return errno == EPIPE }
      rest = rest.dropFirst(written)
    }
    return true
  }
}
