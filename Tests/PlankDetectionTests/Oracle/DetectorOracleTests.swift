import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Detector against the oracle")
struct DetectorOracleTests {
  /// A random recording that is not in pelvis axes, a random detector, and how it starts.
  private func draw(
    _ seed: UInt64, frames: Int = 100
  ) throws -> (OracleRecording, OracleDetector, startsMid: Bool) {
    var generator = OracleGenerator(seed: seed)
    let isBuiltIn = generator.random.chance(0.3)
    let detector = isBuiltIn ? generator.builtInVariant() : generator.detector()
    let hold = detector.value("hold_seconds")
    while true {
      let text = generator.recordingText(frames: frames, holdSeconds: hold)
      let recording = try OracleRecording(text: text)
      if recording.header.frame != "pelvis" {
        return (recording.withoutLoneForearms, detector, generator.random.chance(0.3))
      }
    }
  }

  @Test(
    "Raw labels and debounced answers are the oracle's, whatever the rules",
    arguments: Draws.seeds(250 as UInt64))
  func answers(seed: UInt64) throws {
    let (oracle, detector, startsMid) = try draw(seed)
    let expected = OracleReplay.run(oracle, detector, startsMid: startsMid)
    let (definition, parameters) = try detector.production()
    let recording = try oracle.production()
    let answers = try Replay.stream(recording, definition, parameters, startsMid: startsMid)
    #expect(answers.map { $0.rawPlank?.name } == expected.map(\.plankRaw))
    #expect(answers.map { $0.rawForm?.name } == expected.map(\.formRaw))
    #expect(answers.map(\.plank.name) == expected.map(\.plank))
    #expect(answers.map(\.form.name) == expected.map(\.form))
    #expect(answers.map { $0.grade?.rawValue } == expected.map(\.grade))
  }

  @Test(
    "Measurements are the oracle's, to the last bit of the Float",
    arguments: 1000..<1100 as Range<UInt64>)
  func measurements(seed: UInt64) throws {
    let (oracle, _, _) = try draw(seed, frames: 60)
    let recording = try oracle.production()
    for axes in OracleAxes.allCases {
      let reading = try #require(AxisReading(rawValue: axes.rawValue))
      let columns = Replay.measure(recording, reading)
      let expected = oracle.frames.map { OracleMeasurements($0, axes: axes) }
      for measurement in Measurement.builtIn {
        let values = expected.indices.map { columns.value(of: measurement, at: $0) }
        #expect(values == expected.map { $0[measurement.name] }, "\(measurement)")
        #expect(
          expected.indices.map { columns.measured(measurement, at: $0) == .missing }
            == expected.map { $0.missing.contains(measurement.name) }, "\(measurement)")
      }
    }
  }
}
