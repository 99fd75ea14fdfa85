import PlankDetection
import PoseDatasets
import Statistics
import TestSupport
import Testing
import Tuning

@testable import PlankBench

/// Swift source made of names that somebody chose to do harm, or without thinking.
@Suite("Swift exports of any names")
struct SwiftExportPropertyTests {
  private static let texts = [
    "n", "a\nenum Evil { static let x = pwned() }\n//", "b\rpwned()", "c\u{2028}pwned()",
    "d\u{85}pwned()", "\"; pwned(); \"", "\\(pwned())", "*/ pwned() /*", "\"\"\"pwned()\"\"\"",
    "e\0pwned()", "f\u{202E}pwned()", "#\"pwned()\"#", "gravity", "`pwned`",
  ]
  private static let words = [
    "class", "in", "values", "a_b", "a__b", "a_b_", "self", "init", "any", "await", "definition",
    "detector", "x", "x_1", "x1", "x__1", "repeat", "default_", "some", "nil",
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
