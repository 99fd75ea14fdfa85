public import PoseModel

/// The times, pauses, segments and scores of a session.
public struct SessionSummary: Hashable, Sendable {
  /// The final state of the session.
  public let end: SessionState
  /// The session's duration: active time, without pauses.
  public let activeTime: Seconds
  /// The longest stretch without a pause.
  public let longestStretch: Seconds
  /// How many times the session became active.
  public let stretches: Int
  /// The pauses, in order.
  public let pauses: [PauseRecord]
  /// The stretches of one plank class; a new class or the end of a pause starts a new segment.
  public let segments: [SessionSegment]
  /// Three scores of the session's form.
  public let scores: SessionScores
  /// Whether the active time reached `session_shortest`, so that the session counts.
  public let isLongEnough: Bool
}

/// A pause and its outcome.
public struct PauseRecord: Hashable, Sendable {
  /// The reason, start and deadline of the pause.
  public let pause: SessionPause
  /// When the pause ended.
  public let end: Seconds
  /// Whether the session resumed rather than ended.
  public let isResumed: Bool
}

/// A stretch of one plank class in a session.
public struct SessionSegment: Hashable, Sendable {
  /// The class that was held.
  public let plank: PlankClass
  /// When the plank started to count.
  public let start: Seconds
  /// The time of the first frame that is not part of the segment.
  public private(set) var end: Seconds
  var lastFrame = 0

  /// The time from `start` to `end`.
  public var duration: Seconds { Seconds(end.value - start.value) }

  mutating func extend(to end: Seconds, frame: Int) {
    self.end = end
    lastFrame = frame
  }
}

/// Three scores of the form in a session, 0...100.
///
/// Only graded frames of an active session count: frames without a pose, a plank or a grade do not,
/// nor do those in pauses. A good frame is worth 1, and a bad frame 0. A frame graded `warning` is
/// worth the value of `session_warning`. A score is nil if no frame or no time counts.
public struct SessionScores: Hashable, Sendable {
  /// The article's score: the mean over frames.
  ///
  /// A stretch with a lower frame rate has fewer frames and therefore weighs less.
  public let frameCount: Double?
  /// The mean over time: each frame lasts until the next one, at most 0.5 s.
  public let timeWeighted: Double?
  /// The mean over time with more weight on the last part, because form deteriorates late.
  public let lateWeighted: Double?
  /// The total duration of the graded frames.
  public let gradedTime: Seconds

  /// `times` are increasing; `grades` are nil for frames that do not count.
  init(times: [Double], grades: [FormGrade?], _ parameters: SessionParameters) {
    let graded = zip(grades, Self.durations(times)).compactMap { grade, duration in
      grade.map {
        (worth: $0.worth(warning: parameters.value(.sessionWarning)), duration: duration)
      }
    }
    let total = graded.reduce(0) { $0 + $1.duration }
    let lateStart = (1 - parameters.value(.sessionLateShare)) * total
    let factor = parameters.value(.sessionLateWeight)
    var (frames, time, late, weights, passed) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (value, duration) in graded {
      let early = min(duration, max(0, lateStart - passed))
      let weight = early + factor * (duration - early)
      frames += value
      time += value * duration
      late += value * weight
      weights += weight
      passed += duration
    }
    self.init(frames: (graded.count, frames), time: (total, time), late: (weights, late))
  }

  fileprivate init(
    frames: (count: Int, worth: Double), time: (total: Double, worth: Double),
    late: (weight: Double, worth: Double)
  ) {
    frameCount = frames.count == 0 ? nil : 100 * (frames.worth / Double(frames.count))
    timeWeighted = time.total > 0 ? 100 * (time.worth / time.total) : nil
    lateWeighted = late.weight > 0 ? 100 * (late.worth / late.weight) : nil
    gradedTime = Seconds(time.total)
  }

  /// A frame counts until the next one, at most 0.5 s; the last frame counts for the median
  /// interval.
  private static func durations(_ times: [Double]) -> [Double] {
    var durations = zip(times.dropFirst(), times).map { $0 - $1 }
    if !times.isEmpty { durations.append(durations.sorted().middle ?? 0) }
    return durations.map { min($0, SmoothingStrategy.largestGap) }
  }
}

struct RunningScores: Sendable {
  private let worths: (warning: Double, lateShare: Double, lateWeight: Double)
  private var passed: [Double] = []
  private var gained: [Double] = []
  private var frameWorth = 0.0
  private var total = 0.0
  private var timeWorth = 0.0
  private var last: (time: Double, worth: Double?)?
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
    let worth = grade?.worth(warning: worths.warning)
    if let worth {
      passed.append(total)
      gained.append(timeWorth)
      frameWorth += worth
    }
    last = (time: time, worth: worth)
    let lateStart = (1 - worths.lateShare) * total
    while cursor + 1 < passed.count, passed[cursor + 1] <= lateStart { cursor += 1 }
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
    let factor = worths.lateWeight
    return SessionScores(
      frames: (passed.count, frameWorth), time: now,
      late: (lateStart + factor * (now.total - lateStart), early + factor * (now.worth - early)))
  }

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

  private static func duration(from start: Double, to end: Double) -> Double {
    min(max(0, end - start), SmoothingStrategy.largestGap)
  }
}

extension FormGrade {
  fileprivate func worth(warning: Double) -> Double {
    switch self {
    case .good: 1
    case .warning: warning
    case .bad: 0
    }
  }
}

#if !hasFeature(Embedded)
  extension SessionSummary: Codable {}

  extension PauseRecord: Codable {}

  extension SessionSegment: Codable {
    private enum CodingKeys: String, CodingKey { case plank, start, end }
  }

  extension SessionScores: Codable {}
#endif

/// The course of a session, frame by frame, for its summary.
///
/// The log takes 27 bytes per frame and uses reserved memory before it allocates more.
public struct SessionLog: Sendable {
  private var tracker: SessionTracker
  private let parameters: SessionParameters
  private var times: [Double] = []
  private var grades: [FormGrade?] = []
  private var planks: [PlankClass?] = []
  private var states: [UInt8] = []
  private var closedPauses: [PauseRecord] = []
  private var running: RunningScores

  /// Starts an empty log with memory for `reservedFrames` frames.
  public init(_ parameters: SessionParameters = .standard, reservedFrames: Int = 0) {
    self.parameters = parameters
    tracker = SessionTracker(parameters)
    running = RunningScores(parameters, reservedFrames: reservedFrames)
    times.reserveCapacity(reservedFrames)
    grades.reserveCapacity(reservedFrames)
    planks.reserveCapacity(reservedFrames)
    states.reserveCapacity(reservedFrames)
    closedPauses.reserveCapacity(64)
  }

  /// The current state of the session.
  public var state: SessionState { tracker.state }

  /// Appends the next frame and returns the session's new state.
  ///
  /// - Throws: `FrameOrderError` for a frame that is not later than the previous one.
  @discardableResult
  public mutating func append(_ frame: SessionFrame) throws(FrameOrderError) -> SessionState {
    try FrameOrderError.check(frame.time, after: times.last.map { Seconds($0) })
    // A frame can end a loss at once, so the loss must be recorded before the frame.
    let earlier = tracker.state
    tracker.advance(to: frame.time)
    book(from: earlier, at: frame.time)
    let before = tracker.state
    try tracker.update(frame)
    book(from: before, at: frame.time)
    let counts = tracker.state == .active && frame.plank != nil && frame.plank != PlankClass.none
    times.append(frame.time.value)
    planks.append(frame.plank)
    let grade = counts ? frame.grade : nil
    grades.append(grade)
    running.append(grade, at: frame.time.value)
    states.append(Self.code(tracker.state))
    return tracker.state
  }

  /// How many times the session became active.
  public var stretches: Int { tracker.stretches }

  /// The active time up to a moment, including the current stretch, for a timer on the screen.
  ///
  /// - Parameter time: a time not before the last frame; a loss or a deadline between the last
  ///   frame and this time takes effect.
  /// - Complexity: constant.
  public func activeTime(at time: Seconds) -> Seconds { tracker.activeTime(at: time) }

  /// The scores up to a moment.
  ///
  /// The last frame counts until this moment, at most 0.5 s, as if the next frame came then. In
  /// `summary(finishedAt:)`, the last frame counts for the median interval.
  ///
  /// - Parameter time: not before the last frame.
  /// - Complexity: constant, however long the session.
  public func score(at time: Seconds) -> SessionScores { running.scores(at: time.value) }

  /// Returns the summary as if the user ended the session at `time`.
  ///
  /// If a pause has an earlier deadline, the session ends then.
  public func summary(finishedAt time: Seconds) -> SessionSummary {
    var log = self
    let before = log.tracker.state
    log.tracker.finish(at: time)
    log.book(from: before, at: time)
    return SessionSummary(
      end: log.tracker.state, activeTime: log.tracker.completedActive,
      longestStretch: log.tracker.completedLongest, stretches: log.tracker.stretches,
      pauses: log.closedPauses, segments: segments(until: time.value),
      scores: SessionScores(times: times, grades: grades, parameters),
      isLongEnough: log.tracker.completedActive.value >= parameters.value(.sessionShortest))
  }

  /// The name of the state after every frame.
  public var stateNames: [String] { states.map { Self.names[Int($0)] } }

  private mutating func book(from before: SessionState, at time: Seconds) {
    switch (before, tracker.state) {
    case (.paused(let pause), .active):
      closedPauses.append(PauseRecord(pause: pause, end: time, isResumed: true))
    case (.paused(let pause), .ended(let end)):
      closedPauses.append(PauseRecord(pause: pause, end: end.time, isResumed: false))
    case (.active, .ended(let end)) where end.reason == .deadline:
      let start = Seconds(end.time.value - parameters.value(.sessionDeadline))
      let cause = Seconds(start.value - parameters.value(.sessionLost))
      let pause = SessionPause(reason: .lost, start: start, causeStart: cause, deadline: end.time)
      closedPauses.append(PauseRecord(pause: pause, end: end.time, isResumed: false))
    default: break
    }
  }

  private func segments(until end: Double) -> [SessionSegment] {
    var segments: [SessionSegment] = []
    for index in times.indices {
      guard states[index] == Self.code(.active), let plank = planks[index], plank != .none else {
        continue
      }
      let next = index + 1 < times.count ? times[index + 1] : max(end, times[index])
      let isContinued =
        segments.last.map { last in
          last.plank == plank && !isInterrupted(from: last.lastFrame, to: index)
        } ?? false
      if isContinued {
        segments[segments.count - 1].extend(to: Seconds(next), frame: index)
      } else {
        segments.append(
          SessionSegment(
            plank: plank, start: Seconds(times[index]), end: Seconds(next), lastFrame: index))
      }
    }
    return segments
  }

  private func isInterrupted(from first: Int, to last: Int) -> Bool {
    states[first...last].contains { $0 != Self.code(.active) }
      || closedPauses.contains { (times[first]..<times[last]).contains($0.pause.start.value) }
      || planks[first...last].contains { $0 != planks[last] && $0 != nil }
  }

  private static let names = ["idle", "active", "paused", "ended"]

  private static func code(_ state: SessionState) -> UInt8 {
    switch state {
    case .idle: 0
    case .active: 1
    case .paused: 2
    case .ended: 3
    }
  }
}
