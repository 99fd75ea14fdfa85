import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("What answers do not depend on, by property")
struct InvariancePropertyTests {
  private static let names = DetectorDefinition.builtIn.map(\.name)

  @Test(
    "The order of the joints changes nothing, to the bit", arguments: names,
    Draws.seeds(25 as UInt64))
  func jointOrder(name: String, seed: UInt64) throws {
    let definition = try #require(DetectorDefinition.builtIn(named: name))
    var random = SplitMix64(seed: seed)
    let recording = RandomRecording.make(seed: seed, frames: 100, holdSeconds: 0.5)
    let other = recording.reordered(random.shuffled(recording.layout.joints))
    let columns = Replay.measure(recording, definition.axes)
    let otherColumns = Replay.measure(other, definition.axes)
    for measurement in Measurement.builtIn {
      #expect(columns[measurement].bits == otherColumns[measurement].bits, "\(measurement)")
    }
    #expect(try Replay.batch(recording, definition) == Replay.batch(other, definition))
  }

  @Test(
    "Turning the camera and the up vector together moves no measurement and no label",
    arguments: Draws.seeds(40 as UInt64))
  func rotation(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let session = Sessions.full(stature: random.uniform(1.5...2), deviation: 0.01, seed: seed)
    let recording = session.recording(ScriptedCamera())
    let turned = recording.rotated(by: random.rotation())
    let columns = Replay.measure(recording)
    Agreement.expect(columns, Replay.measure(turned))
    for definition in [DetectorDefinition.gravity, .scaled, .trunk, .coach] {
      try Agreement.expectLabels(
        definition, Replay.batch(recording, definition), Replay.batch(turned, definition), columns)
    }
  }

  @Test(
    "Scaling the body moves no angle, ratio or fraction, and lengths by the factor",
    arguments: Draws.seeds(20 as UInt64))
  func scale(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let factor = random.uniform(0.5...2)
    let recording = Sessions.full(deviation: 0.01, seed: seed).recording(ScriptedCamera())
    let scaled = recording.scaled(by: factor)
    let columns = Replay.measure(recording)
    Agreement.expect(columns, Replay.measure(scaled), factor: Float(factor))
    let list = DetectorDefinition.scaled
    try Agreement.expectLabels(
      list, Replay.batch(recording, list), Replay.batch(scaled, list), columns)
  }

  // Multiplying by a power of two is exact in Float and Double, so every formula is, as long as
  // no vector crosses a bound that does not scale: 1 mm for directions, 1 cm for the span. Angles,
  // ratios and fractions then keep their bits and lengths change by exactly the factor. Labels
  // keep still under `scaled` as it is, and under detectors with thresholds in meters if those
  // are multiplied too.

  @Test(
    "Scaling by a power of two changes angles, ratios and fractions by nothing, lengths exactly",
    arguments: [0.25, 0.5, 2, 4] as [Float], 0..<10 as Range<UInt64>)
  func powerOfTwo(factor: Float, seed: UInt64) {
    for recording in noisyBodies(seed) {
      let scaled = recording.scaled(by: Double(factor))
      for reading in AxisReading.allCases where !reading.isImage {
        let columns = Replay.measure(recording, reading)
        let scaledColumns = Replay.measure(scaled, reading)
        for measurement in Measurement.builtIn {
          let scale: Float = measurement.unit == .meters ? factor : 1
          let expected = columns[measurement].map { $0 * scale }.bits
          #expect(expected == scaledColumns[measurement].bits, "\(measurement)")
        }
      }
    }
  }

  @Test(
    "Scaling body and lengths' thresholds by a power of two changes no answer",
    arguments: names, [0.25, 0.5, 2, 4])
  func scaledThresholds(name: String, factor: Double) throws {
    let definition = try #require(DetectorDefinition.builtIn(named: name))
    var random = SplitMix64(seed: 7)
    for seed in 0..<10 as Range<UInt64> {
      var parameters = definition.defaults
      var scaledParameters = definition.defaults
      for parameter in definition.parameters where parameter.unit == .meters {
        // Within a quarter of the range, so that four times as much is allowed.
        let value = random.uniform(0...parameter.range.upperBound / 4)
        try parameters.set(parameter.key, to: value)
        try scaledParameters.set(parameter.key, to: value * factor)
      }
      for recording in noisyBodies(seed) {
        #expect(
          try Replay.batch(recording, definition, parameters)
            == Replay.batch(recording.scaled(by: factor), definition, scaledParameters))
      }
    }
  }

  @Test("The bounds of directions and of the span do not scale with the body")
  func absoluteBounds() {
    let recording = Figure.trunk(hip: Vector3(0, 0.125, 0)).recording
    let tiny = recording.scaled(by: 0x1p-8)
    #expect(Replay.measure(recording).value(of: .verticalRatio, at: 0) == 0)
    #expect(Replay.measure(tiny).value(of: .verticalRatio, at: 0) == 1)
    let gone = Replay.measure(recording.scaled(by: 0x1p-12))
    #expect(gone.value(of: .bodyAngle, at: 0) == nil)
  }

  /// A session with 3 cm of noise in camera and in pelvis axes.
  private func noisyBodies(_ seed: UInt64) -> [Recording] {
    let session = Sessions.full(deviation: 0.03, seed: seed)
    return [
      session.recording(ScriptedCamera(azimuth: Degrees(40))),
      session.pelvisRecording(ScriptedCamera(.front, .landscapeLeft)),
    ]
  }
}
