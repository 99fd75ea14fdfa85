/// What a person does in one recording, whether that is a plank or not: sorted, without overlap;
/// gaps are legal.
package struct ActivityTrack: Hashable, Sendable {
  /// The segments in time order.
  public let segments: [ActivitySegment]

  /// Checks segments and keeps them.
  ///
  /// - Throws: `LabelTrackError` for the first segment that breaks a rule.
  public init(_ segments: [ActivitySegment]) throws(LabelTrackError) {
    _ = try LabelTrack(
      segments.map { LabeledSegment(start: $0.start, end: $0.end, plank: nil) })
    self.segments = segments
  }

  /// The activities in the order of their first segments.
  public var names: [String] {
    var seen: Set<String> = []
    return segments.map { $0.name }.filter { seen.insert($0).inserted }
  }

  /// The activity of every frame of a recording, as a position in `names`.
  ///
  /// Times are compared without tolerance: a frame at a segment's start belongs to it, a frame at
  /// its end does not.
  ///
  /// - Parameter times: strictly increasing seconds.
  /// - Returns: one position per frame; nil where no segment covers the frame.
  /// - Complexity: O(frames + segments).
  public func activities(at times: [Double]) -> [Int?] {
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let own = segments.map { places[$0.name] }
    var next = 0
    return times.map { time in
      while next < segments.count, segments[next].end.value <= time { next += 1 }
      guard next < segments.count, segments[next].start.value <= time else { return nil }
      return own[next]
    }
  }
}

/// A half-open stretch of time [start, end) in which a person does one thing.
package struct ActivitySegment: Hashable, Sendable {
  /// The first instant of the segment.
  public let start: Seconds
  /// The first instant after it.
  public let end: Seconds
  /// The activity, such as `lying-prone`.
  public let name: String

  /// Makes a segment; `ActivityTrack` checks it.
  public init(start: Seconds, end: Seconds, name: String) {
    self.start = start
    self.end = end
    self.name = name
  }
}
