import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Plank geometry")
struct PlankGeometryTests {
  private func frame(_ script: SessionScript) throws -> WorldFrame {
    let recording = try Session.made(script).recording
    return try #require(WorldFrame(recording, script, frame: 5))
  }

  @Test(
    "At the published fractions the incline is the published one",
    arguments: [
      (Posture.forearm, 9.7), (.high, 21.6), (.reverse, 24.0), (.sideLeftElbow, 16.9),
      (.sideRightElbow, 16.9), (.sideLeftHand, 29.0), (.sideRightHand, 29.0),
    ])
  func incline(posture: Posture, degrees: Double) throws {
    #expect((try frame(Session.still(posture)).inclineDegrees - degrees).magnitude < 0.06)
  }

  @Test("The incline does not depend on stature", arguments: [1.5, 1.9])
  func scaleFree(height: Double) throws {
    let frame = try frame(Session.still(.forearm, height: Meters(height)))
    #expect((frame.inclineDegrees - 9.68).magnitude < 0.03)
  }

  @Test("A hip bend of 12 degrees is an offset of 6.6 cm at 1.75 m")
  func hipOffset() throws {
    var script = Session.still(.forearm)
    script.holds[0].form.hipOffset = Meters(-0.066)
    #expect((try frame(script).bodyAngle - 168).magnitude < 0.1)
  }

  @Test(
    "The hips are where the script puts them",
    arguments: Posture.allCases.filter(\.isPlank), [-0.15, -0.05, -0.01, 0.03, 0.08, 0.15])
  func scriptedOffset(posture: Posture, offset: Double) throws {
    var script = Session.still(posture)
    script.holds[0].form.hipOffset = Meters(offset)
    script.holds[0].form.kneeFlexion = Degrees(12)
    #expect((try frame(script).hipOffset - offset).magnitude < 2e-4)
  }

  @Test("Contacts rest at their heights for bodies of any proportions", arguments: 1...8)
  func contacts(seed: Int) throws {
    for posture in Posture.allCases where posture.isPlank {
      var script = Session.still(posture)
      script.subject = SubjectParameters()
      script.subject.seed = UInt64(seed)
      script.holds[0].placement.supportTilt = Degrees(6)
      script.holds[0].form.hipOffset = Meters(-0.06)
      let frame = try frame(script)
      let heights = contactHeights(posture, frame)
      let spread = (heights.max() ?? 1) - (heights.min() ?? 0)
      #expect(spread < 0.002, "\(posture): contacts \(heights) m apart from one floor")
    }
  }

  /// Where each contact puts the floor, relative to the root.
  private func contactHeights(_ posture: Posture, _ frame: WorldFrame) -> [Double] {
    let stature = 1.75
    func floor(_ y: Double, _ height: Double) -> Double { y - height * stature }
    let arms: [Joint]
    switch posture {
    case .forearm: arms = [.leftElbow, .rightElbow]
    case .high, .reverse: arms = [.leftWrist, .rightWrist]
    case .sideLeftElbow: arms = [.rightElbow]
    case .sideLeftHand: arms = [.rightWrist]
    case .sideRightElbow: arms = [.leftElbow]
    default: arms = [.leftWrist]
    }
    let isElbow = arms[0] == .leftElbow || arms[0] == .rightElbow
    let hands = arms.map {
      floor(frame[$0].y, isElbow ? ContactHeights.elbow : ContactHeights.wrist)
    }
    switch posture.plankClass {
    case .sideLeft: return hands + [floor(frame[.rightAnkle].y, ContactHeights.footEdge)]
    case .sideRight: return hands + [floor(frame[.leftAnkle].y, ContactHeights.footEdge)]
    case .reverse: return hands + [floor(frame.ankles.y, ContactHeights.heel)]
    default: return hands + [floor(frame.ankles.y, ContactHeights.tuckedToes)]
    }
  }

  @Test("Carrying arms lean toward the feet by the scripted tilt", arguments: [-8.0, 0, 8])
  func tilt(degrees: Double) throws {
    for (posture, far) in [(Posture.forearm, Joint.leftElbow), (.reverse, .leftWrist)] {
      var script = Session.still(posture)
      script.holds[0].placement.supportTilt = Degrees(degrees)
      let frame = try frame(script)
      let arm = frame[far] - frame[.leftShoulder]
      #expect((atan2Degrees(-arm.z, -arm.y) - degrees).magnitude < 0.1, "\(posture)")
    }
  }

  @Test("The side that is named is up", arguments: Posture.allCases.filter(\.isSidePlank))
  func sideUp(posture: Posture) throws {
    let frame = try frame(Session.still(posture))
    let rise = frame[.leftShoulder].y - frame[.rightShoulder].y
    #expect((rise > 0.3) == (posture.plankClass == .sideLeft))
  }

  @Test("A lumbar fault moves the spine and leaves hips, shoulders and feet in line")
  func lumbar() throws {
    var script = Session.still(.high)
    script.holds[0].form.lumbarOffset = Meters(-0.05)
    let frame = try frame(script)
    #expect(frame.hipOffset.magnitude < 2e-4)
    let trunk = frame[.centerShoulder]
    let spine = frame[.spine].perpendicular(to: trunk.unit())
    #expect((spine.norm - 0.05).magnitude < 2e-4)
    #expect(spine.y < 0)
  }

  @Test("Hips pushed back in a side plank leave the vertical plane, not the height")
  func flexion() throws {
    var script = Session.still(.sideLeftElbow)
    script.holds[0].form.flexionOffset = Meters(0.10)
    let frame = try frame(script)
    #expect(frame.hipOffset.magnitude < 2e-4)
    #expect(frame.bodyAngle < 165)
  }
}
