extension DuplicatePoses {
  /// How many runs of a pair are listed in a message.
  private static let listedRuns = 5
  /// Frame 0 stands on this line.
  private static let firstFrameLine = 2

  /// One warning for each pair of files that share poses.
  var findings: [LintFinding] {
    var findings: [LintFinding] = []
    for (later, file) in files.enumerated() where !file.hashes.isEmpty {
      let twin = files[..<later].first { $0.whole == file.whole && $0.hashes == file.hashes }
      guard let twin else { continue }
      findings.append(duplicate(of: twin, file))
    }
    for (pair, runs) in sharedRuns() {
      let earlier = files[pair.earlier]
      let later = files[pair.later]
      if earlier.hashes == later.hashes { continue }
      findings.append(shared(runs, earlier: earlier, later: later))
    }
    return findings
  }

  private func duplicate(of twin: PoseFingerprints, _ file: PoseFingerprints) -> LintFinding {
    .warning(
      .duplicateRecording, file: file.path,
      message: "all \(file.hashes.count) poses are those of \(twin.path)",
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
      message: "\(poses) poses in \(runs.count) runs are also in \(earlier.path): "
        + list.joined(separator: ", "),
      remedy: "remove them from one of the two, or keep both in one split")
  }

  /// The frames of a run as `first-last`, from 0.
  private func frames(of file: PoseFingerprints, _ start: Int, _ length: Int) -> String {
    "\(file.frames[start])-\(file.frames[start + length - 1])"
  }
}
