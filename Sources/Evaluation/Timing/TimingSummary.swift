package import PoseModel

/// How long an evaluation took; the clock is the caller's.
package struct TimingSummary: Hashable, Sendable {
  /// The wall time of one stage: load, measure, classify, score.
  package struct Stage: Hashable, Sendable {
    /// The stage's name.
    package let name: String
    /// Its wall time.
    package let duration: Seconds

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
  /// What a frame costs; nil where no batch was timed.
  package let frameCost: FrameCost?

  /// Makes a summary.
  package init(stages: [Stage], frames: Int, frameCost: FrameCost?) {
    self.stages = stages
    self.frames = frames
    self.frameCost = frameCost
  }
}
