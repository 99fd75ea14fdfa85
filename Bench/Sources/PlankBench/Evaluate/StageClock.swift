internal import Evaluation
@_spi(Bench) internal import PoseModel

/// Sums wall time by stage over one sequence, and keeps the costs of batches of frames.
struct StageClock: Sendable {
  /// The stages in the order in which they run.
  static let names = ["load", "measure", "classify", "score"]

  private let clock = ContinuousClock()
  /// Seconds by stage.
  private(set) var seconds = [Double](repeating: 0, count: names.count)
  /// Each batch's seconds per frame, for measuring and classifying together.
  private(set) var secondsPerFrame: [Double] = []
  /// How many frames were processed.
  private(set) var frames = 0

  /// Runs a step and adds its time to a stage.
  mutating func time<Result, Failure: Error>(
    _ stage: Stage, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = clock.now
    let result = try body()
    seconds[stage.rawValue] += Self.seconds(clock.now - start)
    return result
  }

  /// Runs the two steps of a batch of frames and adds both times.
  mutating func timeBatch(
    _ frames: Int, measure: () -> Void, classify: () -> Void
  ) {
    let start = clock.now
    measure()
    let middle = clock.now
    classify()
    let end = clock.now
    seconds[Stage.measure.rawValue] += Self.seconds(middle - start)
    seconds[Stage.classify.rawValue] += Self.seconds(end - middle)
    secondsPerFrame.append(Self.seconds(end - start) / Double(frames))
    self.frames += frames
  }

  /// Adds the times of another sequence.
  static func += (left: inout StageClock, right: StageClock) {
    for stage in left.seconds.indices { left.seconds[stage] += right.seconds[stage] }
    left.secondsPerFrame += right.secondsPerFrame
    left.frames += right.frames
  }

  /// A stage of an evaluation.
  enum Stage: Int {
    /// Reading and parsing files.
    case load
    /// Joints to measurements.
    case measure
    /// Measurements to debounced answers.
    case classify
    /// Answers to counts.
    case score
  }

  private static func seconds(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }
}

extension TimingSummary {
  /// The sums of a clock.
  init(_ clock: StageClock) {
    let stages = zip(StageClock.names, clock.seconds).map { name, seconds in
      Stage(name: name, duration: Seconds(seconds))
    }
    self.init(
      stages: stages, frames: clock.frames,
      frameCost: FrameCost(secondsPerFrame: clock.secondsPerFrame))
  }

  /// Seconds per stage, microseconds per frame.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "stages_s": .object(
        Dictionary(stages.map { ($0.name, .number($0.duration.value)) }) { _, last in last }),
      "frames": .integer(frames), "frame_cost": .null,
    ]
    if let cost = frameCost {
      members["frame_cost"] = .object([
        "batches": .integer(cost.batches), "batch_frames": .integer(FrameCost.batchFrames),
        "p50_us": .number(cost.p50.value * 1e6), "p90_us": .number(cost.p90.value * 1e6),
        "p99_us": .number(cost.p99.value * 1e6), "max_us": .number(cost.maximum.value * 1e6),
        "budget_share_p50": .number(cost.medianBudgetShare),
        "budget_share_p99": .number(cost.p99BudgetShare),
      ])
    }
    return .object(members)
  }
}

extension AnswerComparison {
  /// Where the device's answers differ from those that are scored.
  var json: JSONValue {
    func stream(_ part: Stream) -> JSONValue {
      .object([
        "frames_compared": .integer(part.framesCompared),
        "frames_differing": .integer(part.framesDiffering),
        "first_differences": .array(
          part.firstDifferences.map { difference in
            .object([
              "sequence": .string(difference.sequence), "frame": .integer(difference.frame),
              "time_s": .number(difference.time.value), "device": .string(difference.device),
              "answer": .string(difference.answer),
            ])
          }),
      ])
    }
    return .object([
      "sequences_compared": .integer(sequencesCompared), "plank": stream(plank),
      "form": stream(form),
    ])
  }
}
