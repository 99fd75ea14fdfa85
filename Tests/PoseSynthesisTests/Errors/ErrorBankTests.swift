import PoseModel
import Testing

@testable import PoseSynthesis

/// Banks that are learned from made recordings, whose errors are known, and replayed.
@Suite("Errors learned from recordings") struct ErrorBankTests {
  /// A body that holds a posture for some seconds before a clean camera.
  private func script(
    _ posture: Posture, seconds: Double = 20, _ change: (inout SessionScript) -> Void = { _ in }
  ) -> SessionScript {
    var script = Session.still(posture, seconds: seconds)
    change(&script)
    return script
  }

  private func learned(_ scripts: SessionScript..., isLabeled: Bool = true) throws -> ErrorBank {
    var recordings: [RecordedErrors] = []
    for (person, script) in scripts.enumerated() {
      let made = try Session.made(script)
      let learner = try ErrorLearner(made.recording, labels: isLabeled ? made.labels : nil)
      recordings.append(try learner.learned(person: person))
    }
    let bank = ErrorBank(madeFrom: [], recordings: recordings)
    try bank.validate()
    return bank
  }

  private func replayed(_ bank: ErrorBank, on script: SessionScript) throws -> Recording {
    var script = script
    script.errors = bank
    return try Session.made(script).recording
  }

  /// Unit directions of a bone in camera axes, by frame with a pose.
  private func directions(_ bone: Bone, _ recording: Recording) -> [Vector3] {
    (0..<recording.frameCount).compactMap { frame in
      guard let near = recording.evaluatedPosition(of: bone.parent, at: frame),
        let far = recording.evaluatedPosition(of: bone.child, at: frame)
      else { return nil }
      return (far - near).unit()
    }
  }

  /// Standard deviations of a bone's direction across the view and in depth, in degrees.
  private func spread(_ bone: Bone, _ recording: Recording) -> (across: Double, depth: Double) {
    let all = directions(bone, recording)
    func deviation(_ path: KeyPath<Vector3, Double>) -> Double {
      moments(all.map { $0[keyPath: path] }).deviation * 180 / Double.pi
    }
    let (x, y) = (deviation(\.x), deviation(\.y))
    return ((x * x + y * y).squareRoot(), deviation(\.z))
  }

  @Test("Every posture is recognized as itself from any side", arguments: Posture.allCases)
  func fit(posture: Posture) throws {
    let neutral = NeutralBody(posture, hipOffset: 0)
    for azimuth in [0.0, 77, 200, 311] {
      let turn = Rotation3.aboutY(Degrees(-azimuth))
      let fit = try #require(PostureFit(neutral.directions.map { turn($0) }, label: nil))
      let distance = (fit.azimuthDegrees - azimuth).magnitude
      #expect(min(distance, 360 - distance) < 0.1, "\(posture) from \(azimuth)")
      let found = try #require(fit.posture)
      let other = NeutralBody(found, hipOffset: fit.hipOffset).directions
      let angles = zip(neutral.directions, other).map { $0.angleDegrees(to: $1) }
      #expect(angles.allSatisfy { $0 < 0.01 }, "\(posture) is taken for \(found)")
    }
  }

  @Test("A bias comes back: arms that lean in the recordings lean in the studio")
  func bias() throws {
    let bank = try learned(script(.high) { $0.holds[0].placement.supportTilt = Degrees(15) })
    let plain = try Session.made(script(.high)).recording
    let leaning = try replayed(bank, on: script(.high))
    let before = try #require(directions(.leftUpperArm, plain).first)
    for direction in directions(.leftUpperArm, leaning) {
      #expect((10...20).contains(direction.angleDegrees(to: before)))
    }
  }

  @Test("Residuals come back with their size, across the view and in depth")
  func residuals() throws {
    let donor = script(.forearm, seconds: 25) {
      $0.noise.joints.whiteAcross = Meters(0.004)
      $0.noise.joints.whiteDepth = Meters(0.016)
    }
    let original = try Session.made(donor).recording
    let copy = try replayed(try learned(donor), on: script(.forearm, seconds: 25))
    for bone in [Bone.lumbar, .leftThigh, .rightShank, .leftUpperArm] {
      let (own, other) = (spread(bone, original), spread(bone, copy))
      #expect((0.85...1.15).contains(other.across / own.across), "\(bone) across: \(own), \(other)")
      #expect((0.85...1.15).contains(other.depth / own.depth), "\(bone) in depth: \(own), \(other)")
    }
  }

  @Test("Sway is there once: bodies with the errors of people who sway do not sway by themselves")
  func sway() throws {
    let swaying = script(.forearm, seconds: 29) { $0.motion.sway = Meters(0.008) }
    let original = try Session.made(swaying).recording
    let copy = try replayed(try learned(swaying), on: swaying)
    let (own, other) = (spread(.leftThigh, original), spread(.leftThigh, copy))
    #expect((0.6...1.25).contains(other.across / own.across), "\(own), \(other)")
  }

  @Test("Missing joints and frames without a pose come back as often, in runs as long")
  func missing() throws {
    let donor = script(.forearm, seconds: 29) {
      $0.noise.dropouts.probability = 0.1
      $0.noise.sight.outside = .lost
      $0.camera.distance = Meters(0.9)
    }
    func shares(_ recording: Recording) -> (frames: Double, joints: Double) {
      let lost = (0..<recording.frameCount).filter { !recording.hasPose(at: $0) }.count
      let wrists = (0..<recording.frameCount).filter {
        recording.hasPose(at: $0) && recording.position(of: .topHead, at: $0) == nil
      }.count
      return (
        Double(lost) / Double(recording.frameCount), Double(wrists) / Double(recording.frameCount)
      )
    }
    let original = shares(try Session.made(donor).recording)
    let copy = shares(try replayed(try learned(donor), on: script(.forearm, seconds: 29)))
    #expect(original.frames > 0.02 && original.joints > 0.1, "\(original)")
    #expect((original.frames - copy.frames).magnitude < 0.03, "\(original), \(copy)")
    #expect((original.joints - copy.joints).magnitude < 0.1, "\(original), \(copy)")
  }

  @Test("Frames come as those of a recording came")
  func clock() throws {
    let donor = script(.high, seconds: 20) {
      $0.clock.rate = Hertz(12)
      $0.noise.capture.clockGapProbability = 0.05
    }
    let bank = try learned(donor)
    let times = try replayed(bank, on: script(.high, seconds: 10)).times
    let known = Set(
      bank.recordings[0].stretches.flatMap(\.intervals).map { Int(($0 * 1e4).rounded()) })
    let own = zip(times, times.dropFirst()).map { Int((($1 - $0) * 1e4).rounded()) }
    #expect(own.allSatisfy(known.contains) && Set(own).count > 1)
    #expect(own.count > 80 && own.count < 125)
  }

  @Test(
    "How the phone is held changes nothing that is learned",
    arguments: [DeviceOrientation.landscapeLeft, .landscapeRight, .portraitUpsideDown])
  func orientation(orientation: DeviceOrientation) throws {
    let upright = try learned(script(.forearm))
    let turned = try learned(script(.forearm) { $0.camera.orientation = orientation })
    let (a, b) = (upright.recordings[0].stretches[0], turned.recordings[0].stretches[0])
    #expect(a.posture == b.posture && (a.azimuthDegrees - b.azimuthDegrees).magnitude < 0.2)
    #expect(zip(a.directions, b.directions).allSatisfy { ($0 - $1).magnitude < 0.003 })
  }

  @Test("A recording of the left side teaches the right side: its mirror image comes back")
  func mirrored() throws {
    let donor = script(.sideLeftElbow) {
      $0.holds[0].placement.roll = Degrees(12)
      $0.camera.azimuth = Degrees(60)
    }
    let bank = try learned(donor)
    #expect(bank.recordings[0].stretches[0].posture == .sideLeftElbow)
    let original = try Session.made(donor).recording
    let copy = try replayed(bank, on: script(.sideRightElbow) { $0.camera.azimuth = Degrees(300) })
    for bone in Bone.allCases {
      let own = try #require(directions(bone.mirrored, original).first)
      let image = Vector3(-own.x, own.y, own.z)
      let other = try #require(directions(bone, copy).first)
      #expect(image.angleDegrees(to: other) < 3, "\(bone)")
    }
  }

  @Test("A labeled pike is the person's: only what correct planks show is the estimator's")
  func formIsNoBias() throws {
    let pike = script(.forearm) { $0.holds[0].form.hipOffset = Meters(0.12) }
    let bank = try learned(pike)
    #expect(bank.recordings[0].stretches[0].form == .pike)
    let copy = try replayed(bank, on: script(.forearm))
    let offset = try #require(WorldFrame(copy, script(.forearm), frame: 3)).hipOffset
    #expect(offset.magnitude < 0.02)
  }

  @Test("Bones have the lengths of one recording")
  func lengths() throws {
    let donor = script(.forearm) { $0.subject.proportionSpread = 0.06 }
    let bank = try learned(donor)
    let copy = try replayed(bank, on: script(.forearm))
    let height = try #require(copy.header.bodyHeight).value
    for bone in Bone.allCases where bone != .neck && bone != .head {
      let near = try copy.place(bone.parent, 5)
      let far = try copy.place(bone.child, 5)
      let expected = bank.recordings[0].lengths[bone.rawValue] * height
      #expect(((far - near).norm - expected).magnitude < 0.002, "\(bone)")
    }
  }

  @Test("Labels are those of the script, and equal scripts give equal recordings")
  func labels() throws {
    var script = script(.forearm, seconds: 6)
    script.holds.append(Hold(.lyingProne, for: Seconds(4)))
    script.holds[0].form.hipOffset = Meters(-0.1)
    let plain = try Session.made(script)
    script.errors = try learned(self.script(.forearm), self.script(.high))
    let (first, second) = (try Session.made(script), try Session.made(script))
    #expect(first.recording.times == second.recording.times)
    #expect(
      first.recording.positions.map(\.bitPattern) == second.recording.positions.map(\.bitPattern))
    #expect(first.labels.segments.map(\.plank) == plain.labels.segments.map(\.plank))
    #expect(first.labels.segments.map(\.form) == plain.labels.segments.map(\.form))
  }

  @Test("Unlabeled recordings teach, and have no bias at the hips, which might be the person's")
  func unlabeled() throws {
    let pike = script(.forearm) { $0.holds[0].form.hipOffset = Meters(0.1) }
    let bank = try learned(pike, isLabeled: false)
    let stretch = try #require(bank.recordings.first?.stretches.first)
    #expect(!stretch.isLabeled && stretch.form == nil && stretch.posture == .forearm)
    let original = try Session.made(script(.forearm))
    let copy = try replayed(bank, on: script(.forearm))
    let own = try #require(WorldFrame(original.recording, script(.forearm), frame: 3)).hipOffset
    let other = try #require(WorldFrame(copy, script(.forearm), frame: 3)).hipOffset
    #expect((own - other).magnitude < 0.02)
  }

  @Test("Whoever moves teaches nothing", arguments: [Posture.walking, .pushUps, .mountainClimber])
  func moving(posture: Posture) throws {
    let made = try Session.made(script(posture) { $0.holds[0].placement.cycleRate = Hertz(0.7) })
    let learner = try ErrorLearner(made.recording, labels: made.labels)
    #expect(throws: ErrorLearner.Refusal.nothingHeld) { try learner.learned(person: 0) }
  }

  @Test("Points in an image and world axes teach nothing, and say so")
  func refusals() throws {
    let points = try Session.made(script(.forearm) { $0.output.kind = .vision2d }).recording
    #expect(throws: ErrorLearner.Refusal.imagePoints) { try ErrorLearner(points, labels: nil) }
    var header = try Session.made(script(.forearm)).recording.header
    header.frame = .world
    #expect(throws: ErrorLearner.Refusal.worldAxes) {
      try ErrorLearner(Recording(header: header), labels: nil)
    }
    header.frame = .camera
    #expect(throws: ErrorLearner.Refusal.noAxes) {
      try ErrorLearner(Recording(header: header), labels: nil)
    }
  }

  @Test("Errors of joints are not written into points of an image")
  func images() throws {
    var script = script(.forearm)
    script.errors = try learned(script)
    script.output.kind = .coco17
    #expect(throws: ScriptError.errorsOfImagePoints(found: "coco17")) {
      try SessionSynthesizer(script)
    }
  }

  @Test("A bank with numbers that nobody learned is refused, naming the place")
  func validation() throws {
    let bank = try learned(script(.forearm, seconds: 3))
    let stretch = bank.recordings[0].stretches[0]
    func error(_ recording: RecordedErrors) -> String? {
      do {
        try ErrorBank(madeFrom: [], recordings: [recording]).validate()
        return nil
      } catch { return "\(error)" }
    }
    func changed(
      _ residuals: [Int16]? = nil, azimuth: Double = 90, missing: [HeldStretch.MissingRun] = [],
      intervals: [Double]? = nil, directions: [Double]? = nil
    ) -> RecordedErrors {
      let changed = HeldStretch(
        posture: .forearm, isLabeled: true, form: nil, azimuthDegrees: azimuth, hipOffset: 0,
        directions: directions ?? stretch.directions, intervals: intervals ?? stretch.intervals,
        residuals: residuals ?? stretch.residuals, missing: missing)
      return RecordedErrors(person: 0, lengths: bank.recordings[0].lengths, stretches: [changed])
    }
    #expect(error(changed()) == nil)
    for broken in [
      changed([1, 2]), changed(azimuth: .nan), changed(azimuth: 400), changed(intervals: []),
      changed(intervals: stretch.intervals.map { -$0 }), changed(directions: [0]),
      changed(missing: [.init(joint: 17, first: 0, count: 1)]),
      changed(missing: [.init(joint: 1, first: 0, count: 1_000_000)]),
      changed(missing: [.init(joint: -1, first: .max, count: .max)]),
    ] { #expect(error(broken)?.hasPrefix("recordings[0].stretches[0]: ") ?? false) }
    #expect(
      error(RecordedErrors(person: -1, lengths: [], stretches: []))?.contains("lengths") ?? false)
  }

  @Test("The summary gives the size of errors that were put in")
  func summary() throws {
    let donor = script(.forearm, seconds: 29) {
      $0.noise.joints.whiteAcross = Meters(0.003)
      $0.noise.joints.limbLength = 0.02
    }
    let summary = try learned(donor).summary
    #expect(summary.postures.map(\.posture) == [.forearm] && summary.people == 1)
    #expect((summary.rate.value - 30).magnitude < 0.1 && summary.withoutPose == 0)
    for bone in summary.bones where ["leftKnee", "rightAnkle"].contains(bone.joint) {
      // Two ends of a bone of 0.43 m, each 3 mm off in two directions at 2 m.
      #expect((0.4...1.2).contains(bone.fastAcross), "\(bone)")
      #expect(bone.fastDepth < 0.3 && bone.length < 0.04 && bone.missing == 0, "\(bone)")
    }
  }
}
