import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("What the camera sees of a body")
struct SightTests {
  private func plank(
    distance: Double, _ change: (inout NoiseParameters) -> Void
  ) throws -> Recording {
    var script = Session.still(.forearm)
    script.camera.height = Meters(0.3)
    script.camera.distance = Meters(distance)
    change(&script.noise)
    return try Session.made(script).recording
  }

  @Test("A joint outside the image is lost or given as the script says")
  func outside() throws {
    let near = try plank(distance: 0.8) { $0.sight.outside = .lost }
    #expect(near.position(of: .leftAnkle, at: 0) == nil)
    #expect(near.position(of: .leftHip, at: 0) != nil)
    let far = try plank(distance: 4) { $0.sight.outside = .lost }
    #expect(Skeleton.vision3d.joints.allSatisfy { far.position(of: $0, at: 0) != nil })
    let guessed = try plank(distance: 0.8) { $0.sight.fewestJoints = 2 }
    #expect(guessed.position(of: .leftAnkle, at: 0) != nil)
  }

  @Test("The far arm and leg of a plank seen from the side are hidden, the near ones are not")
  func hidden() throws {
    let recording = try plank(distance: 3) { $0.sight.hidden = .lost }
    // The camera stands on the left side of a prone body.
    #expect(recording.position(of: .leftElbow, at: 0) != nil)
    #expect(recording.position(of: .leftKnee, at: 0) != nil)
    #expect(recording.position(of: .rightKnee, at: 0) == nil)
    #expect(recording.position(of: .root, at: 0) != nil)
  }

  @Test("With too few joints in sight there is no pose")
  func fewest() throws {
    let near = try plank(distance: 0.8) { $0.sight.fewestJoints = 17 }
    #expect(!near.hasPose(at: 0))
    #expect(try plank(distance: 0.8) { $0.sight.fewestJoints = 2 }.hasPose(at: 0))
  }

  @Test("Segments that cross have no gap, and others their distance")
  func gap() {
    let (x, y, z) = (Vector3.unitX, Vector3.unitY, Vector3.unitZ)
    #expect(Sight.gap(-x, x, -y, y) < 1e-12)
    #expect((Sight.gap(-x, x, z - y, z + y) - 1).magnitude < 1e-12)
    #expect((Sight.gap(.zero, x, x * 2, x * 3) - 1).magnitude < 1e-12)
    #expect((Sight.gap(.zero, x, y, x + y) - 1).magnitude < 1e-12)
    #expect((Sight.gap(.zero, .zero, x * 2, x * 2) - 2).magnitude < 1e-12)
  }
}
