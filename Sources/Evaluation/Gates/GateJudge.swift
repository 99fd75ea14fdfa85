package import PoseModel
internal import Statistics

/// Judges a candidate by rules, and by a baseline if rules need one.
///
/// The gate fails closed: what cannot be computed or compared never passes, except for a rule that
/// waits for form labels. The test against a margin is a non-inferiority test: the verdict is
/// `pass` if the lower end of the gain's interval is above -margin, `regressed` if the upper end is
/// below -margin, and `improved` if the lower end is above 0. With several rules, regressions and
/// improvements are claimed only if Student's one-sided probability, with Holm's correction over
/// the rules with a margin, is at most 0.025; passes are not corrected. If there is an anchor,
/// rules that need a baseline are judged a second time against the anchor, as additional rules.
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
    if finding.rule.leavesStraysOut { finding.strays = StrayClass.all(own, other, key.stream) }
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

package struct CellGrowth: Hashable, Sendable, Codable {
  package struct Person: Hashable, Sendable, Codable {
    package let subject: String?
    package let seconds: Seconds

    private enum CodingKeys: String, CodingKey {
      case subject
      case seconds = "difference_s"
    }
  }

  package let stream: AnswerStream
  package let truth: String
  package let answer: String
  package let slice: GateSlice
  package let before: Seconds
  package let after: Seconds
  package private(set) var people: [Person] = []

  private enum CodingKeys: String, CodingKey {
    case stream, truth, slice, people
    case answer = "prediction"
    case before = "before_s"
    case after = "after_s"
  }

  package static let least = Seconds(0.05)

  package var growth: Seconds { Seconds(after.value - before.value) }

  /// The confusion that grew most in the streams of broken rules; nil if none grew.
  ///
  /// Ties go to the first stream and class. Broken rules that stop the gate take precedence over
  /// rules that warn. If all broken rules of a stream judge the same part of the sequences, only
  /// that part is counted.
  package static func largest(
    from before: GateSide, to after: GateSide, _ findings: [GateFinding]
  ) -> CellGrowth? {
    let broken = findings.filter { $0.isBroken && $0.reference == .baseline }
    let stopping = broken.filter(\.stops)
    let rules = (stopping.isEmpty ? broken : stopping).map(\.rule)
    let found = AnswerStream.allCases.flatMap { stream -> [CellGrowth] in
      let slices = Set(rules.filter { $0.judged?.stream == stream }.map(\.slice))
      guard let slice = slices.first else { return [] }
      return all(from: before, to: after, stream, slices.count == 1 ? slice : .all)
    }
    var largest: CellGrowth?
    for cell in found where cell.growth.value > (largest?.growth.value ?? 0) { largest = cell }
    return largest.flatMap { $0.growth.value >= least.value ? $0 : nil }
  }

  package func people(from before: GateSide, to after: GateSide) -> [Person] {
    let subjects = Set(before.sequences.map(\.subject)).union(after.sequences.map(\.subject))
    let found = subjects.map { subject in
      let (old, new) = (seconds(in: before, of: subject), seconds(in: after, of: subject))
      return Person(subject: subject, seconds: Seconds(new - old))
    }
    return found.filter { abs($0.seconds.value) > 1e-9 }.sorted {
      ($1.seconds.value, $0.subject ?? "") < ($0.seconds.value, $1.subject ?? "")
    }
  }

  package func seconds(in side: GateSide) -> Double {
    Self.matrix(slice.of(side.sequences), stream)[code(truth), code(answer)]
  }

  private func seconds(in side: GateSide, of subject: String?) -> Double {
    let own = slice.of(side.sequences).filter { $0.subject == subject }
    return Self.matrix(own, stream)[code(truth), code(answer)]
  }

  private func code(_ label: String) -> Int { Int(stream.code(of: label) ?? 0) }

  private static func matrix(
    _ sequences: [SequenceScores], _ stream: AnswerStream
  ) -> ConfusionMatrix<Double> {
    PooledCounts(sequences, stream).seconds
  }

  private static func all(
    from before: GateSide, to after: GateSide, _ stream: AnswerStream, _ slice: GateSlice
  ) -> [CellGrowth] {
    let old = matrix(slice.of(before.sequences), stream)
    let new = matrix(slice.of(after.sequences), stream)
    return new.wrongCells.compactMap { truth, answer in
      guard new[truth, answer] > old[truth, answer] else { return nil }
      var cell = CellGrowth(
        stream: stream, truth: stream.labels[truth], answer: stream.labels[answer], slice: slice,
        before: Seconds(old[truth, answer]), after: Seconds(new[truth, answer]))
      cell.people = cell.people(from: before, to: after)
      return cell
    }
  }
}

extension [CellGrowth.Person] {
  /// The person with at least two thirds of the whole growth; nil if nobody has that much, or if
  /// the person is unnamed.
  package var most: String? {
    let grown = filter { $0.seconds.value > 0 }
    let sum = grown.reduce(0) { $0 + $1.seconds.value }
    return grown.first { $0.seconds.value >= 2 * sum / 3 }?.subject
  }
}

/// A class that is answered but never true in the data of a rule.
///
/// The F1 of such a class is 0, so one frame of it would weigh as much in a mean over classes as
/// all frames of a true class. Gates leave such classes out on both sides.
package struct StrayClass: Hashable, Sendable, Codable {
  package enum Change: String, CaseIterable, Hashable, Sendable, Codable {
    case joined
    case left
    case stayed
  }

  package let label: String
  package let now: Seconds
  package let before: Seconds?

  private enum CodingKeys: String, CodingKey {
    case label = "class"
    case now = "now_s"
    case before = "baseline_s"
  }

  /// How the class differs from the reference; without a reference, an answered class counts as
  /// joined.
  package var change: Change {
    guard now.value > 0 else { return .left }
    return (before?.value ?? 0) > 0 ? .stayed : .joined
  }

  static func all(
    _ own: [SequenceScores], _ other: [SequenceScores]?, _ stream: AnswerStream
  ) -> [StrayClass] {
    let now = PooledCounts(own, stream).seconds
    let before = other.map { PooledCounts($0, stream).seconds }
    return now.labels.indices.filter { now.truthTotal($0) == 0 }.compactMap { code in
      func answered(_ matrix: ConfusionMatrix<Double>) -> Seconds {
        Seconds(matrix.labels.indices.reduce(0) { $0 + matrix[$1, code] })
      }
      let stray = StrayClass(
        label: now.labels[code], now: answered(now), before: before.map(answered))
      return stray.now.value > 0 || (stray.before?.value ?? 0) > 0 ? stray : nil
    }
  }
}
