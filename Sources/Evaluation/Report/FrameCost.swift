package import PoseModel
internal import Statistics

/// A clock is too coarse for a single frame, so batches of 64 are timed and divided: percentiles
/// and the maximum are of batch means.
package struct FrameCost: Codable, Hashable, Sendable {
  package static let batchFrames = 64
  package static let frameBudget = Seconds(1.0 / 30)

  package let batches: Int
  package let p50: Seconds
  package let p90: Seconds
  package let p99: Seconds
  package let maximum: Seconds

  private enum CodingKeys: String, CodingKey {
    case batches
    case p50 = "p50_s"
    case p90 = "p90_s"
    case p99 = "p99_s"
    case maximum = "max_s"
  }

  /// Quantiles interpolate linearly (type 7); nil if there are no batches or a time is not finite.
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

  package var medianBudgetShare: Double { p50.value / Self.frameBudget.value }

  package var p99BudgetShare: Double { p99.value / Self.frameBudget.value }
}

package struct TimingSummary: Codable, Hashable, Sendable {
  package struct Stage: Codable, Hashable, Sendable {
    package let name: String
    package let duration: Seconds

    private enum CodingKeys: String, CodingKey {
      case name
      case duration = "duration_s"
    }

    package init(name: String, duration: Seconds) {
      self.name = name
      self.duration = duration
    }
  }

  package let stages: [Stage]
  package let frames: Int
  package let frameCost: FrameCost?

  private enum CodingKeys: String, CodingKey {
    case stages, frames
    case frameCost = "frame_cost"
  }

  package init(stages: [Stage], frames: Int, frameCost: FrameCost?) {
    self.stages = stages
    self.frames = frames
    self.frameCost = frameCost
  }
}
