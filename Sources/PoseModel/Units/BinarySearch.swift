extension RandomAccessCollection {
  /// The first index whose element satisfies a condition, or `endIndex` if none does.
  ///
  /// - Parameter isReached: false for every element up to some place, true for all after it.
  /// - Complexity: O(log elements).
  @inlinable
  package func partitioningIndex<Failure: Error>(
    where isReached: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> Index {
    var low = startIndex
    var length = count
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if try isReached(self[middle]) {
        length = half
      } else {
        low = index(after: middle)
        length -= half + 1
      }
    }
    return low
  }
}
