internal import PoseModel

extension ScoredStream {
  /// How short a passing answer must be to count as a flicker, in seconds; the bound is excluded,
  /// so 0.5 s is never a flicker.
  static let flickerBound = 0.5

  /// How often the answer leaves and comes back within 0.5 s while the truth stays.
  ///
  /// A flicker is a run B between two runs of A that lasts, from its first frame to the first of
  /// the next run, less than 0.5 s, with every frame from the last A before to the first A after
  /// it scored and of one true class. In A, B, A, B, A both inner B's and the inner A may count.
  ///
  /// - Complexity: O(frames).
  var flickerCount: Int {
    var count = 0
    var start: Int?  // first frame of the current run, where a run stands before it
    for frame in answers.indices.dropFirst() where answers[frame] != answers[frame - 1] {
      if let start, answers[start - 1] == answers[frame],
        times[frame] - times[start] < Self.flickerBound - FrameTiming.slack,
        isScored(frame), truth[start - 1...frame].allSatisfy({ $0 == truth[frame] })
      {
        count += 1
      }
      start = frame
    }
    return count
  }
}
