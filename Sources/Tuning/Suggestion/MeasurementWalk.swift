internal import PlankDetection
internal import PoseModel

/// Finds the best new rule with one condition and the best additional condition, for all positions,
/// labels and thresholds in one walk through the frames in order of the measured value.
struct MeasurementWalk {
  struct Found: Hashable, Sendable {
    let worth: Int64
    let rule: Int
    let label: UInt8
  }

  struct Result: Sendable {
    var insertion: Found?
    var narrowing: Found?
  }

  private let answers: ListAnswers
  private let column: Int
  private let missing: Int64
  private let inapplicable: [Int64]
  private let facts: [FrameFacts]

  init(_ answers: ListAnswers, column: Int, facts: [FrameFacts]) {
    self.answers = answers
    self.column = column
    self.facts = facts
    missing = answers.worthOfMissing([column])
    var inapplicable = [Int64](repeating: 0, count: answers.list.rules.count)
    let values = answers.frames.columns[column]
    for frame in values.indices where values[frame].isNaN {
      let first = answers.first[frame]
      guard first != ListAnswers.noRule, Int(first) < answers.last,
        MeasuredValue.isInapplicable(values[frame])
      else { continue }
      inapplicable[Int(first)] += facts[frame].passed
    }
    self.inapplicable = inapplicable
  }

  /// Frames are gathered once and then read in order, because they do not fit in a core's cache.
  var results: (upward: Result, downward: Result) {
    let steps = steps()
    let start = WalkSums(
      rules: answers.list.rules.count, labels: answers.frames.stream.labels.count,
      missing: missing, inapplicable: inapplicable)
    var (upward, downward) = (start, start)
    for step in steps {
      if step.isApart { upward.close() }
      upward.add(step.fact)
    }
    var isApart = false
    for step in steps.reversed() {
      if isApart { downward.close() }
      isApart = step.isApart
      downward.add(step.fact)
    }
    return (upward.result, downward.result)
  }

  private struct Step {
    let fact: FrameFacts
    let isApart: Bool
  }

  private func steps() -> [Step] {
    let order = answers.frames.orders[column]
    var steps: [Step] = []
    steps.reserveCapacity(order.count)
    answers.frames.columns[column].withUnsafeBufferPointer { values in
      facts.withUnsafeBufferPointer { facts in
        var last: Float?
        for frame in order {
          let (value, fact) = (values[Int(frame)], facts[Int(frame)])
          guard fact.first != ListAnswers.noRule else { continue }
          steps.append(
            Step(fact: fact, isApart: last.map { StepProfile.middle($0, value) != nil } ?? false))
          last = value
        }
      }
    }
    return steps
  }

  func profile(of insertion: Found, below: Bool) -> StepProfile {
    profile(below: below, base: missing) { frame in
      Int(answers.first[frame]) >= insertion.rule ? answers.worth(insertion.label, at: frame) : 0
    }
  }

  func profile(narrowing rule: Int, below: Bool) -> StepProfile {
    profile(below: !below, base: missing + inapplicable[rule]) { frame in
      Int(answers.first[frame]) == rule ? facts[frame].passed : 0
    }
  }

  private func profile(below: Bool, base: Int64, _ worth: (Int) -> Int64) -> StepProfile {
    let column = answers.frames.columns[column]
    var changes: [(value: Float, worth: Int64)] = []
    for frame in answers.frames.orders[self.column].lazy.map({ Int($0) })
    where answers.first[frame] != ListAnswers.noRule {
      changes.append((value: column[frame], worth: worth(frame)))
    }
    return StepProfile(changes, base: base, side: below ? .below : .above)
  }
}

/// The facts about a frame are stored together, because walks visit frames in any order.
struct FrameFacts: Sendable {
  let first: UInt8
  let truth: UInt8
  let gain: Int64
  let loss: Int64
  let passed: Int64

  static func all(_ answers: ListAnswers) -> [FrameFacts] {
    answers.first.indices.map { frame in
      let first = answers.first[frame]
      return FrameFacts(
        first: first, truth: answers.frames.truth[frame], gain: answers.gains[frame],
        loss: answers.losses[frame],
        passed: Int(first) < answers.last
          ? answers.worth(answers.label(after: Int(first), at: frame), at: frame) : 0)
    }
  }
}

private struct WalkSums {
  private let rules: Int
  private let labels: Int
  private let missing: Int64
  private let inapplicable: [Int64]
  private var wins: [Int64]
  private var costs: [Int64]
  private var passed: [Int64]
  private var betterLabels: UInt64
  private var betterRules: UInt64
  private(set) var result = MeasurementWalk.Result()

  init(rules: Int, labels: Int, missing: Int64, inapplicable: [Int64]) {
    self.rules = rules
    self.labels = labels
    self.missing = missing
    self.inapplicable = inapplicable
    wins = Array(repeating: 0, count: rules * labels)
    costs = Array(repeating: 0, count: rules)
    passed = Array(repeating: 0, count: rules)
    betterLabels = 1 << UInt64(labels) - 1
    betterRules = 1 << UInt64(rules - 1) - 1
  }

  @inline(__always)
  mutating func add(_ fact: FrameFacts) {
    let rule = Int(fact.first)
    wins[Int(fact.truth) * rules + rule] += fact.gain + fact.loss
    costs[rule] += fact.loss
    passed[rule] += fact.passed
    if fact.gain > 0 { betterLabels |= 1 << UInt64(fact.truth) }
    if fact.passed > 0 { betterRules |= 1 << UInt64(rule) }
  }

  mutating func close() {
    for label in 0..<labels where betterLabels & (1 << UInt64(label)) != 0 { tryInserting(label) }
    betterLabels = 0
    guard betterRules != 0 else { return }
    for rule in 0..<rules - 1 where betterRules & (1 << UInt64(rule)) != 0 {
      let worth = passed[rule] + inapplicable[rule] + missing
      if worth > result.narrowing?.worth ?? 0
        || (worth == result.narrowing?.worth && rule > result.narrowing?.rule ?? 0)
      {
        result.narrowing = MeasurementWalk.Found(worth: worth, rule: rule, label: 0)
      }
    }
    betterRules = 0
  }

  private mutating func tryInserting(_ label: Int) {
    var sum = missing
    for position in stride(from: rules - 1, through: 0, by: -1) {
      sum += wins[label * rules + position] - costs[position]
      if sum > result.insertion?.worth ?? 0 {
        result.insertion = MeasurementWalk.Found(worth: sum, rule: position, label: UInt8(label))
      }
    }
  }
}

extension MeasuredValue {
  static func isInapplicable(_ stored: Float) -> Bool { stored.isNaN && !isMissing(stored) }
}

/// In one frame, each comparison with the parameter changes at one value of the parameter; between
/// these values, the label stays the same.
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
      // Any value of the parameter between `value` and `next` gives the same label.
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

struct StepProfile: Sendable {
  enum Side: Hashable, Sendable {
    case below
    case above
  }

  struct Choice: Sendable {
    let threshold: Double
    let peak: (lower: Float, upper: Float)
    let worth: Int64
    let range: (lower: Float, upper: Float)
  }

  private(set) var values: [Float] = []
  private(set) var worths: [Int64] = []

  /// `changes` ascend by value; `base` is the worth without any frame on the side.
  init(_ changes: [(value: Float, worth: Int64)], base: Int64, side: Side) {
    let total = changes.reduce(0) { $0 + $1.worth }
    var sum: Int64 = 0
    for (index, change) in changes.enumerated() {
      if values.last != change.value {
        if index > 0 { worths.append(base + (side == .below ? sum : total - sum)) }
        values.append(change.value)
      }
      sum += change.worth
    }
  }

  static func middle(_ lower: Float, _ upper: Float) -> Float? {
    let middle = lower + (upper - lower) / 2
    return lower < middle && middle < upper ? middle : nil
  }

  /// The middle of the thresholds around the best one that have 90 % of its worth; nil if no
  /// threshold is worth anything.
  func choice(in allowed: ClosedRange<Double>) -> Choice? {
    // Of equally wide cuts with the largest worth, `max` returns the first.
    let best = worths.indices.lazy.filter { isAllowed($0, allowed) }
      .max { (worths[$0], width($0)) < (worths[$1], width($1)) }
    guard let best, worths[best] > 0 else { return nil }
    let (first, last) = plateau(around: best)
    let lower = max(Double(values[first]), allowed.lowerBound)
    let upper = min(Double(values[last + 1]), allowed.upperBound)
    let fallback = Self.middle(values[best], values[best + 1]).map(Double.init)
    return Choice(
      threshold: RoundNumber.inMiddle(of: lower, upper) ?? fallback ?? (lower + upper) / 2,
      peak: (lower: values[best], upper: values[best + 1]), worth: worths[best],
      range: (lower: Float(lower), upper: Float(upper)))
  }

  private func plateau(around peak: Int) -> (first: Int, last: Int) {
    let floor = worths[peak] - worths[peak] / 10
    var (first, last) = (peak, peak)
    while first > 0, worths[first - 1] >= floor { first -= 1 }
    while last + 1 < worths.count, worths[last + 1] >= floor { last += 1 }
    return (first: first, last: last)
  }

  private func width(_ cut: Int) -> Float { values[cut + 1] - values[cut] }

  private func isAllowed(_ cut: Int, _ allowed: ClosedRange<Double>) -> Bool {
    guard let middle = Self.middle(values[cut], values[cut + 1]) else { return false }
    return allowed.contains(Double(middle))
  }
}

enum RoundNumber {
  /// The nearest multiple of the largest of 1000, 500, 100, 50, ..., 1e-7, 5e-8 that is near the
  /// middle; nil if the range is too narrow.
  static func inMiddle(of lower: Double, _ upper: Double) -> Double? {
    let (middle, quarter) = (lower + (upper - lower) / 2, (upper - lower) / 4)
    for exponent in stride(from: 3, through: -7, by: -1) {
      for factor in [1.0, 0.5] {
        let number = multiple(of: exponent, factor, near: middle)
        let (low, high) = (Float(lower), Float(upper))
        if (number - middle).magnitude <= quarter, low < Float(number), Float(number) < high {
          return number
        }
      }
    }
    return nil
  }

  private static func multiple(of exponent: Int, _ factor: Double, near number: Double) -> Double {
    let power = (0..<exponent.magnitude).reduce(1.0) { product, _ in product * 10 }
    if exponent >= 0 {
      let step = power * factor
      return (number / step).rounded() * step + 0
    }
    let count = (number * power / factor).rounded()
    return count * factor / power + 0
  }
}
