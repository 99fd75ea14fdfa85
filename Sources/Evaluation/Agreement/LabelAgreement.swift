package import PoseModel

/// Labels are compared on the frames of the recording, by exact times; `ignore` and gaps are not
/// classes.
///
/// Swapping the two people transposes the matrices.
package struct LabelAgreement: Codable, Hashable, Sendable {
  private var streams: PerStream<StreamAgreement>

  /// `times` strictly increase, in seconds; `window` is positive.
  package init(
    first: LabelTrack, second: LabelTrack, times: [Double], frameWeight: Seconds,
    window: Seconds = BoundaryAgreement.defaultWindow
  ) {
    precondition(frameWeight.value > 0 && window.value > 0, "frames and windows take some time")
    streams = PerStream { stream in
      StreamAgreement(
        stream, first: first, second: second, times: times, frameWeight: frameWeight,
        window: window)
    }
  }

  package init(
    first: LabelTrack, second: LabelTrack, rate: Hertz,
    window: Seconds = BoundaryAgreement.defaultWindow
  ) {
    precondition(rate.value > 0, "a rate is positive")
    let segments = first.segments + second.segments
    let start = segments.map(\.start).min()?.value ?? 0
    let end = segments.map(\.end).max()?.value ?? start
    let count = Int(((end - start) * rate.value).rounded(.up))
    self.init(
      first: first, second: second,
      times: (0..<count).map { start + Double($0) / rate.value },
      frameWeight: Seconds(1 / rate.value), window: window)
  }

  package var plank: StreamAgreement { streams.plank }

  package var form: StreamAgreement { streams.form }

  package subscript(stream: AnswerStream) -> StreamAgreement { streams[stream] }

  package var rows: [AgreementRow] { streams.all.flatMap(\.rows) }

  package static func += (left: inout LabelAgreement, right: LabelAgreement) {
    left.streams.plank += right.streams.plank
    left.streams.form += right.streams.form
  }
}

package struct StreamAgreement: Codable, Hashable, Sendable {
  package let stream: AnswerStream
  /// Seconds that both labeled: rows are the first person's classes, columns the second person's.
  package private(set) var commonSeconds: ConfusionMatrix<Double>
  package private(set) var firstOnly = Seconds(0)
  package private(set) var secondOnly = Seconds(0)
  package private(set) var boundaries: BoundaryAgreement
  package private(set) var agreement = MetricValue.undefined(.noCommonTime)
  package private(set) var cohenKappa = MetricValue.undefined(.noCommonTime)
  package private(set) var oneSidedShare = MetricValue.undefined(.nothingLabeled)

  private enum CodingKeys: String, CodingKey {
    case stream
    case commonSeconds = "common_seconds"
    case firstOnly = "first_only_s"
    case secondOnly = "second_only_s"
    case boundaries, agreement
    case cohenKappa = "cohen_kappa"
    case oneSidedShare = "one_sided_share"
  }

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
    summarize()
  }

  private mutating func summarize() {
    let counts = ClassCounts(commonSeconds)
    let oneSided = firstOnly.value + secondOnly.value
    agreement = .ratio(commonSeconds.right, commonSeconds.total, orElse: .noCommonTime)
    cohenKappa = .ratio(
      counts.covariance, counts.disagreement(counts.truth, counts.answered),
      orElse: commonSeconds.total == 0 ? .noCommonTime : .bothAlike
    ).clamped(to: -1...1)
    oneSidedShare = .ratio(oneSided, commonSeconds.total + oneSided, orElse: .nothingLabeled)
  }

  /// The kappa that a perfect detector would reach against one person's labels, if both people err
  /// independently and equally often: sqrt(kappa).
  ///
  /// Exact for two equally frequent classes that are confused both ways; too high if people make
  /// the same mistakes. Undefined if they agree no better than by chance. Source: Spearman (1904),
  /// The American Journal of Psychology 15(1):72.
  package var perfectKappa: MetricValue {
    guard let kappa = cohenKappa.number else { return cohenKappa }
    return kappa > 0 ? .value(kappa.squareRoot()) : .undefined(.noAgreementBeyondChance)
  }

  package var rows: [AgreementRow] {
    let prefix = "\(stream.rawValue).annotators"
    func row(_ name: String, _ unit: String, _ value: MetricValue) -> AgreementRow {
      AgreementRow(name: "\(prefix)_\(name)", unit: unit, value: value)
    }
    return [
      row("cohen_kappa", "-", cohenKappa),
      row("perfect_detector_kappa", "-", perfectKappa),
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

  package static func += (left: inout StreamAgreement, right: StreamAgreement) {
    precondition(left.stream == right.stream, "streams are not pooled with each other")
    left.commonSeconds += right.commonSeconds
    left.firstOnly = Seconds(left.firstOnly.value + right.firstOnly.value)
    left.secondOnly = Seconds(left.secondOnly.value + right.secondOnly.value)
    left.boundaries += right.boundaries
    left.summarize()
  }
}

package struct AgreementRow: Hashable, Sendable {
  package let name: String
  package let unit: String
  package let value: MetricValue
}
