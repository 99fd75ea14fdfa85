package import PoseModel

/// A stretch of consecutive scored frames of one true class that are all answered wrong.
///
/// A change of the truth ends a stretch, so that each has one truth; the answers within it may
/// differ.
package struct WorstMoment: Hashable, Sendable {
  /// How close the deciding measurement was to the other side.
  package struct NearestThreshold: Hashable, Sendable {
    /// The comparison in words, for example `elbowAngle > elbow_split`.
    package let text: String
    /// The signed distance of the measurement to the threshold.
    package let margin: Double
    /// The unit of the distance.
    package let unit: String

    /// Makes a threshold.
    package init(text: String, margin: Double, unit: String) {
      self.text = text
      self.margin = margin
      self.unit = unit
    }
  }

  /// The sequence's name.
  package let sequence: String
  /// Which stream.
  package let stream: AnswerStream
  /// The first wrong frame.
  package let firstFrame: Int
  /// How many frames are wrong.
  package let frameCount: Int
  /// The time of the first wrong frame.
  package let start: Seconds
  /// The seconds wrong: the sum of the frames' durations, each to the next frame, at most 0.5 s.
  package let duration: Seconds
  /// The true class.
  package let truth: String
  /// The most frequent answer; the first in class order where several are.
  package let answer: String
  /// The frame to examine: the middle one of those that gave `answer`, among the determined ones
  /// where there are any.
  package let frame: Int
  /// The time of the frame to examine.
  package let frameTime: Seconds
  /// What the caller found about that frame.
  package var nearestThreshold: NearestThreshold?

  /// Describes the wrong frames of a stretch.
  init(
    _ outcome: SequenceOutcome, _ scored: ScoredStream, _ stream: AnswerStream,
    _ stretch: WrongStretch
  ) {
    let range = stretch.frames
    let labels = stream.labels
    let answers = scored.answers[range]
    let codes = labels.indices.map(UInt8.init)
    let counts = codes.map { code in answers.count { $0 == code } }
    let most = counts.max()
    let majority = codes.first { counts[Int($0)] == most } ?? 0
    let majorityFrames = range.filter { answers[$0] == majority }
    let determined = majorityFrames.filter { outcome[stream].isDetermined[$0] }
    let candidates = determined.isEmpty ? majorityFrames : determined
    let examined = candidates[candidates.count / 2]
    sequence = outcome.name
    self.stream = stream
    firstFrame = range.lowerBound
    frameCount = range.count
    start = Seconds(scored.times[range.lowerBound])
    duration = Seconds(stretch.seconds)
    truth = labels[Int(scored.truth[range.lowerBound])]
    answer = labels[Int(majority)]
    frame = examined
    frameTime = Seconds(scored.times[examined])
  }
}
