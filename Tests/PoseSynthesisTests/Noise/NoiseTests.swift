import PoseModel
import Testing

@testable import PoseSynthesis

/// The standard deviation of one session's joint error, joint by joint and axis by axis.
@Suite("Noise") struct NoiseTests {
  /// Errors of the wrists of a still session, one array per axis, root error taken out of none:
  /// the root's own noise is part of every position.
  private func series(
    _ change: (inout NoiseParameters) -> Void, seconds: Double = 300, rate: Double = 30,
    distance: Double = 2
  ) throws -> (across: [Double], depth: [Double], times: [Double]) {
    var script = Session.still(.forearm, seconds: seconds)
    script.camera.distance = Meters(distance)
    script.camera.height = Meters(0.25)
    script.clock.rate = Hertz(rate)
    let clean = try Session.made(script).recording
    change(&script.noise)
    let noisy = try Session.made(script).recording
    var (across, depth): ([Double], [Double]) = ([], [])
    for frame in 0..<noisy.frameCount {
      guard let p = noisy.position(of: .leftWrist, at: frame),
        let q = clean.position(of: .leftWrist, at: frame)
      else { continue }
      across.append(p.x - q.x)
      depth.append(p.z - q.z)
    }
    return (across, depth, noisy.times)
  }

  private func correlation(_ values: [Double], lag: Int = 1) -> Double {
    let (mean, deviation) = moments(values)
    let pairs = zip(values, values.dropFirst(lag)).map { ($0 - mean) * ($1 - mean) }
    return pairs.reduce(0, +) / Double(pairs.count) / (deviation * deviation)
  }

  @Test("White noise has the scripted spread, without memory; the root's adds in squares")
  func white() throws {
    let (across, depth, _) = try series {
      $0.joints.whiteAcross = Meters(0.01)
      $0.joints.whiteDepth = Meters(0.025)
    }
    // Seven of the nine thousand frames' standard errors: 1 % of the spread.
    #expect((moments(across).deviation / 0.01 / 2.0.squareRoot() - 1).magnitude < 0.04)
    #expect((moments(depth).deviation / 0.025 / 2.0.squareRoot() - 1).magnitude < 0.04)
    #expect(correlation(across).magnitude < 0.04)
  }

  @Test(
    "Colored noise has its spread and its lag-one autocorrelation at any rate",
    arguments: [8.0, 30, 60])
  func colored(rate: Double) throws {
    let (across, _, _) = try series(
      {
        $0.joints.coloredAcross = Meters(0.01)
        $0.joints.coloredTime = Seconds(0.5)
      }, seconds: 600, rate: rate)
    let expected = exponential(-1 / (rate * 0.5))
    #expect((correlation(across) - expected).magnitude < 0.02)
    #expect((moments(across).deviation / 0.01 / 2.0.squareRoot() - 1).magnitude < 0.12)
  }

  /// exp without a platform import, exact enough for a bound of two percent.
  private func exponential(_ x: Double) -> Double {
    (0..<30).reversed().reduce(1) { 1 + x / Double($1 + 1) * $0 }
  }

  @Test("Errors grow with distance by their powers", arguments: [1.0, 4.0])
  func distance(meters: Double) throws {
    let (across, depth, _) = try series(
      {
        $0.joints.whiteAcross = Meters(0.01)
        $0.joints.whiteDepth = Meters(0.02)
        $0.joints.depthExponent = 2
      }, seconds: 60, distance: meters)
    let factor = meters / 2
    #expect((moments(across).deviation / (0.01 * factor) / 2.0.squareRoot() - 1).magnitude < 0.08)
    #expect(
      (moments(depth).deviation / (0.02 * factor * factor) / 2.0.squareRoot() - 1).magnitude < 0.08)
  }

  @Test("Bias is constant within a session and differs between sessions")
  func bias() throws {
    var means: [Double] = []
    for seed in 1...60 as ClosedRange<UInt64> {
      var script = Session.still(.forearm)
      script.seed = seed
      script.noise.joints.biasDepth = Meters(0.025)
      let recording = try Session.made(script).recording
      let first = try recording.place(.leftWrist, 0)
      let last = try recording.place(.leftWrist, recording.frameCount - 1)
      #expect((first - last).norm < 1e-3)
      means.append(first.z)
    }
    #expect((0.6...1.4).contains(moments(means).deviation / 0.025 / 2.0.squareRoot()))
  }

  @Test("Limb lengths vary by the scripted share, and not at all on the template")
  func limbs() throws {
    var script = Session.still(.forearm, seconds: 120)
    script.noise.joints.limbLength = 0.03
    let lengths = moments(try Session.made(script).recording.lengths(of: .leftKnee, .leftHip))
    #expect((0.022...0.038).contains(lengths.deviation / lengths.mean))
  }
}

@Suite("Noise presets") struct PresetTests {
  /// A straight plank from the side at 2 m for two minutes.
  private func frames(_ preset: NoisePreset) throws -> [WorldFrame] {
    var script = Session.still(.forearm, seconds: 120)
    script.camera.height = Meters(0.25)
    script.noise = preset.parameters
    return try Session.frames(script, losesPoses: true)
  }

  @Test("The article's preset reproduces its figures: depth jitter and angle")
  func article() throws {
    let frames = try frames(.article)
    // The camera stands along the world's x. Joints share the root's error: it is taken out.
    let depths = frames.map { frame in
      frame[.leftKnee].x - frame.all.map(\.x).reduce(0, +) / Double(frame.all.count)
    }
    #expect((0.02...0.03).contains(moments(depths).deviation))
    let angles = moments(frames.map(\.bodyAngle))
    #expect((2.0...3.1).contains(angles.deviation))
    #expect((174.3...176.3).contains(angles.mean))
    let offsets = moments(frames.map(\.hipOffset))
    #expect((0.009...0.013).contains(offsets.deviation))
  }

  @Test("The phone's preset is colored: neighboring frames err alike")
  func phone() throws {
    let offsets = try frames(.phone).map(\.hipOffset)
    let (mean, deviation) = moments(offsets)
    let lagged = zip(offsets, offsets.dropFirst()).map { ($0 - mean) * ($1 - mean) }
    let correlation = lagged.reduce(0, +) / Double(lagged.count) / (deviation * deviation)
    #expect(correlation > 0.3)
    #expect((0.005...0.04).contains(deviation))
  }

  @Test("Every preset is valid, and harsh is the worst", arguments: NoisePreset.allCases)
  func valid(preset: NoisePreset) throws {
    try preset.parameters.validate()
    let harsh = NoisePreset.harsh.parameters.joints
    for field in JointNoiseParameters.fields where field.key != "colored_time_s" {
      guard preset != .article || !field.key.hasPrefix("white") else { continue }
      #expect(preset.parameters.joints[keyPath: field.path] <= harsh[keyPath: field.path])
    }
  }
}

@Suite("Confusions, tails and dropouts")
struct ConfusionTests {
  private func recording(
    seconds: Double = 300, _ change: (inout NoiseParameters) -> Void
  ) throws -> Recording {
    var script = Session.still(.forearm, seconds: seconds)
    change(&script.noise)
    return try Session.made(script).recording
  }

  /// Which frames differ from a clean recording in the sign of a joint's distance.
  private func moved(_ joint: Joint, in noisy: Recording) throws -> [Bool] {
    let clean = try recording { _ in }
    return try (0..<noisy.frameCount).map { frame in
      let p = try noisy.place(joint, frame)
      return (p - (try clean.place(joint, frame))).norm > 0.01
    }
  }

  private func runs(_ flags: [Bool]) -> [Int] { flags.split(separator: false).map(\.count) }

  @Test("Swaps come in bursts of 1 to 10 frames at the scripted rate, then end")
  func swaps() throws {
    let flags = try moved(
      .leftHip,
      in: recording {
        $0.confusions.swapsPerMinute = 10
        $0.confusions.limbSwapShare = 0
      })
    let lengths = runs(flags)
    #expect((30...70).contains(lengths.count))
    #expect(lengths.allSatisfy { $0 <= 20 })
    #expect(lengths.count { $0 > 10 } <= 3)
  }

  @Test("A reflection exchanges left and right, in the body and in the image")
  func reflections() throws {
    let clean = try recording { _ in }
    let noisy = try recording { $0.confusions.reflectionsPerMinute = 10 }
    var reflected = 0
    for frame in 0..<noisy.frameCount {
      let p = try noisy.place(.leftWrist, frame)
      let own = try clean.place(.leftWrist, frame)
      let other = try clean.place(.rightWrist, frame)
      if p == own { continue }
      reflected += 1
      #expect((p - Vector3(-other.x, other.y, other.z)).norm < 1e-6)
    }
    #expect((500...6000).contains(reflected))
  }

  @Test("A jump to somebody else shows a standing body, whatever the subject does")
  func jumps() throws {
    var script = Session.still(.forearm, seconds: 120)
    script.noise.confusions.jumpsPerMinute = 6
    let inclines = try Session.frames(script, losesPoses: true).map(\.inclineDegrees)
    let standing = inclines.count { $0 > 80 }
    #expect(inclines.allSatisfy { $0 > 80 || $0 < 15 })
    #expect((300...2400).contains(standing), "\(standing)")
  }

  @Test("A depth mirror turns z around and nothing else")
  func mirrors() throws {
    let clean = try recording { _ in }
    let noisy = try recording { $0.confusions.mirrorsPerMinute = 10 }
    var mirrored = 0
    for frame in 0..<noisy.frameCount {
      let p = try noisy.place(.leftShoulder, frame)
      let q = try clean.place(.leftShoulder, frame)
      #expect(p.x == q.x && p.y == q.y)
      if p.z != q.z {
        mirrored += 1
        #expect(p.z == -q.z)
      }
    }
    #expect((100...450).contains(mirrored))
  }

  @Test("Occlusions move one far limb for 0.2 to 2 s")
  func occlusions() throws {
    let noisy = try recording { $0.confusions.occlusionsPerMinute = 6 }
    let arm = runs(try moved(.leftWrist, in: noisy)) + runs(try moved(.rightWrist, in: noisy))
    let leg = runs(try moved(.leftAnkle, in: noisy)) + runs(try moved(.rightAnkle, in: noisy))
    #expect(!arm.isEmpty && !leg.isEmpty)
    #expect((arm + leg).allSatisfy { $0 <= 125 })
    #expect((15...45).contains(arm.count + leg.count))
    #expect(try moved(.leftShoulder, in: noisy).allSatisfy { !$0 })
  }

  @Test("Outliers are as frequent and as far as scripted")
  func outliers() throws {
    let noisy = try recording { $0.joints.outlierProbability = 0.01 }
    let flags = try moved(.leftAnkle, in: noisy)
    let share = Double(flags.count { $0 }) / Double(flags.count)
    // The ankle's own and the root's, which every joint carries.
    #expect((0.014...0.026).contains(share))
  }

  @Test("Frames without a pose keep their times and their labels")
  func dropouts() throws {
    var script = Session.still(.forearm, seconds: 300)
    script.noise.dropouts.probability = 0.05
    let sequence = try Session.made(script)
    let frames = 0..<sequence.recording.frameCount
    let lost = frames.count { !sequence.recording.hasPose(at: $0) }
    #expect((0.04...0.06).contains(Double(lost) / Double(frames.count)))
    let truth = sequence.labels.truth(at: sequence.recording.times)
    #expect(truth.plank.allSatisfy { $0 == PlankClass.forearm.code })
  }

  @Test("The first moments of a session are lost on entering")
  func entry() throws {
    let recording = try recording(seconds: 2) { $0.dropouts.entryLoss = Seconds(0.5) }
    #expect((0..<recording.frameCount).allSatisfy { recording.hasPose(at: $0) == ($0 >= 15) })
  }

  @Test("A low camera before the head loses a lying body, one at the side does not")
  func headOn() throws {
    func lost(_ azimuth: Double) throws -> Int {
      var script = Session.still(.forearm, seconds: 120)
      script.camera.azimuth = Degrees(azimuth)
      script.noise.dropouts.headOnBurstsPerMinute = 10
      let recording = try Session.made(script).recording
      return (0..<recording.frameCount).count { !recording.hasPose(at: $0) }
    }
    #expect(try lost(5) > 100)
    #expect(try lost(90) == 0)
  }

  @Test("Switching one source off leaves the draws of the others as they are")
  func independence() throws {
    let both = try recording(seconds: 10) {
      $0.joints.whiteAcross = Meters(0.01)
      $0.confusions.swapsPerMinute = 20
      $0.joints.outlierProbability = 0.02
      $0.dropouts.probability = 0.1
    }
    let alone = try recording(seconds: 10) { $0.joints.whiteAcross = Meters(0.01) }
    var same = 0
    for frame in 0..<both.frameCount where both.hasPose(at: frame) {
      let p = try both.place(.spine, frame)
      let q = try alone.place(.spine, frame)
      if p == q { same += 1 }
    }
    #expect(same > both.frameCount * 7 / 10)
  }
}
