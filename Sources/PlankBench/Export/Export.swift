internal import ArgumentParser
internal import ParameterTuning
internal import PlankDetection

extension ExportThresholds.Format: ExpressibleByArgument {}

/// `planklab export`.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write thresholds in a form that an app ships.",
    discussion: """
      The Swift form holds the numbers as constants and makes the detector with PlankDetection. \
      --check compares a file of the app with what would be written: exit code 0 where it says \
      the same, 2 where it differs.

      Examples:
        planklab export thresholds.json --format swift > Sources/App/PlankThresholds.swift
        planklab export thresholds.json --format swift --check Sources/App/PlankThresholds.swift
        planklab export thresholds.json --format plist --output Thresholds.plist
      """)

  @Argument(help: "The thresholds file that `planklab tune` wrote.")
  var thresholds: String

  @Option(help: "swift, json or plist.")
  var format: ExportThresholds.Format

  @Option(help: ArgumentHelp("The name of the Swift type.", valueName: "NAME"))
  var typeName = "PlankThresholds"

  @Option(help: ArgumentHelp("Compare with a file instead of writing.", valueName: "FILE"))
  var check: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("Write to a file.", valueName: "FILE"))
  var output: String?

  func validate() throws {
    if check != nil, output != nil {
      throw ValidationError("--check compares and --output writes; give one of them")
    }
  }

  func run() async throws {
    try await Terminal.run {
      if let output { try OutputFile.check(output, differsFrom: thresholds) }
      let outcome = try ExportThresholds.run(
        ExportThresholds.Request(
          thresholds: thresholds, format: format, typeName: typeName, check: check))
      guard let output else { return outcome }
      try OutputFile.writeReport(outcome.text, to: output)
      return Outcome("", remarks: ["wrote \(output)"])
    }
  }
}

/// Writes thresholds in a form that an app ships, or checks that a file still says the same.
enum ExportThresholds {
  /// The forms.
  enum Format: String, CaseIterable, Sendable {
    /// A Swift file that makes the detector.
    case swift
    /// Names and numbers alone.
    case json
    /// A property list of names and numbers.
    case plist
  }

  /// What `export` is asked for.
  struct Request: Sendable {
    /// The thresholds file.
    var thresholds: String
    /// The form.
    var format: Format
    /// The name of the Swift type.
    var typeName: String
    /// A file to compare with instead of printing; nil prints.
    var check: String?

    /// Makes a request.
    init(
      thresholds: String, format: Format, typeName: String = "PlankThresholds",
      check: String? = nil
    ) {
      self.thresholds = thresholds
      self.format = format
      self.typeName = typeName
      self.check = check
    }
  }

  /// Exports or checks.
  ///
  /// - Throws: `WorkflowFailure` for a missing or bad thresholds file and a missing file to check.
  static func run(_ request: Request) throws(WorkflowFailure) -> Outcome {
    let thresholds = try ThresholdsFile.read(request.thresholds)
    let text: String
    switch request.format {
    case .swift:
      guard SwiftExport.isTypeName(request.typeName) else {
        throw WorkflowFailure(
          .usage,
          "--type-name \(request.typeName): is no Swift type name; write letters, digits "
            + "and underscores, a capital letter first")
      }
      guard thresholds.smoothing.isCausal else {
        throw WorkflowFailure(
          .badData,
          "\(request.thresholds): the smoothing \(thresholds.smoothing.text) looks ahead, "
            + "which no app can; choose a causal one")
      }
      text = SwiftExport(thresholds, typeName: request.typeName).text
    case .json: text = json(thresholds).text
    case .plist: text = PropertyListExport(thresholds).text
    }
    guard let check = request.check else { return Outcome(text) }
    return compare(try InputText.read(check), with: text, check, request)
  }

  private static func json(_ thresholds: Thresholds) -> JSONValue {
    let values = thresholds.parameters.facts()
    return .object([
      "detector": ThresholdsFile.detector(thresholds.definition),
      "smoothing": .string(thresholds.smoothing.text),
      "debounce": .string(thresholds.debounceText), "parameters": values.json,
      "units": values.unitsJSON,
    ])
  }

  private static func compare(
    _ found: String, with expected: String, _ file: String, _ request: Request
  ) -> Outcome {
    if found == expected {
      return Outcome("\(file) says the same as \(request.thresholds)\n")
    }
    let (old, new) = (lines(found), lines(expected))
    let removed = old.filter { !new.contains($0) }.map { "- " + $0 }
    let added = new.filter { !old.contains($0) }.map { "+ " + $0 }
    let command =
      "planklab export \(request.thresholds) --format \(request.format.rawValue) > \(file)"
    return Outcome(
      ["\(file) differs from \(request.thresholds):"].joined() + "\n"
        + (removed + added).map { $0 + "\n" }.joined(),
      remarks: ["if the thresholds are right: \(command)"], status: .gateFailed)
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }
}

/// Thresholds as an XML property list: the detector's and the smoothing's name, and numbers by key.
struct PropertyListExport {
  private let thresholds: Thresholds

  init(_ thresholds: Thresholds) { self.thresholds = thresholds }

  /// The property list.
  var text: String {
    let entries = thresholds.parameters.entries.map { definition, value -> String in
      let tag = definition.isInteger ? "integer" : "real"
      return "    <key>\(definition.key.rawValue)</key>\n"
        + "    <\(tag)>\(NumberText.shortest(value))</\(tag)>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>detector</key>
        <string>\(Self.escaped(thresholds.definition.name))</string>
        <key>smoothing</key>
        <string>\(Self.escaped(thresholds.smoothing.text))</string>
        <key>debounce</key>
        <string>\(Self.escaped(thresholds.debounceText))</string>
        <key>parameters</key>
        <dict>
      \(entries.joined())\
        </dict>
      </dict>
      </plist>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
