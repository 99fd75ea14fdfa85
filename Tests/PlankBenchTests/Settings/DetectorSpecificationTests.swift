import Foundation
import ParameterTuning
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

  private static let own = """
    name: own
    parameters:
      reach_limit: {unit: body heights, default: 0.2, range: [0, 1]}
      pace_limit: {unit: deg/s, default: 20, range: [0, 90]}
    conditions:
      steady: not (moving or far)
      moving: pace > pace_limit or pace < -pace_limit
      far: reach > reach_limit
    measurements:
      pace: speed(bend, 0.5s)
      bend: angle(hips, knees, ankles)
      reach: distance(wrists, shoulders) / bodyHeight
    plank:
      - high: [steady, elbowAngle > elbow_split]
      - none: moving or far
      - forearm
    form: [aligned]
    """

  @Test("Measurements and conditions stand in any order, and `or` becomes several rules")
  func expressions() throws {
    let detector = try DetectorSpecification.parse(Self.own, file: "own.yaml")
    #expect(detector.expressions.map(\.name) == ["bend", "pace", "reach"])
    #expect(detector.expressions.map(\.unit) == [.degrees, .degreesPerSecond, .bodyHeights])
    #expect(
      detector.plank.sentences == [
        "high if pace <= pace_limit and pace >= -pace_limit and reach <= reach_limit "
          + "and elbowAngle > elbow_split",
        "none if pace > pace_limit", "none if pace < -pace_limit", "none if reach > reach_limit",
        "forearm otherwise",
      ])
  }

  @Test("A thresholds file keeps measurements and rules")
  func thresholdsFile() throws {
    let detector = try DetectorSpecification.parse(Self.own, file: "own.yaml")
    let text = ThresholdsFile.text(
      Thresholds(
        definition: detector, parameters: detector.defaults, smoothing: .none,
        debounce: .parameters), evidence: nil)
    let read = try ThresholdsSpecification.parse(text, file: "thresholds.json").definition
    #expect(read.plank == detector.plank && read.form == detector.form)
    #expect(Set(read.expressions) == Set(detector.expressions))
  }

  /// The detectors that the guide shows in full.
  static let examples: [String] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try? String(contentsOf: root.appending(path: "docs/detectors.md"), encoding: .utf8)
    let blocks = (page ?? "").components(separatedBy: "```").enumerated()
    return blocks.filter { $0.offset % 2 == 1 && $0.element.hasPrefix("yaml\nname:") }
      .map { String($0.element.dropFirst("yaml\n".count)) }
  }()

  @Test("The guide shows three detectors in full")
  func exampleCount() { #expect(Self.examples.count == 3) }

  @Test("A detector of the guide reads as it stands", arguments: examples)
  func example(text: String) throws {
    let detector = try DetectorSpecification.parse(text, file: "detectors.md")
    #expect(detector.plank.rules.count >= 2)
  }

  static let ownMistakes = [
    Mistake(from: "hips, knees, ankles", to: "hips, knees, toes", line: 11, word: "`toes`"),
    Mistake(from: "speed(bend, 0.5s)", to: "speed(pace, 0.5s)", line: 10, word: "circle"),
    Mistake(from: "  pace: ", to: "  root: ", line: 10, word: "root"),
    Mistake(from: " / bodyHeight", to: " * 2m", line: 12, word: "m^2"),
    Mistake(from: "0.5s", to: "0.5m", line: 10, word: "column 13"),
    Mistake(from: "  far: reach", to: "  far: rech", line: 8, word: "`rech`"),
    Mistake(from: "  steady: not", to: "  bend: not", line: 6, word: "rename"),
    Mistake(from: "none: moving or far", to: "none: moving or fur", line: 15, word: "`fur`"),
    Mistake(
      from: "far: reach > reach_limit", to: "far: reach > sag", line: 8, word: "body heights"),
  ]

  @Test("A mistake in an expression or a condition is located too", arguments: ownMistakes)
  func ownMistake(mistake: Mistake) {
    let text = Self.own.replacing(mistake.from, with: mistake.to)
    #expect(text != Self.own)
    let error = #expect(throws: YAMLError.self) {
      try DetectorSpecification.parse(text, file: "own.yaml")
    }
    #expect(error?.line == mistake.line, "\(String(describing: error))")
    #expect(error?.description.contains(mistake.word) == true, "\(String(describing: error))")
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
