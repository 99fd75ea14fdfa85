/// A half-open stretch of time [start, end) with one label.
public struct LabeledSegment: Hashable, Sendable {
  /// The first instant of the segment.
  public var start: Seconds
  /// The first instant after it.
  public var end: Seconds
  /// What was done, or nil for `ignore`: such frames are not scored.
  public var plank: PlankClass?
  /// The form, or nil where it was not judged; nil where `plank` is nil or none.
  public var form: FormClass?

  /// Makes a segment; `LabelTrack` checks it.
  public init(start: Seconds, end: Seconds, plank: PlankClass?, form: FormClass? = nil) {
    self.start = start
    self.end = end
    self.plank = plank
    self.form = form
  }
}
