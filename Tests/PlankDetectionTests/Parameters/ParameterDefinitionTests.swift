import PlankDetection
import Testing

@Suite("Parameter definitions")
struct ParameterDefinitionTests {
  private func definition(_ key: ParameterKey) throws -> ParameterDefinition {
    try #require(ParameterCatalogue.definition(of: key))
  }

  @Test(
    "A number may carry any suffix of its unit, and means the same to the bit",
    arguments: [
      ("sag", "0.07", 0.07), ("sag", "0.07m", 0.07), ("sag", "7cm", 0.07), ("sag", "70mm", 0.07),
      ("sag", "-7 cm", -0.07), ("elbow_split", "135deg", 135), ("elbow_split", "135°", 135),
      ("elbow_split", "1.35e2", 135), ("hold_seconds", "250ms", 0.25), ("hold_seconds", "2s", 2),
      ("plank_frames", "5", 5), ("plank_frames", "5frames", 5), ("plank_frames", "1 frame", 1),
      ("sag_fraction", "0.03", 0.03), ("sag_fraction", "0.03 body heights", 0.03),
      ("sag_fraction", "0.03bodyHeights", 0.03), ("reverse_cosine", "-1", -1),
    ])
  func reads(key: String, text: String, expected: Double) throws {
    #expect(try definition(ParameterKey(key)).parse(text).bitPattern == expected.bitPattern)
  }

  @Test(
    "Another unit, no number or more than a number does not read",
    arguments: [
      ("sag", "3deg"), ("sag", "3s"), ("sag", ""), ("sag", "cm"), ("sag", "3 cm cm"),
      ("sag", "3km"), ("sag", "3,5cm"), ("sag", " 3cm"), ("sag", "3cm "),
      ("elbow_split", "140cm"), ("elbow_split", "2rad"), ("reverse_cosine", "0.5m"),
      ("hold_seconds", "1min"), ("plank_frames", "5s"), ("plank_frames", "five"),
      ("sag_fraction", "3cm"), ("sag_fraction", "0.03m"),
    ])
  func doesNotRead(key: String, text: String) throws {
    let definition = try definition(ParameterKey(key))
    #expect(throws: DetectorError.unreadableValue(definition, text)) {
      try definition.parse(text)
    }
  }

  @Test(
    "Numbers outside the range, broken frames and non-numbers are not allowed",
    arguments: [
      ("sag", "0.31"), ("sag", "-31cm"), ("sag", "3"), ("sag", "nan"), ("sag", "inf"),
      ("plank_frames", "0"), ("plank_frames", "1001"), ("plank_frames", "1.5"),
      ("hold_seconds", "-1ms"), ("hold_seconds", "10.001"), ("reverse_cosine", "1.01"),
    ])
  func notAllowed(key: String, text: String) throws {
    let error = #expect(throws: DetectorError.self) {
      try definition(ParameterKey(key)).parse(text)
    }
    guard case .invalidValue = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("The ends of a range belong to it", arguments: ParameterCatalogue.definitions)
  func closedRange(definition: ParameterDefinition) {
    let range = definition.range
    #expect(definition.accepts(range.lowerBound) && definition.accepts(range.upperBound))
    #expect(!definition.accepts(range.lowerBound.nextDown))
    #expect(!definition.accepts(range.upperBound.nextUp))
    #expect(!definition.accepts(.nan) && !definition.accepts(.infinity))
  }

  @Test("A default outside its own range makes no definition")
  func inconsistentDefinition() {
    #expect(throws: DetectorError.self) {
      try ParameterDefinition(
        ParameterKey("depth"), unit: .meters, default: 2, range: 0...1, meaning: "too deep")
    }
    #expect(throws: DetectorError.self) {
      try ParameterDefinition(
        ParameterKey("run"), unit: .frames, default: 1.5, range: 1...9,
        meaning: "half a frame")
    }
  }

  @Test("The Swift name is the key in camel case")
  func swiftName() throws {
    #expect(try definition(.sideRiseFraction).swiftName == "sideRiseFraction")
    #expect(try definition(.sag).swiftName == "sag")
    #expect(try definition(.holdSeconds).swiftName == "holdSeconds")
  }

  @Test(
    "The example of a parameter reads as a value of it",
    arguments: ParameterCatalogue.definitions)
  func example(definition: ParameterDefinition) throws {
    _ = try definition.parse(definition.example)
  }
}
