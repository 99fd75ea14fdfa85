/// The events of a stream under one rule, by class; sums over sequences.
package struct EventTally: Hashable, Sendable {
  /// The rule.
  package let rule: EventRule
  /// The counts of each class but the empty answer, in the order of the classes.
  package private(set) var classes: [EventCounts]
  /// Unmatched true events that an unmatched answer of another class covers within the rule.
  package private(set) var substitutions = 0

  /// No events of a stream with some classes besides the empty answer.
  init(_ rule: EventRule, classCount: Int) {
    self.rule = rule
    classes = Array(repeating: EventCounts(), count: classCount)
  }

  /// All classes together.
  package var pooled: EventCounts { classes.reduce(into: EventCounts()) { $0 += $1 } }

  /// Counts the events of a span.
  ///
  /// Events of a class are matched among themselves, as many as possible. What is left on both
  /// sides is then matched whatever its class: those pairs are substitutions. Which events are
  /// left may depend on which of several maximum matchings was taken; ours takes the earliest.
  mutating func add(_ span: ScoredSpan) {
    let truth = span.truth.filter { $0.code > 0 }
    let answers = span.answers.filter { $0.code > 0 }
    let neighbors = rule.neighbors(truth: truth, answers: answers) { $0.code == $1.code }
    let partners = BipartiteMatching.maximum(neighbors, rightCount: answers.count)
    for (index, event) in truth.enumerated() {
      let isMatched = partners[index] != nil
      classes[Int(event.code) - 1] += EventCounts(
        matched: isMatched ? 1 : 0, truth: 1, answers: 0)
    }
    for event in answers {
      classes[Int(event.code) - 1] += EventCounts(matched: 0, truth: 0, answers: 1)
    }
    let taken = Set(partners.compactMap(\.self))
    substitutions += pairs(
      truth.enumerated().filter { partners[$0.offset] == nil }.map(\.element),
      answers.enumerated().filter { !taken.contains($0.offset) }.map(\.element))
  }

  private func pairs(_ truth: [LabelRun], _ answers: [LabelRun]) -> Int {
    let neighbors = rule.neighbors(truth: truth, answers: answers) { _, _ in true }
    return BipartiteMatching.maximum(neighbors, rightCount: answers.count).count { $0 != nil }
  }

  /// Adds the events of other sequences.
  package static func += (left: inout EventTally, right: EventTally) {
    precondition(left.rule == right.rule, "events are pooled under one rule")
    for index in left.classes.indices { left.classes[index] += right.classes[index] }
    left.substitutions += right.substitutions
  }
}
