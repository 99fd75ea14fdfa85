internal import ArgumentParser
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseSynthesis
internal import Synchronization
internal import Tuning

/// What a command returns: a result for stdout, remarks for stderr, an exit code.
struct Outcome: Sendable {
  /// The result.
  var text: String
  /// Remarks that are not part of the result, one per line.
  var remarks: [String]
  /// The exit code.
  var status: ExitStatus

  /// Makes an outcome.
  init(_ text: String, remarks: [String] = [], status: ExitStatus = .success) {
    self.text = text
    self.remarks = remarks
    self.status = status
  }
}

extension Outcome {
  /// A result of one sentence, in which names from files are escaped.
  static func sentence(_ text: String, remarks: [String] = []) -> Outcome {
    Outcome(PrintableText.line(text) + "\n", remarks: remarks)
  }
}

/// The formats of a result.
enum OutputFormat: String, CaseIterable, Sendable {
  /// For a terminal.
  case text
  /// For programs.
  case json
  /// For pull requests.
  case markdown
  /// For a browser: one file that needs no network.
  case html

  /// The format that a file's ending names; nil for another ending.
  init?(file: String) {
    let endings: [(ending: String, format: OutputFormat)] = [
      (".json", .json), (".md", .markdown), (".html", .html),
    ]
    guard let named = endings.first(where: { file.lowercased().hasSuffix($0.ending) }) else {
      return nil
    }
    self = named.format
  }
}

/// A value in every format, each made when it is asked for.
struct Formats {
  /// For programs.
  let json: () -> String
  /// For people.
  let document: () -> Document
  /// What a terminal shows; nil for the document.
  var text: (() -> Document)?
  /// For a browser; nil for the document.
  var page: (() -> ResultPage)?
  /// What the page calls the value.
  let name: String

  /// The value in a format.
  ///
  /// - Throws: `DatasetError.hashingFailed` for a page if libcrypto fails.
  func text(in format: OutputFormat, usesColor: Bool) throws -> String {
    switch format {
    case .json: return json()
    case .markdown: return MarkdownRenderer().render(document())
    case .html:
      let page = page?() ?? ResultPage(document(), name: name)
      return try ReportPage.html([SavedResult(name: name, page)])
    case .text:
      return TextRenderer(usesColor: usesColor).render((text ?? document)())
    }
  }
}

extension ResultEnvelope {
  /// The result in every format.
  ///
  /// - Parameters:
  ///   - text: what a terminal shows instead of the whole document; nil for the document.
  ///   - whole: what Markdown and a terminal show; nil for the result's own document.
  func formats(text: Document? = nil, document whole: Document? = nil) -> Formats {
    Formats(
      json: { json }, document: { whole ?? document }, text: text.map { text in { text } },
      page: { page }, name: Result.command)
  }
}

/// The exit codes, which scripts read.
enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Done, and gates passed.
  case success = 0
  /// Something unexpected happened.
  case unexpected = 1
  /// A gate failed.
  case gateFailed = 2
  /// Data cannot be compared, or a comparison cannot tell.
  case notComparable = 3
  /// The command line was wrong.
  case usage = 64
  /// A file's content was wrong; this includes errors that lint finds.
  case badData = 65
  /// An input does not exist.
  case noInput = 66
  /// An output cannot be created.
  case cannotCreate = 73
}

/// Why a command could not do its work: a sentence with a remedy, and an exit code.
struct WorkflowFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The exit code.
  let status: ExitStatus
  /// What is wrong, where, and what to do.
  let message: String

  /// Makes a failure.
  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The message.
  var description: String { message }
}

extension WorkflowFailure {
  /// Gives an error of any part of the program its exit code: the one place where that is done.
  ///
  /// A mistake in data that an importer, a file's reader or a session finds is `badData`. Errors
  /// that only their caller can place, such as those of tuning, do not arrive here untranslated.
  init(translating error: any Error) {
    switch error {
    case let failure as WorkflowFailure: self = failure
    case let error as DatasetError: self.init(error)
    case let error as RunStoreError: self.init(error)
    case PoseSourceError.invalidOption, TuningError.missingEngine:
      self.init(.usage, "\(error)")
    case is PoseSourceError, is FieldError, is ScriptError, is FrameOrderError:
      self.init(.badData, "\(error)")
    default: self.init(.unexpected, "\(error)")
    }
  }
}

/// Where results and remarks go.
enum Terminal {
  /// Whether a person reads stdout in color.
  static var usesColor: Bool {
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
  }

  /// Opens stdin, stdout and stderr if the caller closed them.
  ///
  /// The next file or pipe of this process would get their numbers otherwise, and a result would be
  /// written into it. The replacements cannot be written to, so that a lost result is an error.
  static func occupyClosedDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  /// What stands in the last line of stderr.
  private enum LastLine { case nothing, bar, final }
  private static let lastLine = Mutex(LastLine.nothing)

  /// Whether bars can be drawn: stderr is a terminal that can erase a line.
  static var showsBars: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// The columns of stderr; 80 if they are unknown.
  static var errorWidth: Int {
    var size = winsize()
    let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  /// Draws a bar in the last line of stderr, in place of the one before; nil removes it.
  static func draw(_ bar: String?) {
    lastLine.withLock { line in
      guard line == .bar || (line == .nothing && bar != nil) else { return }
      write("\r" + (bar ?? "") + "\u{1B}[K", to: STDERR_FILENO)
      line = bar == nil ? .nothing : .bar
    }
  }

  /// Prints a line on stderr, names from files escaped, in place of a bar that stands there.
  ///
  /// - Parameter isFinal: whether nothing may follow.
  static func say(_ sentence: String, isFinal: Bool = false) {
    let text = PrintableText.line(sentence) + "\n"
    lastLine.withLock { line in
      guard line != .final else { return }
      write((line == .bar ? "\r\u{1B}[K" : "") + text, to: STDERR_FILENO)
      line = isFinal ? .final : .nothing
    }
  }

  /// Runs a command, prints its outcome and ends the process with its exit code.
  ///
  /// While it runs, every file that it reads is recorded, so that no result replaces one.
  static func run(_ body: () async throws -> Outcome) async throws {
    let status: ExitStatus
    do {
      let outcome = try await FilesRead.$current.withValue(FilesRead()) { try await body() }
      for remark in outcome.remarks { say(remark) }
      try writeResult(outcome.text)
      status = outcome.status
    } catch {
      throw exitCode(of: error)
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// Says why a command could not do its work.
  ///
  /// - Returns: the exit code.
  static func exitCode(of error: any Error) -> ExitCode {
    let failure = WorkflowFailure(translating: error)
    say("error: \(failure.message)")
    return ExitCode(failure.status.rawValue)
  }

  /// Writes a part of the result to stdout.
  static func writeResult(_ text: String) throws {
    if !text.isEmpty { Interruption.notePrinted() }
    draw(nil)
    guard write(text, to: STDOUT_FILENO) else { throw OutputFile.failure("stdout", errno) }
  }

  /// Writes all of a text; if the reader has gone (`| head`), it ends quietly.
  ///
  /// - Returns: whether the text was written or nobody wants it.
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
