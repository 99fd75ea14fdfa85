import PlankDetection
import PoseModel
import Testing

@Suite("Detector definitions")
struct DetectorDefinitionTests {
  private let gravity = DetectorDefinition.gravity
  private static let bend = ParameterKey("bend")

  private func define(
    plank: DecisionList? = nil, form: DecisionList? = nil, custom: [ParameterDefinition] = []
  ) throws -> DetectorDefinition {
    try DetectorDefinition(
      name: "mine", summary: "", axes: .gravity, plank: plank ?? gravity.plank,
      form: form ?? gravity.form, custom: custom)
  }

  private func bentList() throws -> DecisionList {
    try DecisionList(
      .plank,
      [Rule(.plank(.high), when: [Predicate(.bodyAngle, .less, Self.bend)]), Rule(.plank(.none))])
  }

  private func bendDefinition(_ value: Double = 150) throws -> ParameterDefinition {
    try ParameterDefinition(
      Self.bend, unit: .degrees, default: value, range: 0...180, meaning: "bent")
  }

  @Test("Detectors are equal whatever the order of their own measurements, not without one of them")
  func orderOfExpressions() throws {
    func coach(_ expressions: [Measurement]) throws -> DetectorDefinition {
      let own = DetectorDefinition.coach
      return try DetectorDefinition(
        name: own.name, summary: own.summary, axes: own.axes, plank: own.plank, form: own.form,
        expressions: expressions)
    }
    let own = DetectorDefinition.coach.expressions
    #expect(try coach(own.reversed()).expressions != own)
    #expect(try coach(own.reversed()) == .coach)
    #expect(try coach(own.reversed()).hashValue == DetectorDefinition.coach.hashValue)
    let unused = try #require(own.first { $0.name == "lowerKnee" })
    #expect(try coach(own.filter { $0 != unused }) != .coach)
  }

  @Test("Lists must be in their own stream's place")
  func swappedLists() {
    #expect(throws: DetectorError.wrongStream(.plank)) { try define(plank: gravity.form) }
    #expect(throws: DetectorError.wrongStream(.form)) { try define(form: gravity.plank) }
  }

  @Test("A key that neither the catalogue nor the detector defines is an error")
  func undefinedKey() throws {
    let error = #expect(throws: DetectorError.self) { try define(plank: try bentList()) }
    guard case .undefinedParameter(Self.bend, let available) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(available.contains(.sag))
    let detector = try define(plank: try bentList(), custom: [try bendDefinition()])
    #expect(detector.defaults[Self.bend] == 150)
  }

  @Test("A key is defined once")
  func repeatedKey() throws {
    let twice = [try bendDefinition(), try bendDefinition(160)]
    #expect(throws: DetectorError.repeatedParameter(Self.bend)) {
      try define(plank: try bentList(), custom: twice)
    }
  }

  @Test("A definition of the detector's own replaces the built-in one of that key")
  func replacedKey() throws {
    let sag = try ParameterDefinition(
      .sag, unit: .meters, default: 0.02, range: 0...0.1, meaning: "strict")
    let detector = try define(custom: [sag])
    #expect(detector.defaults[.sag] == 0.02 && detector.defaults[.pike] == 0.05)
  }

  @Test("A rule compares in one unit")
  func unitMismatch() throws {
    let predicate = Predicate(.bodyAngle, .less, .sag)
    let list = try DecisionList(
      .plank, [Rule(.plank(.forearm), when: [predicate]), Rule(.plank(.none))])
    #expect(
      throws: DetectorError.unitMismatch(predicate, measurement: .degrees, parameter: .meters)
    ) { try define(plank: list) }
  }

  @Test("Parameters come in order of mention, then debounce, dropout and grade")
  func parameterOrder() {
    #expect(
      gravity.parameters.map(\.key) == [
        .horizontalRatio, .sideRise, .reverseCosine, .elbowSplit, .sag, .pike, .plankFrames,
        .formFrames, .holdSeconds, .gradeGood, .gradeWarning, .gradeSideGood,
        .gradeSideWarning,
      ])
  }

  @Test("Parameters of another detector do not run")
  func foreignParameters() {
    let foreign = DetectorDefinition.scaled.defaults
    #expect(throws: DetectorError.self) { try BatchDetector(gravity, parameters: foreign) }
    #expect(throws: DetectorError.self) { try PlankDetector(gravity, parameters: foreign) }
  }
}
