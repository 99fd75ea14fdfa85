/// The answers of one stream over a recording, one code a frame.
public struct StreamColumns: Hashable, Sendable {
  /// The labels by the rules alone; `Debouncer.undetermined` where there is none.
  public internal(set) var raw: [UInt8]
  /// The steady answers.
  public internal(set) var answers: [UInt8]
  /// Whether a frame is undetermined and shows an answer held from before.
  public internal(set) var isHeld: [Bool]

  /// Makes columns of undetermined frames with the empty answer.
  init(frameCount: Int) {
    raw = Array(repeating: Debouncer.undetermined, count: frameCount)
    answers = Array(repeating: 0, count: frameCount)
    isHeld = Array(repeating: false, count: frameCount)
  }

  /// Whether the rules gave a frame a label.
  public func isDetermined(at frame: Int) -> Bool { raw[frame] != Debouncer.undetermined }
}
