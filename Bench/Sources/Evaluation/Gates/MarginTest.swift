internal import Statistics

/// The test of whether a number is worse than a baseline's by more than a margin, or better.
struct MarginTest {
  /// The finding that it decides.
  let index: Int
  /// The largest p of a one-sided claim at 95 % two-sided confidence.
  static let risk = 0.025

  private let margin: Double
  private let higherIsBetter: Bool
  private let comparison: MetricComparison

  init(_ index: Int, _ rule: GateRule, _ comparison: MetricComparison) {
    self.index = index
    margin = rule.margin ?? 0
    higherIsBetter = rule.higherIsBetter
    self.comparison = comparison
  }

  /// The probability of such a loss if the true loss is the margin; 1 if it cannot be computed.
  var probabilityOfLoss: Double {
    guard let test = comparison.test else { return 1 }
    return higherIsBetter ? test.probability(below: -margin) : test.probability(above: margin)
  }

  /// The probability of such a gain if there is no true gain; 1 if it cannot be computed.
  var probabilityOfGain: Double {
    guard let test = comparison.test else { return 1 }
    return higherIsBetter ? test.probability(above: 0) : test.probability(below: 0)
  }

  /// The least true loss that four of five such gates would call regressed, with the correction for
  /// several rules; nil if it cannot be computed.
  func detectableLoss(among tests: Int) -> Double? {
    let risk = 2 * Self.risk / Double(tests)
    return comparison.test.map { margin + $0.detectableDifference(risk: risk) }
  }

  /// The words added to a verdict whose interval lies on one side.
  private static let certainty = "with statistical certainty"

  /// Adds the verdict to a finding, given the corrected probabilities of a loss and a gain.
  func decide(_ finding: inout GateFinding, loss: Double, gain: Double) {
    if comparison.isUnchanged {
      finding.note(.pass, "the same as the baseline in every subject")
      return
    }
    switch comparison.intervals.wider {
    case .undefined(let gap):
      finding.intervalGap = gap
      decide(&finding, without: gap)
    case .interval(let interval):
      finding.interval = interval
      let least = higherIsBetter ? interval.lower : -interval.upper
      let greatest = higherIsBetter ? interval.upper : -interval.lower
      if greatest < -margin, loss <= Self.risk {
        finding.note(
          .regressed, "worse than the baseline by more than \(margin), \(Self.certainty)")
      } else if least > 0, gain <= Self.risk {
        finding.note(.improved, "better than the baseline, \(Self.certainty)")
      } else if least > -margin {
        finding.note(.pass, "no worse than the baseline by more than \(margin), \(Self.certainty)")
      } else {
        finding.note(
          .inconclusive, "the data cannot tell whether it is worse by more than \(margin)")
      }
    }
  }

  /// Adds the verdict if there is no interval.
  ///
  /// A difference that is the same whoever is drawn is an interval of one point. With fewer than
  /// two subjects, or if the number is undefined without some of them, nothing follows for others:
  /// a loss beyond the margin is then never a pass.
  private func decide(_ finding: inout GateFinding, without gap: UndefinedReason) {
    let gain = (comparison.difference ?? 0) * (higherIsBetter ? 1 : -1)
    let isBeyond = gain < -margin - GateFinding.tolerance
    switch gap {
    case .noVariation where isBeyond:
      finding.note(
        .regressed, "worse than the baseline by more than \(margin), alike in every subject")
    case .noVariation:
      finding.note(
        gain > 0 ? .improved : .pass,
        gain > 0
          ? "better than the baseline, alike in every subject"
          : "no worse than the baseline by more than \(margin), alike in every subject")
    case .fewerThanTwoClusters:
      finding.note(
        .notComparable,
        "judging a margin takes two or more subjects; found \(finding.subjects)")
    default:
      finding.note(
        isBeyond ? .notComparable : .inconclusive,
        "no interval for the difference: \(gap.rawValue)")
    }
  }
}
