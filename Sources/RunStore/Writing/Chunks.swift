internal import ParameterTuning

/// Divides ids into pieces that are worth evaluating.
enum Chunks {
  /// The pieces of a range, each beginning and ending with a cell that is not degenerate.
  ///
  /// - Complexity: O(ids) with constraints, O(pieces) without.
  static func chunks(of range: Range<Int>, in grid: StreamGrid, atMost length: Int)
    -> [Range<Int>]
  {
    var chunks: [Range<Int>] = []
    var start = range.lowerBound
    while start < range.upperBound {
      guard let first = (start..<range.upperBound).first(where: grid.isAccepted) else { break }
      let end = first + min(length, range.upperBound - first)
      let last = (first..<end).last(where: grid.isAccepted) ?? first
      chunks.append(first..<last + 1)
      start = end
    }
    return chunks
  }
}
