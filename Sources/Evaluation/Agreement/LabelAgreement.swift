package import PoseModel

/// How far two people who labeled the same recordings agree.
///
/// Labels are compared on the frames of the recording, by exact times; `ignore` and gaps are
/// not classes. The result is symmetric except for names and signs: swapping the two people
/// transposes the matrices.
package struct LabelAgreement: Codable, Hashable, Sendable {
  /// Both streams; the form on frames for which both gave one.
  private var streams: PerStream<StreamAgreement>

  /// Compares the labels of one recording.
  ///
  /// - Parameters:
  ///   - times: the recording's timestamps in seconds, strictly increasing.
  ///   - frameWeight: the seconds that a frame represents: the recording's `frameWeight`.
  ///   - window: how far apart boundaries may be and still be matched; positive.
  /// - Complexity: O(frames + segments), and pairs of boundaries within the window.
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

  /// Compares labels without a recording, at evenly spaced times from the first start to the last
  /// end.
  ///
  /// - Parameter rate: how many times per second are compared; positive.
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

  /// The plank stream.
  package var plank: StreamAgreement { streams.plank }

  /// The form stream, on frames for which both gave a form.
  package var form: StreamAgreement { streams.form }

  /// The agreement on a stream.
  package subscript(stream: AnswerStream) -> StreamAgreement { streams[stream] }

  /// Every number of both streams, as reports list them.
  package var rows: [AgreementRow] { streams.all.flatMap(\.rows) }

  /// Adds another recording that the same two people labeled.
  package static func += (left: inout LabelAgreement, right: LabelAgreement) {
    left.streams.plank += right.streams.plank
    left.streams.form += right.streams.form
  }
}

/// How far two people agree on one stream; sums over recordings.
package struct StreamAgreement: Codable, Hashable, Sendable {
  /// The stream.
  package let stream: AnswerStream
  /// Seconds that both labeled: rows are the first person's classes, columns the second person's.
  package private(set) var commonSeconds: ConfusionMatrix<Double>
  /// Seconds that only the first person gave a class.
  package private(set) var firstOnly = Seconds(0)
  /// Seconds that only the second person gave a class.
  package private(set) var secondOnly = Seconds(0)
  /// How closely both agree on boundaries.
  package private(set) var boundaries: BoundaryAgreement
  /// The share of the common time in which both agree.
  package private(set) var agreement = MetricValue.undefined(.noCommonTime)
  /// Cohen's kappa over the common time: agreement beyond what chance gives.
  package private(set) var cohenKappa = MetricValue.undefined(.noCommonTime)
  /// The share of all labeled time that only one of the two gave a class.
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
    summarize()
  }

  /// Computes the numbers of the common and the one-sided time.
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

  /// The kappa that a detector without any mistake would reach against one person's labels, if both
  /// people err independently and equally often: the square root of their kappa.
  ///
  /// For such people, agreement beyond chance with the truth multiplies: kappa(A, B) is
  /// kappa(truth, A) times kappa(truth, B). It is exact for two equally frequent classes that are
  /// confused both ways, and approximate otherwise. People who make the same mistakes agree better,
  /// and then it is too high. Source: Spearman (1904), The American Journal of Psychology
  /// 15(1):72, on the correlation of two measures with what both measure; applied here to kappa.
  ///
  /// - Returns: undefined if they agree no better than by chance.
  package var perfectKappa: MetricValue {
    guard let kappa = cohenKappa.number else { return cohenKappa }
    return kappa > 0 ? .value(kappa.squareRoot()) : .undefined(.noAgreementBeyondChance)
  }

  /// Every number with its name in reports and its unit.
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

  /// Adds another recording.
  package static func += (left: inout StreamAgreement, right: StreamAgreement) {
    precondition(left.stream == right.stream, "streams are not pooled with each other")
    left.commonSeconds += right.commonSeconds
    left.firstOnly = Seconds(left.firstOnly.value + right.firstOnly.value)
    left.secondOnly = Seconds(left.secondOnly.value + right.secondOnly.value)
    left.boundaries += right.boundaries
    left.summarize()
  }
}

/// One number about two people's labels, for reports.
package struct AgreementRow: Hashable, Sendable {
  /// The name, for example `plank.annotators_cohen_kappa`.
  package let name: String
  /// The unit; `-` for shares and coefficients.
  package let unit: String
  /// The number, or why there is none.
  package let value: MetricValue
}
