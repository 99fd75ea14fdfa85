package import ParameterTuning
package import PlankDetection

/// A constraint as experiments write it: `plank.hit_rate >= 0.9`, or `sag < pike + 1cm` between
/// parameters.
package enum ConstraintText: Hashable, Sendable {
  /// A bound on a metric.
  case metric(MetricConstraint)
  /// A relation between two parameters; the margin still as text.
  case parameters(left: String, Comparison, right: String, margin: String?)

  /// Why a text is no constraint.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, what is allowed, what to do.
    package let description: String
  }

  /// Reads a constraint.
  package init(_ text: String) throws(Problem) {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    guard words.count == 3 || (words.count == 5 && ["+", "-"].contains(words[3])) else {
      throw Problem(
        description: "`\(text)` is no constraint; write `metric <= number`, for example "
          + "`plank.excess_transitions_per_minute <= 2`, or `parameter < parameter`, for example "
          + "`sag < pike + 1cm`")
    }
    if words[0].contains(".") {
      self = .metric(try Self.bound(words))
      return
    }
    guard let comparison = Comparison(rawValue: words[1]) else {
      throw Problem(
        description: "`\(words[1])` is not a comparison; comparisons are >, >=, < and <=")
    }
    guard words[2].first.map({ $0.isLetter || $0 == "_" }) ?? false else {
      throw Problem(
        description: "`\(words[2])` is a value; a parameter is compared with another parameter, "
          + "and bounded by its axis")
    }
    let margin = words.count == 5 ? (words[3] == "-" ? "-" : "") + words[4] : nil
    self = .parameters(left: words[0], comparison, right: words[2], margin: margin)
  }

  private static func bound(_ words: [String]) throws(Problem) -> MetricConstraint {
    let metric: CellMetric
    do {
      metric = try CellMetric(words[0])
    } catch {
      throw Problem(description: "\(error)")
    }
    guard let side = MetricConstraint.Side(rawValue: words[1]) else {
      throw Problem(
        description: "`\(words[1])` cannot bound a metric; write <= or >=")
    }
    guard words.count == 3, let bound = Double(words[2]), bound.isFinite else {
      throw Problem(
        description: "`\(words.dropFirst(2).joined(separator: " "))` is not a number; write the "
          + "bound in the metric's unit")
    }
    return MetricConstraint(metric, side, bound)
  }
}
