internal import PoseModel

/// Where a class begins after another one.
///
/// Stretches that are ignored or not labeled belong to the way from one class to the next, so that
/// a person who marks transitions and one who does not can be compared. The first class of a track
/// has no boundary; the same class before and after a gap has none either.
struct LabelBoundary: Hashable {
  /// When the class begins, in seconds.
  let time: Double
  /// The code of the class.
  let to: UInt8
}

extension LabelTrack {
  /// The boundaries of a stream, in time order.
  func boundaries(_ stream: AnswerStream) -> [LabelBoundary] {
    var boundaries: [LabelBoundary] = []
    var last: UInt8?
    for segment in segments {
      let code = stream == .plank ? segment.plank?.rawValue : segment.form?.rawValue
      guard let code else { continue }
      if let last, last != code {
        boundaries.append(LabelBoundary(time: segment.start.value, to: code))
      }
      last = code
    }
    return boundaries
  }
}
