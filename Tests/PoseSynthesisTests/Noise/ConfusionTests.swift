import PoseModel
import Testing

@testable import PoseSynthesis

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
      let p = try #require(noisy.position(of: joint, at: frame))
      return (p - (try #require(clean.position(of: joint, at: frame)))).norm > 0.01
    }
  }

  /// Lengths of the runs of true.
  private func runs(_ flags: [Bool]) -> [Int] {
    flags.split(separator: false).map(\.count)
  }

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
      let p = try #require(noisy.position(of: .leftWrist, at: frame))
      let own = try #require(clean.position(of: .leftWrist, at: frame))
      let other = try #require(clean.position(of: .rightWrist, at: frame))
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
    let recording = try Session.made(script).recording
    let inclines = (0..<recording.frameCount).compactMap {
      WorldFrame(recording, script, frame: $0)?.inclineDegrees
    }
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
      let p = try #require(noisy.position(of: .leftShoulder, at: frame))
      let q = try #require(clean.position(of: .leftShoulder, at: frame))
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
      let p = try #require(both.position(of: .spine, at: frame))
      let q = try #require(alone.position(of: .spine, at: frame))
      if p == q { same += 1 }
    }
    #expect(same > both.frameCount * 7 / 10)
  }
}
