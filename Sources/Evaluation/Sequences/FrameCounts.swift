internal import PoseModel

/// How many frames of a stream are what; sums over sequences.
///
/// `scored + ignored + unlabeled + unjudged == frames`. Missing, undetermined and held frames are
/// counted over all frames, scored or not.
package struct FrameCounts: Hashable, Sendable {
  /// All frames.
  package private(set) var frames = 0
  /// Frames whose truth names a class.
  package private(set) var scored = 0
  /// Scored frames that the rules gave a label of their own.
  package private(set) var scoredDetermined = 0
  /// Frames without a pose that can be evaluated.
  package private(set) var missing = 0
  /// Frames that the rules gave no label, missing ones included.
  package private(set) var undetermined = 0
  /// Undetermined frames that show an answer held from before.
  package private(set) var held = 0
  /// Frames whose segment says `ignore`.
  package private(set) var ignored = 0
  /// Frames that no segment covers.
  package private(set) var unlabeled = 0
  /// Frames whose segment carries no label of this stream (form only).
  package private(set) var unjudged = 0

  /// No frames.
  package init() {}

  /// Counts one stream of a sequence.
  init(truth: [UInt8], outcome: StreamOutcome, missing: Int) {
    frames = truth.count
    self.missing = missing
    for (frame, code) in truth.enumerated() {
      let isDetermined = outcome.isDetermined[frame]
      if !isDetermined { undetermined += 1 }
      if outcome.isHeld[frame] { held += 1 }
      switch code {
      case FrameTruth.ignored: ignored += 1
      case FrameTruth.unlabeled: unlabeled += 1
      case FrameTruth.unjudged: unjudged += 1
      default:
        scored += 1
        if isDetermined { scoredDetermined += 1 }
      }
    }
  }

  /// Whether there are scored frames of which the rules labeled under half: such a score says
  /// nothing about the rules.
  package var isNoEvidence: Bool { scored > 0 && 2 * scoredDetermined < scored }

  /// Adds the counts of another sequence.
  package static func += (left: inout FrameCounts, right: FrameCounts) {
    left.frames += right.frames
    left.scored += right.scored
    left.scoredDetermined += right.scoredDetermined
    left.missing += right.missing
    left.undetermined += right.undetermined
    left.held += right.held
    left.ignored += right.ignored
    left.unlabeled += right.unlabeled
    left.unjudged += right.unjudged
  }
}
