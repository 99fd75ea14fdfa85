enum BipartiteMatching {
  /// A maximum matching, by augmenting paths: each left element's partner; the earliest free
  /// partner is taken first, so that the result is a function of the arguments.
  /// - Complexity: O(left x relations) at worst, near O(relations) if few compete.
  /// - Source: Berge (1957), PNAS 43(9):842.
  static func maximum(_ neighbors: [[Int]], rightCount: Int) -> [Int?] {
    var partnerOfLeft = [Int?](repeating: nil, count: neighbors.count)
    var partnerOfRight = [Int?](repeating: nil, count: rightCount)
    var reachedFrom = [Int](repeating: 0, count: rightCount)
    var seenBy = [Int](repeating: -1, count: rightCount)
    for root in neighbors.indices {
      var queue = [root]
      var next = 0
      var free: Int?
      while next < queue.count, free == nil {
        let left = queue[next]
        next += 1
        for right in neighbors[left] where seenBy[right] != root {
          seenBy[right] = root
          reachedFrom[right] = left
          guard let other = partnerOfRight[right] else {
            free = right
            break
          }
          queue.append(other)
        }
      }
      // Reverse the path, from the free element back to the root.
      while let right = free {
        let left = reachedFrom[right]
        free = partnerOfLeft[left]
        partnerOfLeft[left] = right
        partnerOfRight[right] = left
      }
    }
    return partnerOfLeft
  }
}
