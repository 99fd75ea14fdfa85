/// The best one-to-one matching of two sorted lists of times within a bound.
///
/// As many pairs as possible, and among those the least sum of distances. In one dimension some
/// best matching never crosses, so the best one of two prefixes grows from those of shorter ones.
struct BoundaryMatching {
  /// What a matching of two prefixes is worth.
  private struct Worth {
    var pairs = 0
    var distance = 0.0

    func isBetter(than other: Worth) -> Bool {
      pairs > other.pairs || (pairs == other.pairs && distance < other.distance)
    }
  }

  /// The right time minus the left one of every pair, in time order.
  private(set) var offsets: [Double] = []

  /// Matches two lists in ascending order; pairs at most `bound` apart, which is included.
  ///
  /// - Complexity: O(left x right) in time and memory.
  init(_ left: [Double], _ right: [Double], within bound: Double) {
    let width = right.count + 1
    var table = Array(repeating: Worth(), count: (left.count + 1) * width)
    var isPair = Array(repeating: false, count: table.count)
    for i in left.indices {
      for j in right.indices {
        let cell = (i + 1) * width + j + 1
        let (above, before) = (table[cell - width], table[cell - 1])
        table[cell] = before.isBetter(than: above) ? before : above
        let distance = (right[j] - left[i]).magnitude
        guard distance <= bound else { continue }
        var paired = table[cell - width - 1]
        paired.pairs += 1
        paired.distance += distance
        guard paired.isBetter(than: table[cell]) else { continue }
        table[cell] = paired
        isPair[cell] = true
      }
    }
    var (i, j) = (left.count, right.count)
    while i > 0, j > 0 {
      let cell = i * width + j
      if isPair[cell] {
        (i, j) = (i - 1, j - 1)
        offsets.append(right[j] - left[i])
      } else if table[cell - 1].isBetter(than: table[cell - width]) {
        j -= 1
      } else {
        i -= 1
      }
    }
    offsets.reverse()
  }
}
