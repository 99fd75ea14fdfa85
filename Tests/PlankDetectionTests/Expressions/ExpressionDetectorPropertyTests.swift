import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Detectors of expressions, by property")
struct ExpressionDetectorPropertyTests {
  private static let limit = ParameterKey("limit")
  private static let pace = ParameterKey("pace")

  /// A detector whose rules mention expressions with and without windows.
  private func definition() throws -> DetectorDefinition {
    let bend = try Measurement("bend", "min(kneeAngle, 180deg)")
    let pace = try Measurement("pace_of_hips", "abs(speed(height(root - ankles), 0.3s))")
    let own = try Measurement("own", "relative(when(bodyAngle, verticalRatio < 0.7), 0.5s)")
    let unused = try Measurement("unused", "own * 2", using: [own])
    return try DetectorDefinition(
      name: "mine", summary: "", axes: .gravity,
      plank: DecisionList(
        .plank,
        [
          Rule(.plank(.none), when: [Predicate(pace, .greater, Self.pace)]),
          Rule(.plank(.high), when: [Predicate(bend, .less, Self.limit)]), Rule(.plank(.forearm)),
        ]),
      form: DecisionList(
        .form,
        [
          Rule(.form(.pike), when: [Predicate(own, .less, Self.limit, negated: true)]),
          Rule(.form(.aligned)),
        ]
      ), expressions: [own, unused],
      custom: [
        ParameterDefinition(Self.limit, unit: .degrees, default: 100, range: 0...180, meaning: ""),
        ParameterDefinition(
          Self.pace, unit: .metersPerSecond, default: 0.5, range: 0...10, meaning: ""),
      ])
  }

  @Test("A detector's expressions are those it was given and those its rules mention")
  func expressions() throws {
    let definition = try definition()
    #expect(definition.expressions.map(\.name) == ["own", "unused", "bend", "pace_of_hips"])
    #expect(!definition.measurements.members.map(\.name).contains("unused"))
    #expect(
      definition.reportedMeasurements.members.map(\.name).suffix(2) == ["pace_of_hips", "unused"])
  }

  @Test("Two measurements of one name are an error")
  func repeatedName() throws {
    let first = try Measurement("bend", "kneeAngle")
    let second = try Measurement("bend", "elbowAngle")
    let gravity = DetectorDefinition.gravity
    #expect(throws: DetectorError.invalidMeasurementName("bend", isTaken: true)) {
      try DetectorDefinition(
        name: "", summary: "", axes: .gravity, plank: gravity.plank, form: gravity.form,
        expressions: [first, second])
    }
  }

  @Test(
    "Streaming equals batch, with smoothing and after a reset", arguments: Draws.seeds(40 as UInt64)
  )
  func streaming(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let definition = try definition()
    let parameters = try RandomParameters.make(definition, &random)
    let smoothing = try Strategies.smoothing(&random)
    let recording = RandomRecording.make(seed: seed, frames: 200, holdSeconds: 0.5)
    let batch = try BatchDetector(definition, parameters: parameters, smoothing: smoothing)
    let columns = batch.measure(recording)
    let expected = batch.detect(columns, times: recording.times, startsMid: false)
    var stream = try PlankDetector(definition, parameters: parameters, smoothing: smoothing)
    for _ in 0..<2 {
      for frame in 0..<recording.frameCount {
        let answer = try stream.update(recording.poseFrames[frame])
        #expect(answer.plank.code == expected.plank.answers[frame])
        #expect((answer.rawForm?.code ?? Debouncer.undetermined) == expected.form.raw[frame])
        for measurement in definition.measurements.members {
          #expect(stream.measured(measurement) == columns.measured(measurement, at: frame))
        }
      }
      stream.reset()
    }
  }

  @Test("Columns measured with others are the same to the bit", arguments: 0..<10 as Range<UInt64>)
  func independence(seed: UInt64) throws {
    let definition = try definition()
    let recording = RandomRecording.make(seed: seed, frames: 150, holdSeconds: 0.5)
    let all = MeasurementColumns(
      recording, definition.reportedMeasurements, reading: .gravity)
    for measurement in definition.expressions {
      let alone = MeasurementColumns(recording, [measurement], reading: .gravity)
      #expect(alone[measurement].bits == all[measurement].bits)
    }
  }
}
