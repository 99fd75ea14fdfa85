import PoseModel
import TestSupport
import Testing

@testable import PoseDatasets

@Suite("Body survey")
struct BodySurveyTests {
  private static let session = ScriptedSession(
    ScriptedBody(stature: Meters(1.7)), rate: Hertz(10),
    phases: [
      ScriptedPhase(.standing, seconds: 2), ScriptedPhase(.forearm, seconds: 3),
      ScriptedPhase(.sideLeft, seconds: 3),
    ])

  /// The session seen obliquely, with every position and time changed.
  private static func recording(
    _ change: (Vector3) -> Vector3 = { $0 }, time: (Double) -> Double = { $0 },
    names: (Joint) -> Joint = { $0 }
  ) -> Recording {
    let original = session.recording(ScriptedCamera(azimuth: Degrees(25)))
    var header = original.header
    header.joints = header.joints.map(names)
    var result = Recording(header: header)
    for frame in 0..<original.frameCount {
      let pose = original.header.joints.flatMap { joint -> [Float] in
        guard let position = original.position(of: joint, at: frame) else {
          return [.nan, .nan, .nan]
        }
        let changed = change(position)
        return [Float(changed.x), Float(changed.y), Float(changed.z)]
      }
      result.append(
        time: Seconds(time(original.times[frame])),
        pose: original.hasPose(at: frame) ? pose : nil, extras: original.extras(at: frame))
    }
    return result
  }

  private static let labels = session.labels

  @Test("A sound body has its stature, people's proportions, and planks that confirm up")
  func sound() throws {
    let survey = BodySurvey(Self.recording(), labels: Self.labels)
    let stature = try #require(survey.stature)
    #expect(abs(stature.value - 1.7) < 0.02)
    #expect(survey.lengthUnit == .meters)
    let upperArm = try #require(survey.proportions.upperArmToTrunk)
    #expect((0.6...0.7).contains(upperArm))
    #expect(try #require(survey.proportions.unevenness) < 1.01)
    #expect(survey.planksConfirmUp == true && survey.upByPlanks == .up && survey.isUpConfirmed)
    #expect(survey[.up].standing >= BodySurvey.fewestPoses)
    #expect(survey[.up].facing == survey[.up].judgedFacing && survey[.up].judgedFacing > 20)
    #expect(survey[.up].sides == survey[.up].judgedSides && survey[.up].judgedSides > 20)
    #expect(survey.fillers.atOrigin == 0 && survey.fillers.firstAtOrigin == nil)
    #expect(survey.clock.unit == .seconds && !survey.clock.isDate)
  }

  @Test(
    "The unit of lengths is the one in which the body is as tall as people are",
    arguments: LengthUnit.allCases)
  func lengthUnit(unit: LengthUnit) {
    let survey = BodySurvey(Self.recording { $0 / unit.meters }, labels: Self.labels)
    #expect(survey.lengthUnit == unit)
    #expect(survey.planksConfirmUp == true)
  }

  @Test("A body of no person's size has no unit", arguments: [0.01, 0.4, 10])
  func noUnit(factor: Double) {
    #expect(BodySurvey(Self.recording { $0 * factor }).lengthUnit == nil)
  }

  @Test(
    "Labeled planks and people who stand show which way is up",
    arguments: [UpCandidate.turned90, .turned180, .turned270])
  func turned(direction: UpCandidate) throws {
    let turn = try #require(direction.rotation)
    let turned = Self.recording { turn($0) }
    #expect(BodySurvey(turned, labels: Self.labels).upByPlanks == direction)
    // A fifth of the poses stands, which may be somebody who lies, but nobody hangs head down.
    let unlabeled = BodySurvey(turned)
    #expect(unlabeled.upByPlanks == nil)
    #expect(unlabeled.upByStanding == (direction == .turned180 ? direction : nil))
  }

  @Test("Labeled planks show that z is up")
  func upward() {
    let survey = BodySurvey(Self.recording { Vector3($0.x, -$0.z, $0.y) }, labels: Self.labels)
    #expect(survey.upByPlanks == .towardCamera)
    #expect(survey[.towardCamera].facing == survey[.towardCamera].judgedFacing)
  }

  @Test("A reversed axis or swapped names make bodies face the wrong way")
  func reflected() {
    let swapped = BodySurvey(Self.recording(names: \.mirrored), labels: Self.labels)
    #expect(swapped.planksConfirmUp == true && swapped[.up].facing == 0)
    let down = BodySurvey(
      Self.recording { Vector3($0.x, -$0.y, $0.z) }, labels: Self.labels)
    #expect(down.upByPlanks == .turned180 && down[.turned180].facing == 0)
  }

  @Test("Joints at the origin are counted and not used")
  func origin() {
    var count = 0
    let zeroed = Self.recording { position in
      count += 1
      return count % 20 == 1 && position.norm > 0 ? Vector3(0, 0, 0) : position
    }
    let survey = BodySurvey(zeroed, labels: Self.labels)
    #expect(survey.fillers.atOrigin > 50 && survey.fillers.firstAtOrigin != nil)
    #expect(survey.lengthUnit == .meters && survey.planksConfirmUp == true)
  }

  @Test("A joint that never moves while others do is found, a body that rests is not")
  func frozen() {
    var seen = 0
    let joints = Self.session.recording(ScriptedCamera()).header.joints.count
    let stuck = Self.recording { position in
      defer { seen += 1 }
      return seen % joints == joints - 1 ? Vector3(0.25, 0.5, 0) : position
    }
    let fillers = BodySurvey(stuck).fillers
    #expect(fillers.frozenSteps == fillers.movingSteps && fillers.movingSteps > 10)
    #expect(
      fillers.frozenJoint == Self.session.recording(ScriptedCamera()).header.joints.last?.name)
  }

  @Test("Where times are milliseconds or dates, labels are still those of the same moments")
  func times() {
    let thousandths = BodySurvey(
      Self.recording(time: { $0 * 1000 }), labels: Self.labels)
    #expect(thousandths.clock.unit == .milliseconds)
    #expect(
      thousandths.labeledPlanks == BodySurvey(Self.recording(), labels: Self.labels).labeledPlanks)
    let dates = BodySurvey(Self.recording(time: { $0 + 1.7e9 }), labels: Self.labels)
    #expect(dates.clock.isDate && dates.planksConfirmUp == true)
  }

  @Test("A recording without a pose has nothing to say")
  func empty() {
    let header = RecordingHeader(
      skeleton: .vision3d, joints: Skeleton.vision3d.joints, frame: .camera)
    let survey = BodySurvey(Recording(header: header), labels: Self.labels)
    #expect(survey.poses == 0 && survey.stature == nil && survey.lengthUnit == nil)
    #expect(survey.planksConfirmUp == nil && survey.upByStanding == nil && !survey.isUpConfirmed)
  }
}
