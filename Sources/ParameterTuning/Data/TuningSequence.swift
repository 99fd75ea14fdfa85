package import PoseModel

/// A labeled recording as tuning gets it: in memory, so that nothing else can be read.
package struct TuningSequence: Sendable {
  /// The sequence's name; unique in its dataset.
  package let name: String
  /// Who was recorded, where known.
  package let subject: String?
  /// The poses.
  package let recording: Recording
  /// The truth of every frame.
  package let truth: FrameTruth
  /// Whether the recording begins inside a hold.
  package let startsMid: Bool

  /// Makes a sequence.
  ///
  /// - Precondition: the truth has one code a frame.
  package init(
    name: String, subject: String?, recording: Recording, truth: FrameTruth, startsMid: Bool
  ) {
    precondition(truth.plank.count == recording.frameCount, "one code of truth a frame")
    self.name = name
    self.subject = subject
    self.recording = recording
    self.truth = truth
    self.startsMid = startsMid
  }
}
