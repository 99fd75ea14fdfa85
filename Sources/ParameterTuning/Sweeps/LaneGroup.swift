/// Up to eight sets of thresholds that the kernel counts side by side, each at the same lengths.
struct LaneGroup: Sendable {
  /// A cell of a group.
  struct Member: Sendable {
    /// The lane of its thresholds.
    let lane: Int
    /// Which debounce length.
    let length: Int
    /// Where its numbers go.
    let position: Int
  }

  /// The place of each lane on every axis; the last one again in lanes without thresholds.
  let lanes: [[Int]]
  /// The debounce lengths, ascending.
  let lengths: [UInt32]
  /// The cells.
  let members: [Member]

  /// The most lengths of a group, so that its sums stay in cache.
  static let mostLengths = 16
}
