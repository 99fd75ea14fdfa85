internal import PoseModel
internal import Statistics

/// Judges a candidate by rules, and by a baseline if rules need one.
///
/// It fails closed: what cannot be computed or compared is never a pass, but for a rule that waits
/// for labels of forms. The test against a margin is a non-inferiority test: pass if the interval's
/// lower end of the gain is above -margin, regressed if its upper end is below, improved if its
/// lower end is above 0. With several rules, regressions and improvements are claimed only if
/// Student's one-sided probability, corrected after Holm over the rules with a margin, is at most
/// 0.025; passes are not corrected. Rules that need a baseline are judged a second time by an
/// anchor, if there is one, as further rules.
package struct GateJudge: Sendable {
  package let candidate: GateSide
  package let baseline: GateSide?
  package let anchor: GateSide?
  package var resamples = StreamUncertainty.resamplesDeciding
  package var seed: UInt64 = 0

  package init(candidate: GateSide, baseline: GateSide?, anchor: GateSide? = nil) {
    self.candidate = candidate
    self.baseline = baseline
    self.anchor = anchor
  }

  package func findings(
    _ rules: [GateRule], progress: (Int) -> Void = { _ in }
  ) -> [GateFinding] {
    var findings = begun(rules)
    var tests: [MarginTest] = []
    for index in findings.indices {
      progress(index)
      if let comparison = measure(&findings[index]), findings[index].rule.margin != nil {
        tests.append(MarginTest(index, findings[index].rule, comparison))
      }
    }
    progress(findings.count)
    let losses = Holm.adjusted(tests.map(\.probabilityOfLoss))
    let gains = Holm.adjusted(tests.map(\.probabilityOfGain))
    for (test, probability) in zip(tests, zip(losses, gains)) {
      findings[test.index].detectableLoss = test.detectableLoss(among: tests.count)
      test.decide(&findings[test.index], loss: probability.0, gain: probability.1)
    }
    return findings
  }

  package func count(of rules: [GateRule]) -> Int { begun(rules).count }

  private func begun(_ rules: [GateRule]) -> [GateFinding] {
    let anchored = anchor == nil ? [] : rules.compactMap(\.comparison)
    return rules.map { GateFinding($0) } + anchored.map { GateFinding($0, against: .anchor) }
  }

  private func reference(of finding: GateFinding) -> GateSide? {
    finding.reference == .anchor ? anchor : baseline
  }

  private func measure(_ finding: inout GateFinding) -> MetricComparison? {
    guard let key = finding.rule.judged else {
      finding.value = candidate.frameCostRatio
      finding.baseline = reference(of: finding)?.frameCostRatio
      if finding.value == nil { finding.note(GateReason(.notTimed)) }
      finding.checkBounds()
      return nil
    }
    let own = finding.rule.slice.of(candidate.sequences)
    let pools = SubjectPools(own, key.stream)
    finding.subjects = pools.subjects.count
    guard checkEvidence(&finding, own, pools.frameCounts) else { return nil }
    switch pools.values([key])[0] {
    case .undefined(let reason):
      finding.note(GateReason(.undefined, gap: reason))
      return nil
    case .value(let value): finding.value = value
    }
    return compare(&finding, key, own)
  }

  private func checkEvidence(
    _ finding: inout GateFinding, _ own: [SequenceScores], _ frames: FrameCounts
  ) -> Bool {
    if own.isEmpty {
      finding.note(GateReason(.noSequences))
    } else if frames.scored == 0 {
      let waits = finding.rule.whenLabeled && own.contains { $0.plank.frames.scored > 0 }
      finding.note(GateReason(waits ? .unlabeled : .nothingScored))
    } else if frames.isNoEvidence {
      finding.note(GateReason(.noEvidence))
    } else if finding.subjects < finding.rule.minimumSubjects {
      finding.note(GateReason(.tooFewSubjects, needed: finding.rule.minimumSubjects))
    }
    return finding.reasons.isEmpty
  }

  private func compare(
    _ finding: inout GateFinding, _ key: MetricKey, _ own: [SequenceScores]
  ) -> MetricComparison? {
    let isNeeded = finding.rule.needsBaseline
    let other = reference(of: finding).map { finding.rule.slice.of($0.sequences) }
    if finding.rule.leavesStraysOut {
      finding.strays = StrayClass.all(own, other, key.stream)
    }
    guard let other else {
      if isNeeded {
        finding.note(GateReason(.noBaseline))
      } else {
        finding.checkBounds()
      }
      return nil
    }
    guard other.map(\.name) == own.map(\.name) else {
      finding.note(GateReason(.otherSequences))
      return nil
    }
    let comparison = PairedComparison(
      other, own, keys: [key], resamples: isNeeded ? resamples : 1, seed: seed
    ).metrics.first
    guard let comparison, comparison.before.number != nil || !isNeeded else {
      finding.note(GateReason(.undefinedBefore))
      return nil
    }
    finding.baseline = comparison.before.number
    finding.worse = comparison.worse
    finding.checkBounds()
    return comparison
  }
}

package struct GateSide: Hashable, Sendable {
  package var sequences: [SequenceScores]
  package var frameCostRatio: Double?

  package init(sequences: [SequenceScores], frameCostRatio: Double? = nil) {
    self.sequences = sequences
    self.frameCostRatio = frameCostRatio
  }
}
