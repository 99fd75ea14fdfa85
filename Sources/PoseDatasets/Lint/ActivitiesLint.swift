import PoseModel

struct ActivitiesLint {
  private static let stepsBehindEnd = 2.0

  let path: String
  let track: ActivityTrack
  let lines: [Int]
  let recording: Recording

  var findings: [LintFinding] {
    guard let first = recording.times.first, let last = recording.times.last else { return [] }
    let step = recording.medianFrameInterval?.value ?? 0
    return zip(track.segments, lines).compactMap { segment, line in
      let isOutside = segment.end.value <= first || segment.start.value > last
      guard isOutside || segment.end.value > last + Self.stepsBehindEnd * step else { return nil }
      let fault = isOutside ? "covers no frame" : "goes on after the last frame"
      return .warning(
        .activityOutside, file: path, line: line,
        message: "`\(segment.name)` from \(segment.start.value) to \(segment.end.value) s "
          + "\(fault); the recording goes from \(first) to \(last) s",
        remedy: "check that activities and frames are on one clock")
    }
  }
}
