extension Collection where Element == Double {
  /// The median of numbers none of which is NaN; the mean of the two middle ones of an even
  /// count; nil where there are none.
  ///
  /// - Complexity: O(n log n).
  var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = self.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
