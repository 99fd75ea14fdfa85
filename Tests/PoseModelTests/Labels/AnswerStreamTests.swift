import PoseModel
import Testing

@Suite("Classes")
struct ClassTests {
  @Test("Plank classes are in the order of every matrix, `none` first")
  func planks() {
    #expect(
      PlankClass.allCases.map(\.name) == [
        "none", "forearm", "high", "sideLeft", "sideRight", "reverse",
      ])
    #expect(PlankClass.allCases.map(\.code) == [0, 1, 2, 3, 4, 5])
  }

  @Test("Form classes are in the order of every matrix, `aligned` first")
  func forms() {
    #expect(FormClass.allCases.map(\.name) == ["aligned", "sag", "pike"])
    #expect(FormClass.allCases.map(\.code) == [0, 1, 2])
  }

  @Test("A class is found by its name; case matters and ignore is none")
  func names() {
    for plank in PlankClass.allCases { #expect(plank.name == String(describing: plank)) }
    for form in FormClass.allCases { #expect(form.name == String(describing: form)) }
    #expect(PlankClass(name: "sideLeft") == .sideLeft)
    #expect(PlankClass(name: "sideleft") == nil)
    #expect(PlankClass(name: "ignore") == nil)
    #expect(FormClass(name: "pike") == .pike)
    #expect(FormClass(name: "") == nil)
  }

  @Test("A stream's codes are those of its classes", arguments: AnswerStream.allCases)
  func codes(stream: AnswerStream) {
    for (code, label) in stream.labels.enumerated() {
      #expect(stream.code(of: label) == UInt8(code))
    }
    #expect(stream.code(of: "standing") == nil)
  }
}
