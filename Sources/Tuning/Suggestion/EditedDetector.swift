package import Evaluation
package import PlankDetection
package import PoseModel

extension DetectorDefinition {
  private static let editedSuffix = "-suggested"

  package func withDefaults(_ values: ParameterValues) throws -> DetectorDefinition {
    try DetectorDefinition(
      name: name, summary: summary, axes: axes, plank: plank, form: form,
      expressions: expressions,
      custom: values.entries.map { try $0.definition.withDefault($0.value) })
  }

  /// The detector after an edit of one stream's rules.
  ///
  /// `candidates` are additional measurements that the edit may compare; a measurement comes after
  /// those that it uses.
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
    case .dropCondition(let rule, let condition): rules[rule].predicates.remove(at: condition)
    case .swap(let rule): rules.swapAt(rule, rule + 1)
    case .narrow(let rule, let condition): rules[rule].predicates.append(try predicate(condition))
    case .insert(let position, let label, let conditions):
      guard let label = AnswerLabel(stream, name: label) else {
        preconditionFailure("an edit gives a label of its stream")
      }
      let predicates = try conditions.map { try predicate($0) }
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

package struct EditPath: Sendable {
  package struct Step: Sendable {
    package let found: FoundEdit
    package let others: [FoundEdit]
    package let detector: DetectorDefinition
  }

  package let start: DetectorDefinition
  package let steps: [Step]
  package let tried: [Int]

  /// Searches for edits one after another.
  ///
  /// `candidates` are measurements that edits may add to the built-in ones; `harm` is the weight of
  /// a second that an edit makes wrong.
  package init(
    _ detector: DetectorDefinition, _ frames: SuggestionFrames, candidates: [Measurement],
    harm: Double, steps count: Int
  ) throws {
    start = detector
    var steps: [Step] = []
    var tried: [Int] = []
    var current = detector
    while steps.count < count, current.list(frames.stream).rules.count < IndexedList.mostRules {
      let search = EditSearch(current, frames, harm: harm)
      tried.append(search.tried)
      guard let found = search.choice else { break }
      current = try current.applying(found.edit, to: frames.stream, candidates: candidates)
      steps.append(Step(found: found, others: search.others, detector: current))
    }
    self.steps = steps
    self.tried = tried
  }

  package func detector(after count: Int) -> DetectorDefinition {
    let made = min(count, steps.count)
    return made == 0 ? start : steps[made - 1].detector
  }

  /// As long as only thresholds move, advice counts one candidate, as in every other command.
  func candidates(at step: Int) -> Int {
    steps[...step].allSatisfy { $0.found.edit.kind == .move } ? 1 : max(1, tried[step])
  }

  /// A value of a parameter and an edit of a rule each count as one.
  func settings(after count: Int) -> Int {
    let values = detector(after: count).defaults
    return start.parameters.count { values[$0.key] != $0.defaultValue }
      + steps.prefix(count).count { $0.found.edit.kind != .move }
  }
}

struct EditEffect {
  let frames: SuggestionFrames
  let before: [UInt8]
  let after: [UInt8]
  let harm: Double

  private static let point = 0.01

  var scores: BeforeAfter<Double> {
    BeforeAfter(before: score(of: before), after: score(of: after))
  }

  /// The root of the sum of the people's squared gains: the spread if every gain had a random sign.
  ///
  /// Source: Fisher's randomization of signs, The Design of Experiments, 1935, section 21.
  var standardError: Double {
    var worth = [Double](repeating: 0, count: frames.people.count)
    for frame in before.indices { worth[Int(frames.person[frame])] += harmed(at: frame) }
    return worth.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }

  private func harmed(at frame: Int) -> Double {
    let change = change(at: frame)
    return change < 0 ? change * harm : change
  }

  var people: [PeopleChange] {
    var worth: [Int64: Double] = [:]
    for frame in before.indices {
      let key = Int64(frames.source[frame]) << 32 | Int64(frames.person[frame])
      worth[key, default: 0] += change(at: frame)
    }
    return frames.sources.indices.map { source in
      let own = worth.filter { Int($0.key >> 32) == source }.values
      // Sums of the same weights in different orders can differ in their last digits.
      return PeopleChange(
        source: frames.sources[source], better: own.count { $0 > 1e-12 },
        worse: own.count { $0 < -1e-12 }, count: own.count)
    }
  }

  func fixed(_ count: Int) -> [AnswerChange] {
    let labels = frames.stream.labels
    var sums: [[UInt8]: (worth: Double, seconds: Double)] = [:]
    for frame in before.indices where before[frame] != after[frame] {
      let key = [frames.truth[frame], before[frame], after[frame]]
      sums[key, default: (0, 0)].worth += change(at: frame)
      sums[key, default: (0, 0)].seconds += frames.seconds[frame]
    }
    let ranked = sums.filter { $0.value.worth > 0 }.sorted { left, right in
      left.value.worth == right.value.worth
        ? left.key.lexicographicallyPrecedes(right.key) : left.value.worth > right.value.worth
    }
    return ranked.prefix(count).map { key, sum in
      AnswerChange(
        truth: labels[Int(key[0])], before: labels[Int(key[1])], after: labels[Int(key[2])],
        worth: sum.worth, seconds: sum.seconds)
    }
  }

  var lost: [ClassLoss] {
    let labels = frames.stream.labels
    var sums = [(total: Double, before: Double, after: Double)](
      repeating: (0, 0, 0), count: frames.sources.count * labels.count)
    for frame in before.indices {
      let truth = frames.truth[frame]
      let place = Int(frames.source[frame]) * labels.count + Int(truth)
      let seconds = frames.seconds[frame]
      sums[place].total += seconds
      if before[frame] == truth { sums[place].before += seconds }
      if after[frame] == truth { sums[place].after += seconds }
    }
    return sums.indices.filter { sums[$0].total > 0 }.map { place in
      ClassLoss(
        source: frames.sources[place / labels.count], label: labels[place % labels.count],
        before: sums[place].before / sums[place].total,
        after: sums[place].after / sums[place].total)
    }.filter { $0.before - $0.after >= Self.point }
      .sorted { $0.before - $0.after > $1.before - $1.after }
  }

  private func score(of answers: [UInt8]) -> Double {
    let sum = answers.indices.reduce(Int64(0)) {
      answers[$1] == frames.truth[$1] ? $0 + frames.weights[$1] : $0
    }
    return Double(sum) * SuggestionFrames.scoreUnit
  }

  private func change(at frame: Int) -> Double {
    let (was, isNow) = (before[frame] == frames.truth[frame], after[frame] == frames.truth[frame])
    guard was != isNow else { return 0 }
    let weight = Double(frames.weights[frame]) * SuggestionFrames.scoreUnit
    return isNow ? weight : -weight
  }
}

extension RemainingError {
  static func worst(
    _ count: Int, _ frames: SuggestionFrames, _ detector: DetectorDefinition
  ) -> [Self] {
    let labels = frames.stream.labels
    let list = IndexedList(detector, frames)
    let (answers, determined) = (list.answers(frames), list.determined(frames))
    var undecided: [[UInt8]: Int64] = [:]
    var costs: [[UInt8]: [Int: Int64]] = [:]
    for frame in answers.indices where answers[frame] != frames.truth[frame] {
      let key = [frames.truth[frame], answers[frame]]
      costs[key, default: [:]][Int(frames.person[frame]), default: 0] += frames.weights[frame]
      if !determined[frame] { undecided[key, default: 0] += frames.weights[frame] }
    }
    let all = costs.map { key, people in
      let total = people.values.reduce(0, +)
      let most = people.max { ($0.value, $1.key) < ($1.value, $0.key) }
      return RemainingError(
        truth: labels[Int(key[0])], prediction: labels[Int(key[1])],
        cost: Double(total) * SuggestionFrames.scoreUnit, people: people.count,
        person: most.map { frames.people[$0.key] } ?? "",
        share: total > 0 ? Double(most?.value ?? 0) / Double(total) : 0,
        undecided: total > 0 ? Double(undecided[key] ?? 0) / Double(total) : 0)
    }
    return Array(
      all.sorted { ($1.cost, $0.truth, $0.prediction) < ($0.cost, $1.truth, $1.prediction) }.prefix(
        count))
  }
}
