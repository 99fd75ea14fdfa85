/// One of n nearly equal contiguous parts of a grid, counted from 0.
package struct Shard: Hashable, Sendable {
  /// Which part.
  package let index: Int
  /// How many parts there are.
  package let count: Int

  /// The whole grid.
  package static let whole = Shard(checked: 0, 1)

  /// Makes a shard.
  ///
  /// - Throws: `TuningError.invalidShard` for an index outside 0..<count.
  package init(_ index: Int, of count: Int) throws(TuningError) {
    guard count >= 1, (0..<count).contains(index) else {
      throw .invalidShard(index: index, count: count)
    }
    self.init(checked: index, count)
  }

  private init(checked index: Int, _ count: Int) {
    self.index = index
    self.count = count
  }

  /// The cells of this part; the parts of a grid are disjoint and cover it.
  package func range(of cellCount: Int) -> Range<Int> {
    let (size, rest) = cellCount.quotientAndRemainder(dividingBy: count)
    let start = index * size + min(index, rest)
    return start..<start + size + (index < rest ? 1 : 0)
  }
}
