internal import Evaluation
internal import Statistics

extension PairedComparison {
  /// Which side is better, in a sentence; if the data cannot tell, what would settle it.
  var summary: String {
    let better = metrics.filter { $0.verdict == .better }
    let worse = metrics.filter { $0.verdict == .worse }
    switch (better.isEmpty, worse.isEmpty) {
    case (false, true): return "B is better than A: \(Self.list(better)). Nothing is worse."
    case (true, false):
      return "A is better than B: \(Self.list(worse)). Nothing else differs for sure."
    case (false, false):
      return "B is better in \(Self.list(better)), and worse in \(Self.list(worse))."
    case (true, true): return undecided
    }
  }

  private var undecided: String {
    guard let metric = metrics.first(where: { !$0.isUnchanged && ($0.difference ?? 0) != 0 }) else {
      return "No metric differs in any subject; verdict: cannot tell."
    }
    let known = metric.subjects.count
    let difference = NumberText.fixed(metric.difference ?? 0, 3)
    let start = "Cannot tell which is better: the difference of \(difference) in \(metric.key)"
    guard known > 1 else {
      return start + " is that of one subject, which says nothing of the next; record more people."
    }
    guard let needed = metric.subjectsToSettle, needed > known else {
      return start + " may be chance."
    }
    guard needed - known <= Self.mostSubjects else {
      return start + " is too small for any number of people worth recording."
    }
    let more = needed - known
    return start + " may be chance with \(known) subjects; about \(NumberText.count(more)) more "
      + (more == 1 ? "person" : "people") + " with differences like these would settle it."
  }

  /// The largest number of people that anybody would record for a comparison.
  private static let mostSubjects = 1000

  /// The first three metrics with both numbers, and how many more there are.
  private static func list(_ metrics: [MetricComparison]) -> String {
    let shown = metrics.prefix(3).map { metric in
      "\(metric.key) \(metric.before.text()) -> \(metric.after.text())"
    }
    let rest = metrics.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
