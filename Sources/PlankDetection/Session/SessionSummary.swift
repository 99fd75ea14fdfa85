public import PoseModel

/// The result of a session.
public struct SessionSummary: Hashable, Sendable {
  /// How it ended.
  public let end: SessionState
  /// The session's duration: active time, without pauses.
  public let activeTime: Seconds
  /// The longest stretch without a pause.
  public let longestStretch: Seconds
  /// How often the session became active.
  public let stretches: Int
  /// The pauses, in order.
  public let pauses: [PauseRecord]
  /// Which plank was held when: a new segment for a new class and after a pause.
  public let segments: [SessionSegment]
  /// The scores, computed in three ways.
  public let scores: SessionScores
  /// Whether it was long enough to count.
  public let isLongEnough: Bool
}

/// A pause and its outcome.
public struct PauseRecord: Hashable, Sendable {
  /// The pause.
  public let pause: SessionPause
  /// When it was over.
  public let end: Seconds
  /// Whether the session resumed rather than ended.
  public let isResumed: Bool
}

/// A stretch of one plank class in a session.
public struct SessionSegment: Hashable, Sendable {
  /// The plank class.
  public let plank: PlankClass
  /// When it started to count.
  public let start: Seconds
  /// The time of the first frame that is not part of it.
  public private(set) var end: Seconds
  var lastFrame: Int

  /// Its duration.
  public var duration: Seconds { Seconds(end.value - start.value) }

  init(plank: PlankClass, start: Seconds, end: Seconds, lastFrame: Int) {
    self.plank = plank
    self.start = start
    self.end = end
    self.lastFrame = lastFrame
  }

  mutating func extend(to end: Seconds, frame: Int) {
    self.end = end
    lastFrame = frame
  }
}

/// How good the form of a session was, 0...100, in three ways.
///
/// Only graded frames of an active session count, not frames without a pose, a plank or a grade,
/// nor those in pauses. A good frame is worth 1, a bad one 0, a warning `session_warning`. A score
/// is nil if no frame counts, or no time.
public struct SessionScores: Hashable, Sendable {
  /// The article's score: the mean over frames.
  ///
  /// A stretch with a lower frame rate has fewer frames and so weighs less.
  public let frameCount: Double?
  /// The mean over time: each frame lasts until the next one, at most 0.5 s.
  public let timeWeighted: Double?
  /// The mean over time with more weight on the last share of it, because that is when form goes.
  public let lateWeighted: Double?
  /// The time that was graded.
  public let gradedTime: Seconds

  /// Scores frames.
  ///
  /// - Parameters:
  ///   - times: the times of all frames in seconds, increasing.
  ///   - grades: 1 good, 2 warning, 3 bad, 0 for frames that do not count.
  init(times: [Double], grades: [UInt8], _ parameters: SessionParameters) {
    let worth = [0, 1, parameters.value(.sessionWarning), 0]
    let durations = Self.durations(times)
    let graded = grades.indices.filter { grades[$0] != 0 }
    let total = graded.reduce(0) { $0 + durations[$1] }
    let lateStart = (1 - parameters.value(.sessionLateShare)) * total
    let factor = parameters.value(.sessionLateWeight)
    var (frames, time, late, weights, passed) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for index in graded {
      let value = worth[Int(grades[index])]
      let duration = durations[index]
      let early = min(duration, max(0, lateStart - passed))
      let weight = early + factor * (duration - early)
      frames += value
      time += value * duration
      late += value * weight
      weights += weight
      passed += duration
    }
    frameCount = graded.isEmpty ? nil : 100 * (frames / Double(graded.count))
    timeWeighted = total > 0 ? 100 * (time / total) : nil
    lateWeighted = weights > 0 ? 100 * (late / weights) : nil
    gradedTime = Seconds(total)
  }

  /// How long each frame counts: until the next, at most 0.5 s; the last one, the median interval.
  private static func durations(_ times: [Double]) -> [Double] {
    var durations = zip(times.dropFirst(), times).map { $0 - $1 }
    let sorted = durations.sorted()
    let middle = sorted.count / 2
    let median =
      sorted.isEmpty
      ? 0
      : sorted.count.isMultiple(of: 2)
        ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    if !times.isEmpty { durations.append(median) }
    return durations.map { min($0, SmoothingStrategy.largestGap) }
  }
}
