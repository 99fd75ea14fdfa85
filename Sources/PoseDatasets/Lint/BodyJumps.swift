import PoseModel

/// Whether a 3D recording mixes people: again and again, the whole body takes another pose faster
/// than anybody can.
struct BodyJumps {
  /// How fast the middle one of the limbs' joints moves against the hips, in meters per second.
  ///
  /// A limb alone may be guessed wrong. In 96 recordings of real people, at most 2.7 % of the steps
  /// of one are as fast and as far, and 16 % in synthetic ones whose sides are confused; where two
  /// people take turns at 6 Hz, it was 38 %.
  private static let speed = 2.5
  /// The shortest such step, in meters: shorter ones are noise of fast cameras.
  private static let distance = 0.3
  /// The largest change of the length of a thigh, shank, upper arm or forearm, as a factor.
  private static let stretch = 2.0
  private static let share = 0.3
  private static let fewestJumps = 3

  private static let limbs: [Joint] = [
    .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftKnee,
    .rightKnee, .leftAnkle, .rightAnkle,
  ]
  private static let bones: [(Joint, Joint)] = [
    (.leftHip, .leftKnee), (.rightHip, .rightKnee), (.leftKnee, .leftAnkle),
    (.rightKnee, .rightAnkle), (.leftShoulder, .leftElbow), (.rightShoulder, .rightElbow),
    (.leftElbow, .leftWrist), (.rightElbow, .rightWrist),
  ]

  let path: String
  let recording: Recording

  var finding: LintFinding? {
    guard recording.layout.dimension == 3 else { return nil }
    var last: (time: Double, joints: [Joint: Vector3])?
    var steps = 0
    var jumps: [Int] = []
    for frame in 0..<recording.frameCount where recording.hasPose(at: frame) {
      let joints = joints(frame)
      // Another unit is a finding of its own.
      if let hip = joints[.leftHip], let knee = joints[.leftKnee], (knee - hip).norm > 1 {
        return nil
      }
      let time = recording.times[frame]
      defer { last = (time, joints) }
      guard let last, time > last.time,
        time - last.time <= FrameTiming.longestGap + FrameTiming.slack
      else { continue }
      steps += 1
      if Self.isJump(last.joints, joints, in: time - last.time) { jumps.append(frame) }
    }
    guard let first = jumps.first, jumps.count >= Self.fewestJumps,
      Double(jumps.count) >= Self.share * Double(steps)
    else { return nil }
    return .warning(
      .personJumps, file: path, line: first + RecordingLint.firstFrameLine,
      message: "the body takes another pose or size faster than anybody can in "
        + "\(jumps.count) of \(CountText.of(steps, "step")), first at \(recording.times[first]) s: "
        + "two people may be mixed, or the unit or the order of frames changes",
      remedy:
        "import again with `planklab doctor` on the original file, which says how many people "
        + "it holds, or split the recording there")
  }

  /// Positions from the middle of the hips.
  private func joints(_ frame: Int) -> [Joint: Vector3] {
    guard let left = recording.position(of: .leftHip, at: frame),
      let right = recording.position(of: .rightHip, at: frame)
    else { return [:] }
    let hips = left.midpoint(right)
    var joints: [Joint: Vector3] = [.leftHip: left - hips, .rightHip: right - hips]
    for joint in Self.limbs {
      joints[joint] = recording.position(of: joint, at: frame).map { $0 - hips }
    }
    return joints
  }

  private static func isJump(
    _ one: [Joint: Vector3], _ next: [Joint: Vector3], in seconds: Double
  ) -> Bool {
    let moves = limbs.compactMap { joint in
      one[joint].flatMap { from in next[joint].map { ($0 - from).norm } }
    }
    guard 2 * moves.count >= limbs.count, let middle = moves.median else { return false }
    if middle > distance, middle > speed * seconds { return true }
    let changes = bones.compactMap { upper, lower -> Double? in
      guard let a = one[upper], let b = one[lower], let c = next[upper], let d = next[lower] else {
        return nil
      }
      let (before, after) = ((a - b).norm, (c - d).norm)
      return before > 0 && after > 0 ? max(before / after, after / before) : nil
    }
    return 2 * changes.count >= bones.count && changes.median ?? 1 >= stretch
  }
}
