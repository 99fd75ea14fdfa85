package import PoseModel

/// The stretches over which jitter is measured: what moves there is noise and sway.
package enum HoldSegments {
  /// The maximal runs of consecutive scored frames of one plank class other than none and one
  /// form truth, as ranges of frames; a form that was not judged counts as one of its own.
  ///
  /// - Complexity: O(frames).
  package static func find(in truth: FrameTruth) -> [Range<Int>] {
    var holds: [Range<Int>] = []
    var start: Int?
    for frame in truth.plank.indices {
      let code = truth.plank[frame]
      let isHeld = FrameTruth.isScored(code) && code != PlankClass.none.rawValue
      if let first = start,
        !isHeld || code != truth.plank[first] || truth.form[frame] != truth.form[first]
      {
        holds.append(first..<frame)
        start = nil
      }
      if isHeld, start == nil { start = frame }
    }
    if let start { holds.append(start..<truth.plank.count) }
    return holds
  }
}
