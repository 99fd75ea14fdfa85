/// Consecutive scored frames of one class, in truth or in answers.
struct LabelRun: Hashable {
  /// The class.
  let code: UInt8
  /// The frames.
  let frames: Range<Int>
  /// The time of the first frame.
  let start: Double
  /// The time of the first frame after it; at the end of a span, the end of its last frame.
  let end: Double
  /// The seconds that its frames last, each at most 0.5 s.
  let seconds: Double
}
