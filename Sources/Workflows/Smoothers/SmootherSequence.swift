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
    guard let degradation = condition.degradation else { return self }
    let stream = RandomStream(seed: 1, purpose: "smoothers.stress.\(condition)/\(sequence.name)")
    return SmootherSequence(degradation.applied(to: sequence, stream), detector)
  }
}

extension SmootherStress.Condition {
  /// What it does to frames; nil for nothing.
  fileprivate var degradation: FrameDegradation? {
    switch self {
    case .asRecorded: nil
    case .halfRate: .halved
    case .dropped: .dropped(0.1)
    case .jitteredClock: .jitteredClock(Seconds(0.005))
    }
  }
}
