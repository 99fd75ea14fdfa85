/// The best one-to-one matching of two sorted lists of times within a bound.
///
/// As many pairs as possible, and among those the least sum of distances. In one dimension some
/// best matching never crosses, so the best one of two prefixes grows from those of shorter ones.
/// Only prefixes that end within the bound of each other are kept: of the first k right times,
/// those beyond the bound of a left time add nothing to it and to what comes before it.
struct BoundaryMatching {
  /// What a matching of two prefixes is worth.
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

  /// The prefixes of the left list that end with one time, with those of the right list that can
  /// differ: of `low` to `high` times.
  private struct Row {
    let low: Int
    var worths: [Worth]
    var isPair = [false]

    var high: Int { low + worths.count - 1 }

    /// The worth with the first k right times; k is at least `low`.
    func worth(_ k: Int) -> Worth { worths[min(k, high) - low] }
  }

  /// The right time minus the left one of every pair, in time order.
  private(set) var offsets: [Double] = []

  /// Matches two lists in ascending order; pairs at most `bound` apart, which is included.
  ///
  /// - Complexity: O(left + right + pairs within the bound) in time and memory.
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
