import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Errors of fitted skeletons") struct ChainErrorTests {
  private func recording(
    _ posture: Posture = .forearm, seconds: Double = 20, _ change: (inout NoiseParameters) -> Void
  ) throws -> (recording: Recording, script: SessionScript) {
    var script = Session.still(posture, seconds: seconds)
    script.camera.height = Meters(0.25)
    change(&script.noise)
    return (try Session.made(script).recording, script)
  }

  /// Relative spread of the length of every bone over a recording.
  private func spreads(_ recording: Recording) -> [Double] {
    Bone.allCases.map { bone in
      let (mean, deviation) = moments(recording.lengths(of: bone.parent, bone.child))
      return deviation / mean
    }
  }

  private func hipOffsets(_ made: (recording: Recording, script: SessionScript)) -> [Double] {
    (0..<made.recording.frameCount).compactMap {
      WorldFrame(made.recording, made.script, frame: $0)?.hipOffset
    }
  }

  @Test("Turned bones keep their lengths to the rounding of a file, moved joints do not")
  func lengths() throws {
    let turned = try recording {
      $0.chain = NoisePreset.vision3d.parameters.chain
      $0.chain.whiteTurn = Degrees(2)
    }
    #expect(spreads(turned.recording).allSatisfy { $0 < 0.001 })
    let moved = try recording { $0.joints = NoisePreset.phone.parameters.joints }
    #expect(spreads(moved.recording).allSatisfy { $0 > 0.02 })
  }

  @Test("The size of the body varies all bones alike")
  func scale() throws {
    let spreads = spreads(try recording(seconds: 120) { $0.chain.scale = 0.02 }.recording)
    #expect(spreads.allSatisfy { (0.012...0.03).contains($0) })
    #expect((spreads.max() ?? 1) - (spreads.min() ?? 0) < 0.002)
  }

  @Test(
    "Flexion read at the hips lifts them over the line by 0.55 cm a degree, and sinks them supine",
    arguments: [(Posture.forearm, 1.0), (.high, 1), (.reverse, -1)])
  func hipFlexion(posture: Posture, sign: Double) throws {
    let offsets = hipOffsets(
      try recording(posture, seconds: 1) { $0.chain.hipFlexion = Degrees(9) })
    #expect((0.044...0.056).contains(sign * moments(offsets).mean), "\(moments(offsets))")
  }

  @Test("What hangs from a turned bone turns along: wrists err more than elbows")
  func chain() throws {
    let clean = try recording { _ in }.recording
    let noisy = try recording { $0.chain.whiteTurn = Degrees(1) }.recording
    func spread(_ joint: Joint) throws -> Double {
      let errors = try (0..<noisy.frameCount).map { frame in
        let p = try noisy.place(joint, frame)
        return (p - (try clean.place(joint, frame))).norm
      }
      return moments(errors).mean
    }
    let (shoulder, elbow) = (try spread(.leftShoulder), try spread(.leftElbow))
    #expect(elbow > 1.1 * shoulder)
    #expect(try spread(.leftWrist) > 1.1 * elbow)
    #expect(try spread(.leftAnkle) > 1.3 * spread(.leftKnee))
  }

  @Test("Turns out of the image's plane are larger by the depth's factor")
  func depth() throws {
    let clean = try recording { _ in }.recording
    let noisy = try recording(seconds: 60) {
      $0.chain.whiteTurn = Degrees(1)
      $0.chain.depthFactor = 3
    }.recording
    // A thigh seen from the side lies in the image: depth comes of turns about its plane.
    let errors = try (0..<clean.frameCount).map { frame -> Vector3 in
      func thigh(_ recording: Recording) throws -> Vector3 {
        try recording.place(.leftKnee, frame)
          - (try recording.place(.leftHip, frame))
      }
      return try thigh(noisy) - thigh(clean)
    }
    let ratio = moments(errors.map(\.z)).deviation / moments(errors.map(\.y)).deviation
    #expect((2.2...3.6).contains(ratio), "\(ratio)")
  }

  @Test("A line toward the camera errs as the image does: seen from the side, trunks do not roll")
  func roll() throws {
    let noisy = try recording(seconds: 60) {
      $0.chain.whiteTurn = Degrees(1)
      $0.chain.depthFactor = 4
    }.recording
    let rolls = try (0..<noisy.frameCount).map { frame in
      let left = try noisy.place(.leftShoulder, frame)
      let line = try noisy.place(.rightShoulder, frame) - left
      return Degrees(radians: line.y / line.norm).value
    }
    #expect((0.7...2).contains(moments(rolls).deviation), "\(moments(rolls))")
  }

  @Test(
    "Flexion read at the elbows bends straight and bent arms alike and leaves the wrists' direction",
    arguments: [Posture.high, .forearm, .sideLeftElbow])
  func elbowFlexion(posture: Posture) throws {
    func arms(_ degrees: Double) throws -> [(bend: Double, way: Vector3)] {
      let made = try recording(posture) { $0.chain.elbowFlexion = Degrees(degrees) }
      let frame = try #require(WorldFrame(made.recording, made.script, frame: 0))
      return [
        (Joint.leftShoulder, Joint.leftElbow, Joint.leftWrist),
        (.rightShoulder, .rightElbow, .rightWrist),
      ].map { shoulder, elbow, wrist in
        let (upper, lower) = (frame[elbow] - frame[shoulder], frame[wrist] - frame[elbow])
        return (upper.angleDegrees(to: lower), (frame[wrist] - frame[shoulder]).unit())
      }
    }
    for (before, after) in zip(try arms(0), try arms(20)) {
      #expect((after.bend - before.bend - 20).magnitude < 0.5)
      #expect(after.way.angleDegrees(to: before.way) < 4)
    }
  }

  @Test("Arms jitter by their own factor, legs do not")
  func armFactor() throws {
    func steps(_ factor: Double, from near: Joint, to far: Joint) throws -> Double {
      let made = try recording {
        $0.chain.whiteTurn = Degrees(0.5)
        $0.chain.armFactor = factor
      }.recording
      let ways = try (0..<made.frameCount).map {
        try made.place(far, $0)
          - (try made.place(near, $0))
      }
      return moments(zip(ways, ways.dropFirst()).map { ($1 - $0).norm }).mean
    }
    let arms = try (
      steps(1, from: .leftShoulder, to: .leftWrist), steps(4, from: .leftShoulder, to: .leftWrist)
    )
    #expect(arms.1 > 2.5 * arms.0)
    let legs = try (
      steps(1, from: .leftHip, to: .leftAnkle), steps(4, from: .leftHip, to: .leftAnkle)
    )
    #expect(legs.1 == legs.0)
  }

  @Test("The filter takes white noise from frame to frame and lets slow movement pass")
  func filter() throws {
    func steps(_ cutoff: Double) throws -> [Double] {
      let offsets = hipOffsets(
        try recording(seconds: 60) {
          $0.chain.whiteTurn = Degrees(0.5)
          $0.filter.cutoff = Hertz(cutoff)
          $0.filter.slope = 1
        })
      return zip(offsets, offsets.dropFirst()).map { ($1 - $0).magnitude }.sorted()
    }
    let (raw, filtered) = (try steps(0), try steps(0.5))
    #expect(filtered[filtered.count / 2] < 0.2 * raw[raw.count / 2])

    var script = Session.still(.standing)
    script.holds = [Hold(.standing, for: Seconds(2)), Hold(.squat, for: Seconds(4))]
    script.noise.filter.cutoff = Hertz(0.5)
    let moved = try Session.made(script).recording
    script.noise.filter.cutoff = Hertz(0)
    let free = try Session.made(script).recording
    let last = free.frameCount - 1
    let knees = [moved, free].map { $0.position(of: .leftKnee, at: last) ?? .zero }
    #expect((knees[0] - knees[1]).norm < 0.02)
  }

  @Test("Clothes move hips slowly: neighboring seconds agree, distant ones do not")
  func clothes() throws {
    let offsets = hipOffsets(
      try recording(seconds: 400) {
        $0.chain.clothesTurn = Degrees(5)
        $0.chain.clothesTime = Seconds(20)
      })
    #expect((0.01...0.06).contains(moments(offsets).deviation))
    let step = zip(offsets, offsets.dropFirst(30)).map { ($0 - $1).magnitude }.max() ?? 1
    #expect(step < 3 * moments(offsets).deviation)
  }
}
