extension DuplicatePoses {
  /// How many runs of a pair are listed in a message.
  private static let listedRuns = 5
  /// Frame 0 stands on this line.
  private static let firstFrameLine = 2

  /// One warning for each pair of files that share poses.
  var findings: [LintFinding] {
    pairs.map { pair in
      let earlier = files[pair.earlier]
      let later = files[pair.later]
      let whole = Run(earlierStart: 0, laterStart: 0, length: later.count)
      return pair.runs == [whole] && earlier.count == later.count
        ? duplicate(of: earlier, later) : shared(pair.runs, earlier: earlier, later: later)
    }
  }

  private func duplicate(of twin: PoseFingerprints, _ file: PoseFingerprints) -> LintFinding {
    .warning(
      .duplicateRecording, file: file.path,
      message: "all \(file.count) poses are those of \(twin.path), up to scale",
      remedy: "remove one of the two, or keep both in one split")
  }

  private func shared(
    _ runs: [Run], earlier: PoseFingerprints, later: PoseFingerprints
  ) -> LintFinding {
    let poses = runs.reduce(0) { $0 + $1.length }
    var list = runs.prefix(Self.listedRuns).map { run in
      let there = frames(of: earlier, run.earlierStart, run.length)
      return "frames \(frames(of: later, run.laterStart, run.length)) are its \(there)"
    }
    if runs.count > Self.listedRuns { list.append("and \(runs.count - Self.listedRuns) more") }
    let first = runs.first.map { later.frames[$0.laterStart] + Self.firstFrameLine }
    return .warning(
      .duplicateFrames, file: later.path, line: first,
      message: "\(poses) poses are also in \(earlier.path), up to scale: "
        + list.joined(separator: ", "),
      remedy: "remove them from one of the two, or keep both in one split")
  }

  /// The frames of a run as `first-last`, from 0.
  private func frames(of file: PoseFingerprints, _ start: Int, _ length: Int) -> String {
    "\(file.frames[start])-\(file.frames[start + length - 1])"
  }
}
