internal import PlankDetection
internal import PoseModel

struct IndexedList: Sendable {
  struct Condition: Sendable {
    let column: Int
    let comparison: Comparison
    let threshold: Float
    let key: ParameterKey
    let isNegated: Bool

    func holds(_ value: Float) -> Bool { comparison.holds(value, threshold) }
  }

  struct IndexedRule: Sendable {
    let label: UInt8
    let conditions: [Condition]
  }

  static let mostRules = 63

  let rules: [IndexedRule]
  let mentioned: Set<Int>

  /// - Precondition: the frames have every measurement of the list, and parameters have their
  ///   defaults.
  init(_ detector: DetectorDefinition, _ frames: SuggestionFrames) {
    let list = detector.list(frames.stream)
    precondition(list.rules.count <= Self.mostRules, "a list with more rules is refused earlier")
    var places: [Measurement: Int] = [:]
    for (index, measurement) in frames.measurements.enumerated() { places[measurement] = index }
    var values: [ParameterKey: Double] = [:]
    for definition in detector.parameters { values[definition.key] = definition.defaultValue }
    rules = list.rules.map { rule in
      IndexedRule(
        label: rule.label.code,
        conditions: rule.predicates.map { predicate in
          guard let column = places[predicate.measurement], let value = values[predicate.parameter]
          else { preconditionFailure("no column or value for \(predicate)") }
          let number = Float(value)
          return Condition(
            column: column, comparison: predicate.comparison,
            threshold: predicate.isNegated ? -number : number, key: predicate.parameter,
            isNegated: predicate.isNegated)
        })
    }
    mentioned = Set(rules.flatMap { $0.conditions.map(\.column) })
  }

  private init(rules: [IndexedRule]) {
    self.rules = rules
    mentioned = Set(rules.flatMap { $0.conditions.map(\.column) })
  }

  func dropping(_ rule: Int) -> IndexedList {
    var rules = rules
    rules.remove(at: rule)
    return IndexedList(rules: rules)
  }

  func dropping(_ condition: Int, of rule: Int) -> IndexedList {
    var rules = rules
    var conditions = rules[rule].conditions
    conditions.remove(at: condition)
    rules[rule] = IndexedRule(label: rules[rule].label, conditions: conditions)
    return IndexedList(rules: rules)
  }

  func matches(_ frames: SuggestionFrames) -> [UInt64] {
    var masks = [UInt64](repeating: 1 << UInt64(rules.count) - 1, count: frames.count)
    for (index, rule) in rules.enumerated() {
      let bit = ~(UInt64(1) << UInt64(index))
      for condition in rule.conditions {
        let column = frames.columns[condition.column]
        for frame in masks.indices {
          masks[frame] &= condition.holds(column[frame]) ? UInt64.max : bit
        }
      }
    }
    return masks
  }

  func determined(_ frames: SuggestionFrames) -> [Bool] {
    var determined = [Bool](repeating: true, count: frames.count)
    for column in mentioned.sorted() {
      let values = frames.columns[column]
      for frame in determined.indices where MeasuredValue.isMissing(values[frame]) {
        determined[frame] = false
      }
    }
    return determined
  }

  func answers(_ frames: SuggestionFrames) -> [UInt8] {
    let labels = rules.map(\.label)
    return zip(matches(frames), determined(frames)).map { mask, isDetermined in
      isDetermined ? labels[mask.trailingZeroBitCount] : 0
    }
  }
}

struct ListAnswers: Sendable {
  static let noRule: UInt8 = 255

  let frames: SuggestionFrames
  let list: IndexedList
  let masks: [UInt64]
  let first: [UInt8]
  let answers: [UInt8]
  let gains: [Int64]
  let losses: [Int64]

  init(_ detector: DetectorDefinition, _ frames: SuggestionFrames, harm: Double) {
    self.frames = frames
    let list = IndexedList(detector, frames)
    self.list = list
    masks = list.matches(frames)
    first = zip(masks, list.determined(frames)).map { mask, isDetermined in
      isDetermined ? UInt8(mask.trailingZeroBitCount) : Self.noRule
    }
    let labels = list.rules.map(\.label)
    answers = first.map { $0 == Self.noRule ? 0 : labels[Int($0)] }
    var gains = frames.weights
    var losses = frames.weights
    for frame in gains.indices {
      if answers[frame] == frames.truth[frame] {
        gains[frame] = 0
        if harm != 1 { losses[frame] = Int64((Double(losses[frame]) * harm).rounded()) }
      } else {
        losses[frame] = 0
      }
    }
    self.gains = gains
    self.losses = losses
  }

  var last: Int { list.rules.count - 1 }

  @inline(__always)
  func worth(_ label: UInt8, at frame: Int) -> Int64 {
    label == frames.truth[frame] ? gains[frame] : -losses[frame]
  }

  func worth(dropping rule: Int) -> Int64 {
    worth(mentioning: list.dropping(rule)) { mask, _ in mask & ~(UInt64(1) << UInt64(rule)) }
  }

  func worth(dropping condition: Int, of rule: Int) -> Int64 {
    let edited = list.dropping(condition, of: rule)
    let others = edited.rules[rule].conditions.map { ($0, frames.columns[$0.column]) }
    let before = (UInt64(2) << UInt64(rule)) - 1
    return worth(mentioning: edited) { mask, frame in
      // The rule can become the first that holds only where it and all rules before it fail.
      mask & before == 0 && others.allSatisfy { $0.holds($1[frame]) }
        ? mask | UInt64(1) << UInt64(rule) : mask
    }
  }

  func worth(swapping rule: Int) -> Int64 {
    let both = UInt64(3) << UInt64(rule)
    return worth(mentioning: list) { mask, _ in
      mask & both == both ? mask & ~(UInt64(1) << UInt64(rule)) : mask
    }
  }

  /// `edit` maps the rules of the original list that hold in a frame to those that hold after the
  /// edit.
  @inline(__always)
  private func worth(
    mentioning edited: IndexedList, _ edit: (_ mask: UInt64, _ frame: Int) -> UInt64
  ) -> Int64 {
    let labels = list.rules.map(\.label)
    let isDetermined = edited.mentioned == list.mentioned ? nil : edited.determined(frames)
    var sum: Int64 = 0
    for frame in masks.indices where isDetermined?[frame] ?? (first[frame] != Self.noRule) {
      sum += worth(labels[edit(masks[frame], frame).trailingZeroBitCount], at: frame)
    }
    return sum
  }

  /// The worth of the empty answer in frames that lack a measurement that the list does not mention.
  func worthOfMissing(_ columns: Set<Int>) -> Int64 {
    let new = columns.subtracting(list.mentioned).map { frames.columns[$0] }
    guard !new.isEmpty else { return 0 }
    return first.indices.reduce(0) { sum, frame in
      first[frame] != Self.noRule && new.contains { MeasuredValue.isMissing($0[frame]) }
        ? sum + worth(0, at: frame) : sum
    }
  }

  func label(after rule: Int, at frame: Int) -> UInt8 {
    let rest = masks[frame] & ~((UInt64(2) << UInt64(rule)) - 1)
    return list.rules[rest.trailingZeroBitCount].label
  }
}
