package import PoseModel

/// How far two people agree on one stream; sums over recordings.
package struct StreamAgreement: Hashable, Sendable {
  /// The stream.
  package let stream: AnswerStream
  /// Seconds that both labeled: rows are the first person's classes, columns the second one's.
  package private(set) var commonSeconds: ConfusionMatrix<Double>
  /// Seconds that only the first person gave a class.
  package private(set) var firstOnly = Seconds(0)
  /// Seconds that only the second person gave a class.
  package private(set) var secondOnly = Seconds(0)
  /// How near to each other both draw boundaries.
  package private(set) var boundaries: BoundaryAgreement

  /// Compares two tracks at the frames of one recording.
  init(
    _ stream: AnswerStream, first: LabelTrack, second: LabelTrack, times: [Double],
    frameWeight: Seconds, window: Seconds
  ) {
    self.stream = stream
    let labels = stream.labels
    var cells = Array(repeating: 0, count: labels.count * labels.count)
    var only = (first: 0, second: 0)
    let one = first.truth(at: times).codes(stream)
    let other = second.truth(at: times).codes(stream)
    for (a, b) in zip(one, other) {
      switch (FrameTruth.isScored(a), FrameTruth.isScored(b)) {
      case (true, true): cells[Int(a) * labels.count + Int(b)] += 1
      case (true, false): only.first += 1
      case (false, true): only.second += 1
      case (false, false): break
      }
    }
    commonSeconds = ConfusionMatrix(
      labels: labels, cells: cells.map { Double($0) * frameWeight.value })
    firstOnly = Seconds(Double(only.first) * frameWeight.value)
    secondOnly = Seconds(Double(only.second) * frameWeight.value)
    boundaries = BoundaryAgreement(
      first.boundaries(stream), second.boundaries(stream), window: window)
  }

  /// The share of the common time in which both say the same.
  package var agreement: AgreementValue {
    let metrics = ClassificationMetrics(commonSeconds)
    return .of(metrics.accuracy.number, orElse: .noCommonTime)
  }

  /// Cohen's kappa over the common time: agreement beyond what chance gives.
  package var cohenKappa: AgreementValue {
    let metrics = ClassificationMetrics(commonSeconds)
    return .of(
      metrics.cohenKappa.number,
      orElse: commonSeconds.total == 0 ? .noCommonTime : .certainAgreement)
  }

  /// The share of all labeled time that only one of the two gave a class.
  package var oneSidedShare: AgreementValue {
    let oneSided = firstOnly.value + secondOnly.value
    let labeled = commonSeconds.total + oneSided
    return labeled == 0 ? .undefined(.nothingLabeled) : .value(oneSided / labeled)
  }

  /// Every number by the name that reports give it, with its unit.
  package var rows: [AgreementRow] {
    let prefix = "\(stream.rawValue).annotators"
    func row(_ name: String, _ unit: String, _ value: AgreementValue) -> AgreementRow {
      AgreementRow(name: "\(prefix)_\(name)", unit: unit, value: value)
    }
    return [
      row("cohen_kappa", "-", cohenKappa),
      row("agreement", "-", agreement),
      row("common_s", "s", .value(commonSeconds.total)),
      row("one_sided_share", "-", oneSidedShare),
      row("boundary_difference_p50_s", "s", boundaries.median),
      row("boundary_difference_p90_s", "s", boundaries.ninetiethPercentile),
      row("boundary_difference_max_s", "s", boundaries.largest),
      row("boundary_offset_p50_s", "s", boundaries.medianOffset),
      row("matched_boundaries", "boundaries", .value(Double(boundaries.matched))),
      row("unmatched_boundaries_first", "boundaries", .value(Double(boundaries.firstUnmatched))),
      row("unmatched_boundaries_second", "boundaries", .value(Double(boundaries.secondUnmatched))),
    ]
  }

  /// Adds another recording.
  package static func += (left: inout StreamAgreement, right: StreamAgreement) {
    precondition(left.stream == right.stream, "streams are not pooled with each other")
    left.commonSeconds += right.commonSeconds
    left.firstOnly = Seconds(left.firstOnly.value + right.firstOnly.value)
    left.secondOnly = Seconds(left.secondOnly.value + right.secondOnly.value)
    left.boundaries += right.boundaries
  }
}
