package import PoseModel

/// A stretch of consecutive scored frames of one true class that are all answered wrong.
///
/// A change of the truth ends a stretch, so each has one true class; the answers within it may
/// differ.
package struct WorstMoment: Codable, Hashable, Sendable {
  /// How close the deciding measurement was to the other side.
  package struct NearestThreshold: Codable, Hashable, Sendable {
    /// The comparison in words, for example `elbowAngle > elbow_split`.
    package let text: String
    /// The signed distance of the measurement to the threshold.
    package let margin: Double
    /// The unit of the distance.
    package let unit: String

    private enum CodingKeys: String, CodingKey {
      case text = "predicate"
      case margin, unit
    }

    /// Makes a threshold.
    package init(text: String, margin: Double, unit: String) {
      self.text = text
      self.margin = margin
      self.unit = unit
    }
  }

  /// The sequence's name.
  package let sequence: String
  /// The stream.
  package let stream: AnswerStream
  /// The first wrong frame.
  package let firstFrame: Int
  /// How many frames are wrong.
  package let frameCount: Int
  /// The time of the first wrong frame.
  package let start: Seconds
  /// The wrong seconds: the sum of the frames' durations, each to the next frame, at most 0.5 s.
  package let duration: Seconds
  /// The true class.
  package let truth: String
  /// The most frequent answer; of equally frequent ones, the first in class order.
  package let answer: String
  /// The frame to examine: the middle one of those with `answer`, among the determined ones if
  /// there are any.
  package let frame: Int
  /// The time of the frame to examine.
  package let frameTime: Seconds
  /// The nearest threshold in that frame; nil if none is known.
  package let nearestThreshold: NearestThreshold?

  private enum CodingKeys: String, CodingKey {
    case sequence, stream
    case firstFrame = "first_frame"
    case frameCount = "frames"
    case start = "start_s"
    case duration = "duration_s"
    case truth, answer, frame
    case frameTime = "frame_time_s"
    case nearestThreshold = "nearest_threshold"
  }

  /// Describes the wrong frames of a stretch.
  init(
    _ outcome: SequenceOutcome, _ scored: ScoredStream, _ stream: AnswerStream,
    _ stretch: WrongStretch, nearestThreshold: (Int) -> NearestThreshold?
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
    self.nearestThreshold = nearestThreshold(examined)
  }
}

/// The command that explains moments of an evaluation, with the options that were used for it.
package struct ExplainCommand: Codable, Hashable, Sendable {
  /// The arguments for each sequence: a dataset with a name in it, or a recording.
  package let places: [String: [String]]
  /// The options of the detector and its strategies, each with its value.
  package let options: [[String]]

  /// Takes the places of recordings and the detector's options.
  package init(places: [String: [String]], options: [[String]] = []) {
    self.places = places
    self.options = options
  }
}

extension WorstMoment {
  /// The largest number of moments that a report lists.
  package static let limit = 10

  /// The longest wrong stretches of one stream of a sequence, worst first, at most `limit`.
  ///
  /// - Parameter nearestThreshold: finds the nearest threshold in a frame.
  /// - Complexity: O(frames).
  static func worst(
    in outcome: SequenceOutcome, _ stream: AnswerStream,
    nearestThreshold: (Int) -> NearestThreshold? = { _ in nil }
  ) -> [WorstMoment] {
    let scored = ScoredStream(outcome, stream)
    let longest = scored.wrongStretches.sorted(by: WrongStretch.isWorse).prefix(limit)
    return longest.map {
      WorstMoment(outcome, scored, stream, $0, nearestThreshold: nearestThreshold)
    }
  }

  /// The moments with the most wrong seconds, worst first, at most `limit`.
  ///
  /// The order is total: durations that are equal to the microsecond are ordered by the sequence's
  /// name, then by time. The worst of a union are among the worst of its parts.
  package static func worst(_ moments: [WorstMoment]) -> [WorstMoment] {
    Array(moments.sorted(by: isWorse).prefix(limit))
  }

  private static func isWorse(_ left: WorstMoment, _ right: WorstMoment) -> Bool {
    let (one, other) = (left.duration.value, right.duration.value)
    if WrongStretch.ticks(one) != WrongStretch.ticks(other) { return one > other }
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    return left.start < right.start
  }
}

/// A run of consecutive scored frames of one true class that are all answered wrong.
struct WrongStretch: Hashable {
  /// The frames.
  let frames: Range<Int>
  /// The sum of the frames' durations, in seconds.
  let seconds: Double

  /// A duration in ticks of a timestamp's last digit, so that rounding does not affect the order.
  static func ticks(_ seconds: Double) -> Double { (seconds * 1e6).rounded() }

  /// Whether a stretch ranks before another of the same sequence: it is longer, or else earlier.
  static func isWorse(_ left: WrongStretch, _ right: WrongStretch) -> Bool {
    let (one, other) = (ticks(left.seconds), ticks(right.seconds))
    return one != other ? one > other : left.frames.lowerBound < right.frames.lowerBound
  }
}

extension ScoredStream {
  /// Every wrong stretch, in time order; a change of the truth ends one and may start another.
  ///
  /// - Complexity: O(frames).
  var wrongStretches: [WrongStretch] {
    stretches { answers[$0] != truth[$0] }
  }

  /// Every stretch of chosen scored frames of one true class, in time order.
  ///
  /// - Complexity: O(frames).
  func stretches(_ isChosen: (Int) -> Bool) -> [WrongStretch] {
    var stretches: [WrongStretch] = []
    var start: Int?
    var seconds = 0.0
    for frame in times.indices {
      let isWrong = isScored(frame) && isChosen(frame)
      if let first = start, !isWrong || truth[frame] != truth[first] {
        stretches.append(WrongStretch(frames: first..<frame, seconds: seconds))
        start = nil
      }
      guard isWrong else { continue }
      if start == nil {
        start = frame
        seconds = 0
      }
      seconds += dwell(frame)
    }
    if let start {
      stretches.append(WrongStretch(frames: start..<times.count, seconds: seconds))
    }
    return stretches
  }
}
