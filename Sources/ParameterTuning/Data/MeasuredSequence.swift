package import PlankDetection
package import PoseModel

/// A sequence whose measurements stand in columns: all that thresholds can be tried on.
package struct MeasuredSequence: Sendable {
  /// The sequence's name; unique in its dataset.
  package let name: String
  /// Who was recorded, where known.
  package let subject: String?
  /// Timestamps in seconds, strictly increasing.
  package let times: [Double]
  /// The truth of every frame.
  package let truth: FrameTruth
  /// Whether the recording begins inside a hold.
  package let startsMid: Bool
  /// The seconds that one frame stands for when sequences are pooled.
  package let frameWeight: Seconds
  /// One number a frame and measurement, NaN where undefined.
  package let columns: MeasurementColumns

  /// Makes a sequence from columns.
  ///
  /// - Precondition: one element a frame everywhere; a positive weight.
  package init(
    name: String, subject: String?, times: [Double], truth: FrameTruth, startsMid: Bool,
    frameWeight: Seconds, columns: MeasurementColumns
  ) {
    precondition(
      truth.plank.count == times.count && columns.frameCount == times.count,
      "the columns of a sequence have one element a frame")
    precondition(frameWeight.value > 0, "a frame takes some time")
    self.name = name
    self.subject = subject
    self.times = times
    self.truth = truth
    self.startsMid = startsMid
    self.frameWeight = frameWeight
    self.columns = columns
  }

  /// Measures a recording.
  package init(_ sequence: TuningSequence, _ smoothing: SmoothingVariant, _ detector: BatchDetector)
  {
    self.init(
      name: sequence.name, subject: sequence.subject, times: sequence.recording.times,
      truth: sequence.truth, startsMid: sequence.startsMid,
      frameWeight: sequence.recording.frameWeight,
      columns: smoothing.measure(sequence.recording, detector))
  }
}
