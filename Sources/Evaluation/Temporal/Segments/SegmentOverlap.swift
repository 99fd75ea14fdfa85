/// Which answered segments hit true ones of their class by a least overlap.
struct SegmentOverlap {
  private let truth: [LabelRun]
  private let answers: [LabelRun]
  private let least: Double
  /// Slack on overlaps, because shares are not exact.
  private static let rounding = 1e-9

  /// Compares segments in order of time.
  init(truth: [LabelRun], answers: [LabelRun], least: Double) {
    self.truth = truth
    self.answers = answers
    self.least = least
  }

  /// Answered segments, in order of time, whose best overlap is enough and not taken yet.
  ///
  /// The best overlap may be with a segment that is taken: then the answer is wrong, though the
  /// second best might be free. Of equal overlaps the earliest is the best.
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

  /// The size of a maximum one-to-one matching.
  var optimalHits: Int {
    let neighbors = candidates.map { candidates in
      candidates.filter { $0.overlap >= least - Self.rounding }.map(\.index)
    }
    return BipartiteMatching.maximum(neighbors, rightCount: truth.count).count { $0 != nil }
  }

  /// For each answer, the true segments of its class that share a frame with it, and how much.
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
