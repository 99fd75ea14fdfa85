package import PoseModel

package struct CalibrationReport: Codable, Hashable, Sendable {
  package struct Hold: Codable, Hashable, Sendable {
    package let sequence: String
    package let subject: String?
    package let start: Seconds?
    package let end: Seconds?
    /// What was measured less what was confirmed, in the report's unit; nil if it was refused.
    package let offset: Double?
    package let refusal: String?
    /// Labeled frames that are therefore not scored: those of the hold, and for the form also those
    /// before it.
    package let unscored: PerStream<Int>

    private enum CodingKeys: String, CodingKey {
      case sequence, subject
      case start = "start_s"
      case end = "end_s"
      case offset, refusal
      case unscored = "unscored_frames"
    }

    package init(
      sequence: String, subject: String?, start: Seconds, end: Seconds, offset: Double,
      unscored: PerStream<Int>
    ) {
      self.sequence = sequence
      self.subject = subject
      self.start = start
      self.end = end
      self.offset = offset
      self.unscored = unscored
      refusal = nil
    }

    package init(sequence: String, subject: String?, refusal: String) {
      self.sequence = sequence
      self.subject = subject
      self.refusal = refusal
      (start, end, offset) = (nil, nil, nil)
      unscored = PerStream(plank: 0, form: 0)
    }
  }

  package let choice: String
  package let measurement: String
  package let unit: String
  package let holds: [Hold]
  package let comparison: [MetricComparison]

  package static let compared = [
    MetricKey(.balancedAccuracy, in: .form), MetricKey(.f1MacroTruth, in: .form),
  ]

  package init(
    choice: String, measurement: String, unit: String, holds: [Hold], before: [SequenceScores],
    after: [SequenceScores]
  ) {
    self.choice = choice
    self.measurement = measurement
    self.unit = unit
    self.holds = holds
    let isScored = after.contains { $0.form.frames.scored > 0 }
    comparison =
      isScored ? PairedComparison(before, after, keys: Self.compared).metrics : []
  }

  package var calibrated: [Hold] { holds.filter { $0.refusal == nil } }
  package var refused: [Hold] { holds.filter { $0.refusal != nil } }
  package func unscoredFrames(_ stream: AnswerStream) -> Int {
    holds.reduce(0) { $0 + $1.unscored[stream] }
  }
}
