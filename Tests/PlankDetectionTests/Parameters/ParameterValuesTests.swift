import PlankDetection
import Testing

@Suite("Parameter values")
struct ParameterValuesTests {
  private var values = DetectorDefinition.gravity.defaults

  @Test("Values start as the defaults and hold what is set")
  mutating func setting() throws {
    #expect(values[.sag] == 0.05)
    try values.set("sag=3cm")
    try values.set(.pike, to: 0.07)
    #expect(values[.sag] == 0.03 && values[.pike] == 0.07)
    #expect(
      values.entries.map(\.definition.key) == DetectorDefinition.gravity.parameters.map(\.key))
  }

  @Test("A key that the detector does not use has no value and takes none")
  mutating func unusedKey() {
    #expect(values[.sagFraction] == nil)
    let available = values.definitions.map(\.key)
    let error = DetectorError.unusedParameter(
      "sag_fraction", detector: "gravity", available: available)
    #expect(throws: error) { try values.set(.sagFraction, to: 0.01) }
    #expect(throws: error) { try values.set("sag_fraction=0.01") }
  }

  @Test("A value that is not allowed changes nothing")
  mutating func rejected() {
    #expect(throws: DetectorError.self) { try values.set(.sag, to: 0.31) }
    #expect(throws: DetectorError.self) { try values.set(.plankFrames, to: 1.5) }
    #expect(throws: DetectorError.self) { try values.set(.holdSeconds, to: .nan) }
    #expect(values == DetectorDefinition.gravity.defaults)
  }

  @Test(
    "A text without key, value or equals sign is not an assignment",
    arguments: ["sag", "=3cm", "sag=", "", "="])
  mutating func noAssignment(text: String) {
    #expect(throws: DetectorError.unreadableAssignment(text)) { try values.set(text) }
  }

  @Test("A threshold is the value rounded to Float, negated if the predicate says so")
  mutating func threshold() throws {
    #expect(try values.threshold(of: Predicate(.hipDeviation, .less, .sag)) == Float(0.05))
    let negated = Predicate(.hipDeviation, .less, .sag, negated: true)
    #expect(try values.threshold(of: negated) == -Float(0.05))
    #expect(throws: DetectorError.self) {
      try values.threshold(of: Predicate(.hipDeviation, .less, .sagFraction))
    }
  }
}
