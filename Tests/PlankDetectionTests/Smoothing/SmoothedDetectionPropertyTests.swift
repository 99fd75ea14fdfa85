import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Smoothing and debounce in detectors, by property") struct SmoothedDetectionPropertyTests {
  private struct Setup {
    let definition: DetectorDefinition
    let parameters: ParameterValues
    let smoothing: SmoothingStrategy
    let debounce: DebounceStrategy
    let startsMid: Bool

    init(_ name: String, seed: UInt64) throws {
      definition = try #require(DetectorDefinition.builtIn(named: name))
      var random = SplitMix64(seed: seed)
      var parameters = try RandomParameters.make(definition, &random)
      try parameters.set(.plankFrames, to: 1)
      try parameters.set(.formFrames, to: 1)
      self.parameters = parameters
      smoothing = try Strategies.smoothing(&random)
      debounce = try Strategies.debounce(definition, &random)
      startsMid = random.chance(0.5)
    }

    func batch() throws -> BatchDetector {
      try BatchDetector(
        definition, parameters: parameters, smoothing: smoothing, debounce: debounce)
    }

    func detect(_ recording: Recording) throws -> DetectionColumns {
      let detector = try batch()
      return detector.detect(
        detector.measure(recording), times: recording.times, startsMid: startsMid)
    }
  }

  @Test(
    "The streaming detector gives the batch detector's answers and measurements to the bit",
    arguments: DetectorDefinition.builtIn.map(\.name), Draws.seeds(30 as UInt64))
  func streaming(name: String, seed: UInt64) throws {
    let setup = try Setup(name, seed: seed)
    let recording = RandomRecording.make(seed: seed, frames: 200, holdSeconds: 0.5)
      .fitting(setup.definition)
    let columns = try setup.batch().measure(recording)
    let answers = try setup.detect(recording)
    var detector = try PlankDetector(
      setup.definition, parameters: setup.parameters, smoothing: setup.smoothing,
      debounce: setup.debounce, startsMid: setup.startsMid)
    for frame in 0..<recording.frameCount {
      let answer = try detector.update(recording.poseFrames[frame])
      #expect(answer.plank.code == answers.plank.answers[frame])
      #expect(answer.form.code == answers.form.answers[frame])
      #expect((answer.rawPlank?.code ?? Debouncer.undetermined) == answers.plank.raw[frame])
      for measurement in columns.measurements.members {
        #expect(
          detector.measurement(measurement)?.bitPattern
            == columns.value(of: measurement, at: frame)?.bitPattern)
      }
    }
  }

  @Test(
    "An answer never depends on later frames",
    arguments: DetectorDefinition.builtIn.map(\.name), Draws.seeds(12 as UInt64))
  func causality(name: String, seed: UInt64) throws {
    let setup = try Setup(name, seed: seed + 500)
    let recording = RandomRecording.make(seed: seed, frames: 200, holdSeconds: 0.5)
    let whole = try setup.detect(recording.fitting(setup.definition))
    for count in [20, 77, 150] {
      for other in [recording.prefix(count), recording.losingPoses(from: count)] {
        let part = try setup.detect(other.fitting(setup.definition))
        for stream in AnswerStream.allCases {
          #expect(part[stream].answers.prefix(count) == whole[stream].answers.prefix(count))
          #expect(part[stream].raw.prefix(count) == whole[stream].raw.prefix(count))
        }
      }
    }
  }

  @Test("Measuring in steps gives the same as at once", arguments: Draws.seeds(10 as UInt64))
  func steps(seed: UInt64) throws {
    let setup = try Setup("gravity", seed: seed)
    let recording = RandomRecording.make(seed: seed, frames: 200, holdSeconds: 0.5)
    let detector = try setup.batch()
    var run = MeasurementRun(detector, recording)
    for end in [1, 2, 50, 50, 120, 200] { run.advance(to: end, recording) }
    let whole = detector.measure(recording)
    for measurement in whole.measurements.members {
      #expect(run.columns[measurement].bits == whole[measurement].bits)
    }
  }

  /// Time-based filters with the lag that they state, in seconds.
  static let timeBased: [(SmoothingKind, [ParameterKey: Double], Double)] = [
    (.none, [:], 0), (.movingAverage, [.windowSeconds: 0.3], 0.15),
    (.exponential, [.cutoff: 1.5], 0.106), (.median, [.windowSeconds: 0.3], 0.15),
    (.oneEuro, [.minCutoff: 1], 0.159), (.savitzkyGolay, [.windowSeconds: 0.5], 0),
    (.kalman, [:], 0), (.butterworth, [.cutoff: 1.5], 0.15),
  ]

  @Test(
    "The same motion at 60, 30, 15 and 8 Hz changes its label within an 8 Hz frame plus the lag",
    arguments: timeBased.indices, SmoothingTarget.allCases)
  func frameRate(index: Int, target: SmoothingTarget) throws {
    let (kind, values, lag) = Self.timeBased[index]
    let smoothing = try SmoothingStrategy([SmoothingStep(kind, values, on: target)])
    let changes = try [60.0, 30, 15, 8].map { rate in
      let recording = Self.dip(rate: rate)
      let detector = try BatchDetector(.gravity, smoothing: smoothing)
      let form = detector.detect(
        detector.measure(recording), times: recording.times, startsMid: false
      ).form.answers
      return form.indices.dropFirst().filter { form[$0] != form[$0 - 1] }
        .map { (label: form[$0], time: recording.times[$0]) }
    }
    for other in changes {
      #expect(other.map(\.label) == [FormClass.sag.code, FormClass.aligned.code])
      for (a, b) in zip(other, changes[0]) { #expect(abs(a.time - b.time) <= 0.125 + lag + 1e-6) }
    }
  }

  /// Hips that sink slowly by 10 cm and come back, without noise.
  private static func dip(rate: Double) -> Recording {
    let way = ScriptedTransition(Seconds(1.5), .linear)
    return ScriptedSession(
      ScriptedBody(stature: Meters(1.75)), rate: Hertz(rate),
      phases: [
        ScriptedPhase(.forearm, seconds: 2),
        ScriptedPhase(.forearm, seconds: 2, hipCentimeters: -10, entry: way),
        ScriptedPhase(.forearm, seconds: 2, entry: way),
      ]
    ).recording(ScriptedCamera())
  }
}

@Suite("Smoothing of measurements and joints") struct MeasurementSmoothingTests {
  private static func average(on target: SmoothingTarget) throws -> SmoothingStrategy {
    try SmoothingStrategy([SmoothingStep(.movingAverage, [.windowFrames: 3], on: target)])
  }

  @Test("A trunk roll that goes around at 180 degrees is averaged the short way")
  func roll() throws {
    let columns = MeasurementColumns(
      frameCount: 3, columns: [.trunkRoll: [178, -178, -176], .bodyAngle: [10, 20, 60]])
    let smoothed = columns.smoothed(by: try Self.average(on: .measurements), times: [0, 0.1, 0.2])
    #expect(smoothed[.trunkRoll] == [178, 180, -178.66667])
    #expect(smoothed[.bodyAngle] == [10, 15, 30])
  }

  @Test("An undefined measurement stays undefined and leaves the others alone")
  func undefined() throws {
    let columns = MeasurementColumns(
      frameCount: 3, columns: [.shoulderRise: [1, .nan, 3], .hipDeviation: [1, 2, 3]])
    let smoothed = columns.smoothed(by: try Self.average(on: .measurements), times: [0, 0.1, 0.2])
    #expect(smoothed[.shoulderRise].map(\.isNaN) == [false, true, false])
    #expect(smoothed[.shoulderRise][2] == 2)
    #expect(smoothed[.hipDeviation] == [1, 1.5, 2])
  }

  @Test("Smoothed joints straighten an angle that smoothed angles leave biased")
  func bias() throws {
    let session = ScriptedSession(
      [.forearm: 20], rate: 30, jitter: ScriptedJitter(seed: 5, deviation: Meters(0.02)))
    let recording = session.recording(ScriptedCamera())
    func mean(_ target: SmoothingTarget?) throws -> Double {
      let detector = try BatchDetector(
        .gravity,
        smoothing: try target.map {
          try SmoothingStrategy([SmoothingStep(.movingAverage, on: $0)])
        } ?? .none)
      let angles = detector.measure(recording)[.bodyAngle].dropFirst(30)
      return Double(angles.reduce(0, +)) / Double(angles.count)
    }
    let plain = try mean(nil)
    #expect(abs(try mean(.measurements) - plain) < 0.2)
    #expect(try mean(.joints) > plain + 1)
    #expect(plain < 177)
  }

  @Test("Joints of a pelvis recording are smoothed in the camera's axes")
  func pelvis() throws {
    let session = Sessions.full(rate: 15, deviation: 0.01, seed: 4)
    let detector = try BatchDetector(.gravity, smoothing: Self.average(on: .joints))
    let camera = detector.measure(session.recording(ScriptedCamera()))
    let pelvis = detector.measure(session.pelvisRecording(ScriptedCamera()))
    Agreement.expect(camera, pelvis)
  }
}
