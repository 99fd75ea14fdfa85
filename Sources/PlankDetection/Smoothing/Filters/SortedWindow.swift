/// The newest samples of a signal in order of size.
struct SortedWindow: Sendable {
  private var window: SampleWindow
  private var sorted: [Double] = []

  /// Makes an empty window.
  init(_ length: WindowLength) {
    window = SampleWindow(length)
    sorted.reserveCapacity(length.expectedCount + 1)
  }

  /// Empties the window.
  mutating func removeAll() {
    window.removeAll()
    sorted.removeAll(keepingCapacity: true)
  }

  /// Adds a sample after taking out those that are too old by then.
  ///
  /// - Complexity: O(samples).
  mutating func append(_ value: Double, at time: Double) {
    window.append(value, at: time) { old in sorted.remove(at: Self.place(of: old, in: sorted)) }
    sorted.insert(value, at: Self.place(of: value, in: sorted))
  }

  /// The middle sample; of an even number, the mean of the two in the middle.
  ///
  /// - Precondition: there is a sample.
  var median: Double {
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
  }

  /// The median of the distances from a center within the samples' range.
  ///
  /// - Complexity: O(samples): distances grow outwards from the center, so two hands that walk
  ///   away from it meet them in order.
  func medianDeviation(from center: Double) -> Double {
    var right = Self.place(of: center, in: sorted)
    var left = right - 1
    let half = sorted.count / 2
    var before = 0.0
    var last = 0.0
    for _ in 0...half {
      before = last
      let below = left >= 0 ? center - sorted[left] : .infinity
      let above = right < sorted.count ? sorted[right] - center : .infinity
      if below <= above { left -= 1 } else { right += 1 }
      last = min(below, above)
    }
    return sorted.count.isMultiple(of: 2) ? (before + last) / 2 : last
  }

  /// The first place whose number is not below a value.
  private static func place(of value: Double, in sorted: [Double]) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
