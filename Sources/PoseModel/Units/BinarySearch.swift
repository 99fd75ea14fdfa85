extension RandomAccessCollection {
  /// The first index for which `isReached`, false up to some place and true after it, or
  /// `endIndex`.
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
