import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import PlankBench
@testable import Reports
@testable import Tuning

@Suite("Detector specification") struct DetectorSpecificationTests {
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

  @Test("Measurements and conditions may be in any order, and `or` becomes several rules")
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
    let text = JSONText.of(
      Thresholds(
        definition: detector, parameters: detector.defaults, smoothing: .none,
        debounce: .parameters))
    let read = try ThresholdsFile.parse(text, file: "thresholds.json").definition
    #expect(read.plank == detector.plank && read.form == detector.form)
    #expect(Set(read.expressions) == Set(detector.expressions))
  }

  /// The detectors that the guide shows in full.
  static let examples: [String] = {
    let page = try? Repository.text("docs/detectors.md")
    let blocks = (page ?? "").components(separatedBy: "```").enumerated()
    return blocks.filter { $0.offset % 2 == 1 && $0.element.hasPrefix("yaml\nname:") }
      .map { String($0.element.dropFirst("yaml\n".count)) }
  }()

  @Test("A detector of the guide reads as it stands", arguments: examples)
  func example(text: String) throws {
    let detector = try DetectorSpecification.parse(text, file: "detectors.md")
    #expect(detector.plank.rules.count >= 2)
  }

  static let ownMistakes = [
    Mistake(from: "hips, knees, ankles", to: "hips, knees, toes", line: 11, word: "`toes`"),
    Mistake(from: "speed(bend, 0.5s)", to: "speed(pace, 0.5s)", line: 10, word: "cycle"),
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
    mistake.expectError(in: Self.own) {
      _ = try DetectorSpecification.parse($0, file: "own.yaml")
    }
  }

  @Test("Axes are gravity unless given")
  func defaultAxes() throws {
    let text = Self.complete.replacing("axes: article\n", with: "")
    #expect(try DetectorSpecification.parse(text, file: "mine.yaml").axes == .gravity)
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
    let error = mistake.expectError(in: Self.complete) {
      _ = try DetectorSpecification.parse($0, file: "mine.yaml")
    }
    #expect(error?.description.hasPrefix("mine.yaml:") == true)
  }
}

/// A mistake in a file that people write: the replacement of a good text, and the place of the
/// error.
struct Mistake: CustomTestStringConvertible, Sendable {
  let from: String
  let to: String
  let line: Int
  let word: String

  var testDescription: String { to }

  /// Makes the mistake in a good text and expects an error that finds it.
  ///
  /// - Returns: the error.
  @discardableResult
  func expectError(in good: String, _ parse: (String) throws -> Void) -> FieldError? {
    let text = good.replacing(from, with: to, maxReplacements: 1)
    #expect(text != good)
    let error = #expect(throws: FieldError.self) { try parse(text) }
    #expect(error?.line == line, "\(error?.description ?? "")")
    #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
    return error
  }
}

@Suite("Thresholds specification") struct ThresholdsSpecificationTests {
  private static let complete = """
    {
      "format": "planklab-thresholds",
      "schema_version": 1,
      "detector": "gravity",
      "smoothing": "none",
      "parameters": {"sag": 0.01, "pike": "11.5cm",
        "plank_frames": 5},
      "evidence": {"anything": [1, 2, {"deep": null}]}
    }
    """

  @Test("A file gives detector, numbers and smoothing; evidence is not read")
  func complete() throws {
    let thresholds = try ThresholdsFile.parse(Self.complete, file: "t.json")
    #expect(thresholds.definition == .gravity)
    #expect(thresholds.parameters[.sag] == 0.01)
    #expect(thresholds.parameters[.pike] == 0.115)
    #expect(thresholds.parameters[.plankFrames] == 5)
    #expect(thresholds.parameters[.elbowSplit] == 140)
    #expect(thresholds.smoothing.isNone)
    #expect(thresholds.debounce == .parameters)
  }

  @Test("A custom detector is in the file itself")
  func customDetector() throws {
    let text = Self.complete.replacing(
      "\"gravity\"",
      with: """
        {"name": "mine", "axes": "article", "parameters": {"lean":
          {"unit": "-", "default": 0.4, "range": [0, 1]}},
          "plank": [{"none": ["verticalRatio >= lean"]}, "forearm"],
          "form": [{"sag": ["hipDeviation < -sag"]}, {"pike": "hipDeviation > pike"}, "aligned"]}
        """)
    let thresholds = try ThresholdsFile.parse(text, file: "t.json")
    #expect(thresholds.definition.name == "mine")
    #expect(
      thresholds.definition.plank.sentences == [
        "none if verticalRatio >= lean", "forearm otherwise",
      ])
    #expect(thresholds.parameters[ParameterKey("lean")] == 0.4)
  }

  static let mistakes = [
    Mistake(from: "planklab-thresholds", to: "other", line: 2, word: "planklab-thresholds"),
    Mistake(from: "\"schema_version\": 1", to: "\"schema_version\": 2", line: 3, word: "newer"),
    Mistake(from: "\"gravity\"", to: "\"moon\"", line: 4, word: "article"),
    Mistake(from: "\"sag\": 0.01", to: "\"sag\": 5", line: 6, word: "0.3"),
    Mistake(from: "\"sag\": 0.01", to: "\"sog\": 0.01", line: 6, word: "sag"),
    Mistake(from: "\"plank_frames\": 5", to: "\"plank_frames\": 5.5", line: 7, word: "whole"),
    Mistake(from: "\"smoothing\"", to: "\"smoothign\"", line: 5, word: "smoothing"),
    Mistake(from: "\"none\"", to: "\"blur\"", line: 5, word: "`smoothing`"),
    Mistake(from: "\"none\"", to: "{}", line: 5, word: "text"),
    Mistake(from: "\"11.5cm\"", to: "[1]", line: 6, word: "single value"),
  ]

  @Test("Thresholds with evidence read back as they were")
  func roundTrip() throws {
    let thresholds = try ThresholdsFile.parse(Self.complete, file: "t.json")
    let file = ThresholdsFile(thresholds: thresholds, evidence: ["seed": Int.max])
    let text = JSONText.of(file)
    #expect(text.contains("\"seed\": \(Int.max)"))
    #expect(try ThresholdsFile.parse(text, file: "t.json") == thresholds)
  }

  @Test("A mistake inside a custom detector has its line")
  func customMistake() throws {
    let text = Self.complete.replacing(
      "\"gravity\"",
      with: """
        {"name": "mine",
          "plank": [{"none": ["verticalRatio >= 1.5e"]},
            "forearm"], "form": ["aligned"]}
        """)
    let error = #expect(throws: FieldError.self) { try ThresholdsFile.parse(text, file: "t.json") }
    #expect(error?.line == 5 && error?.field.hasPrefix("detector.plank[0].none") == true)
  }

  @Test("Every mistake is an error with its line and a remedy", arguments: mistakes)
  func mistakeIsLocated(mistake: Mistake) {
    mistake.expectError(in: Self.complete) {
      _ = try ThresholdsFile.parse($0, file: "t.json")
    }
  }
}

@Suite("Suggested changes") struct SuggestTests {
  @Test("A detector that is written is read back", arguments: DetectorDefinition.builtIn)
  func roundTrip(detector: DetectorDefinition) throws {
    let text = DetectorYAML.text(detector, comments: ["two\nlines"])
    #expect(try DetectorSpecification.parse(text, file: "patch.yaml") == detector)
  }

  @Test("An edited detector is read back with its new numbers and measurements")
  func editedRoundTrip() throws {
    let reach = try Measurement("reach", "distance(wrists, shoulders) / bodyHeight")
    let twice = try Measurement("twice", "2 * reach", using: [reach])
    let edits: [RuleEdit] = [
      .move(parameter: "coach_knee_angle", value: 127.5), .dropRule(rule: 2), .swap(rule: 0),
      .insert(
        position: 1, label: "none",
        conditions: [
          EditCondition("twice", below: true, 0.6), EditCondition("elbowAngle", below: false, 127),
        ]),
      .narrow(rule: 1, condition: EditCondition("twice", below: false, -0.25)),
    ]
    var detector = DetectorDefinition.coach
    for edit in edits {
      detector = try detector.applying(edit, to: .plank, candidates: [reach, twice])
    }
    #expect(detector.name == "coach-suggested")
    #expect(detector.expressions.map(\.name).suffix(2) == ["reach", "twice"])
    #expect(detector.defaults[ParameterKey("suggested_twice_2")] == -0.25)
    #expect(
      detector.plank.sentences[1]
        == "none if twice < suggested_twice and elbowAngle > suggested_elbow_angle and twice > "
        + "suggested_twice_2")
    let text = DetectorYAML.text(detector)
    #expect(try DetectorSpecification.parse(text, file: "patch.yaml") == detector)
  }
}

@Suite("Swift exports of any names") struct SwiftExportPropertyTests {
  private static let texts = [
    "n", "a\nenum Evil { static let x = pwned() }\n//", "b\rpwned()", "c\u{2028}pwned()",
    "d\u{85}pwned()", "\"; pwned(); \"", "\\(pwned())", "*/ pwned() /*", "\"\"\"pwned()\"\"\"",
    "e\0pwned()", "f\u{202E}pwned()", "#\"pwned()\"#", "gravity", "`pwned`",
  ]
  private static let words = [
    "class", "in", "values", "a_b", "a__b", "a_b_", "self", "init", "any", "await", "definition",
    "detector", "x", "x_1", "x1", "x__1", "repeat", "default_", "some", "nil", "get", "open",
    "parameters", "smoothing", "each", "macro", "key",
  ]

  /// A custom detector with texts and parameter names drawn at random.
  private func thresholds(_ seed: UInt64) throws -> Thresholds {
    let stream = RandomStream(seed: seed, purpose: "export.names")
    func draw(_ count: Int) -> Int { stream.index(below: count) }
    func text() -> String { JSONText.of(Self.texts[draw(Self.texts.count)], .line) }
    var parameters: [String: String] = [:]
    for _ in 0...draw(6) {
      parameters[Self.words[draw(Self.words.count)]] = text()
    }
    let names = parameters.keys.sorted()
    let definitions = names.map {
      #""\#($0)": {"unit": "m", "default": -0.5, "range": [-1, -0.25], "#
        + #""meaning": \#(parameters[$0, default: ""])}"#
    }
    let rules = names.map { #"{"high": "shoulderRise >= \#($0)"}, "# }
    let file = """
      {"format": "planklab-thresholds", "schema_version": 1, "detector": {
        "name": \(text()), "description": \(text()), "axes": "gravity",
        "parameters": {\(definitions.joined(separator: ", "))},
        "plank": [\(rules.joined())"forearm"],
        "form": [{"sag": "hipDeviation < -sag"}, "aligned"]}, "parameters": {}}
      """
    return try ThresholdsFile.parse(file, file: "t.json")
  }

  /// The source without what is inside literals and behind `//`; nil where a literal does not end.
  private func stripped(_ source: String) -> String? {
    var result = ""
    for line in source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      var rest = line.unicodeScalars[...]
      var isInside = false
      while let scalar = rest.popFirst() {
        if isInside {
          if scalar == "\\" { rest = rest.dropFirst() }
          if scalar == "\"" { isInside = false }
        } else if scalar == "\"" {
          isInside = true
        } else if scalar == "/", rest.first == "/" {
          break
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
      if isInside { return nil }
      result += "\n"
    }
    return result
  }

  @Test("No text leaves its literal or its comment", arguments: Draws.seeds(60 as UInt64))
  func texts(seed: UInt64) throws {
    let thresholds = try thresholds(seed)
    let source = SwiftExport(thresholds, typeName: "T").text
    let skeleton = try #require(stripped(source), "\(source)")
    #expect(!skeleton.contains("pwned") && !skeleton.contains("Evil"), "\(source)")
    #expect(skeleton.count { $0 == "{" } == skeleton.count { $0 == "}" })
    #expect(!source.unicodeScalars.contains { $0.properties.generalCategory == .lineSeparator })
    #expect(!source.contains("\r") && !source.contains("\0") && !source.contains("\u{85}"))
  }

  @Test(
    "Constants have names of their own, none of them a word", arguments: Draws.seeds(60 as UInt64))
  func names(seed: UInt64) throws {
    let thresholds = try thresholds(seed)
    let source = SwiftExport(thresholds, typeName: "T").text
    let names = source.matches(of: #/static let (\w+): (?:Double|Int)/#).map { String($0.output.1) }
    #expect(names.count == thresholds.parameters.entries.count)
    #expect(Set(names).count == names.count, "\(names)")
    let words: Set = ["class", "in", "self", "init", "any", "await", "repeat", "some", "nil"]
    #expect(words.isDisjoint(with: names) && !names.contains("values"), "\(names)")
  }

  @Test("The compiler takes every export, against the modules where they are there")
  func compiles() throws {
    let folder = try TemporaryFolder()
    let files = try (0..<UInt64(40)).map { seed in
      let source = SwiftExport(try thresholds(seed), typeName: "T\(seed)").text
      return try folder.write(source, to: "T\(seed).swift")
    }
    let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("Modules").path
    let areThere = FileManager.default.fileExists(atPath: modules + "/PlankDetection.swiftmodule")
    #if os(Linux)
      #expect(areThere, "without the modules, the compiler sees no collision of names")
    #endif
    let errors = URL(fileURLWithPath: try folder.write("", to: "errors"))
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments =
      ["swiftc", "-swift-version", "6"] + (areThere ? ["-typecheck", "-I", modules] : ["-parse"])
      + files
    compiler.standardError = try FileHandle(forWritingTo: errors)
    try compiler.run()
    compiler.waitUntilExit()
    let text = try String(contentsOf: errors, encoding: .utf8)
    #expect(compiler.terminationStatus == 0, "\(text)")
  }

  @Test("A detector that is only named like a built-in one is exported with its own rules")
  func copiedName() throws {
    let file = """
      {"format": "planklab-thresholds", "schema_version": 1, "parameters": {}, "detector":
        {"name": "gravity", "axes": "gravity", "plank": ["forearm"], "form": ["aligned"]}}
      """
    let custom = try ThresholdsFile.parse(file, file: "t.json")
    #expect(SwiftExport(custom, typeName: "T").text.contains("try DetectorDefinition("))
    let gravity = Thresholds(
      definition: .gravity, parameters: DetectorDefinition.gravity.defaults, smoothing: .none,
      debounce: .parameters)
    #expect(SwiftExport(gravity, typeName: "T").text.contains("    .gravity\n"))
  }

  @Test("Negative numbers stand apart from the operator of a range")
  func ranges() {
    #expect(SwiftText.number(-0.5) == "(-0.5)" && SwiftText.number(2) == "2.0")
    #expect(SwiftText.number(-0.0) == "(-0.0)")
  }
}
