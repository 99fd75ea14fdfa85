internal import PoseModel

/// Segmental F1 at three overlaps and the edit score, summed over sequences.
///
/// Segments are runs of frames of one class other than the empty answer. Overlaps are counted in
/// frames.
///
/// - Source: Lea et al. (2016), ECCV, and (2017), CVPR; the greedy rule is that of MS-TCN's
///   `eval.py` (Farha and Gall 2019, CVPR).
package struct SegmentTally: Codable, Hashable, Sendable {
  /// The minimum overlaps, as intersection over union.
  package static let overlaps = [0.1, 0.25, 0.5]

  /// The number of answered segments that match a true segment, at each overlap, in order of time.
  ///
  /// Each answered segment is compared only with the true segment that it overlaps best.
  package private(set) var greedyHits = [0, 0, 0]
  package private(set) var optimalHits = [0, 0, 0]
  package private(set) var truth = 0
  package private(set) var answers = 0
  package private(set) var editScores = 0.0
  package private(set) var sequences = 0

  private enum CodingKeys: String, SnakeCaseKey {
    case greedyHits = "first_best_hits"
    case optimalHits
    case truth = "true_segments"
    case answers = "predicted_segments"
    case editScores = "edit_score_sum"
    case sequences
  }

  package init() {}

  init(_ spans: [ScoredSpan]) {
    guard !spans.isEmpty else { return }
    let trueRuns = spans.flatMap { $0.truth.filter { $0.code > 0 } }
    let answerRuns = spans.flatMap { $0.answers.filter { $0.code > 0 } }
    truth = trueRuns.count
    answers = answerRuns.count
    sequences = 1
    editScores = EditScore.score(trueRuns.map(\.code), answerRuns.map(\.code))
    for (index, overlap) in Self.overlaps.enumerated() {
      let segments = SegmentOverlap(truth: trueRuns, answers: answerRuns, least: overlap)
      greedyHits[index] = segments.greedyHits
      optimalHits[index] = segments.optimalHits
    }
  }

  package func f1(isOptimal: Bool = false) -> [MetricValue] {
    (isOptimal ? optimalHits : greedyHits).map {
      .ratio(Double(2 * $0), Double(truth + answers), orElse: .noEvent)
    }
  }

  package var editScore: MetricValue {
    .ratio(editScores, Double(sequences), orElse: .noScoredFrames)
  }

  package static func += (left: inout SegmentTally, right: SegmentTally) {
    for index in overlaps.indices {
      left.greedyHits[index] += right.greedyHits[index]
      left.optimalHits[index] += right.optimalHits[index]
    }
    left.truth += right.truth
    left.answers += right.answers
    left.editScores += right.editScores
    left.sequences += right.sequences
  }
}

struct SegmentOverlap {
  let truth: [LabelRun]
  let answers: [LabelRun]
  let least: Double
  private static let rounding = 1e-9

  /// Each answered segment counts only with its best true segment.
  ///
  /// If that one is taken, the answer is wrong, even if the second best is free.
  var greedyHits: Int {
    var isTaken = [Bool](repeating: false, count: truth.count)
    var hits = 0
    for candidates in candidates {
      var best: (index: Int, overlap: Double)?
      for candidate in candidates where candidate.overlap > best?.overlap ?? 0 { best = candidate }
      guard let best, best.overlap >= least - Self.rounding, !isTaken[best.index] else {
        continue
      }
      isTaken[best.index] = true
      hits += 1
    }
    return hits
  }

  var optimalHits: Int {
    let neighbors = candidates.map { candidates in
      candidates.filter { $0.overlap >= least - Self.rounding }.map(\.index)
    }
    return BipartiteMatching.maximum(neighbors, rightCount: truth.count).count { $0 != nil }
  }

  private var candidates: [[(index: Int, overlap: Double)]] {
    var first = 0
    return answers.map { answer in
      while first < truth.count, truth[first].frames.upperBound <= answer.frames.lowerBound {
        first += 1
      }
      var found: [(index: Int, overlap: Double)] = []
      var index = first
      while index < truth.count, truth[index].frames.lowerBound < answer.frames.upperBound {
        if truth[index].code == answer.code {
          found.append((index, Self.overlap(truth[index].frames, answer.frames)))
        }
        index += 1
      }
      return found
    }
  }

  private static func overlap(_ one: Range<Int>, _ other: Range<Int>) -> Double {
    let shared = one.clamped(to: other).count
    return Double(shared) / Double(one.count + other.count - shared)
  }
}

enum EditScore {
  /// 100 (1 - d / max(|truth|, |answers|)) with the edit distance d; 100 if both are empty.
  static func score(_ truth: [UInt8], _ answers: [UInt8]) -> Double {
    let longer = max(truth.count, answers.count)
    guard longer > 0 else { return 100 }
    return 100 * (1 - Double(EditDistance.between(truth, answers)) / Double(longer))
  }
}

/// In how many bins of one second a class is active in truth, in answers and in both.
///
/// Bins start with each span of scored frames; a class is active in a bin if it overlaps the bin at
/// all (Mesaros, Heittola and Virtanen 2016, Appl. Sci. 6:162). Counts are summed over sequences.
package struct BinCounts: Hashable, Sendable {
  package private(set) var both = 0
  package private(set) var truth = 0
  package private(set) var answers = 0

  package static let seconds = 1.0

  package init() {}

  package var f1: MetricValue {
    .ratio(Double(2 * both), Double(truth + answers), orElse: .noEvent)
  }

  mutating func add(_ span: ScoredSpan) {
    let inTruth = Self.bins(ScoredSpan.events(span.truth), span.start)
    let inAnswers = Self.bins(ScoredSpan.events(span.answers), span.start)
    both += Self.count(Self.intersection(inTruth, inAnswers))
    truth += Self.count(inTruth)
    answers += Self.count(inAnswers)
  }

  package static func += (left: inout BinCounts, right: BinCounts) {
    left.both += right.both
    left.truth += right.truth
    left.answers += right.answers
  }

  /// The bins that the events cover, as ranges: an event from time 0 to a Unix time would cover too
  /// many bins to list.
  private static func bins(_ events: [LabelRun], _ origin: Double) -> [Range<Double>] {
    var bins: [Range<Double>] = []
    for event in events {
      let first = ((event.start - origin) / seconds + FrameTiming.slack).rounded(.down)
      let last = ((event.end - origin) / seconds - FrameTiming.slack).rounded(.up)
      let start = max(first, bins.last?.upperBound ?? first)
      let end = max(first + 1, last)
      if start < end { bins.append(start..<end) }
    }
    return bins
  }

  private static func intersection(
    _ one: [Range<Double>], _ other: [Range<Double>]
  ) -> [Range<Double>] {
    var shared: [Range<Double>] = []
    var (i, j) = (0, 0)
    while i < one.count, j < other.count {
      let overlap = one[i].clamped(to: other[j])
      if !overlap.isEmpty { shared.append(overlap) }
      if one[i].upperBound < other[j].upperBound { i += 1 } else { j += 1 }
    }
    return shared
  }

  /// Limits the number to 35,000 years, so that sums over a million sequences fit in an integer.
  private static func count(_ ranges: [Range<Double>]) -> Int {
    let sum = ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
    return Int(min(sum, 0x1p40))
  }
}
