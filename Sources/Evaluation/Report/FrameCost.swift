package import PoseModel
internal import Statistics

/// The cost of measuring and classifying one frame, from timed batches.
///
/// A clock is too coarse for a single frame, so batches of 64 are timed and divided: percentiles
/// are over batches, and the maximum is that of a batch mean. The last batch may be shorter.
package struct FrameCost: Codable, Hashable, Sendable {
  /// How many frames a full batch has.
  package static let batchFrames = 64
  /// The time between two frames at 30 Hz.
  package static let frameBudget = Seconds(1.0 / 30)

  /// How many batches were timed.
  package let batches: Int
  /// The median cost per frame.
  package let p50: Seconds
  /// The 90th percentile.
  package let p90: Seconds
  /// The 99th percentile.
  package let p99: Seconds
  /// The largest.
  package let maximum: Seconds

  private enum CodingKeys: String, CodingKey {
    case batches
    case p50 = "p50_s"
    case p90 = "p90_s"
    case p99 = "p99_s"
    case maximum = "max_s"
  }

  /// Sums up timed batches; quantiles interpolate linearly (type 7).
  ///
  /// - Parameter secondsPerFrame: each batch's wall time divided by its frames.
  /// - Returns: nil if there are no batches or a time is not finite.
  package init?(secondsPerFrame: [Double]) {
    let fractions = [0.5, 0.9, 0.99, 1]
    guard let quantiles = Description.quantiles(secondsPerFrame, at: fractions) else {
      return nil
    }
    batches = secondsPerFrame.count
    p50 = Seconds(quantiles[0])
    p90 = Seconds(quantiles[1])
    p99 = Seconds(quantiles[2])
    maximum = Seconds(quantiles[3])
  }

  /// The median cost over the time between two frames at 30 Hz.
  package var medianBudgetShare: Double { p50.value / Self.frameBudget.value }

  /// The 99th percentile over the time between two frames at 30 Hz.
  package var p99BudgetShare: Double { p99.value / Self.frameBudget.value }
}

/// How long an evaluation took; the caller measures.
package struct TimingSummary: Codable, Hashable, Sendable {
  /// The wall time of one stage: load, measure, classify, score.
  package struct Stage: Codable, Hashable, Sendable {
    /// The stage's name.
    package let name: String
    /// Its wall time.
    package let duration: Seconds

    private enum CodingKeys: String, CodingKey {
      case name
      case duration = "duration_s"
    }

    /// Makes a stage.
    package init(name: String, duration: Seconds) {
      self.name = name
      self.duration = duration
    }
  }

  /// The stages in the order in which they ran.
  package let stages: [Stage]
  /// How many frames all stages handled.
  package let frames: Int
  /// The cost per frame; nil if no batch was timed.
  package let frameCost: FrameCost?

  private enum CodingKeys: String, CodingKey {
    case stages, frames
    case frameCost = "frame_cost"
  }

  /// Makes a summary.
  package init(stages: [Stage], frames: Int, frameCost: FrameCost?) {
    self.stages = stages
    self.frames = frames
    self.frameCost = frameCost
  }
}
