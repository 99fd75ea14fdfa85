public import PoseModel

/// The course of a session, frame by frame, for its summary.
///
/// It takes 27 bytes per frame; reserved room is used before any is allocated.
public struct SessionLog: Sendable {
  private var tracker: SessionTracker
  private let parameters: SessionParameters
  private var times: [Double] = []
  private var grades: [UInt8] = []
  private var planks: [UInt8] = []
  private var states: [UInt8] = []
  private var closedPauses: [PauseRecord] = []
  private var running: RunningScores

  /// Makes an empty log with room for some frames.
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

  /// Takes the next frame and stores it.
  ///
  /// - Throws: `FrameOrderError` for a frame that is not later than the previous one.
  @discardableResult
  public mutating func append(_ frame: SessionFrame) throws(FrameOrderError) -> SessionState {
    let before = tracker.state
    try tracker.update(frame)
    book(from: before, at: frame.time)
    let counts = tracker.state == .active && frame.plank != nil && frame.plank != PlankClass.none
    times.append(frame.time.value)
    planks.append(frame.plank?.code ?? Debouncer.undetermined)
    let grade = counts ? frame.grade : nil
    grades.append(Self.code(grade))
    running.append(grade, at: frame.time.value)
    states.append(Self.code(tracker.state))
    return tracker.state
  }

  /// How often the session became active.
  public var stretches: Int { tracker.stretches }

  /// The active time up to a moment, the current stretch included: what a timer on the screen shows.
  ///
  /// - Parameter time: not before the last frame; a loss or a deadline before it counts.
  /// - Complexity: constant.
  public func activeTime(at time: Seconds) -> Seconds { tracker.activeTime(at: time) }

  /// The scores up to a moment.
  ///
  /// The last frame counts until that moment, at most 0.5 s, as if the next frame came then; the
  /// scores of `summary(finishedAt:)` let it count for the median interval.
  ///
  /// - Parameter time: not before the last frame.
  /// - Complexity: constant, however long the session.
  public func score(at time: Seconds) -> SessionScores { running.scores(at: time.value) }

  /// The summary if the session ended now, by the user's wish or at an earlier deadline.
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

  /// The state after every frame.
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

  /// Stretches of one plank class while the session is active; dropouts do not end one.
  private func segments(until end: Double) -> [SessionSegment] {
    var segments: [SessionSegment] = []
    for index in times.indices {
      guard states[index] == Self.code(.active), let plank = PlankClass(code: planks[index]),
        plank != .none
      else { continue }
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
      || planks[first...last].contains {
        $0 != planks[last] && $0 != Debouncer.undetermined
      }
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

  private static func code(_ grade: FormGrade?) -> UInt8 {
    switch grade {
    case nil: 0
    case .good: 1
    case .warning: 2
    case .bad: 3
    }
  }
}
