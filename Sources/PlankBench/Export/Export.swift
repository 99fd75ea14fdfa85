internal import ArgumentParser
internal import PlankDetection
internal import PoseModel
internal import Reports
internal import Tuning

struct Export: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Convert thresholds to a file for an app.",
    discussion: """
      The Swift file contains the numbers as constants and code that creates the detector with \
      PlankDetection. With --check, a file in the app is compared with the output and nothing is \
      written; the exit code is 0 if the two are equal and 2 if they differ.

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
    help: "A thresholds file, such as one that `planklab tune` wrote, or a detector.",
    completion: .file(extensions: ["json"]))
  var thresholds: String

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a parameter, e.g. plank_frames=5; may be repeated.", valueName: "key=value"),
    completion: .assignment)
  var assignments: [String] = []

  @Option(help: "The format of the file.")
  var format: Format

  @Option(help: ArgumentHelp("The name of the Swift type.", valueName: "NAME"))
  var typeName = Self.standardTypeName

  private static let standardTypeName = "PlankThresholds"

  @Option(
    help: ArgumentHelp(
      "Compare this file with the output, and write nothing.", valueName: "FILE"))
  var check: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the output to a file instead of stdout.", valueName: "FILE"))
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
      AnswerSettings(
        detector: isDetector ? thresholds : nil, parameters: isDetector ? nil : thresholds,
        assignments: assignments))
    let text = try text(of: bench.thresholds)
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
      try require(
        SwiftExport.isTypeName(typeName), .usage,
        "--type-name \(typeName): not a Swift type name; write letters, digits and underscores, "
          + "starting with a capital letter")
      try require(
        tuned.smoothing.isCausal, .badData,
        "\(thresholds): the smoothing \(tuned.smoothing.text) looks ahead, which an app cannot "
          + "do; choose a causal smoother")
      return SwiftExport(tuned, typeName: typeName).text
    }
  }

  private func compare(_ found: String, with expected: String, _ file: String) -> Outcome {
    if found == expected { return .sentence("\(file) matches \(thresholds)") }
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
      remarks: ["if the thresholds are correct, run: \(command)"], status: .gateFailed)
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }
}

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

struct SwiftExport {
  private let thresholds: Thresholds
  private let typeName: String
  private let names: [String]

  /// - Precondition: `isTypeName(typeName)`.
  init(_ thresholds: Thresholds, typeName: String) {
    self.thresholds = thresholds
    self.typeName = typeName
    names = SwiftText.identifiers(
      thresholds.parameters.entries.map(\.definition.swiftName),
      taken: ["values", "definition", "parameters", "smoothing", "debounce", "detector"])
  }

  private var isBuiltIn: Bool {
    DetectorDefinition.builtIn(named: thresholds.definition.name) == thresholds.definition
  }

  static func isTypeName(_ text: String) -> Bool {
    guard let first = text.first, first.isASCII, first.isUppercase else { return false }
    return !["Any", "Protocol", "Self", "Type"].contains(text)
      && text.allSatisfy { $0.isASCIIWord || $0 == "_" }
  }

  var text: String {
    """
    // swift-format-ignore-file
    // Made by `planklab export`; change the thresholds file instead.
    import PlankDetection
    \(isBuiltIn ? "" : "import PoseModel\n")
    /// The tuned thresholds of the detector \(SwiftText.comment(thresholds.definition.name)).
    nonisolated enum \(typeName) {
    \(constants)
      /// Every parameter with its value.
      static let values: [(key: String, value: Double)] = [
    \(values)
      ]

    \(isBuiltIn ? builtInDefinition : customDefinition)

      /// The parameters, checked against the detector.
      static func parameters() throws(DetectorError) -> ParameterValues {
        var parameters = try definition().defaults
        for (key, value) in values { try parameters.set(ParameterKey(key), to: value) }
        return parameters
      }

    \(SwiftStrategies(thresholds: thresholds).text)

      /// The detector as it was tuned, at the start of a sequence.
      static func detector(startsMid: Bool = false) throws -> PlankDetector {
        try PlankDetector(
          definition(), parameters: parameters(), smoothing: smoothing(), debounce: debounce(),
          startsMid: startsMid)
      }
    }

    """
  }

  private var constants: String {
    zip(names, thresholds.parameters.entries).map { name, entry in
      let (definition, value) = entry
      let meaning = SwiftText.comment(definition.meaning)
      let unit = definition.unit == .ratio ? "" : " in \(definition.unit.rawValue)"
      return "  /// \(definition.key.rawValue)\(unit): \(meaning).\n"
        + "  static let \(name): \(Self.isWhole(definition) ? "Int" : "Double") = "
        + "\(NumberText.shortest(value))\n"
    }.joined()
  }

  private var values: String {
    zip(names, thresholds.parameters.entries).map { name, entry in
      let key = SwiftText.literal(entry.definition.key.rawValue)
      let value = Self.isWhole(entry.definition) ? "Double(\(name))" : name
      return "    (key: \(key), value: \(value)),"
    }.joined(separator: "\n")
  }

  private static func isWhole(_ definition: ParameterDefinition) -> Bool {
    definition.isInteger && definition.range.upperBound < 1e9 && definition.range.lowerBound > -1e9
  }

  private var builtInDefinition: String {
    """
      /// The detector's rules.
      static func definition() throws(DetectorError) -> DetectorDefinition {
        .\(thresholds.definition.name)
      }
    """
  }

  private var customDefinition: String {
    let definition = thresholds.definition
    return """
        /// The detector's rules.
        static func definition() throws(DetectorError) -> DetectorDefinition {
          \(expressions(definition))try DetectorDefinition(
            name: \(SwiftText.literal(definition.name)), summary: \(SwiftText.literal(definition.summary)),
            axes: .\(definition.axes.rawValue),
            plank: DecisionList(.plank, [
      \(rules(definition.plank))
            ]),
            form: DecisionList(.form, [
      \(rules(definition.form))
            ]),
            \(definition.expressions.isEmpty ? "" : "expressions: expressions, ")custom: [
      \(custom(definition))
            ])
        }
      """
  }

  private func rules(_ list: DecisionList) -> String {
    list.rules.map { rule in
      let predicates = rule.predicates.map { predicate in
        "Predicate(\(reference(predicate.measurement)), .\(predicate.comparison.swiftName), "
          + "ParameterKey(\(SwiftText.literal(predicate.parameter.rawValue)))"
          + (predicate.isNegated ? ", negated: true)" : ")")
      }
      let label = ".\(list.stream.rawValue)(.\(rule.label.name))"
      return "        Rule(\(label), when: [\(predicates.joined(separator: ", "))]),"
    }.joined(separator: "\n")
  }

  private func expressions(_ definition: DetectorDefinition) -> String {
    guard !definition.expressions.isEmpty else { return "" }
    let axes = definition.axes.isImage ? ", axes: .image" : ""
    let lines = definition.expressions.map {
      "    expressions.append(\n      try Measurement(\(SwiftText.literal($0.name)), \(SwiftText.literal($0.definition)), "
        + "using: expressions\(axes)))\n"
    }
    return "var expressions: [Measurement] = []\n" + lines.joined() + "    return "
  }

  private func reference(_ measurement: Measurement) -> String {
    guard let index = thresholds.definition.expressions.firstIndex(of: measurement) else {
      return ".\(measurement.name)"
    }
    return "expressions[\(index)]"
  }

  private func custom(_ definition: DetectorDefinition) -> String {
    definition.customParameters.map {
      "        ParameterDefinition(ParameterKey(\(SwiftText.literal($0.key.rawValue))), unit: "
        + ".\($0.unit), default: \($0.defaultValue), "
        + "range: \($0.range.lowerBound)...\(SwiftText.number($0.range.upperBound)), "
        + "meaning: \(SwiftText.literal($0.meaning))),"
    }.joined(separator: "\n")
  }
}

extension Comparison {
  fileprivate var swiftName: String {
    switch self {
    case .greater: "greater"
    case .greaterOrEqual: "greaterOrEqual"
    case .less: "less"
    case .lessOrEqual: "lessOrEqual"
    }
  }
}

struct SwiftStrategies {
  let thresholds: Thresholds

  var text: String {
    """
      /// How joints and measurements are smoothed: \(SwiftText.comment(thresholds.smoothing.text)).
      static func smoothing() throws(StrategyError) -> SmoothingStrategy {
        \(smoothing)
      }

      /// What makes raw labels steady: \(SwiftText.comment(thresholds.debounceText)).
      static func debounce() throws(StrategyError) -> DebounceStrategy {
        \(debounce)
      }
    """
  }

  private var smoothing: String {
    guard case .causal(let strategy) = thresholds.smoothing, !strategy.isEmpty else {
      return ".none"
    }
    let steps = strategy.steps.map { step in
      "SmoothingStep(.\(step.settings.kind), \(values(step.settings)), on: .\(step.target))"
    }
    return "try SmoothingStrategy([\(steps.joined(separator: ", "))])"
  }

  private var debounce: String {
    let strategy = thresholds.debounce
    guard strategy != .parameters else { return ".parameters" }
    func rule(_ settings: StrategySettings<DebounceKind>?) -> String {
      settings.map { "StrategySettings(.\($0.kind), \(values($0)))" } ?? "nil"
    }
    let bands = strategy.bands.map {
      "SchmittBand(ParameterKey(\(SwiftText.literal($0.parameter.rawValue))), "
        + "halfWidth: \($0.halfWidth))"
    }
    return "try DebounceStrategy(plank: \(rule(strategy.plank)), form: \(rule(strategy.form)), "
      + "bands: [\(bands.joined(separator: ", "))])"
  }

  private func values<Kind>(_ settings: StrategySettings<Kind>) -> String {
    let entries = settings.entries.map { definition, value in
      "ParameterKey(\(SwiftText.literal(definition.key.rawValue))): \(NumberText.shortest(value))"
    }
    return entries.isEmpty ? "[:]" : "[\(entries.joined(separator: ", "))]"
  }
}

/// Escapes text, because a raw name could end its literal or comment and continue as code.
enum SwiftText {
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case _ where isInvisible(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func comment(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isInvisible($0) ? " " : $0 }))
  }

  /// A negative number is in parentheses, so that its sign cannot join an operator.
  static func number(_ value: Double) -> String { value.sign == .minus ? "(\(value))" : "\(value)" }

  static func identifiers(_ suggestions: [String], taken: Set<String>) -> [String] {
    var used = taken.union(words)
    return suggestions.map { suggestion in
      var name = suggestion.isEmpty ? "parameter" : suggestion
      while !used.insert(name).inserted { name += "_" }
      return name
    }
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      true
    default: false
    }
  }

  private static let words = Set(
    """
    actor any as associatedtype associativity async await borrow borrowing break case catch class \
    consume consuming continue convenience copy default defer deinit didSet discard do dynamic each \
    else enum extension fallthrough false fileprivate final for func get guard if import in \
    indirect infix init inout internal is isolated lazy left let macro mutating nil none \
    nonisolated nonmutating of open operator optional override package postfix precedence \
    precedencegroup prefix private protocol public repeat required rethrows return right self \
    sending set some static struct subscript super switch then throw throws true try typealias \
    unowned unsafe var weak where while willSet yield
    """.split(separator: " ").map(String.init))
}
