package import PoseModel
internal import Statistics

/// The agreement of two people's labels of one recording, stream by stream.
///
/// Labels are compared on the frames of the recording, by exact times. `ignore` and gaps are not
/// classes.
package struct LabelAgreement: Codable, Hashable, Sendable {
  private var streams: PerStream<StreamAgreement>

  /// `times` are in seconds and strictly increase.
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
      first: first, second: second, times: (0..<count).map { start + Double($0) / rate.value },
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
  /// The seconds that both people labeled: rows are the first person's classes, columns the second
  /// person's.
  package private(set) var commonSeconds: ConfusionMatrix<Double>
  package private(set) var firstOnly = Seconds(0)
  package private(set) var secondOnly = Seconds(0)
  package private(set) var boundaries: BoundaryAgreement
  package private(set) var agreement = MetricValue.undefined(.noCommonTime)
  package private(set) var cohenKappa = MetricValue.undefined(.noCommonTime)
  package private(set) var oneSidedShare = MetricValue.undefined(.nothingLabeled)

  private enum CodingKeys: String, SnakeCaseKey {
    case stream, boundaries, agreement, commonSeconds
    case firstOnly = "first_only_s"
    case secondOnly = "second_only_s"
    case cohenKappa, oneSidedShare
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

  /// The kappa of a perfect detector against one person's labels, if both people err independently
  /// and equally often: sqrt(kappa).
  ///
  /// The value is exact for two equally frequent classes that are confused both ways, and too high
  /// if people make the same mistakes. Source: Spearman (1904), The American Journal of Psychology
  /// 15(1):72.
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

/// How far apart two people put the boundaries between classes.
///
/// Boundaries to the same class that are at most `window` apart are matched one to one: as many as
/// possible, with the smallest sum of distances.
package struct BoundaryAgreement: Codable, Hashable, Sendable {
  package let window: Seconds
  /// For every matched boundary, the second person's time minus the first person's, in seconds.
  package private(set) var offsets: [Double] = []
  package private(set) var firstUnmatched = 0
  package private(set) var secondUnmatched = 0
  package private(set) var matched = 0
  package private(set) var median = MetricValue.undefined(.noMatchedBoundary)
  package private(set) var ninetiethPercentile = MetricValue.undefined(.noMatchedBoundary)
  package private(set) var largest = MetricValue.undefined(.noMatchedBoundary)
  package private(set) var medianOffset = MetricValue.undefined(.noMatchedBoundary)

  private enum CodingKeys: String, CodingKey {
    case window = "window_s"
    case offsets = "offsets_s"
    case firstUnmatched = "unmatched_first"
    case secondUnmatched = "unmatched_second"
    case matched
    case median = "difference_p50_s"
    case ninetiethPercentile = "difference_p90_s"
    case largest = "difference_max_s"
    case medianOffset = "offset_p50_s"
  }

  package static let defaultWindow = Seconds(1)

  init(_ first: [Transition], _ second: [Transition], window: Seconds) {
    self.window = window
    for label in Set(first.map(\.to)).union(second.map(\.to)).sorted() {
      let left = first.filter { $0.to == label }.map(\.time)
      let right = second.filter { $0.to == label }.map(\.time)
      let found = BoundaryMatching(left, right, within: window.value + FrameTiming.slack).offsets
      offsets += found
      firstUnmatched += left.count - found.count
      secondUnmatched += right.count - found.count
    }
    summarize()
  }

  private mutating func summarize() {
    let distances = offsets.map(\.magnitude)
    matched = offsets.count
    median = .of(Description.median(distances), orElse: .noMatchedBoundary)
    ninetiethPercentile = .of(Description.quantile(distances, at: 0.9), orElse: .noMatchedBoundary)
    largest = .of(distances.max(), orElse: .noMatchedBoundary)
    medianOffset = .of(Description.median(offsets), orElse: .noMatchedBoundary)
  }

  package static func += (left: inout BoundaryAgreement, right: BoundaryAgreement) {
    precondition(left.window == right.window, "windows are the same in one pool")
    left.offsets += right.offsets
    left.firstUnmatched += right.firstUnmatched
    left.secondUnmatched += right.secondUnmatched
    left.summarize()
  }
}

extension LabelTrack {
  /// Ignored or unlabeled stretches do not count as classes, because not everyone marks
  /// transitions.
  func boundaries(_ stream: AnswerStream) -> [Transition] {
    var boundaries: [Transition] = []
    var last: UInt8?
    for segment in segments {
      let code = stream == .plank ? segment.plank?.code : segment.form?.code
      guard let code else { continue }
      if let last, last != code {
        boundaries.append(Transition(time: segment.start.value, to: code))
      }
      last = code
    }
    return boundaries
  }
}

/// Some best matching has no crossing pairs, so a best matching of two prefixes extends one of
/// shorter prefixes.
///
/// Only prefixes whose ends are within the bound of each other are kept.
struct BoundaryMatching {
  private struct Worth {
    var pairs = 0
    var distance = 0.0

    func isBetter(than other: Worth) -> Bool {
      pairs > other.pairs || (pairs == other.pairs && distance < other.distance)
    }

    func adding(_ length: Double) -> Worth { Worth(pairs: pairs + 1, distance: distance + length) }
  }

  private struct Row {
    let low: Int
    var worths: [Worth]
    var isPair = [false]

    var high: Int { low + worths.count - 1 }

    func worth(_ k: Int) -> Worth { worths[min(k, high) - low] }
  }

  private(set) var offsets: [Double] = []

  /// Both lists ascend; paired times are at most `bound` apart, inclusive; O(left + right + pairs).
  init(_ left: [Double], _ right: [Double], within bound: Double) {
    var rows = [Row(low: 0, worths: [Worth()])]
    var low = 0
    for time in left {
      while low < right.count, right[low] - time < -bound { low += 1 }
      rows.append(Self.row(after: rows[rows.count - 1], time, right, from: low, bound))
    }
    var (i, k) = (left.count, right.count)
    while i > 0, k > 0 {
      let row = rows[i]
      if k > row.low, k <= row.high, row.isPair[k - row.low] {
        (i, k) = (i - 1, k - 1)
        offsets.append(right[k] - left[i])
      } else if k > row.low, row.worth(k - 1).isBetter(than: rows[i - 1].worth(k)) {
        k -= 1
      } else {
        i -= 1
      }
    }
    offsets.reverse()
  }

  private static func row(
    after above: Row, _ time: Double, _ right: [Double], from low: Int, _ bound: Double
  ) -> Row {
    var row = Row(low: low, worths: [above.worth(low)])
    var k = low
    while k < right.count, right[k] - time <= bound {
      let (before, over) = (row.worth(k), above.worth(k + 1))
      let unpaired = before.isBetter(than: over) ? before : over
      let paired = above.worth(k).adding((right[k] - time).magnitude)
      row.isPair.append(paired.isBetter(than: unpaired))
      row.worths.append(paired.isBetter(than: unpaired) ? paired : unpaired)
      k += 1
    }
    return row
  }
}
