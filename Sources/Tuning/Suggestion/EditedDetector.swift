package import Evaluation
package import PlankDetection
package import PoseModel

extension DetectorDefinition {
  private static let editedSuffix = "-suggested"

  package func withDefaults(_ values: ParameterValues) throws -> DetectorDefinition {
    var custom: [ParameterDefinition] = []
    for (definition, value) in values.entries {
      custom.append(try definition.withDefault(value))
    }
    return try DetectorDefinition(
      name: name, summary: summary, axes: axes, plank: plank, form: form,
      expressions: expressions, custom: custom)
  }

  /// `candidates` are further measurements by which the edit may compare, each after those that it
  /// uses.
  package func applying(
    _ edit: RuleEdit, to stream: AnswerStream, candidates: [Measurement] = []
  ) throws -> DetectorDefinition {
    var draft = DetectorDraft(self, stream, candidates)
    try draft.apply(edit)
    let list = try DecisionList(stream, draft.rules)
    return try DetectorDefinition(
      name: name.hasSuffix(Self.editedSuffix) ? name : name + Self.editedSuffix,
      summary: summary, axes: axes, plank: stream == .plank ? list : plank,
      form: stream == .form ? list : form, expressions: draft.expressions,
      custom: draft.parameters)
  }
}

extension SuggestionReport {
  /// A detector with all edits that are advised; nil if none is.
  package func edited(
    _ detector: DetectorDefinition, candidates: [Measurement]
  ) throws -> DetectorDefinition? {
    guard made > 0 else { return nil }
    return try streams.reduce(detector) { detector, found in
      try found.suggested.reduce(detector) {
        try $0.applying($1.edit, to: found.stream, candidates: candidates)
      }
    }
  }
}

private struct DetectorDraft {
  private let stream: AnswerStream
  private let candidates: [Measurement]
  private(set) var rules: [Rule]
  private(set) var expressions: [Measurement]
  private(set) var parameters: [ParameterDefinition]

  init(_ detector: DetectorDefinition, _ stream: AnswerStream, _ candidates: [Measurement]) {
    self.stream = stream
    self.candidates = candidates
    rules = detector.list(stream).rules
    expressions = detector.expressions
    parameters = detector.parameters
  }

  mutating func apply(_ edit: RuleEdit) throws {
    switch edit {
    case .move(let key, let value): try move(ParameterKey(key), to: value)
    case .dropRule(let rule): rules.remove(at: rule)
    case .dropCondition(let rule, let condition):
      rules[rule].predicates.remove(at: condition)
    case .swap(let rule): rules.swapAt(rule, rule + 1)
    case .narrow(let rule, let condition):
      rules[rule].predicates.append(try predicate(condition))
    case .insert(let position, let label, let conditions):
      guard let label = AnswerLabel(stream, name: label) else {
        preconditionFailure("an edit gives a label of its stream")
      }
      var predicates: [Predicate] = []
      for condition in conditions { predicates.append(try predicate(condition)) }
      rules.insert(Rule(label, when: predicates), at: position)
    }
  }

  private mutating func move(_ key: ParameterKey, to value: Double) throws {
    for index in parameters.indices where parameters[index].key == key {
      parameters[index] = try parameters[index].withDefault(value)
    }
  }

  private mutating func predicate(_ condition: EditCondition) throws -> Predicate {
    let measurement = measurement(named: condition.measurement)
    let definition = try ParameterDefinition(
      newKey(for: measurement.name), unit: measurement.unit, default: condition.threshold,
      range: Self.range(around: condition.threshold, measurement.unit),
      meaning: "limit of \(measurement.name), suggested by planklab")
    parameters.append(definition)
    return Predicate(measurement, condition.comparison, definition.key)
  }

  private mutating func measurement(named name: String) -> Measurement {
    if let known = (Measurement.builtIn + expressions).first(where: { $0.name == name }) {
      return known
    }
    guard let found = candidates.first(where: { $0.name == name }) else {
      preconditionFailure("an edit compares a measurement that was searched")
    }
    let words = Set(found.definition.split { !($0.isLetter || $0.isNumber || $0 == "_") })
    for other in candidates where other != found && words.contains(other.name[...]) {
      _ = measurement(named: other.name)
    }
    expressions.append(found)
    return found
  }

  private func newKey(for name: String) -> ParameterKey {
    var text = "suggested_"
    for character in name {
      if character.isUppercase, text.last != "_" { text += "_" }
      text += character.lowercased()
    }
    let taken = parameters.map(\.key.rawValue) + ParameterCatalogue.definitions.map(\.key.rawValue)
    guard taken.contains(text) else { return ParameterKey(text) }
    var count = 2
    while taken.contains("\(text)_\(count)") { count += 1 }
    return ParameterKey("\(text)_\(count)")
  }

  private static func range(around value: Double, _ unit: MeasurementUnit) -> ClosedRange<Double> {
    var size = unit == .degrees ? 360.0 : 1
    while size < value.magnitude * 2, unit != .degrees || size < value.magnitude { size *= 10 }
    return (value < 0 || unit != .degrees ? -size : 0)...size
  }
}

extension ParameterDefinition {
  fileprivate func withDefault(_ value: Double) throws -> ParameterDefinition {
    guard accepts(value) else { throw DetectorError.invalidValue(self, value) }
    return try ParameterDefinition(key, unit: unit, default: value, range: range, meaning: meaning)
  }
}
