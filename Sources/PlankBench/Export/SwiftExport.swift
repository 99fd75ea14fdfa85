internal import PlankDetection
internal import PoseModel
internal import Tuning

/// For an app that links PlankDetection: numbers are constants, and the rules are included unless
/// they are built in.
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

  /// Whether the detector is really one of the library's, not just one of the same name.
  private var isBuiltIn: Bool {
    DetectorDefinition.builtIn(named: thresholds.definition.name) == thresholds.definition
  }

  static func isTypeName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (65...90).contains(first) else { return false }
    guard !["Any", "Protocol", "Self", "Type"].contains(text) else { return false }
    return text.utf8.allSatisfy {
      (65...90).contains($0) || (97...122).contains($0) || (48...57).contains($0) || $0 == 95
    }
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
      return "  /// \(definition.key.rawValue) in \(definition.unit.rawValue): \(meaning).\n"
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

  /// Whether all values of a parameter are whole numbers that fit an `Int` literal.
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
    definition.parameters.filter { ParameterCatalogue.definition(of: $0.key) != $0 }.map {
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

  /// Two functions, indented as members of a type.
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
