package import PoseModel

package struct EventScores: Codable, Hashable, Sendable {
  package let counts: EventCounts
  package let precision: MetricValue
  package let recall: MetricValue
  package let f1: MetricValue
  /// (missed + inserted - substitutions) / truth: 0 is perfect, and values above 1 are possible.
  ///
  /// A substitution is both a miss and an insertion, and counts as one error. The counts of a
  /// single class have no substitutions.
  package let errorRate: MetricValue

  private enum CodingKeys: String, SnakeCaseKey { case counts, precision, recall, f1, errorRate }

  package init(_ counts: EventCounts, substitutions: Int = 0) {
    let matched = Double(counts.matched)
    self.counts = counts
    precision = .ratio(matched, Double(counts.predicted), orElse: .noAnsweredEvent)
    recall = .ratio(matched, Double(counts.truth), orElse: .noTrueEvent)
    f1 = .ratio(2 * matched, Double(counts.truth + counts.predicted), orElse: .noEvent)
    errorRate = .ratio(
      Double(counts.missed + counts.inserted - substitutions), Double(counts.truth),
      orElse: .noTrueEvent)
  }
}

package struct EventRule: Codable, Hashable, Sendable {
  /// How far apart the starts of matching events may be, inclusive.
  package let collar: Seconds
  /// Whether the ends must match, too.
  ///
  /// Ends may be as far apart as the collar, or as half of the true event's length if that is more.
  package let countsEnds: Bool

  private enum CodingKeys: String, CodingKey {
    case collar = "collar_s"
    case countsEnds = "ends_count"
  }

  package static let endShare = 0.5

  package static let standard: [EventRule] = [true, false].flatMap { countsEnds in
    [0.1, 0.25, 0.5, 1].map { EventRule(collar: Seconds($0), countsEnds: countsEnds) }
  }

  package static let headline = EventRule(collar: Seconds(0.5), countsEnds: true)

  func matches(truth: LabelRun, answer: LabelRun) -> Bool {
    guard abs(truth.start - answer.start) <= collar.value + FrameTiming.slack else { return false }
    let slack = max(collar.value, Self.endShare * (truth.end - truth.start))
    return !countsEnds || abs(truth.end - answer.end) <= slack + FrameTiming.slack
  }

  func neighbors(
    truth: [LabelRun], answers: [LabelRun], where isAllowed: (LabelRun, LabelRun) -> Bool
  ) -> [[Int]] {
    truth.map { event in
      let earliest = event.start - collar.value - FrameTiming.slack
      let latest = event.start + collar.value + FrameTiming.slack
      let first = answers.partitioningIndex { $0.start >= earliest }
      let behind = answers[first...].partitioningIndex { $0.start > latest }
      return (first..<behind).filter { index in
        isAllowed(event, answers[index]) && matches(truth: event, answer: answers[index])
      }
    }
  }
}

package struct EventTally: Hashable, Sendable {
  package let rule: EventRule
  package private(set) var classes: [EventCounts]
  package private(set) var substitutions = 0

  init(_ rule: EventRule, classCount: Int) {
    self.rule = rule
    classes = Array(repeating: EventCounts(), count: classCount)
  }

  package var pooled: EventCounts { classes.reduce(into: EventCounts()) { $0 += $1 } }

  /// Matches events of the same class first; of several maximum matchings, the one with the
  /// earliest partners is used.
  mutating func add(truth: [LabelRun], answers: [LabelRun]) {
    guard !truth.isEmpty, !answers.isEmpty else {
      for event in truth { classes[Int(event.code) - 1].truth += 1 }
      for event in answers { classes[Int(event.code) - 1].predicted += 1 }
      return
    }
    let neighbors = rule.neighbors(truth: truth, answers: answers) { $0.code == $1.code }
    let partners = BipartiteMatching.maximum(neighbors, rightCount: answers.count)
    var isTaken = Array(repeating: false, count: answers.count)
    for (event, partner) in zip(truth, partners) {
      classes[Int(event.code) - 1].truth += 1
      guard let partner else { continue }
      classes[Int(event.code) - 1].matched += 1
      isTaken[partner] = true
    }
    for event in answers { classes[Int(event.code) - 1].predicted += 1 }
    substitutions += pairs(
      zip(truth, partners).filter { $0.1 == nil }.map(\.0),
      zip(answers, isTaken).filter { !$0.1 }.map(\.0))
  }

  private func pairs(_ truth: [LabelRun], _ answers: [LabelRun]) -> Int {
    guard !truth.isEmpty, !answers.isEmpty else { return 0 }
    let neighbors = rule.neighbors(truth: truth, answers: answers) { _, _ in true }
    return BipartiteMatching.maximum(neighbors, rightCount: answers.count).count { $0 != nil }
  }

  package static func += (left: inout EventTally, right: EventTally) {
    precondition(left.rule == right.rule, "events are pooled under one rule")
    for index in left.classes.indices { left.classes[index] += right.classes[index] }
    left.substitutions += right.substitutions
  }
}

package struct EventCounts: Codable, Hashable, Sendable {
  package fileprivate(set) var matched = 0
  package fileprivate(set) var truth = 0
  package fileprivate(set) var predicted = 0

  package init() {}

  package var missed: Int { truth - matched }
  package var inserted: Int { predicted - matched }

  package static func += (left: inout EventCounts, right: EventCounts) {
    left.matched += right.matched
    left.truth += right.truth
    left.predicted += right.predicted
  }
}

extension Metric {
  package static let eventF1 = Metric(
    name: "event_f1",
    meaning: "The F1 of events whose starts match within 0.5 s, and ends within 0.5 s or half the "
      + "event's length.",
    formula: .events { EventScores($0).f1 })
}

enum BipartiteMatching {
  /// A maximum matching by augmenting paths (Berge 1957, PNAS 43(9):842): the partner of each left
  /// element.
  ///
  /// O(left x relations) at worst, near O(relations) if few elements compete.
  static func maximum(_ neighbors: [[Int]], rightCount: Int) -> [Int?] {
    var partnerOfLeft = [Int?](repeating: nil, count: neighbors.count)
    var partnerOfRight = [Int?](repeating: nil, count: rightCount)
    var reachedFrom = [Int](repeating: 0, count: rightCount)
    var seenBy = [Int](repeating: -1, count: rightCount)
    for root in neighbors.indices {
      var queue = [root]
      var next = 0
      var free: Int?
      while next < queue.count, free == nil {
        let left = queue[next]
        next += 1
        for right in neighbors[left] where seenBy[right] != root {
          seenBy[right] = root
          reachedFrom[right] = left
          guard let other = partnerOfRight[right] else {
            free = right
            break
          }
          queue.append(other)
        }
      }
      while let right = free {
        let left = reachedFrom[right]
        free = partnerOfLeft[left]
        partnerOfLeft[left] = right
        partnerOfRight[right] = left
      }
    }
    return partnerOfLeft
  }
}
