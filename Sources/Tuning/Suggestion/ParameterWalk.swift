internal import PlankDetection
internal import PoseModel

/// What every value of one parameter is worth, wherever a list uses it.
///
/// In one frame, each comparison with the parameter changes at one value of the parameter; between
/// those the label stays.
struct ParameterWalk {
  private let answers: ListAnswers
  private let key: ParameterKey
  private let rules: [Int]
  private let involved: UInt64

  init(_ answers: ListAnswers, _ key: ParameterKey) {
    self.answers = answers
    self.key = key
    rules = answers.list.rules.indices.filter { index in
      answers.list.rules[index].conditions.contains { $0.key == key }
    }
    involved = rules.reduce(0) { $0 | (UInt64(1) << UInt64($1)) }
  }

  /// - Complexity: O(frames x comparisons x log frames).
  func profile() -> StepProfile {
    let uses = rules.flatMap { rule in
      answers.list.rules[rule].conditions.indices
        .filter { answers.list.rules[rule].conditions[$0].key == key }
        .map { (rule: rule, condition: $0) }
    }
    if uses.count == 1 { return profile(ofCondition: uses[0].condition, in: uses[0].rule) }
    var changes: [(value: Float, worth: Int64)] = []
    var base: Int64 = 0
    for frame in answers.first.indices where answers.first[frame] != ListAnswers.noRule {
      base += walk(frame, into: &changes)
    }
    changes.sort { $0.value < $1.value }
    return StepProfile(changes, base: base, side: .below)
  }

  private func profile(ofCondition place: Int, in rule: Int) -> StepProfile {
    let (frames, first) = (answers.frames, answers.first)
    let conditions = answers.list.rules[rule].conditions
    let (own, label) = (conditions[place], answers.list.rules[rule].label)
    let others = conditions.indices.filter { $0 != place }.map { conditions[$0] }
    let column = frames.columns[own.column]
    var differences = [Int64](repeating: 0, count: frames.count)
    var base: Int64 = 0
    for frame in differences.indices
    where first[frame] != ListAnswers.noRule && Int(first[frame]) >= rule
      && others.allSatisfy({ $0.holds(frames.columns[$0.column][frame]) })
    {
      let passed = answers.worth(answers.label(after: rule, at: frame), at: frame)
      base += passed
      differences[frame] = answers.worth(label, at: frame) - passed
    }
    var changes: [(value: Float, worth: Int64)] = []
    changes.reserveCapacity(frames.count)
    for frame in frames.orders[own.column].lazy.map({ Int($0) })
    where first[frame] != ListAnswers.noRule {
      changes.append((value: column[frame], worth: differences[frame]))
    }
    let isBelow = own.comparison == .less || own.comparison == .lessOrEqual
    guard own.isNegated else {
      return StepProfile(changes, base: base, side: isBelow ? .below : .above)
    }
    let mirrored = changes.reversed().map { (value: 0 - $0.value, worth: $0.worth) }
    return StepProfile(mirrored, base: base, side: isBelow ? .above : .below)
  }

  private func walk(_ frame: Int, into changes: inout [(value: Float, worth: Int64)]) -> Int64 {
    let values = breakpoints(frame)
    var worth = answers.worth(label(frame, at: -.infinity), at: frame)
    let start = worth
    for (index, value) in values.enumerated() {
      let next = index + 1 < values.count ? values[index + 1] : .infinity
      // Any value of the parameter between this one and the next gives the label.
      let inside = next == .infinity ? Float.infinity : value + (next - value) / 2
      let after = answers.worth(label(frame, at: inside), at: frame)
      changes.append((value: value, worth: after - worth))
      worth = after
    }
    return start
  }

  private func breakpoints(_ frame: Int) -> [Float] {
    var values: [Float] = []
    for rule in rules {
      for condition in answers.list.rules[rule].conditions where condition.key == key {
        let value = answers.frames.columns[condition.column][frame]
        guard !value.isNaN else { continue }
        let turning = (condition.isNegated ? -value : value) + 0
        if !values.contains(turning) { values.append(turning) }
      }
    }
    if values.count > 1 { values.sort() }
    return values
  }

  private func label(_ frame: Int, at value: Float) -> UInt8 {
    var mask = answers.masks[frame] & ~involved
    for rule in rules {
      let holds = answers.list.rules[rule].conditions.allSatisfy { condition in
        let number = answers.frames.columns[condition.column][frame]
        guard condition.key == key else { return condition.holds(number) }
        return condition.comparison.holds(number, condition.isNegated ? -value : value)
      }
      if holds { mask |= UInt64(1) << UInt64(rule) }
    }
    return answers.list.rules[mask.trailingZeroBitCount].label
  }
}
