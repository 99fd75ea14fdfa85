import PlankDetection
import Testing

@Suite("Parameter catalogue")
struct ParameterCatalogueTests {
  /// A row of the contract's table.
  struct Row: Sendable {
    let key: String
    let unit: MeasurementUnit
    let value: Double
    let range: ClosedRange<Double>
    let detectors: [String]
  }

  private static let published = ["article", "gravity", "scaled"]
  private static let all = published + ["trunk", "coach", "profile"]

  static let table: [Row] = [
    Row(key: "horizontal_ratio", unit: .ratio, value: 0.55, range: 0...1, detectors: published),
    Row(
      key: "side_rise", unit: .meters, value: 0.15, range: 0...0.6,
      detectors: ["article", "gravity"]),
    Row(
      key: "side_rise_fraction", unit: .bodyHeights, value: 0.15 / 1.8, range: 0...0.35,
      detectors: ["scaled"]),
    Row(key: "reverse_cosine", unit: .ratio, value: 0.5, range: -1...1, detectors: published),
    Row(key: "elbow_split", unit: .degrees, value: 140, range: 0...180, detectors: published),
    Row(
      key: "sag", unit: .meters, value: 0.05, range: -0.3...0.3,
      detectors: ["article", "gravity", "trunk"]),
    Row(
      key: "pike", unit: .meters, value: 0.05, range: -0.3...0.3,
      detectors: ["article", "gravity", "trunk"]),
    Row(
      key: "sag_fraction", unit: .bodyHeights, value: 0.05 / 1.8, range: -0.2...0.2,
      detectors: ["scaled"]),
    Row(
      key: "pike_fraction", unit: .bodyHeights, value: 0.05 / 1.8, range: -0.2...0.2,
      detectors: ["scaled"]),
    Row(key: "plank_frames", unit: .frames, value: 1, range: 1...1000, detectors: all),
    Row(key: "form_frames", unit: .frames, value: 1, range: 1...1000, detectors: all),
    Row(key: "hold_seconds", unit: .seconds, value: 0.5, range: 0...10, detectors: all),
    Row(key: "grade_good", unit: .degrees, value: 165, range: 0...180, detectors: all),
    Row(key: "grade_warning", unit: .degrees, value: 155, range: 0...180, detectors: all),
    Row(key: "grade_side_good", unit: .degrees, value: 160, range: 0...180, detectors: all),
    Row(key: "grade_side_warning", unit: .degrees, value: 150, range: 0...180, detectors: all),
  ]

  @Test("Defaults, units and ranges are the contract's, to the bit", arguments: table)
  func contract(row: Row) throws {
    let definition = try #require(ParameterCatalogue.definition(of: ParameterKey(row.key)))
    #expect(definition.unit == row.unit)
    #expect(definition.defaultValue.bitPattern == row.value.bitPattern)
    #expect(definition.range == row.range)
  }

  @Test("Each detector uses exactly the keys that the contract gives it", arguments: table)
  func usedBy(row: Row) {
    let users = DetectorDefinition.builtIn.filter { $0.defaults[ParameterKey(row.key)] != nil }
    #expect(users.map(\.name) == row.detectors)
  }

  @Test("The trunk detector's numbers are the contract's")
  func trunk() throws {
    let numbers: [(ParameterKey, Double)] = [
      (.trunkHorizontalRatio, 0.642_787_609_686_539_3), (.trunkBodyAngle, 140),
      (.trunkSupportDrop, 0.1), (.trunkHipClearance, 0.055), (.trunkReverseRoll, 135),
      (.trunkSideRoll, 45), (.trunkForearmVerticality, 0.6),
    ]
    for (key, value) in numbers { #expect(DetectorDefinition.trunk.defaults[key] == value) }
    #expect(DetectorDefinition.trunk.parameters.count == numbers.count + 9)
  }

  @Test("The coach's numbers are the documentation's")
  func coach() {
    let numbers: [(ParameterKey, Double)] = [
      (.coachHorizontalRatio, 0.642_787_609_686_539_3), (.coachKneeAngle, 135),
      (.coachThighSpread, 60), (.coachSeatedIncline, 0.8), (.coachSupportDrop, 0.08),
      (.coachHandHeight, 0.15), (.coachFootHeight, 0.45), (.coachKneeClearance, 0.01),
      (.coachReverseRoll, 135), (.coachReverseClearance, 0.15), (.coachSideRoll, 55),
      (.coachHipClearance, 0.15), (.coachSideLegIncline, 0), (.coachSideClearance, 0.1),
      (.coachPelvisTurn, 0.5), (.coachSideHandDrop, 0.2), (.coachSideHipAngle, 140),
      (.coachUpperArmIncline, 0.36), (.coachProneArmIncline, 0.6), (.coachRestClearance, 0.08),
      (.coachRestIncline, 0.365), (.coachFoldAngle, 240), (.coachFoldElbowRise, 0.02),
      (.coachBodyAngle, 80), (.coachKneelingShinIncline, 0.15), (.coachChestIncline, 0.3),
      (.coachChestShinIncline, 0.04), (.coachArchIncline, 0.4), (.coachArchAngle, 147),
      (.coachArmReach, 0.8), (.coachArmExtension, 0.86), (.coachForearmVerticality, 0.6),
      (.coachWristReach, 0.14), (.coachDoubtfulForearm, 0.38), (.coachElbowRise, 0.075),
      (.coachSagAngle, 175), (.coachPikeAngle, 205),
    ]
    for (key, value) in numbers { #expect(DetectorDefinition.coach.defaults[key] == value) }
    #expect(DetectorDefinition.coach.parameters.count == numbers.count + 7)
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
