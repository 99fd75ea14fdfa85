/// Three sums of a cell that stand in columns of their own, so that SQL can rank cells.
struct CellSummary: Hashable, Sendable {
  /// Scored frames with the right answer.
  let rightFrames: Int
  /// Changes of the answer between consecutive scored frames.
  let transitions: Int
  /// True events whose class was answered before they ended.
  let detectedEvents: Int
}
