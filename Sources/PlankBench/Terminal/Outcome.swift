/// What a command hands back: a result for stdout, remarks for stderr, an exit code.
struct Outcome: Sendable {
  /// The result.
  var text: String
  /// Remarks that are not part of the result, a line each.
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
  /// A result in the form that was asked for; what is not asked for is not made.
  ///
  /// - Parameters:
  ///   - width: the column at which a terminal's text is broken; nil for the renderer's own.
  ///   - json: the result for programs.
  ///   - document: the result for people.
  init(
    _ format: OutputFormat, usesColor: Bool, width: Int? = nil, remarks: [String] = [],
    status: ExitStatus = .success, json: @autoclosure () -> JSONValue,
    document: @autoclosure () -> Document
  ) {
    var renderer = TextRenderer(usesColor: usesColor)
    if let width { renderer.width = width }
    let text =
      switch format {
      case .json: json().text
      case .markdown: MarkdownRenderer().render(document())
      case .text: renderer.render(document())
      }
    self.init(text, remarks: remarks, status: status)
  }

  /// A result of one sentence, in which names from files are made safe.
  static func sentence(_ text: String, remarks: [String] = []) -> Outcome {
    Outcome(PrintableText.line(text) + "\n", remarks: remarks)
  }

  /// The remarks for a terminal, a line each.
  var printableRemarks: [String] { remarks.map(PrintableText.line) }
}

/// The faces in which a result can be asked for.
enum OutputFormat: String, CaseIterable, Sendable {
  /// For a terminal.
  case text
  /// For programs.
  case json
  /// For pull requests and pages.
  case markdown
}

/// The exit codes, which scripts read.
enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Done, and gates passed.
  case success = 0
  /// Something unexpected happened.
  case unexpected = 1
  /// A gate failed.
  case gateFailed = 2
  /// A comparison cannot be made, or cannot tell.
  case notComparable = 3
  /// The command line was wrong.
  case usage = 64
  /// A file's content was wrong; errors that lint finds are.
  case badData = 65
  /// An input does not exist.
  case noInput = 66
  /// An output cannot be created.
  case cannotCreate = 73
}

/// Why a command could not do its job: a sentence with a remedy, and an exit code.
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

  /// The message for a terminal, a line.
  var printableMessage: String { PrintableText.line(message) }

  /// The message.
  var description: String { message }
}
