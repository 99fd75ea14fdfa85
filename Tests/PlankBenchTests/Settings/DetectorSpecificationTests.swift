import PlankDetection
import PoseDatasets
import PoseModel
import Testing

@testable import PlankBench

/// Detectors as YAML.
@Suite("Detector specification")
struct DetectorSpecificationTests {
  private static let complete = """
    name: cautious
    description: a test
    axes: article
    parameters:
      sag: 3cm
      lean: {unit: "-", default: 0.4, range: [0, 1], meaning: the largest lean}
    plank:
      - none: verticalRatio >= lean
      - high: [elbowAngle > elbow_split, shoulderRise < -side_rise]
      - forearm
    form:
      - sag: hipDeviation < -sag
      - aligned
    """

  @Test("A complete file gives the detector that it describes")
  func completeFile() throws {
    let detector = try DetectorSpecification.parse(Self.complete, file: "mine.yaml")
    #expect(detector.name == "cautious")
    #expect(detector.axes == .article)
    #expect(
      detector.plank.sentences == [
        "none if verticalRatio >= lean",
        "high if elbowAngle > elbow_split and shoulderRise < -side_rise", "forearm otherwise",
      ])
    #expect(detector.form.sentences == ["sag if hipDeviation < -sag", "aligned otherwise"])
    #expect(detector.defaults[.sag] == 0.03)
    #expect(detector.defaults[ParameterKey("lean")] == 0.4)
    #expect(detector.defaults[.plankFrames] == 1)
  }

  @Test("Axes are gravity unless given")
  func defaultAxes() throws {
    let text = Self.complete.replacing("axes: article\n", with: "")
    #expect(try DetectorSpecification.parse(text, file: "mine.yaml").axes == .gravity)
  }

  /// A mistake: what to replace by what, the line of the error, a word of its text.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let from: String
    let to: String
    let line: Int
    let word: String
    var testDescription: String { to }
  }

  static let mistakes = [
    Mistake(from: "name: cautious", to: "nom: cautious", line: 1, word: "nom"),
    Mistake(from: "axes: article", to: "axes: moon", line: 3, word: "gravity"),
    Mistake(from: "sag: 3cm", to: "sag: 3deg", line: 5, word: "sag"),
    Mistake(from: "sag: 3cm", to: "droop: 3cm", line: 5, word: "droop"),
    Mistake(from: "range: [0, 1]", to: "range: [1, 0]", line: 6, word: "swap"),
    Mistake(from: "default: 0.4", to: "default: 4", line: 6, word: "range"),
    Mistake(
      from: "none: verticalRatio >= lean", to: "standing: verticalRatio >= lean", line: 8,
      word: "standing"),
    Mistake(from: ">= lean", to: ">= 0.4", line: 8, word: "0.4"),
    Mistake(from: ">= lean", to: "=> lean", line: 8, word: "=>"),
    Mistake(from: ">= lean", to: ">= leen", line: 8, word: "leen"),
    Mistake(from: "verticalRatio >= lean", to: "verticality >= lean", line: 8, word: "verticality"),
    Mistake(from: "elbowAngle > elbow_split", to: "elbowAngle > sag", line: 9, word: "deg"),
    Mistake(from: "  - forearm\n", to: "", line: 8, word: "last plank rule"),
    Mistake(from: "  - aligned", to: "  - aligned\n  - sag", line: 12, word: "never hold"),
  ]

  @Test("Every mistake is an error with its line and a remedy", arguments: mistakes)
  func mistakeIsLocated(mistake: Mistake) {
    let text = Self.complete.replacing(mistake.from, with: mistake.to)
    #expect(text != Self.complete)
    let error = #expect(throws: YAMLError.self) {
      try DetectorSpecification.parse(text, file: "mine.yaml")
    }
    #expect(error?.line == mistake.line, "\(String(describing: error))")
    #expect(error?.description.contains(mistake.word) == true, "\(String(describing: error))")
    #expect(error?.description.hasPrefix("mine.yaml:") == true)
  }
}
