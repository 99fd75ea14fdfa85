package import PoseModel

/// The stretches that are set against holds: nobody planks, whoever is there moves or rests.
package enum MovementSegments {
  /// The maximal runs of consecutive scored frames of the class none, as ranges of frames.
  ///
  /// - Complexity: O(frames).
  package static func find(in truth: FrameTruth) -> [Range<Int>] {
    var segments: [Range<Int>] = []
    var start: Int?
    for frame in 0...truth.plank.count {
      let isNone = frame < truth.plank.count && truth.plank[frame] == PlankClass.none.rawValue
      if isNone, start == nil { start = frame }
      if !isNone, let first = start {
        segments.append(first..<frame)
        start = nil
      }
    }
    return segments
  }
}
