import PoseModel

/// Finds what looks wrong in the bodies and times of one recording.
///
/// The limits lie outside the values of 2,915 sound recordings, whose extremes are given in
/// decision 25 and at each limit.
struct BodyLint {
  /// The smallest number of poses whose lengths are judged; in fewer poses, a single bad estimate
  /// would decide.
  static let fewestPoses = 30
  /// The largest ratio of upper arm to trunk that is not reported.
  ///
  /// Sound recordings reach 0.74, and short noisy ones from the studio reach 0.83; a table of 16:9
  /// images that was read as square has 0.87.
  static let longestUpperArm = 0.85
  /// The largest ratio of a left limb's length to the right one's, or the inverse, that is not
  /// reported.
  ///
  /// Sound recordings reach 2.8 in image landmarks, whose depth is exaggerated, and 1.6 otherwise.
  private static let largestUnevenness = 4.0
  /// A joint is reported if it keeps its position in this share of the steps with movement.
  ///
  /// Sound recordings reach 0.45, because of the estimator's filter.
  private static let frozenShare = 0.9
  /// The smallest share of frames with the pose of the previous frame that is reported.
  ///
  /// Sound recordings reach 0.01.
  private static let repeatedShare = 0.5
  /// The smallest ratio of backward-bent to forward-bent knees that is reported as swapped sides.
  ///
  /// Sound recordings reach 1.2.
  private static let kneeRatio = 4

  let path: String
  let recording: Recording
  let survey: BodySurvey

  var findings: [LintFinding] {
    [clockUnit, bodySize, boneRatios, jointsAtOrigin, frozenJoint, repeatedPoses, plankPosture]
      .compactMap(\.self) + [nobodyStands, mirroredBody ?? swappedSides].compactMap(\.self)
  }

  private var clockUnit: LintFinding? {
    let clock = survey.clock
    guard !clock.isInSeconds, let unit = clock.unit, let step = clock.medianStep else { return nil }
    guard let seconds = unit.seconds else {
      return warning(
        .clockUnit, "the times are whole numbers 1 apart, like frame numbers",
        remedy: "write seconds: divide by the frame rate")
    }
    let rate = (1 / (step * seconds) * 10).rounded() / 10
    return warning(
      .clockUnit,
      "frames are \(Self.text(step)) s apart, so the times look like \(unit.rawValue), which would "
        + "be \(rate) Hz",
      remedy: "write seconds: multiply every `t` by \(seconds); `planklab doctor` on the original "
        + "file prints the import command that does this")
  }

  private var bodySize: LintFinding? {
    guard let stature = survey.stature?.value, !LengthUnit.statures.contains(stature) else {
      return nil
    }
    let body = "the body would be \(Self.text(stature)) m tall"
    guard let unit = survey.lengthUnit else {
      return warning(
        .bodySize,
        body + ", but people are \(LengthUnit.statures.lowerBound) to "
          + "\(LengthUnit.statures.upperBound) m tall, so positions are normalized or in pixels, "
          + "not in meters",
        remedy: "scale positions to meters; `planklab import` with `units: body` in a map scales "
          + "each recording to a body of \(ReferenceBody.height.value) m")
    }
    return warning(
      .bodySize, body + ", so the positions look like \(unit.rawValue)",
      remedy: "write meters: multiply positions by \(unit.meters); `planklab doctor` on the "
        + "original file prints the import command that does this")
  }

  private var boneRatios: LintFinding? {
    guard survey.poses >= Self.fewestPoses else { return nil }
    if let ratio = survey.proportions.upperArmToTrunk, ratio > Self.longestUpperArm {
      return warning(
        .boneRatios,
        "the upper arms are \(Self.text(ratio)) times as long as the trunk, but the usual ratio is "
          + "\(Self.usualUpperArms); one axis is stretched, for example by a wrong aspect ratio",
        remedy: Self.aspectRemedy)
    }
    guard let uneven = survey.proportions.unevenness, uneven > Self.largestUnevenness else {
      return nil
    }
    return warning(
      .boneRatios, "a limb is \(Self.text(uneven)) times as long as that on the other side",
      remedy: "check that joints have the right names, and that missing joints are null")
  }

  static let usualUpperArms = "0.5 to 0.65"
  static let aspectRemedy =
    "import again with `--image-size WIDTHxHEIGHT` of the images as the estimator saw them, or use "
    + "the same unit for all axes"

  private var jointsAtOrigin: LintFinding? {
    let fillers = survey.fillers
    guard fillers.atOrigin > 0, let joint = fillers.jointAtOrigin else { return nil }
    return warning(
      .jointsAtOrigin, line: fillers.firstAtOrigin,
      "\(CountText.of(fillers.atOrigin, "position")) of \(CountText.of(fillers.positions)) "
        + "\(fillers.atOrigin == 1 ? "is" : "are") exactly 0, most often \(joint), which means a "
        + "joint that was not found, not one at the root",
      remedy: "write null for all numbers of a missing joint")
  }

  private var frozenJoint: LintFinding? {
    let fillers = survey.fillers
    guard recording.layout.dimension == 3, let joint = fillers.frozenJoint,
      fillers.movingSteps >= Self.fewestPoses,
      Double(fillers.frozenSteps) >= Self.frozenShare * Double(fillers.movingSteps)
    else { return nil }
    return warning(
      .frozenJoint,
      "\(joint) keeps its position in \(fillers.frozenSteps) of "
        + "\(CountText.of(fillers.movingSteps, "step")) that move the body, so it is not measured",
      remedy: "leave the joint out of `joints`, or write null where it is missing")
  }

  private var repeatedPoses: LintFinding? {
    let fillers = survey.fillers
    guard recording.frameCount >= Self.fewestPoses,
      Double(fillers.repeatedPoses) >= Self.repeatedShare * Double(recording.frameCount)
    else { return nil }
    return warning(
      .repeatedPoses,
      "\(fillers.repeatedPoses) of \(CountText.of(recording.frameCount, "frame")) repeat the pose "
        + "before, so one result was written many times",
      remedy:
        "record each result once; with Vision, leave `frameAnalysisSpacing` unset or pass the "
        + "sample buffer")
  }

  private var plankPosture: LintFinding? {
    guard survey.planksConfirmUp == false else { return nil }
    let own = survey[.up]
    let planks = CountText.of(survey.labeledPlanks, "pose")
    let upright =
      own.labeledAlong > 0 ? ", and in \(CountText.of(own.labeledAlong)) the body is upright" : ""
    let found =
      "of \(planks) labeled as planks, \(CountText.of(own.carried)) rest on an arm below the "
      + "shoulders\(upright)"
    guard let direction = survey.upByPlanks else {
      return warning(
        .plankPosture, found,
        remedy: "check the names of the joints, and that labels and frames use the same clock")
    }
    return warning(
      .plankPosture, found + "; \(direction.phrase), \(CountText.of(survey[direction].carried)) do",
      remedy: remedy(for: direction, isReflected: isReflected(along: direction)))
  }

  private func isReflected(along direction: UpCandidate) -> Bool {
    let counts = survey[direction]
    return counts.judgedFacing >= BodySurvey.fewestPoses && 2 * counts.facing < counts.judgedFacing
  }

  private func remedy(for direction: UpCandidate, isReflected: Bool) -> String {
    switch direction {
    case .up: ""
    case .turned180 where isReflected:
      "y points down, as in images; write y with the opposite sign"
    case .turned90, .turned180, .turned270: turnRemedy(direction)
    case .towardCamera, .awayFromCamera:
      "y and z are swapped, because z is up; write "
        + (direction == .towardCamera
          ? "(x, z, \(isReflected ? "y" : "-y"))" : "(x, -z, \(isReflected ? "-y" : "y"))")
        + " instead of (x, y, z), or \"up\":[0,0,\(direction == .towardCamera ? 1 : -1)] in the header"
    }
  }

  private func turnRemedy(_ direction: UpCandidate) -> String {
    let header = recording.header
    let hasOwnUp = (0..<recording.frameCount).contains { recording.ownUp(at: $0) != nil }
    guard header.up == nil, !hasOwnUp, header.buffer != .upright, header.frame != .world,
      let turn = direction.rotation
    else { return "turn `up` by that angle" }
    let known = header.bufferRotation ?? .upright
    let rotation = BufferRotation(quarterTurns: (known.degrees + turn.degrees) / 90)
    return "write \"buffer_rotation_deg\":\(rotation.degrees) if the camera's buffers were turned"
  }

  /// Reports a recording in which people would stand only if the image were turned.
  ///
  /// The finding is a note, not a warning, if the header says that the buffers were upright,
  /// because a person lying on the floor looks the same.
  private var nobodyStands: LintFinding? {
    let header = recording.header
    guard header.frame != .world, survey.planksConfirmUp == nil,
      let direction = survey.upByStanding, let turn = direction.rotation
    else { return nil }
    let standing = CountText.of(survey[direction].standing)
    let poses = CountText.of(survey.poses, "pose")
    let found = "nobody stands along `up` in any of \(poses)"
    guard header.buffer != .upright || direction == .turned180 else {
      return .note(
        .nobodyStands, file: path,
        message: found + "; in \(standing) somebody lies with arms at the sides, or the images "
          + "were rotated",
        remedy: "if nobody stands in this recording, there is nothing to do; otherwise look at one "
          + "frame with `dataset show --picture`, and correct `orientation` or `up`")
    }
    return warning(
      .nobodyStands, line: -1,
      found + "; with `up` turned by \(turn.degrees) degrees clockwise, somebody stands in "
        + standing
        + (direction == .turned180 ? "" : " (or lies on the floor, if the camera was upright)"),
      remedy: direction == .turned180 && hasBackwardKnees
        ? remedy(for: direction, isReflected: true) : turnRemedy(direction))
  }

  private var mirroredBody: LintFinding? {
    let planks = survey[.up]
    let remedy =
      "left and right are swapped, or one axis is reversed; swap the names of the sides, or check "
      + "that x points right, y up and z toward the camera"
    if survey.planksConfirmUp == true, isReflected(along: .up) {
      return warning(
        .mirroredBody,
        "in \(CountText.of(planks.judgedFacing - planks.facing)) of "
          + "\(CountText.of(planks.judgedFacing, "pose")) labeled as forearm, high or reverse "
          + "planks, the chest faces the wrong way", remedy: remedy)
    }
    guard survey.planksConfirmUp != false, planks.judgedFacing < BodySurvey.fewestPoses,
      survey.upByStanding == nil, hasBackwardKnees
    else { return nil }
    return warning(
      .mirroredBody,
      "\(CountText.of(survey.knees.backward)) bent knees point to the back of the body and "
        + "\(CountText.of(survey.knees.forward)) to its front", remedy: remedy)
  }

  private var hasBackwardKnees: Bool {
    survey.knees.backward >= Self.fewestPoses
      && survey.knees.backward >= Self.kneeRatio * survey.knees.forward
  }

  private var swappedSides: LintFinding? {
    let planks = survey[.up]
    guard survey.planksConfirmUp == true, planks.judgedSides >= BodySurvey.fewestPoses,
      2 * planks.sides < planks.judgedSides
    else { return nil }
    return warning(
      .swappedSides,
      "in \(CountText.of(planks.judgedSides - planks.sides)) of "
        + "\(CountText.of(planks.judgedSides, "pose")) labeled as side planks, the other shoulder is "
        + "up",
      remedy:
        "`sideLeft` means that the left shoulder is up (coaches call that a right-side plank): "
        + "correct the labels, or write \"mirrored\":true if the images were mirrored")
  }

  private func warning(
    _ code: LintCode, line frame: Int? = nil, _ message: String, remedy: String
  ) -> LintFinding {
    .warning(
      code, file: path, line: frame.map { $0 < 0 ? 1 : $0 + RecordingLint.firstFrameLine },
      message: message, remedy: remedy)
  }

  static func text(_ number: Double) -> String {
    let rounded = (number * 100).rounded() / 100
    return rounded == rounded.rounded() && rounded.magnitude < 1e9
      ? String(Int(rounded)) : "\(rounded)"
  }
}

extension UpCandidate {
  fileprivate var phrase: String {
    switch self {
    case .towardCamera: "along z"
    case .awayFromCamera: "along -z"
    default: "with `up` turned by \(rotation?.degrees ?? 0) degrees clockwise"
    }
  }
}

struct DatasetBodies {
  /// The usual range of the ratio of upper arm to trunk: each recording's median, then the median
  /// over recordings.
  ///
  /// Eight sound sources have 0.48 to 0.66.
  private static let upperArms = 0.38...0.78
  /// The largest shoulder width, in body heights, that is not reported.
  ///
  /// Sound bodies reach 0.32; anatomy gives 0.21 to 0.26.
  private static let widestShoulders = 0.35

  let manifestPath: String
  let surveys: [BodySurvey]
  let hasBoneRatios: Bool

  var findings: [LintFinding] { [boneRatios, wideBodies, missingHeights].compactMap(\.self) }

  private var bodies: [BodySurvey] { surveys.filter { $0.poses > 0 } }

  private var boneRatios: LintFinding? {
    let ratios = bodies.compactMap(\.proportions.upperArmToTrunk)
    guard !hasBoneRatios, let median = ratios.median, !Self.upperArms.contains(median),
      bodies.reduce(0, { $0 + $1.poses }) >= BodyLint.fewestPoses
    else { return nil }
    return .warning(
      .boneRatios, file: manifestPath,
      message: "in half of \(CountText.of(ratios.count, "recording")) the upper arms are "
        + "\(BodyLint.text(median)) times as long as the trunk or \(median > 1 ? "more" : "less"), but "
        + "the usual ratio is \(BodyLint.usualUpperArms); one axis is stretched, for example by a wrong "
        + "aspect ratio",
      remedy: BodyLint.aspectRemedy)
  }

  private var wideBodies: LintFinding? {
    let widths = bodies.filter { $0.poses >= BodyLint.fewestPoses }
      .compactMap(\.proportions.shoulderWidth)
    let wide = widths.filter { $0 > Self.widestShoulders }
    guard let median = wide.median else { return nil }
    return .note(
      .wideBody, file: manifestPath,
      message:
        "in \(wide.count) of \(CountText.of(widths.count, "recording")) the shoulders are "
        + "\(BodyLint.text(median)) body heights wide, but people's are 0.21 to 0.26; depth is "
        + "exaggerated, as in MediaPipe's image landmarks",
      remedy:
        "use world landmarks where you can, or import with `depth: anatomical` in a map; angles "
        + "across the depth are wrong")
  }

  private var missingHeights: LintFinding? {
    let bodies = bodies.filter { $0.stature != nil }
    let missing = bodies.count { $0.posesWithHeight < $0.poses }
    guard missing > 0 else { return nil }
    return .note(
      .missingHeight, file: manifestPath,
      message: "`body_height_m` is missing in \(missing) of "
        + "\(CountText.of(bodies.count, "recording")), so measurements in body heights assume "
        + "Vision's \(ReferenceBody.height.value) m",
      remedy: "write it into the first line of each recording if you know it")
  }
}

struct BodyJumps {
  /// The smallest speed of a jump, in meters per second.
  ///
  /// It is the median speed of the limbs' joints relative to the hips, because a single limb may be
  /// guessed wrong. In 96 recordings of real people, at most 2.7 % of a recording's steps are
  /// jumps. In synthetic recordings with confused sides, at most 16 % are. Where two people took
  /// turns at 6 Hz, 38 % were.
  private static let speed = 2.5
  /// The median distance, in meters, that the limbs' joints must exceed in a jump; shorter steps at
  /// high speed are noise of fast cameras.
  private static let distance = 0.3
  /// The smallest factor by which the median limb's length changes if the body is a different one.
  private static let stretch = 2.0
  private static let share = 0.3
  /// The smallest share of steps with changed lengths that is reported.
  ///
  /// It is smaller than the share of jumps because noise moves limbs but does not halve bones.
  private static let sizeShare = 0.05
  private static let fewestJumps = 3

  private static let limbs: [Joint] = [
    .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftKnee,
    .rightKnee, .leftAnkle, .rightAnkle,
  ]

  let path: String
  let recording: Recording

  var finding: LintFinding? {
    guard recording.layout.dimension == 3 else { return nil }
    var last: (time: Double, joints: [Joint: Vector3])?
    var steps = 0
    var jumps: [Int] = []
    var sizes = 0
    for frame in 0..<recording.frameCount where recording.hasPose(at: frame) {
      let joints = joints(frame)
      // Another lint reports a change of unit.
      if joints.distance(.leftHip, .leftKnee) ?? 0 > 1 { return nil }
      let time = recording.times[frame]
      defer { last = (time, joints) }
      guard let last, time > last.time,
        time - last.time <= FrameTiming.longestGap + FrameTiming.slack
      else { continue }
      steps += 1
      let isOtherSize = Self.isOtherSize(last.joints, joints)
      if isOtherSize { sizes += 1 }
      if isOtherSize || Self.isJump(last.joints, joints, in: time - last.time) {
        jumps.append(frame)
      }
    }
    let isMixed =
      jumps.count >= Self.fewestJumps && Double(jumps.count) >= Self.share * Double(steps)
    let areSizesMixed = sizes >= Self.fewestJumps && Double(sizes) >= Self.sizeShare * Double(steps)
    guard let first = jumps.first, isMixed || areSizesMixed else { return nil }
    return .warning(
      .personJumps, file: path, line: first + RecordingLint.firstFrameLine,
      message: "in \(jumps.count) of \(CountText.of(steps, "step")), first at "
        + "\(recording.times[first]) s, the pose or size changes faster than a body can move; two "
        + "people may be mixed, or the unit or the order of frames changes",
      remedy:
        "run `planklab doctor` on the original file to see how many people are in it, and import "
        + "again, or split the recording there")
  }

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
    return middle > distance && middle > speed * seconds
  }

  private static func isOtherSize(_ one: [Joint: Vector3], _ next: [Joint: Vector3]) -> Bool {
    let changes = BodySigns.limbs.compactMap { upper, lower -> Double? in
      guard let before = one.distance(upper, lower), let after = next.distance(upper, lower),
        before > 0, after > 0
      else { return nil }
      return max(before / after, after / before)
    }
    return 2 * changes.count >= BodySigns.limbs.count && changes.median ?? 1 >= stretch
  }
}
