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

  @Test("There is no grade without a plank", arguments: [Float(180), 90])
  func noPlank(angle: Float) {
    #expect(FormGrade(bodyAngle: angle, answer: .none) == nil)
  }

  @Test("There is no grade for an undefined angle", arguments: PlankClass.allCases)
  func undefinedAngle(answer: PlankClass) {
    #expect(FormGrade(bodyAngle: nil, answer: answer) == nil)
    #expect(FormGrade(bodyAngle: .nan, answer: answer) == nil)
  }
}
