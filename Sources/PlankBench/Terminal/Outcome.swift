internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseSynthesis
internal import Reports
internal import Synchronization
internal import Tuning

struct Outcome: Sendable {
  var text: String
  var remarks: [String]
  var status: ExitStatus

  init(_ text: String, remarks: [String] = [], status: ExitStatus = .success) {
    self.text = text
    self.remarks = remarks
    self.status = status
  }

  static func sentence(_ text: String, remarks: [String] = []) -> Outcome {
    Outcome(PrintableText.line(text) + "\n", remarks: remarks)
  }
}

enum OutputFormat: String, CaseIterable, Sendable {
  case text
  case json
  case markdown
  case html
  case csv

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

struct Formats {
  let json: () -> String
  let document: () -> Document
  var text: (() -> Document)?
  var page: (() -> ResultPage)?
  var csv: () -> String = { "" }
  let name: String

  func text(in format: OutputFormat, usesColor: Bool) throws -> String {
    switch format {
    case .json: return json()
    case .markdown: return MarkdownRenderer().render(document())
    case .html:
      let page = page?() ?? ResultPage(document(), name: name)
      return try ReportPage.html([SavedResult(name: name, page)])
    case .csv: return csv()
    case .text: return TextRenderer(usesColor: usesColor).render((text ?? document)())
    }
  }
}

extension ResultEnvelope {
  /// A nil `text` or `document` means the result's own document.
  func formats(text: Document? = nil, document whole: Document? = nil) -> Formats {
    Formats(
      json: { json }, document: { whole ?? document }, text: text.map { text in { text } },
      page: { page }, csv: { result.csv }, name: Result.command)
  }
}

struct WorkflowFailure: Error, Hashable, Sendable, CustomStringConvertible {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  var description: String { message }
}

func require(
  _ condition: Bool, _ status: ExitStatus, _ message: @autoclosure () throws -> String
) throws {
  guard condition else { throw WorkflowFailure(status, try message()) }
}

func require<Value>(
  _ value: Value?, _ status: ExitStatus, _ message: @autoclosure () throws -> String
) throws -> Value {
  guard let value else { throw WorkflowFailure(status, try message()) }
  return value
}

extension WorkflowFailure {
  init(translating error: any Error) {
    switch error {
    case let failure as WorkflowFailure: self = failure
    case let error as DatasetError: self.init(error)
    case let error as RunStoreError: self.init(error)
    case PoseSourceError.invalidOption, TuningError.missingEngine: self.init(.usage, "\(error)")
    case is PoseSourceError, is FieldError, is ScriptError, is FrameOrderError:
      self.init(.badData, "\(error)")
    default: self.init(.unexpected, "\(error)")
    }
  }
}

enum Terminal {
  static var usesColor: Bool {
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
  }

  /// Prevents the next file or pipe of this process from getting a closed descriptor's number,
  /// because a result would be written into it.
  ///
  /// The replacements are not writable, so that a lost result is an error.
  static func occupyClosedDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  private enum LastLine { case nothing, bar, final }
  private static let lastLine = Mutex(LastLine.nothing)

  static var showsBars: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  static var errorWidth: Int {
    var size = winsize()
    let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  static func draw(_ bar: String?) {
    lastLine.withLock { line in
      guard line == .bar || (line == .nothing && bar != nil) else { return }
      write("\r" + (bar ?? "") + "\u{1B}[K", to: STDERR_FILENO)
      line = bar == nil ? .nothing : .bar
    }
  }

  /// Nothing may follow a final sentence.
  static func say(_ sentence: String, isFinal: Bool = false) {
    let text = PrintableText.lines(sentence) + "\n"
    lastLine.withLock { line in
      guard line != .final else { return }
      write((line == .bar ? "\r\u{1B}[K" : "") + text, to: STDERR_FILENO)
      line = isFinal ? .final : .nothing
    }
  }

  /// Records every file that the command reads, so that no result replaces one.
  static func run(_ body: () async throws -> Outcome) async throws {
    let status: ExitStatus
    do {
      let outcome = try await FilesRead.$current.withValue(FilesRead()) { try await body() }
      for remark in outcome.remarks { say(remark) }
      try writeResult(outcome.text)
      status = outcome.status
    } catch { throw exitCode(of: error) }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  static func exitCode(of error: any Error) -> ExitCode {
    let failure = WorkflowFailure(translating: error)
    say("error: \(failure.message)")
    return ExitCode(failure.status.rawValue)
  }

  static func writeResult(_ text: String) throws {
    if !text.isEmpty { Interruption.notePrinted() }
    draw(nil)
    guard write(text, to: STDOUT_FILENO) else { throw OutputFile.failure("stdout", errno) }
  }

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

struct SavedResult: Sendable {
  let name: String
  let page: ResultPage

  init(name: String, _ page: ResultPage) {
    self.name = name
    self.page = page
  }

  static let kinds: [any CommandResult.Type] = [
    EvaluationReport.self, ComparisonReport.self, GateReport.self, TuningResult.self,
    SweepSummary.self, SmootherComparison.self, SessionReplay.self, SuggestionReport.self,
  ]

  init(path: String) throws { try self.init(InputText.read(path), path: path) }

  init(_ text: String, path: String) throws {
    let document = try JSONDocument(text, file: path)
    let header = try document.decode(Header.self)
    let kind = try require(
      Self.kinds.first(where: { $0.command == header.command }), .badData,
      "\(path): \(header.problem)")
    try require(
      header.version == kind.schemaVersion, .badData,
      "\(path): has version \(header.version ?? 1) of this format, but this planklab reads "
        + "version \(kind.schemaVersion); run `planklab \(kind.command)` again")
    let file = URL(filePath: path).lastPathComponent
    name = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
    page = try Self.page(of: kind, document)
  }

  private static func page<Result: CommandResult>(
    of kind: Result.Type, _ document: JSONDocument
  ) throws -> ResultPage {
    try document.decode(ResultEnvelope<Result>.self).page
  }

  private struct Header: Decodable {
    let command: String?
    let format: String?
    let version: Int?

    private enum CodingKeys: String, CodingKey {
      case command, format
      case version = "schema_version"
    }

    var problem: String {
      guard let command else {
        return version == nil || format != nil
          ? "is not a planklab result; write one with, for example, `planklab evaluate --output "
            + "result.json`"
          : "was written by an older planklab; run its command again"
      }
      let known = SavedResult.kinds.map { $0.command }.joined(separator: ", ")
      return
        "is a result of `\(command.prefix(40))`, which has no page; these commands have one: \(known)"
    }
  }
}
