internal import Evaluation
internal import PoseModel

/// Sums wall time by stage over one sequence, and keeps the costs of batches of frames.
struct StageClock: Sendable {
  static let names = ["load", "measure", "classify", "score"]

  private let clock = ContinuousClock()
  private(set) var seconds = [Double](repeating: 0, count: names.count)
  private(set) var secondsPerFrame: [Double] = []
  private(set) var frames = 0

  mutating func time<Result, Failure: Error>(
    _ stage: Stage, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = clock.now
    let result = try body()
    seconds[stage.rawValue] += Self.seconds(clock.now - start)
    return result
  }

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

  static func += (left: inout StageClock, right: StageClock) {
    for stage in left.seconds.indices { left.seconds[stage] += right.seconds[stage] }
    left.secondsPerFrame += right.secondsPerFrame
    left.frames += right.frames
  }

  enum Stage: Int {
    case load
    case measure
    case classify
    case score
  }

  private static func seconds(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }
}

extension TimingSummary {
  init(_ clock: StageClock) {
    let stages = zip(StageClock.names, clock.seconds).map { name, seconds in
      Stage(name: name, duration: Seconds(seconds))
    }
    self.init(
      stages: stages, frames: clock.frames,
      frameCost: FrameCost(secondsPerFrame: clock.secondsPerFrame))
  }
}
