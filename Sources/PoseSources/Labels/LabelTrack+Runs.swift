import PoseModel

extension LabelTrack {
  /// Makes one segment of every run of equal meanings.
  ///
  /// A segment starts at its first frame's time and ends at the next run's, the last at `end`;
  /// every boundary but the last is therefore equal to a frame time.
  ///
  /// - Parameters:
  ///   - meanings: one a frame.
  ///   - times: strictly increasing seconds, as many.
  ///   - end: a time after the last frame's.
  static func runs(
    of meanings: [LabelTarget], times: [Double], end: Double
  ) throws(LabelTrackError) -> LabelTrack {
    var segments: [LabeledSegment] = []
    var start = 0
    for next in 1...max(1, meanings.count) where start < meanings.count {
      if next < meanings.count, meanings[next] == meanings[start] { continue }
      segments.append(
        LabeledSegment(
          start: Seconds(times[start]), end: Seconds(next < times.count ? times[next] : end),
          plank: meanings[start].plank, form: meanings[start].form))
      start = next
    }
    return try LabelTrack(segments)
  }
}
