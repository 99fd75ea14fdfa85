internal import ArgumentParser
internal import PlankDetection
internal import Tuning

struct Export: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write thresholds in a format that an app can ship.",
    discussion: """
      The Swift file has the numbers as constants and makes the detector with PlankDetection. \
      --check compares one of the app's files with what would be written: the exit code is 0 if \
      they are equal and 2 if they differ.

      Examples:
        planklab export thresholds.json --format swift > Sources/App/PlankThresholds.swift
        planklab export thresholds.json --format swift --check Sources/App/PlankThresholds.swift
        planklab export thresholds.json --format plist --output Thresholds.plist
        planklab export coach --set form_frames=7 --format swift
      """)

  enum Format: String, CaseIterable, Sendable, ExpressibleByArgument {
    case swift
    case json
    case plist
  }

  @Argument(
    help: "A thresholds file, as `planklab tune` writes them, or a detector.",
    completion: .file(extensions: ["json"]))
  var thresholds: String

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a parameter, e.g. sag=3cm; may be repeated.", valueName: "key=value"),
    completion: .assignment)
  var assignments: [String] = []

  @Option(help: "swift, json or plist.")
  var format: Format

  @Option(help: ArgumentHelp("The name of the Swift type.", valueName: "NAME"))
  var typeName = Self.standardTypeName

  private static let standardTypeName = "PlankThresholds"

  @Option(help: ArgumentHelp("Compare with this file instead of writing.", valueName: "FILE"))
  var check: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("Write to a file.", valueName: "FILE"))
  var output: String?

  func validate() throws {
    if check != nil, output != nil {
      throw ValidationError("--check compares and --output writes; give one of them")
    }
  }

  func outcome() throws -> Outcome {
    let isDetector =
      DetectorDefinition.builtIn(named: thresholds) != nil
      || [".yaml", ".yml"].contains(where: thresholds.hasSuffix)
    let bench = try BenchDetector(
      isDetector ? thresholds : nil, thresholds: isDetector ? nil : thresholds,
      assignments: assignments)
    let text = try text(of: Thresholds(bench))
    if let check { return compare(try InputText.read(check), with: text, check) }
    guard let output else { return Outcome(text) }
    try OutputFile.writeReport(text, to: output)
    return Outcome("", remarks: ["wrote \(output)"])
  }

  private func text(of tuned: Thresholds) throws -> String {
    switch format {
    case .json: return JSONText.of(PlainThresholds(tuned))
    case .plist: return PropertyListExport(thresholds: tuned).text
    case .swift:
      guard SwiftExport.isTypeName(typeName) else {
        throw WorkflowFailure(
          .usage,
          "--type-name \(typeName): not a Swift type name; write letters, digits "
            + "and underscores, a capital letter first")
      }
      guard tuned.smoothing.isCausal else {
        throw WorkflowFailure(
          .badData,
          "\(thresholds): the smoothing \(tuned.smoothing.text) looks ahead, "
            + "which no app can; choose a causal one")
      }
      return SwiftExport(tuned, typeName: typeName).text
    }
  }

  private func compare(
    _ found: String, with expected: String, _ file: String
  ) -> Outcome {
    if found == expected {
      return .sentence("\(file) matches \(thresholds)")
    }
    let (old, new) = (Self.lines(found), Self.lines(expected))
    let removed = old.filter { !new.contains($0) }.map { "- " + $0 }
    let added = new.filter { !old.contains($0) }.map { "+ " + $0 }
    let name = typeName == Self.standardTypeName ? "" : " --type-name \(typeName)"
    let set = assignments.map { " --set \(ShellWord.quoted($0))" }.joined()
    let command =
      "planklab export \(ShellWord.quoted(thresholds))\(set) --format \(format.rawValue)\(name) > "
      + ShellWord.quoted(file)
    return Outcome(
      (["\(file) differs from \(thresholds):"] + removed + added)
        .map { PrintableText.line($0) + "\n" }.joined(),
      remarks: ["if the thresholds are right: \(command)"], status: .gateFailed)
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }
}

/// Thresholds as an XML property list: the detector's and the smoothing's name, and numbers by key.
struct PropertyListExport {
  let thresholds: Thresholds

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
    let printable = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    return printable.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
      ">", with: "&gt;")
  }
}

private struct PlainThresholds: Encodable {
  let detector: DetectorSpecification.Stored
  let smoothing: String
  let debounce: String
  let parameters: [String: Double]
  let units: [String: String]

  init(_ thresholds: Thresholds) {
    let values = thresholds.parameters.facts()
    detector = DetectorSpecification.Stored(thresholds.definition)
    smoothing = thresholds.smoothing.text
    debounce = thresholds.debounceText
    parameters = Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    units = Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.unit.rawValue) })
  }
}
