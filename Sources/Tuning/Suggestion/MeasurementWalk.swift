internal import PlankDetection
internal import PoseModel

/// One walk through the frames in the order of a measurement, which finds the best new rule with one
/// condition and the best further condition, for all positions, labels and thresholds at once.
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
    missing = answers.worthOfMissing(column)
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

  /// Frames are gathered once and then read in order: there are more of them than a core's cache
  /// holds.
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
            Step(
              fact: fact, isApart: last.map { StepProfile.middle($0, value) != nil } ?? false))
          last = value
        }
      }
    }
    return steps
  }

  func profile(of insertion: Found, below: Bool) -> StepProfile {
    profile(below: below, base: missing) { frame in
      Int(answers.first[frame]) >= insertion.rule
        ? answers.worth(insertion.label, at: frame) : 0
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

/// What walks need to know of a frame, side by side: they visit frames in any order.
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
        result.insertion = MeasurementWalk.Found(
          worth: sum, rule: position, label: UInt8(label))
      }
    }
  }
}

extension MeasuredValue {
  static func isInapplicable(_ stored: Float) -> Bool { stored.isNaN && !isMissing(stored) }
}
