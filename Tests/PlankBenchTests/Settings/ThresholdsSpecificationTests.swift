import PlankDetection
import PoseDatasets
import Testing
import Tuning

@testable import PlankBench

/// Thresholds files.
@Suite("Thresholds specification")
struct ThresholdsSpecificationTests {
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
