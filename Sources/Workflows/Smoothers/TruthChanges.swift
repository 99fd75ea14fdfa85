internal import PoseModel

/// Where the truth of a sequence changes.
///
/// A movement from one posture to the next may be labeled by a boundary, or left out between two
/// boundaries: then it begins at one and ends at the other. What comes before the first label and
/// after the last one is no change.
struct TruthChanges {
  /// The first frames of every stretch of one class, or without one, that lies between two scored
  /// frames or begins with one.
  let frames: [Int]
  /// How many changes there are; a stretch that is left out is one, not two.
  let count: Int

  /// Finds the changes of plank codes.
  ///
  /// - Complexity: O(frames).
  init(_ codes: [UInt8]) {
    let scored = codes.indices.filter { FrameTruth.isScored(codes[$0]) }
    guard let first = scored.first, let last = scored.last else {
      frames = []
      count = 0
      return
    }
    frames = codes.indices[first...last].dropFirst().filter { frame in
      codes[frame] != codes[frame - 1]
        && (FrameTruth.isScored(codes[frame]) || FrameTruth.isScored(codes[frame - 1]))
    }
    count = frames.count { FrameTruth.isScored(codes[$0]) }
  }
}
