@_spi(Bench) internal import PoseModel
internal import Statistics

/// Judges a candidate by rules, and by a baseline if rules need one.
///
/// It fails closed: what cannot be computed or compared is never a pass. The test against a margin
/// is a non-inferiority test: pass if the interval's lower end of the gain is above -margin,
/// regressed if its upper end is below, improved if its lower end is above 0. With several rules,
/// regressions and improvements are claimed only if Student's one-sided probability, corrected
/// after Holm over the rules with a margin, is at most 0.025; passes are not corrected.
package struct GateJudge: Sendable {
  /// The candidate.
  package let candidate: GateSide
  /// The reference; nil if there is no baseline.
  package let baseline: GateSide?
  /// How many resamples decide.
  package var resamples = StreamUncertainty.resamplesDeciding
  /// The seed of the resamples.
  package var seed: UInt64 = 0

  /// Makes a judge.
  package init(candidate: GateSide, baseline: GateSide?) {
    self.candidate = candidate
    self.baseline = baseline
  }

  /// The findings of all rules, in order.
  ///
  /// - Parameter progress: called with how many rules are done, first with 0.
  package func findings(
    _ rules: [GateRule], progress: (Int) -> Void = { _ in }
  ) -> [GateFinding] {
    var findings: [GateFinding] = []
    var tests: [MarginTest] = []
    for (index, rule) in rules.enumerated() {
      progress(index)
      var finding = GateFinding(rule)
      if let comparison = measure(&finding) {
        if rule.margin != nil { tests.append(MarginTest(index, rule, comparison)) }
      }
      findings.append(finding)
    }
    progress(rules.count)
    let losses = Holm.adjusted(tests.map(\.probabilityOfLoss))
    let gains = Holm.adjusted(tests.map(\.probabilityOfGain))
    for (test, probability) in zip(tests, zip(losses, gains)) {
      findings[test.index].detectableLoss = test.detectableLoss(among: tests.count)
      test.decide(&findings[test.index], loss: probability.0, gain: probability.1)
    }
    return findings
  }

  /// Checks everything that needs no test.
  ///
  /// A rule that needs no baseline is still compared with one if there is one, so that a broken
  /// bound shows who got worse.
  ///
  /// - Returns: the comparison with the baseline, for the test against a margin.
  private func measure(_ finding: inout GateFinding) -> MetricComparison? {
    guard case .metric(let key) = finding.rule.subject else {
      finding.value = candidate.frameCostRatio
      finding.baseline = baseline?.frameCostRatio
      if finding.value == nil { finding.note(.notComparable, "no frame was timed") }
      finding.checkBounds()
      return nil
    }
    let own = candidate.sequences.filter(finding.rule.slice.contains)
    let pools = SubjectPools(own, key.stream)
    finding.subjects = pools.subjects.count
    guard checkEvidence(&finding, own, pools.frameCounts) else { return nil }
    switch pools.values([key])[0] {
    case .undefined(let reason):
      finding.note(.notComparable, "\(key) is undefined: \(reason.rawValue)")
      return nil
    case .value(let value): finding.value = value
    }
    return compare(&finding, key, own)
  }

  private func checkEvidence(
    _ finding: inout GateFinding, _ own: [SequenceScores], _ frames: FrameCounts
  ) -> Bool {
    let slice = finding.rule.slice
    if own.isEmpty {
      finding.note(.notComparable, "no sequence of \(slice) was evaluated")
    } else if frames.scored == 0 {
      finding.note(.notComparable, "no frame was scored")
    } else if frames.isNoEvidence {
      finding.note(
        .notComparable, "no evidence: fewer than half of the scored frames are determined")
    } else if finding.subjects < finding.rule.minimumSubjects {
      finding.note(
        .notComparable,
        CountText.of(finding.subjects, "subject")
          + "; the rule asks for \(finding.rule.minimumSubjects)")
    }
    return finding.verdict != .notComparable
  }

  private func compare(
    _ finding: inout GateFinding, _ key: MetricKey, _ own: [SequenceScores]
  ) -> MetricComparison? {
    let isNeeded = finding.rule.needsBaseline
    guard let baseline else {
      if isNeeded {
        finding.note(.notComparable, GateFinding.noBaseline)
      } else {
        finding.checkBounds()
      }
      return nil
    }
    let other = baseline.sequences.filter(finding.rule.slice.contains)
    guard other.map(\.name) == own.map(\.name) else {
      finding.note(.notComparable, "the baseline has other sequences")
      return nil
    }
    let comparison = PairedComparison(
      other, own, keys: [key], resamples: isNeeded ? resamples : 1, seed: seed
    ).metrics.first
    guard let comparison, comparison.before.number != nil || !isNeeded else {
      finding.note(.notComparable, "\(key) is undefined in the baseline")
      return nil
    }
    finding.baseline = comparison.before.number
    finding.worse = comparison.worse
    finding.checkBounds()
    return comparison
  }
}

/// One side of a gate: the scores of sequences and the cost per frame.
package struct GateSide: Hashable, Sendable {
  /// The sequences in the order of the dataset.
  package var sequences: [SequenceScores]
  /// The median cost per frame over that of the calibration loop; nil if it was not measured.
  package var frameCostRatio: Double?

  /// Makes a side.
  package init(sequences: [SequenceScores], frameCostRatio: Double? = nil) {
    self.sequences = sequences
    self.frameCostRatio = frameCostRatio
  }
}
