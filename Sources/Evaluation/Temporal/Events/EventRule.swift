package import PoseModel

/// When a true event and an answered one count as the same.
package struct EventRule: Hashable, Sendable {
  /// How far apart the starts may be; the bound is included.
  package let collar: Seconds
  /// Whether the ends count: they may be the collar apart, or half of the true event's length
  /// where that is more.
  package let countsEnds: Bool

  /// Makes a rule.
  package init(collar: Seconds, countsEnds: Bool) {
    self.collar = collar
    self.countsEnds = countsEnds
  }

  /// The share of a true event's length by which ends may differ.
  package static let endShare = 0.5

  /// The rules that reports list: collars of 0.1, 0.25, 0.5 and 1 s, with ends and without.
  package static let standard: [EventRule] = [true, false].flatMap { countsEnds in
    [0.1, 0.25, 0.5, 1].map { EventRule(collar: Seconds($0), countsEnds: countsEnds) }
  }

  /// The rule of the metric `event_f1`: half a second, ends count.
  package static let headline = EventRule(collar: Seconds(0.5), countsEnds: true)

  /// Whether two events are the same, whatever their classes.
  func matches(truth: LabelRun, answer: LabelRun) -> Bool {
    guard abs(truth.start - answer.start) <= collar.value + FrameTiming.slack else { return false }
    let slack = max(collar.value, Self.endShare * (truth.end - truth.start))
    return !countsEnds || abs(truth.end - answer.end) <= slack + FrameTiming.slack
  }

  /// For each true event, the answered ones that it may be matched to.
  ///
  /// - Precondition: both are in order of their starts.
  /// - Complexity: O(truth log answers + pairs within the collar).
  func neighbors(
    truth: [LabelRun], answers: [LabelRun], where isAllowed: (LabelRun, LabelRun) -> Bool
  ) -> [[Int]] {
    truth.map { event in
      var low = 0
      var high = answers.count
      while low < high {
        let middle = (low + high) / 2
        if answers[middle].start < event.start - collar.value - FrameTiming.slack {
          low = middle + 1
        } else {
          high = middle
        }
      }
      var found: [Int] = []
      while low < answers.count,
        answers[low].start <= event.start + collar.value + FrameTiming.slack
      {
        if isAllowed(event, answers[low]), matches(truth: event, answer: answers[low]) {
          found.append(low)
        }
        low += 1
      }
      return found
    }
  }
}
