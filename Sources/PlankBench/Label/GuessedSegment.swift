internal import PlankDetection
internal import PoseModel

/// A stretch of equal answers of a detector, from which labeling can begin.
///
/// It is no label: the page shows it as unconfirmed and never saves it until a person has confirmed
/// it, and no reader of labels ever sees it.
struct GuessedSegment: Hashable, Sendable, Encodable {
  /// The first frame.
  let start: Int
  /// The frame behind the last one.
  var end: Int
  /// The plank class.
  let plank: String
  /// The form; empty for `none`, and where the form is undetermined.
  let form: String

  /// The shortest stretch that stands alone, in seconds: shorter ones, which nobody sees, belong to
  /// the stretch before them.
  static let shortest = 0.3

  /// The answers of a detector to a recording.
  ///
  /// They are those of the rules alone: debouncing would be late at every boundary. Frames without
  /// an answer belong to no stretch.
  ///
  /// - Parameter measured: at least what the rules use, if it was measured already.
  /// - Returns: in time order; empty for a recording that the rules cannot judge.
  /// - Complexity: O(frames).
  static func all(
    _ recording: Recording, _ detector: BatchDetector, measured: MeasurementColumns? = nil,
    startsMid: Bool
  ) -> [Self] {
    guard detector.definition.mismatch(with: recording.header) == nil else { return [] }
    let columns =
      measured
      ?? MeasurementColumns(recording, detector.measurements, reading: detector.definition.axes)
    let answers = detector.detect(columns, times: recording.times, startsMid: startsMid)
    var segments: [Self] = []
    for frame in recording.times.indices {
      let (plank, form) = answers.rawLabel(at: frame)
      guard let plank else { continue }
      let name = plank == .none ? "" : form?.name ?? ""
      if let last = segments.last, last.end == frame, last.plank == plank.name, last.form == name {
        segments[segments.count - 1].end += 1
      } else {
        segments.append(Self(start: frame, end: frame + 1, plank: plank.name, form: name))
      }
    }
    return joined(segments, times: recording.times)
  }

  /// The stretches without those that are too short to stand alone.
  private static func joined(_ segments: [Self], times: [Double]) -> [Self] {
    segments.reduce(into: []) { joined, segment in
      guard let last = joined.last, last.end == segment.start else {
        joined.append(segment)
        return
      }
      let isSame = last.plank == segment.plank && last.form == segment.form
      let isShort = times[segment.end - 1] - times[segment.start] < shortest
      if isSame || isShort {
        joined[joined.count - 1].end = segment.end
      } else {
        joined.append(segment)
      }
    }
  }
}
