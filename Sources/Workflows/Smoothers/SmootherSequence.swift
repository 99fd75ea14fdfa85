internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Smoothing
internal import Statistics

/// One sequence as every smoother is tried on it.
struct SmootherSequence: Sendable {
  /// The recording with its labels.
  let sequence: DatasetSequence
  /// The truth of every frame.
  let truth: FrameTruth
  /// Frames at which a plank begins, ends or changes, in truth.
  let transitions: [Int]
  /// How many true changes there are, a movement that the labels leave out being one.
  let changeCount: Int
  /// The measurements without smoothing.
  let raw: MeasurementColumns
  /// The measurements smoothed with a look ahead: what a smoother without lag would follow.
  let reference: MeasurementColumns

  /// Measures a sequence.
  init(_ sequence: DatasetSequence, _ detector: BatchDetector) {
    self.sequence = sequence
    let truth = sequence.truth()
    self.truth = truth
    let changes = TruthChanges(truth.plank)
    transitions = changes.frames
    changeCount = changes.count
    raw = detector.measure(sequence.recording, also: MeasurementSet([.bodyAngle]))
    reference = Self.reference.smooth(raw, times: sequence.recording.times)
  }

  /// The times of the frames in seconds.
  var times: [Double] { sequence.recording.times }

  private static let reference: SmoothingChoice = {
    let settings = try? StrategySettings(OfflineKind.gaussian, [.gaussianDeviation: 0.1])
    return settings.map { .offline($0, .measurements) } ?? .none
  }()

  /// The same sequence with its frames made worse.
  func stressed(_ condition: SmootherStress.Condition, _ detector: BatchDetector) -> Self {
    guard condition != .asRecorded else { return self }
    let stream = RandomStream(seed: 1, purpose: "smoothers.stress.\(condition)/\(sequence.name)")
    let recording = sequence.recording
    var result = Recording(header: recording.header)
    let stride = recording.layout.stride
    var lastTime = -Double.infinity
    for frame in 0..<recording.frameCount {
      var time = recording.times[frame]
      switch condition {
      case .asRecorded: break
      case .halfRate: if !frame.isMultiple(of: 2) { continue }
      case .dropped: if stream.bernoulli(0.1) { continue }
      case .jitteredClock:
        time = max(lastTime + 0.001, time + stream.gaussian(standardDeviation: 0.005))
      }
      lastTime = time
      let start = frame * stride
      result.append(
        time: Seconds(time),
        pose: recording.hasPose(at: frame)
          ? Array(recording.positions[start..<start + stride]) : nil,
        extras: recording.extras(at: frame))
    }
    return SmootherSequence(
      DatasetSequence(
        name: sequence.name, recording: result, labels: sequence.labels,
        subject: sequence.subject, startsMid: sequence.startsMid, tags: sequence.tags), detector)
  }
}
