import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Rule traces")
struct RuleTraceTests {
  private let list = DetectorDefinition.gravity.plank
  private let defaults = DetectorDefinition.gravity.defaults

  private func trace(_ values: [Measurement: Float]) throws -> [RuleTrace] {
    try list.trace(defaults) { values[$0].map(MeasuredValue.value) ?? .missing }
  }

  @Test("Exactly the first rule that holds decides")
  func firstRule() throws {
    let traces = try trace([
      .verticalRatio: 0.2, .shoulderRise: 0.3, .wristHipCosine: 0.9, .elbowAngle: 180,
    ])
    #expect(traces.map(\.decides) == [false, true, false, false, false, false])
    #expect(traces.map(\.holds) == [false, true, false, true, true, true])
    #expect(traces[1].label == "sideLeft")
  }

  @Test("No rule decides if a measurement of any rule is missing, even of a later one")
  func undetermined() throws {
    let traces = try trace([.verticalRatio: 0.9, .shoulderRise: 0, .elbowAngle: 180])
    #expect(traces.allSatisfy { !$0.decides })
    #expect(traces[0].holds)
    #expect(traces[3].steps[0].measured == .missing && traces[3].steps[0].margin == nil)
  }

  @Test("An inapplicable measurement makes its rule not hold, and the list goes on")
  func inapplicable() throws {
    let traces = try list.trace(defaults) {
      $0 == .verticalRatio || $0 == .elbowAngle ? .inapplicable : .value(0)
    }
    #expect(traces.map(\.decides) == [false, false, false, false, false, true])
    #expect(traces[0].steps[0].measured == .inapplicable)
    #expect(traces[0].steps[0].margin == nil && !traces[0].steps[0].holds)
  }

  @Test("A step has value, threshold and margin, with the threshold negated if the rule says so")
  func steps() throws {
    let traces = try trace([
      .verticalRatio: 0.25, .shoulderRise: -0.25, .wristHipCosine: 0.1, .elbowAngle: 90,
    ])
    let right = traces[2].steps[0]
    #expect(right.threshold == -Float(0.15) && right.value == -0.25 && right.holds)
    #expect(right.margin == -Float(0.15) + 0.25)
    #expect(traces[0].steps[0].margin == 0.25 - Float(0.55))
  }

  @Test("The nearest step is the smallest share of its range among those that were asked")
  func nearestStep() throws {
    // Shares: 0.35 of 1, 0.14 of 0.6 to the left, 0.16 of 0.6 to the right; the rest not asked.
    let traces = try trace([
      .verticalRatio: 0.2, .shoulderRise: -0.16, .wristHipCosine: 0.5, .elbowAngle: 140,
    ])
    #expect(traces.nearestStep?.predicate.isNegated == true)
    #expect([RuleTrace]().nearestStep == nil)
  }

  @Test("Parameters of another detector are an error")
  func foreignParameters() {
    #expect(throws: DetectorError.self) {
      try list.trace(DetectorDefinition.scaled.defaults) { _ in .value(0) }
    }
  }

  @Test(
    "The deciding rule is the raw label of every frame",
    arguments: DetectorDefinition.builtIn.map(\.name), 0..<10 as Range<UInt64>)
  func decidesAsDetector(name: String, seed: UInt64) throws {
    let definition = try #require(DetectorDefinition.builtIn(named: name))
    var random = SplitMix64(seed: seed)
    let parameters = try RandomParameters.make(definition, &random)
    let recording = RandomRecording.make(seed: seed, frames: 200, holdSeconds: 0.5)
    let answers = try Replay.batch(recording, definition, parameters)
    for stream in AnswerStream.allCases {
      let columns = MeasurementColumns(
        recording, definition.list(stream).measurements, reading: definition.axes)
      let decided = try (0..<recording.frameCount).map { frame in
        let traces = try definition.list(stream).trace(parameters, columns, at: frame)
        let label = traces.first(where: \.decides)?.label
        return label.flatMap { stream.code(of: $0) } ?? Debouncer.undetermined
      }
      #expect(decided == answers[stream].raw)
    }
  }
}
