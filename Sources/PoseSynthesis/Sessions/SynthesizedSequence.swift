package import PoseModel

/// A labeled recording: what a manifest lists as one sequence.
package struct SynthesizedSequence: Sendable {
  /// The sequence's name, fit for a file name.
  package let name: String
  /// The frames.
  package let recording: Recording
  /// The truth; it covers every frame, in segments that begin at frame times.
  package let labels: LabelTrack
  /// Who was recorded.
  package let subject: String
  /// One tag a factor.
  package let tags: [String: String]
  /// Whether the recording begins inside a hold (a plank is held in the first frame).
  package let startsMid: Bool
}
