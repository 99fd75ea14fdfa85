internal import Statistics

/// The test of whether a number is worse than a baseline's by more than a margin, or better.
struct MarginTest {
  /// The finding that it decides.
  let index: Int
  /// The largest p of a one-sided claim at 95 % two-sided confidence.
  static let risk = 0.025
  /// How many people it takes to speak for others if nothing varies among them: with six, a
  /// sign-flip test reaches p = 2 / 2^6 = 0.03, with five 0.06.
  static let fewestAlike = 6

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

  /// Adds the verdict to a finding, given the corrected probabilities of a loss and a gain.
  func decide(_ finding: inout GateFinding, loss: Double, gain: Double) {
    guard !comparison.isUnchanged else {
      finding.note(GateReason(.unchanged))
      return
    }
    switch comparison.intervals.wider {
    case .undefined(let gap):
      finding.intervalGap = gap
      finding.note(reason(without: gap))
    case .interval(let interval):
      finding.interval = interval
      let least = higherIsBetter ? interval.lower : -interval.upper
      let greatest = higherIsBetter ? interval.upper : -interval.lower
      let kind: GateReason.Kind =
        if greatest < -margin, loss <= Self.risk {
          .worse
        } else if least > 0, gain <= Self.risk {
          .better
        } else {
          least > -margin ? .noWorse : .cannotTell
        }
      finding.note(GateReason(kind, limit: margin))
    }
  }

  /// The reason if there is no interval.
  ///
  /// A difference that is the same whoever is drawn is an interval of one point, which says nothing
  /// about others if few people were drawn. With fewer than two people, or if the number is
  /// undefined without some of them, a loss beyond the margin is never a pass.
  private func reason(without gap: UndefinedReason) -> GateReason {
    let gain = (comparison.difference ?? 0) * (higherIsBetter ? 1 : -1)
    let isBeyond = gain < -margin - GateFinding.tolerance
    switch gap {
    case .noVariation:
      guard comparison.subjects.count >= Self.fewestAlike else {
        return GateReason(.tooFewToTell, limit: margin, needed: Self.fewestAlike)
      }
      return GateReason(alike(gain, isBeyond: isBeyond), limit: margin)
    case .fewerThanTwoClusters: return GateReason(.onePerson, limit: margin, needed: 2)
    default: return GateReason(isBeyond ? .noIntervalBeyond : .noInterval, limit: margin, gap: gap)
    }
  }

  /// The kind of reason if nothing varies among enough people: a claim needs as many that are on
  /// its side, and nobody on the other.
  private func alike(_ gain: Double, isBeyond: Bool) -> GateReason.Kind {
    let (wins, losses) = (comparison.wins, comparison.losses)
    if isBeyond { return losses >= Self.fewestAlike && wins == 0 ? .worseAlike : .cannotTell }
    return gain > 0 && wins >= Self.fewestAlike && losses == 0 ? .betterAlike : .noWorseAlike
  }
}
