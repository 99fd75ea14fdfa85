import Foundation
import PlankDetection
import Testing

@Suite("Parameter catalogue") struct ParameterCatalogueTests {
  static let table: [(key: String, MeasurementUnit, value: Double, range: ClosedRange<Double>)] = [
    ("horizontal_ratio", .ratio, 0.55, 0...1),
    ("side_rise", .meters, 0.15, 0...0.6),
    ("side_rise_fraction", .bodyHeights, 0.15 / 1.8, 0...0.35),
    ("reverse_cosine", .ratio, 0.5, -1...1),
    ("elbow_split", .degrees, 140, 0...180),
    ("sag", .meters, 0.05, -0.3...0.3),
    ("pike", .meters, 0.05, -0.3...0.3),
    ("sag_fraction", .bodyHeights, 0.05 / 1.8, -0.2...0.2),
    ("pike_fraction", .bodyHeights, 0.05 / 1.8, -0.2...0.2),
    ("plank_frames", .frames, 1, 1...1000),
    ("form_frames", .frames, 1, 1...1000),
    ("hold_seconds", .seconds, 0.5, 0...10),
    ("grade_good", .degrees, 165, 0...180),
    ("grade_warning", .degrees, 155, 0...180),
    ("grade_side_good", .degrees, 160, 0...180),
    ("grade_side_warning", .degrees, 150, 0...180),
  ]

  @Test("Defaults, units and ranges are the contract's, to the bit", arguments: table)
  func contract(
    key: String, unit: MeasurementUnit, value: Double, range: ClosedRange<Double>
  ) throws {
    let definition = try #require(ParameterCatalogue.definition(of: ParameterKey(key)))
    #expect(definition.unit == unit)
    #expect(definition.defaultValue.bitPattern == value.bitPattern)
    #expect(definition.range == range)
  }

  @Test("Each key occurs once, and each default is allowed")
  func consistency() {
    let definitions = ParameterCatalogue.definitions
    #expect(Set(definitions.map(\.key)).count == definitions.count)
    for definition in definitions {
      #expect(definition.accepts(definition.defaultValue), "\(definition.key.rawValue)")
      #expect(!definition.meaning.isEmpty)
    }
  }

  @Test("Every rule of a built-in detector compares in one unit")
  func units() throws {
    for definition in DetectorDefinition.builtIn {
      for predicate in (definition.plank.rules + definition.form.rules).flatMap(\.predicates) {
        let parameter = try #require(ParameterCatalogue.definition(of: predicate.parameter))
        #expect(parameter.unit == predicate.measurement.unit, "\(predicate)")
      }
    }
  }
}

@Suite("Parameter definitions") struct ParameterDefinitionTests {
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

  @Test(
    "The example of a parameter reads as a value of it",
    arguments: ParameterCatalogue.definitions)
  func example(definition: ParameterDefinition) throws {
    _ = try definition.parse(definition.example)
  }
}

@Suite("Parameter values") struct ParameterValuesTests {
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

@Suite("Strategy settings") struct StrategySettingsTests {
  @Test("Every default lies in its range, and keys of a kind are unique")
  func catalogue() {
    let smoothing = SmoothingKind.allCases.map(\.parameters)
    let debounce = DebounceKind.allCases.map(\.parameters)
    for parameters in smoothing + debounce + [SessionParameters.definitions] {
      #expect(parameters.allSatisfy { $0.accepts($0.defaultValue) })
      #expect(Set(parameters.map(\.key)).count == parameters.count)
    }
  }

  @Test("A missing parameter takes its default; of alternatives, the first one counts")
  func defaults() throws {
    let settings = try StrategySettings(SmoothingKind.hampel, [.threshold: 2])
    #expect(settings[.windowFrames] == 9)
    #expect(settings[.windowSeconds] == nil)
    #expect(settings.entries.map(\.value) == [9, 2])
    #expect(settings == (try StrategySettings(.hampel, [.threshold: 2, .windowFrames: 9])))
  }

  @Test("Keys, ranges and alternatives are checked")
  func mistakes() {
    #expect(throws: StrategyError.self) { try StrategySettings(SmoothingKind.median, [.cutoff: 1]) }
    #expect(throws: StrategyError.self) {
      try StrategySettings(SmoothingKind.median, [.windowFrames: 5, .windowSeconds: 1])
    }
    for value in [0, 31, .nan, .infinity] {
      #expect(throws: StrategyError.self) {
        try StrategySettings(SmoothingKind.exponential, [.cutoff: value])
      }
    }
    #expect(throws: StrategyError.jointsAfterMeasurements) {
      try SmoothingStrategy([
        SmoothingStep(.median, on: .measurements), SmoothingStep(.median, on: .joints),
      ])
    }
  }

  @Test("What is coded reads back the same", arguments: SmoothingKind.allCases)
  func coding(kind: SmoothingKind) throws {
    let strategy = try SmoothingStrategy([
      SmoothingStep(kind), SmoothingStep(kind, on: .measurements),
    ])
    let data = try JSONEncoder().encode(strategy)
    #expect(try JSONDecoder().decode(SmoothingStrategy.self, from: data) == strategy)
  }

  @Test(
    "Decoding checks as making does",
    arguments: [
      #"[{"kind":"ema","parameters":{"cutoff":0},"target":"joints"}]"#,
      #"[{"kind":"emu","parameters":{},"target":"joints"}]"#,
      #"[{"kind":"ema","parameters":{},"target":"bones"}]"#,
      #"[{"kind":"ema","parameters":{},"target":"measurements"},"#
        + #"{"kind":"ema","parameters":{},"target":"joints"}]"#,
    ])
  func decodingMistakes(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(SmoothingStrategy.self, from: Data(text.utf8))
    }
  }
}
