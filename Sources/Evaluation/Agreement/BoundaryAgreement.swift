package import PoseModel
internal import Statistics

/// Boundaries to the same class at most `window` apart are matched one to one: as many as possible,
/// with the smallest sum of distances.
package struct BoundaryAgreement: Codable, Hashable, Sendable {
  package let window: Seconds
  /// The second person's time minus the first person's, for every matched boundary, in seconds.
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

  /// - Complexity: O(first + second + pairs within the window) per class, in time and memory.
  init(_ first: [LabelBoundary], _ second: [LabelBoundary], window: Seconds) {
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
    ninetiethPercentile = .of(
      Description.quantile(distances, at: 0.9), orElse: .noMatchedBoundary)
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

/// Ignored or unlabeled stretches belong to the transition between classes, so that people who mark
/// transitions and people who do not can be compared.
struct LabelBoundary: Hashable {
  let time: Double
  let to: UInt8
}

extension LabelTrack {
  func boundaries(_ stream: AnswerStream) -> [LabelBoundary] {
    var boundaries: [LabelBoundary] = []
    var last: UInt8?
    for segment in segments {
      let code = stream == .plank ? segment.plank?.code : segment.form?.code
      guard let code else { continue }
      if let last, last != code {
        boundaries.append(LabelBoundary(time: segment.start.value, to: code))
      }
      last = code
    }
    return boundaries
  }
}

/// In one dimension some best matching never crosses, so the best matching of two prefixes extends
/// those of shorter ones; only prefixes that end within the bound of each other are kept.
struct BoundaryMatching {
  private struct Worth {
    var pairs = 0
    var distance = 0.0

    func isBetter(than other: Worth) -> Bool {
      pairs > other.pairs || (pairs == other.pairs && distance < other.distance)
    }

    func adding(_ length: Double) -> Worth {
      Worth(pairs: pairs + 1, distance: distance + length)
    }
  }

  private struct Row {
    let low: Int
    var worths: [Worth]
    var isPair = [false]

    var high: Int { low + worths.count - 1 }

    func worth(_ k: Int) -> Worth { worths[min(k, high) - low] }
  }

  private(set) var offsets: [Double] = []

  /// Both lists ascend; pairs are at most `bound` apart, inclusive.
  ///
  /// O(left + right + pairs).
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
