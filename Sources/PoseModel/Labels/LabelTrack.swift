/// The labeled segments of one recording: sorted, without overlap; gaps are legal.
public struct LabelTrack: Hashable, Sendable {
  /// The segments in time order.
  public let segments: [LabeledSegment]

  /// Checks segments and keeps them.
  ///
  /// - Throws: `LabelTrackError` for the first segment that breaks a rule.
  public init(_ segments: [LabeledSegment]) throws(LabelTrackError) {
    for (index, segment) in segments.enumerated() {
      if let problem = Self.problem(of: segment, after: index > 0 ? segments[index - 1] : nil) {
        throw LabelTrackError(segment: index, problem: problem)
      }
    }
    self.segments = segments
  }

  /// The truth of every frame of a recording.
  ///
  /// Times are compared as they are, without tolerance: a frame at a segment's start belongs to
  /// it, a frame at its end does not.
  ///
  /// - Parameter times: strictly increasing seconds.
  /// - Complexity: O(frames + segments).
  public func truth(at times: [Double]) -> FrameTruth {
    var truth = FrameTruth(count: times.count)
    var next = 0
    for (frame, time) in times.enumerated() {
      while next < segments.count, segments[next].end.value <= time { next += 1 }
      guard next < segments.count, segments[next].start.value <= time else { continue }
      truth.set(segments[next], at: frame)
    }
    return truth
  }

  private static func problem(
    of segment: LabeledSegment, after previous: LabeledSegment?
  ) -> LabelTrackError.Problem? {
    guard segment.start.value.isFinite, segment.end.value.isFinite else { return .notFinite }
    guard segment.start < segment.end else { return .endsBeforeItStarts }
    if let previous {
      if segment.start < previous.start { return .outOfOrder }
      if segment.start < previous.end { return .overlaps }
    }
    let hasPlank = segment.plank != nil && segment.plank != PlankClass.none
    return segment.form != nil && !hasPlank ? .formWithoutPlank : nil
  }
}
