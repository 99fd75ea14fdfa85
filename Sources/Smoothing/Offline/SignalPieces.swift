internal import PoseModel

/// The stretches of a signal without a gap that a filter may cross.
enum SignalPieces {
  /// Indices of present samples, piece by piece.
  ///
  /// - Parameters:
  ///   - values: the samples, NaN where missing.
  ///   - times: their times in seconds, increasing.
  ///   - largestGap: the longest time between two samples of a piece, bound included.
  static func find(_ values: [Double], times: [Double], largestGap: Double) -> [[Int]] {
    var pieces: [[Int]] = []
    for index in values.indices where values[index].isFinite && times[index].isFinite {
      if let last = pieces.last?.last, times[index] - times[last] <= largestGap + FrameTiming.slack
      {
        pieces[pieces.count - 1].append(index)
      } else {
        pieces.append([index])
      }
    }
    return pieces
  }
}
