import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("What answers do not depend on, by property") struct InvariancePropertyTests {
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

  // Multiplying by a power of two is exact in Float and Double, so every formula is, as long as
  // no vector crosses a bound that does not scale: 1 mm for directions, 1 cm for the span. Angles,
  // ratios and fractions then keep their bits and lengths change by exactly the factor. Labels
  // keep still under `scaled` as it is, and under detectors with thresholds in meters if those
  // are multiplied too.

  @Test(
    "Scaling by a power of two changes angles, ratios and fractions by nothing, lengths exactly",
    arguments: [0.25, 0.5, 2, 4] as [Float], Draws.seeds(10 as UInt64))
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
    for seed in Draws.seeds(10 as UInt64) {
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

@Suite("One session, every camera, by property") struct CameraPropertyTests {
  private static let azimuths = [0.0, 37, 90, 180, 251]
  private static let all = azimuths.flatMap { ScriptedCamera.all(azimuth: Degrees($0)) }
  /// 37 has no divisor in common with the 160 cameras, so the first ones lie all around.
  private static let everywhere = Draws.seeds(all.count).map { all[$0 * 37 % all.count] }
  private static let gravityDetectors: [DetectorDefinition] = [
    .gravity, .scaled, .trunk, .coach,
  ]
  private let session = Sessions.full()

  /// A recording as readers hand it on: unmirrored.
  private func loaded(_ recording: Recording) throws -> Recording {
    var recording = recording
    try recording.unmirror()
    return recording
  }

  @Test("The world recording is answered as it was scripted, all-fours excepted")
  func reference() throws {
    let recording = session.worldRecording()
    let truth = session.labels.truth(at: recording.times)
    let answers = try Replay.batch(recording, .gravity)
    let posed = (0..<recording.frameCount).filter { frame in
      FrameTruth.isScored(truth.plank[frame]) && answers.plank.isDetermined(at: frame)
    }
    let allFours = recording.times.last.map { $0 - 0.99 } ?? 0
    for frame in posed {
      let isAllFours = recording.times[frame] >= allFours
      let expected = isAllFours ? PlankClass.high.code : truth.plank[frame]
      #expect(answers.plank.raw[frame] == expected, "frame \(frame)")
      if FrameTruth.isScored(truth.form[frame]) {
        #expect(answers.form.raw[frame] == truth.form[frame], "frame \(frame)")
      }
    }
    #expect(posed.count > recording.frameCount / 3)
    #expect(Set(posed.map { truth.plank[$0] }).count == PlankClass.allCases.count)
  }

  @Test("Every camera gives the answers of the world recording", arguments: everywhere)
  func everyCamera(camera: ScriptedCamera) throws {
    let recording = try loaded(session.recording(camera))
    let world = session.worldRecording()
    Agreement.expect(Replay.measure(world), Replay.measure(recording))
    for definition in Self.gravityDetectors {
      let expected = try Replay.batch(world, definition)
      #expect(try Replay.batch(recording, definition) == expected)
    }
  }

  @Test("A pelvis recording gives the answers of its camera recording", arguments: everywhere)
  func everyPelvis(camera: ScriptedCamera) throws {
    let pelvis = try loaded(session.pelvisRecording(camera))
    let recording = try loaded(session.recording(camera))
    Agreement.expect(Replay.measure(recording), Replay.measure(pelvis))
    for definition in Self.gravityDetectors {
      let expected = try Replay.batch(recording, definition)
      #expect(try Replay.batch(pelvis, definition) == expected)
    }
  }

  @Test("Not undoing a mirrored image swaps the side planks")
  func mirroringMatters() throws {
    let side = ScriptedSession([.sideLeft: 1])
    let mirrored = side.recording(ScriptedCamera(isMirrored: true))
    let answers = try Replay.batch(mirrored, .gravity).plank.answers
    #expect(answers.allSatisfy { $0 == PlankClass.sideRight.code })
  }
}
