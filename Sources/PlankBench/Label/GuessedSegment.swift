internal import PlankDetection
internal import PoseModel

/// No label: the page never saves it until a person has confirmed it.
struct GuessedSegment: Hashable, Sendable, Encodable {
  let start: Int
  var end: Int
  let plank: String
  let form: String

  /// In seconds; shorter stretches, which nobody sees, belong to the stretch before them.
  static let shortest = 0.3

  /// Without debouncing, which would be late at every boundary.
  ///
  /// Frames without an answer belong to no stretch. In time order; empty for a recording that the
  /// rules cannot judge.
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
