package import PoseModel

/// One sequence of a dataset, loaded.
package struct DatasetSequence: Sendable {
  /// The sequence's name: the recording's path without `.poses.jsonl` or `.poses.jsonl.gz`.
  package let name: String
  /// The recording, turned around if it was mirrored.
  package let recording: Recording
  /// The labels; nil for an unlabeled recording.
  package let labels: LabelTrack?
  /// Who was recorded: the manifest's word, else the header's.
  package let subject: String?
  /// The split that the sequence belongs to.
  package let split: String?
  /// Whether the recording begins inside a hold.
  package let startsMid: Bool
  /// Further properties, such as the distance of the camera.
  package let tags: [String: String]
  /// Frames in pelvis axes that have a pose and no camera matrix, and so count as missing.
  package let posesWithoutMatrix: Int

  /// Puts a sequence together.
  package init(
    name: String, recording: Recording, labels: LabelTrack?, subject: String? = nil,
    split: String? = nil, startsMid: Bool = false, tags: [String: String] = [:],
    posesWithoutMatrix: Int = 0
  ) {
    self.name = name
    self.recording = recording
    self.labels = labels
    self.subject = subject
    self.split = split
    self.startsMid = startsMid
    self.tags = tags
    self.posesWithoutMatrix = posesWithoutMatrix
  }

  /// The truth of every frame; nothing is labeled where there are no labels.
  package func truth() -> FrameTruth {
    labels?.truth(at: recording.times) ?? FrameTruth(count: recording.frameCount)
  }
}
