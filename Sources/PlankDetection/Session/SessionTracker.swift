public import PoseModel

/// The state machine of a session: idle, active, paused with a reason and a deadline, ended.
///
/// - One plank class for `session_enter` starts it. A later change of class does not matter.
/// - Bad form for `session_bad`, no plank for `session_none` or no pose for `session_lost` pauses
///   it.
/// - A plank with a form of at least `warning` for `session_recovery`, confirmed before the
///   deadline, resumes it; at the deadline the session ends. Each pause has its own deadline.
///
/// Timers run on timestamps. Frames without a pose, and stalls over 0.5 s, count toward loss and
/// the deadline only. Loss and deadline take effect at their own time, whenever the next frame
/// comes. Nothing is allocated.
public struct SessionTracker: Hashable, Sendable {
  private let parameters: SessionParameters
  private var lastTime: Double?
  private var lastPose: Double?
  private var followsPose = false
  private var enteringClass = PlankClass.none
  private var entering = StretchTimer()
  private var bad = StretchTimer()
  private var none = StretchTimer()
  private var recovering = StretchTimer()
  private var activeSince = 0.0

  /// The current state of the session.
  public private(set) var state = SessionState.idle
  /// Active time so far, without the current stretch.
  public private(set) var completedActive = Seconds(0)
  /// The longest active stretch so far, without the current one.
  public private(set) var completedLongest = Seconds(0)
  /// How often the session became active.
  public private(set) var stretches = 0

  /// Makes a tracker in the idle state.
  public init(_ parameters: SessionParameters = .standard) { self.parameters = parameters }

  /// Takes the next frame.
  ///
  /// - Throws: `FrameOrderError` for a frame that is not later than the previous one; the state
  ///   stays unchanged.
  @discardableResult
  public mutating func update(_ frame: SessionFrame) throws(FrameOrderError) -> SessionState {
    try FrameOrderError.check(frame.time, after: lastTime.map { Seconds($0) })
    let time = frame.time.value
    advance(to: frame.time)
    let interval = time - (lastTime ?? time)
    let isContinuous = followsPose && interval <= SmoothingStrategy.largestGap + Debouncer.tolerance
    lastTime = time
    followsPose = frame.plank != nil
    guard let plank = frame.plank else { return state }
    lastPose = time
    step(plank, frame.grade, time, isContinuous ? interval : 0)
    return state
  }

  /// The active time up to a moment, the current stretch included: what a timer on the screen shows.
  ///
  /// - Parameter time: not before the last frame; a loss or a deadline before it counts.
  /// - Complexity: constant.
  public func activeTime(at time: Seconds) -> Seconds {
    var now = self
    now.advance(to: time)
    guard now.state == .active else { return now.completedActive }
    return Seconds(now.completedActive.value + max(0, time.value - now.activeSince))
  }

  /// Lets time pass without a frame, so that a loss or a deadline takes effect.
  @discardableResult
  public mutating func advance(to time: Seconds) -> SessionState {
    if let lastPose, time.value >= lastPose + parameters.value(.sessionLost) - Debouncer.tolerance {
      entering.reset()
      if state == .active {
        pause(.lost, at: lastPose + parameters.value(.sessionLost), since: lastPose)
      }
    }
    if case .paused(let pause) = state, time >= pause.deadline {
      state = .ended(SessionEnd(reason: .deadline, time: pause.deadline))
    }
    return state
  }

  /// Ends the session by the user's wish, unless it has ended already.
  @discardableResult
  public mutating func finish(at time: Seconds) -> SessionState {
    advance(to: time)
    if case .ended = state { return state }
    if state == .active { completeStretch(at: time.value) }
    state = .ended(SessionEnd(reason: .finished, time: time))
    return state
  }

  private mutating func step(
    _ plank: PlankClass, _ grade: FormGrade?, _ time: Double, _ interval: Double
  ) {
    switch state {
    case .idle: enter(plank, time, interval)
    case .active: watch(plank, grade, time, interval)
    case .paused: recover(plank, grade, time, interval)
    case .ended: break
    }
  }

  private mutating func enter(_ plank: PlankClass, _ time: Double, _ interval: Double) {
    if plank != enteringClass { entering.reset() }
    enteringClass = plank
    guard plank != .none else { return }
    entering.count(time, interval)
    if entering.hasReached(parameters.value(.sessionEnter)) { activate(at: time) }
  }

  private mutating func watch(
    _ plank: PlankClass, _ grade: FormGrade?, _ time: Double, _ interval: Double
  ) {
    if plank == .none {
      bad.reset()
      none.count(time, interval)
    } else {
      none.reset()
      if grade == .bad { bad.count(time, interval) } else if grade != nil { bad.reset() }
    }
    if none.hasReached(parameters.value(.sessionNone)) {
      pause(.noPlank, at: time, since: none.start ?? time)
    } else if bad.hasReached(parameters.value(.sessionBad)) {
      pause(.badForm, at: time, since: bad.start ?? time)
    }
  }

  private mutating func recover(
    _ plank: PlankClass, _ grade: FormGrade?, _ time: Double, _ interval: Double
  ) {
    guard plank != .none, grade != .bad else { return recovering.reset() }
    guard grade != nil else { return }
    recovering.count(time, interval)
    if recovering.hasReached(parameters.value(.sessionRecovery)) { activate(at: time) }
  }

  private mutating func activate(at time: Double) {
    state = .active
    activeSince = time
    stretches += 1
    bad.reset()
    none.reset()
    recovering.reset()
  }

  private mutating func pause(_ reason: PauseReason, at time: Double, since cause: Double) {
    completeStretch(at: time)
    recovering.reset()
    state = .paused(
      SessionPause(
        reason: reason, start: Seconds(time), causeStart: Seconds(cause),
        deadline: Seconds(time + parameters.value(.sessionDeadline))))
  }

  private mutating func completeStretch(at time: Double) {
    let length = max(0, time - activeSince)
    completedActive.value += length
    completedLongest = max(completedLongest, Seconds(length))
  }
}

/// How long a condition has held, as time between consecutive frames.
struct StretchTimer: Hashable, Sendable {
  private(set) var start: Double?
  private(set) var elapsed = 0.0

  /// `interval` is the time since the previous frame, 0 after a dropout.
  mutating func count(_ time: Double, _ interval: Double) {
    if start == nil {
      start = time
      elapsed = 0
    } else {
      elapsed += interval
    }
  }

  /// Whether the condition has held for some time, bound included; false before its first frame.
  func hasReached(_ seconds: Double) -> Bool {
    start != nil && elapsed >= seconds - Debouncer.tolerance
  }

  mutating func reset() { start = nil }
}
