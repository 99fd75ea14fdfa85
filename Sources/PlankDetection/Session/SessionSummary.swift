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
  var lastFrame = 0

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

  /// Times are increasing seconds; grades are 1 good, 2 warning, 3 bad, 0 for frames that do not
  /// count.
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
    self.init(
      frames: (graded.count, frames), time: (total, time), late: (weights, late))
  }

  /// Times are in seconds; `worth` sums worths, worth times duration, and worth times late weight.
  fileprivate init(
    frames: (count: Int, worth: Double), time: (total: Double, worth: Double),
    late: (weight: Double, worth: Double)
  ) {
    frameCount = frames.count == 0 ? nil : 100 * (frames.worth / Double(frames.count))
    timeWeighted = time.total > 0 ? 100 * (time.worth / time.total) : nil
    lateWeighted = late.weight > 0 ? 100 * (late.worth / late.weight) : nil
    gradedTime = Seconds(time.total)
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

/// The sums behind a running session's scores; the late share only moves forward, so a cursor
/// follows it.
struct RunningScores: Sendable {
  private let worths: (warning: Double, lateShare: Double, lateWeight: Double)
  /// Graded time before each graded frame, in seconds.
  private var passed: [Double] = []
  /// Worth times duration before each graded frame.
  private var gained: [Double] = []
  private var frameWorth = 0.0
  private var total = 0.0
  private var timeWorth = 0.0
  private var last: (time: Double, worth: Double?)?
  /// The last graded frame that starts before the late share, by its position in `passed`.
  private var cursor = 0

  init(_ parameters: SessionParameters, reservedFrames: Int) {
    worths = (
      parameters.value(.sessionWarning), parameters.value(.sessionLateShare),
      parameters.value(.sessionLateWeight)
    )
    passed.reserveCapacity(reservedFrames)
    gained.reserveCapacity(reservedFrames)
  }

  mutating func append(_ grade: FormGrade?, at time: Double) {
    closeLast(at: time)
    let worth: Double? =
      switch grade {
      case .good: 1
      case .warning: worths.warning
      case .bad: 0
      case nil: nil
      }
    if let worth {
      passed.append(total)
      gained.append(timeWorth)
      frameWorth += worth
    }
    last = (time: time, worth: worth)
    advanceCursor()
  }

  func scores(at time: Double) -> SessionScores {
    var now = (total: total, worth: timeWorth)
    if let last, let worth = last.worth {
      let duration = Self.duration(from: last.time, to: time)
      now.total += duration
      now.worth += worth * duration
    }
    let lateStart = (1 - worths.lateShare) * now.total
    var place = cursor
    while place + 1 < passed.count, passed[place + 1] <= lateStart { place += 1 }
    let early = earlyWorth(until: lateStart, place, now)
    let lateTime = now.total - lateStart
    return SessionScores(
      frames: (passed.count, frameWorth), time: now,
      late: (
        lateStart + worths.lateWeight * lateTime,
        early + worths.lateWeight * (now.worth - early)
      ))
  }

  /// Worth times duration until a moment of the graded time, which lies in the frame at `place`.
  private func earlyWorth(
    until lateStart: Double, _ place: Int, _ now: (total: Double, worth: Double)
  ) -> Double {
    guard place < passed.count else { return 0 }
    let isLast = place + 1 == passed.count
    let end = isLast ? now.total : passed[place + 1]
    let worth = (isLast ? now.worth : gained[place + 1]) - gained[place]
    let duration = end - passed[place]
    guard duration > 0 else { return gained[place] }
    return gained[place] + worth * (min(lateStart, end) - passed[place]) / duration
  }

  private mutating func closeLast(at time: Double) {
    guard let last, let worth = last.worth else { return }
    let duration = Self.duration(from: last.time, to: time)
    total += duration
    timeWorth += worth * duration
  }

  private mutating func advanceCursor() {
    let lateStart = (1 - worths.lateShare) * total
    while cursor + 1 < passed.count, passed[cursor + 1] <= lateStart { cursor += 1 }
  }

  private static func duration(from start: Double, to end: Double) -> Double {
    min(max(0, end - start), SmoothingStrategy.largestGap)
  }
}

#if !hasFeature(Embedded)
  extension SessionSummary: Codable {}

  extension PauseRecord: Codable {}

  extension SessionSegment: Codable {
    private enum CodingKeys: String, CodingKey {
      case plank
      case start
      case end
    }
  }

  extension SessionScores: Codable {}
#endif
