import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Script parameters")
struct ScriptParameterTests {
  @Test("A field beyond its range is named with the range and a remedy")
  func outOfRange() {
    var script = Session.still(.forearm)
    script.camera.distance = Meters(9)
    let error = #expect(throws: ScriptError.self) { try script.validate() }
    #expect(
      error?.description
        == "camera.distance_m is 9.0 m; allowed: 0.6 to 4.0 m; write a number in that range")
  }

  @Test("Holds are named by their place; a number that is not one is out of range")
  func nested() {
    var script = Session.still(.forearm)
    script.holds.append(Hold(.high, for: Seconds(.nan)))
    let error = #expect(throws: ScriptError.self) { try script.validate() }
    #expect(error?.description.hasPrefix("holds[1].duration_s is nan") == true)
  }

  @Test("Form belongs to planks, flexion to side planks, limits to their order")
  func relations() {
    var script = Session.still(.standing)
    script.holds[0].form.hipOffset = Meters(0.05)
    #expect(
      throws: ScriptError.formOfNegative(
        field: "holds[0].form.hip_offset_m", posture: "standing")
    ) { try script.validate() }
    script = Session.still(.high)
    script.holds[0].form.flexionOffset = Meters(0.05)
    #expect(throws: ScriptError.self) { try script.validate() }
    script = Session.still(.high)
    script.noise.dropouts.burstMinimum = Seconds(5)
    #expect(
      throws: ScriptError.reversedLimits(
        lower: "noise.dropouts.burst_minimum_s", upper: "noise.dropouts.burst_maximum_s")
    ) { try script.validate() }
    script.holds = []
    #expect(throws: ScriptError.noHolds) { try script.validate() }
  }

  @Test("Numbers are set by key; unknown keys list the known ones")
  func setting() throws {
    var camera = CameraParameters()
    try camera.set("height_m", to: 1.2)
    #expect(camera.height == Meters(1.2))
    let error = #expect(throws: ScriptError.self) {
      var camera = CameraParameters()
      try camera.set("size", to: 1)
    }
    #expect(error?.description.contains("distance_m, height_m") == true)
  }

  private func check<P: ScriptParameters>(_: P.Type) {
    let keys = P.fields.map(\.key)
    #expect(Set(keys).count == keys.count)
    for field in P.fields {
      #expect(field.range.contains(field.defaultValue), "\(P.section).\(field.key)")
      #expect(!field.meaning.isEmpty)
      for end in [field.range.lowerBound, field.range.upperBound] {
        var parameters = P()
        #expect(throws: Never.self) { try parameters.set(field.key, to: end) }
      }
    }
  }

  @Test("Every section's defaults lie in range and its keys are unique")
  func catalogues() {
    check(SubjectParameters.self)
    check(PlacementParameters.self)
    check(FormParameters.self)
    check(DriftParameters.self)
    check(TransitionParameters.self)
    check(MotionParameters.self)
    check(FormCriterion.self)
    check(CameraParameters.self)
    check(ClockParameters.self)
    check(JointNoiseParameters.self)
    check(ConfusionParameters.self)
    check(DropoutParameters.self)
    check(CaptureNoiseParameters.self)
  }
}
