import PlankDetection
import PoseModel
import Testing

@Suite("Form grades")
struct FormGradeTests {
  @Test(
    "Bands are half-open: a lower edge belongs to the better band",
    arguments: [PlankClass.forearm, .high, .sideLeft, .sideRight, .reverse])
  func bands(answer: PlankClass) {
    let isProne = answer == .forearm || answer == .high
    let (good, warning): (Float, Float) = isProne ? (165, 155) : (160, 150)
    let expected: [(Float, FormGrade)] = [
      (180, .good), (good, .good), (good.nextDown, .warning), (warning, .warning),
      (warning.nextDown, .bad), (0, .bad),
    ]
    for (angle, grade) in expected {
      #expect(FormGrade(bodyAngle: angle, answer: answer) == grade, "\(angle)")
    }
  }

  @Test("Bands are parameters of every detector")
  func parameters() throws {
    var values = DetectorDefinition.trunk.defaults
    #expect(GradeBands(values) == .published)
    try values.set("grade_good=170deg")
    try values.set("grade_warning=150")
    try values.set("grade_side_good=100")
    try values.set("grade_side_warning=90")
    let bands = GradeBands(values)
    #expect(FormGrade(bodyAngle: 169, answer: .high, bands) == .warning)
    #expect(FormGrade(bodyAngle: 149, answer: .forearm, bands) == .bad)
    #expect(FormGrade(bodyAngle: 100, answer: .reverse, bands) == .good)
    #expect(FormGrade(bodyAngle: 90, answer: .sideLeft, bands) == .warning)
  }

  @Test("There is no grade without a plank", arguments: [Float(180), 90])
  func noPlank(angle: Float) {
    #expect(FormGrade(bodyAngle: angle, answer: .none) == nil)
  }

  @Test("There is no grade for an angle without a value", arguments: PlankClass.allCases)
  func undefinedAngle(answer: PlankClass) {
    #expect(FormGrade(bodyAngle: nil, answer: answer) == nil)
    #expect(FormGrade(bodyAngle: .nan, answer: answer) == nil)
  }
}
