import PoseModel

struct CalibrationLint {
  let path: String
  let line: Int
  let name: String
  let hold: ConfirmedHold
  let recording: Recording
  let labels: LabelTrack?

  var findings: [LintFinding] {
    guard let first = recording.times.first, let last = recording.times.last else { return [] }
    let step = recording.medianFrameInterval?.value ?? 0
    if hold.start.value < first || hold.end.value > last + step + FrameTiming.slack {
      return [
        .warning(
          .calibrationOutside, file: path, line: line,
          message: "`calibration` of `\(name)` from \(hold.start.value) to \(hold.end.value) s "
            + "lies outside of its frames, which go from \(first) to \(last) s",
          remedy: "give seconds on the recording's clock")
      ]
    }
    return [otherLabel].compactMap(\.self)
  }

  private var otherLabel: LintFinding? {
    let frames = hold.frames(at: recording.times)
    let truth = labels?.truth(at: recording.times)
    let other = frames.lazy.compactMap { frame -> (Double, String)? in
      guard let plank = truth?.plank(at: frame), plank != .forearm, plank != .high else {
        return nil
      }
      return (self.recording.times[frame], plank.name)
    }.first
    guard let (time, label) = other else { return nil }
    return .warning(
      .calibrationLabels, file: path, line: line,
      message: "`calibration` of `\(name)` contains the frame at \(time) s, which is labeled "
        + "`\(label)`",
      remedy: "confirm seconds of a forearm or high plank, or correct the label")
  }
}
