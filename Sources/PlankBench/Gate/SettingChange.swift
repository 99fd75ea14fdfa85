internal import PlankDetection
internal import PoseModel
internal import Tuning

struct SettingChange: Hashable, Sendable, Codable {
  enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    case detector
    case rules
    case smoothing
    case debounce
    case parameter
  }

  let kind: Kind
  let name: String
  let before: String
  let after: String
  let unit: String
  let options: [String]

  /// In the order in which they take effect, parameters by name; another detector is one change,
  /// because its parameters mean something else.
  static func all(from before: Thresholds, to after: Thresholds) -> [SettingChange] {
    guard before.definition.name == after.definition.name else {
      return [
        SettingChange(
          kind: .detector, name: "detector", before: before.definition.name,
          after: after.definition.name, unit: "", options: [])
      ]
    }
    let rules =
      before.definition == after.definition
      ? []
      : [
        SettingChange(kind: .rules, name: "rules", before: "", after: "", unit: "", options: [])
      ]
    let texts: [(Kind, String, String)] = [
      (.smoothing, before.smoothing.text, after.smoothing.text),
      (.debounce, before.debounceText, after.debounceText),
    ]
    let strategies = texts.filter { $1 != $2 }.map { kind, old, new in
      SettingChange(
        kind: kind, name: kind.rawValue, before: old, after: new, unit: "",
        options: ["--\(kind.rawValue)", old])
    }
    return rules + strategies + parameters(from: before, to: after)
  }

  private static func parameters(
    from before: Thresholds, to after: Thresholds
  ) -> [SettingChange] {
    let known = Dictionary(
      before.parameters.entries.map { ($0.definition.key, $0) }, uniquingKeysWith: { $1 })
    let found = after.parameters.entries.compactMap { definition, value -> SettingChange? in
      guard let old = known[definition.key], old.definition.unit == definition.unit,
        old.value != value, definition.accepts(old.value)
      else { return nil }
      let text = TwoValues(definition, old.value, value)
      let short = text.first + text.unit
      let isExact = (try? definition.parse(short)) == old.value
      let assigned = isExact ? short : NumberText.shortest(old.value)
      return SettingChange(
        kind: .parameter, name: definition.key.rawValue, before: text.first, after: text.second,
        unit: text.unit, options: ["--set", "\(definition.key.rawValue)=\(assigned)"])
    }
    return found.sorted { $0.name < $1.name }
  }

  func put(back before: Thresholds, in after: Thresholds) throws -> Thresholds {
    var parameters = after.parameters
    switch kind {
    case .detector: return before
    case .rules:
      parameters = before.parameters
      for (definition, value) in after.parameters.entries
      where parameters[definition.key] != nil {
        try parameters.set(definition.key, to: value)
      }
    case .parameter:
      let key = after.parameters.definitions.first { $0.key.rawValue == name }?.key
      guard let key, let value = before.parameters[key] else { break }
      try parameters.set(key, to: value)
    case .smoothing, .debounce: break
    }
    return Thresholds(
      definition: kind == .rules ? before.definition : after.definition, parameters: parameters,
      smoothing: kind == .smoothing ? before.smoothing : after.smoothing,
      debounce: kind == .debounce ? before.debounce : after.debounce)
  }
}

/// Lengths are in centimeters, with as many digits as tell the values apart.
struct TwoValues {
  let first: String
  let second: String
  let unit: String

  init(_ definition: ParameterDefinition, _ first: Double, _ second: Double) {
    let isLength = definition.unit == .meters
    let isPlain = definition.unit == .ratio || definition.unit == .frames
    let values = [first, second].map { isLength ? 100 * $0 : $0 }
    let short = values.map(NumberText.short)
    let texts = short[0] == short[1] ? values.map(NumberText.shortest) : short
    self.first = texts[0]
    self.second = texts[1]
    unit = isLength ? "cm" : isPlain ? "" : definition.unit.rawValue
  }
}
