/// How much the length of one bone varies on holds; a body's does not.
struct BoneSums: Hashable {
  private var frames = 0
  private var lengths = 0.0
  private var squares = 0.0

  /// Adds the lengths of one hold: squares are about the hold's own mean.
  mutating func add(_ values: [Double]) {
    guard !values.isEmpty else { return }
    let mean = values.reduce(0, +) / Double(values.count)
    frames += values.count
    lengths += mean * Double(values.count)
    squares += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  /// Adds the lengths of other holds.
  mutating func add(_ other: BoneSums) {
    frames += other.frames
    lengths += other.lengths
    squares += other.squares
  }

  /// The numbers of a bone.
  func variation(_ name: String) -> BoneVariation {
    let count = Double(frames)
    let spread = frames > 0 ? (squares / count).squareRoot() : 0
    return BoneVariation(
      name: name, frames: frames,
      length: .ratio(lengths, count, orElse: .noValidFrame),
      variation: frames == 0
        ? .undefined(.noValidFrame) : .ratio(spread, lengths / count, orElse: .constant))
  }
}
