internal import PoseModel

/// The rules of one stream with what their comparisons remember, frame after frame.
///
/// Without Schmitt bands nothing is remembered.
struct RawLabeler: Sendable {
  private let list: CompiledList
  private let holdSeconds: Double
  private let hasBands: Bool
  private var held: [Bool]
  private var lastDetermined = -Double.infinity

  /// Makes a labeler at the start of a sequence.
  init(_ list: CompiledList, holdSeconds: Seconds) {
    self.list = list
    self.holdSeconds = holdSeconds.value
    hasBands = list.hasBands
    held = Array(repeating: false, count: hasBands ? list.predicateCount : 0)
  }

  /// The raw label of the next frame, `Debouncer.undetermined` where there is none.
  ///
  /// An undetermined frame changes no memory; more than `hold_seconds` without a determined one
  /// drops it, as debounce drops its answer then.
  mutating func classify(_ values: UnsafePointer<Float>, at time: Double) -> UInt8 {
    guard hasBands else { return list.classify(values) }
    let isFresh = !(time - lastDetermined <= holdSeconds + Debouncer.tolerance)
    let label = list.classify(values, held: &held, isFresh: isFresh)
    if label != Debouncer.undetermined { lastDetermined = time }
    return label
  }
}
