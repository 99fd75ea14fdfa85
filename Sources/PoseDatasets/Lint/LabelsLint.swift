import PoseModel

struct LabelsLint {
  /// A boundary nearer to a frame than this, in seconds, was probably meant to be at the frame.
  private static let nearness = 1e-3
  private static let stepsBehindEnd = 2.0
  /// The least share of frames that labels cover; sound recordings have 0.14 or more, if any.
  private static let smallestCoverage = 0.05
  private static let fewestFrames = 30

  let path: String
  let file: LabelsReader.File
  let recording: Recording
  let clock: ClockSurvey?

  var findings: [LintFinding] {
    var findings = file.notes.map { $0.finding(file: path) }
    guard let first = recording.times.first, let last = recording.times.last else {
      return findings
    }
    for (segment, line) in zip(file.track.segments, file.lines) {
      if segment.end.value <= first || segment.start.value > last {
        findings.append(outside(segment, line: line, first: first, last: last))
      } else {
        findings += near(segment, line: line)
      }
    }
    findings += [afterEnd(last: last), noScoredFrames, coverage].compactMap { $0 }
    return findings
  }

  private var coverage: LintFinding? {
    let codes = file.track.truth(at: recording.times).plank
    let covered = codes.count { $0 != FrameTruth.unlabeled }
    guard let start = file.track.segments.first?.start.value, clock?.isInSeconds != false,
      let end = file.track.segments.last?.end.value, let first = recording.times.first,
      let last = recording.times.last, codes.count >= Self.fewestFrames,
      Double(covered) < Self.smallestCoverage * Double(codes.count)
    else { return nil }
    let dates = clock?.isDate == true ? "; the recording's times count from a date" : ""
    return .warning(
      .labelCoverage, file: path,
      message: "labels cover \(covered) of \(CountText.of(codes.count, "frame")): they go from "
        + "\(start) to \(end) s, the recording from \(first) to \(last) s\(dates)",
      remedy: dates.isEmpty
        ? "check that labels and frames are on one clock, or label more"
        : "subtract the first time of the recording from all of its times")
  }

  private func outside(
    _ segment: LabeledSegment, line: Int, first: Double, last: Double
  ) -> LintFinding {
    .warning(
      .labelOutside, file: path, line: line,
      message: "the segment \(segment.start.value) to \(segment.end.value) s covers no frame; "
        + "the recording goes from \(first) to \(last) s",
      remedy: "check that labels and frames are on one clock")
  }

  private func near(_ segment: LabeledSegment, line: Int) -> [LintFinding] {
    [("start", segment.start.value), ("end", segment.end.value)].compactMap { name, boundary in
      guard let frame = nearestOtherTime(to: boundary) else { return nil }
      return .warning(
        .labelNearFrame, file: path, line: line,
        message: "`\(name)` \(boundary) is within 1 ms of the frame at \(frame) but not equal "
          + "to it", remedy: "write \(frame) if you mean that frame: times have no tolerance")
    }
  }

  private func nearestOtherTime(to boundary: Double) -> Double? {
    let times = recording.times
    let index = times.partitioningIndex { $0 >= boundary }
    let neighbors = times[max(index - 1, 0)..<min(index + 1, times.count)]
    let nearest = neighbors.min { ($0 - boundary).magnitude < ($1 - boundary).magnitude }
    guard let nearest, nearest != boundary, (nearest - boundary).magnitude <= Self.nearness else {
      return nil
    }
    return nearest
  }

  private func afterEnd(last: Double) -> LintFinding? {
    guard let segment = file.track.segments.last, let step = recording.medianFrameInterval,
      segment.start.value <= last, segment.end.value > last + Self.stepsBehindEnd * step.value
    else { return nil }
    return .warning(
      .labelAfterEnd, file: path, line: file.lines.last,
      message: "the last segment ends at \(segment.end.value) s, more than two frames after the "
        + "last frame at \(last) s", remedy: "end it with the recording, or check the clock")
  }

  private var noScoredFrames: LintFinding? {
    let codes = file.track.truth(at: recording.times).plank
    guard !codes.contains(where: FrameTruth.isScored) else { return nil }
    if codes.contains(FrameTruth.ignored), file.track.segments.allSatisfy({ $0.plank == nil }) {
      return .note(
        .noScoredFrames, file: path, message: "every label says `ignore`: no frame is scored",
        remedy: "if that is intended, there is nothing to do")
    }
    return .warning(
      .noScoredFrames, file: path, message: "no frame of the recording has a label that is scored",
      remedy: "label the recording, or check the clock")
  }
}

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
