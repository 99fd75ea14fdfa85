public import PoseModel

/// The state machine of a session: idle, active, paused with a reason and a deadline, ended.
///
/// - Holding one plank class for `session_enter` starts the session. A later change of class does
///   not matter.
/// - Bad form for `session_bad`, no plank for `session_none` or no pose for `session_lost` pauses
///   the session.
/// - A plank with a form of at least `warning` for `session_recovery`, confirmed before the
///   deadline, resumes the session; at the deadline, the session ends. Each pause has its own
///   deadline.
///
/// Timers use the frames' timestamps. Frames without a pose, and stalls of more than 0.5 s, count
/// only toward loss and the deadline. A loss or a deadline takes effect at its own time, even if
/// the next frame comes later. The tracker allocates no memory.
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
  /// The active time so far, without the current stretch.
  public private(set) var completedActive = Seconds(0)
  /// The longest active stretch so far, without the current one.
  public private(set) var completedLongest = Seconds(0)
  /// How many times the session became active.
  public private(set) var stretches = 0

  /// Starts in the idle state.
  public init(_ parameters: SessionParameters = .standard) { self.parameters = parameters }

  /// Advances the session to the next frame and returns its new state.
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

  /// The active time up to a moment, including the current stretch, for a timer on the screen.
  ///
  /// - Parameter time: a time not before the last frame; a loss or a deadline between the last
  ///   frame and this time takes effect.
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

  /// Ends the session at the user's request, unless it has already ended.
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

struct StretchTimer: Hashable, Sendable {
  private(set) var start: Double?
  private(set) var elapsed = 0.0

  /// `interval` is the time in seconds since the previous frame, 0 after a dropout.
  mutating func count(_ time: Double, _ interval: Double) {
    if start == nil {
      start = time
      elapsed = 0
    } else {
      elapsed += interval
    }
  }

  func hasReached(_ seconds: Double) -> Bool {
    start != nil && elapsed >= seconds - Debouncer.tolerance
  }

  mutating func reset() { start = nil }
}

/// Whether a session is idle, active, paused or ended.
public enum SessionState: Hashable, Sendable {
  /// The session has not started, because no plank has been held for `session_enter`.
  case idle
  /// A plank is held.
  case active
  /// No plank is held, or its form is bad; the session may resume until the deadline.
  case paused(SessionPause)
  /// The session is over and cannot resume.
  case ended(SessionEnd)

  /// The name in reports.
  public var name: String {
    switch self {
    case .idle: "idle"
    case .active: "active"
    case .paused: "paused"
    case .ended: "ended"
    }
  }
}

/// Why a session paused.
public enum PauseReason: String, CaseIterable, Hashable, Sendable {
  /// The form was bad for `session_bad`.
  case badForm = "bad_form"
  /// No plank was held for `session_none`.
  case noPlank = "no_plank"
  /// No pose was found for `session_lost`.
  case lost
}

/// The cause, start and deadline of a pause.
public struct SessionPause: Hashable, Sendable {
  /// Why the session paused.
  public let reason: PauseReason
  /// When the pause was confirmed; the time after it does not count as active.
  public let start: Seconds
  /// When the cause of the pause started.
  public let causeStart: Seconds
  /// The time at which the pause ends the session.
  public let deadline: Seconds
}

/// Why and when a session ended.
public struct SessionEnd: Hashable, Sendable {
  /// Why a session ended.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    /// A pause reached its deadline.
    case deadline
    /// The user ended the session, or the recording ended.
    case finished
  }

  /// What ended the session.
  public let reason: Reason
  /// When the session ended; for a deadline, this is the deadline itself, not the time of the next
  /// frame.
  public let time: Seconds

  /// Stores a reason and a time.
  public init(reason: Reason, time: Seconds) {
    self.reason = reason
    self.time = time
  }
}

/// The input of a session from one frame.
public struct SessionFrame: Hashable, Sendable {
  /// When the frame was taken.
  public var time: Seconds
  /// The debounced plank class; nil if the frame has no pose, which counts only toward loss.
  public var plank: PlankClass?
  /// How good the form is; nil if it cannot be judged.
  public var grade: FormGrade?

  /// Combines a plank class and a grade at one time.
  public init(time: Seconds, plank: PlankClass?, grade: FormGrade?) {
    self.time = time
    self.plank = plank
    self.grade = grade
  }

  /// Reads a frame from the detector's answer, graded by the body angle as in the article.
  ///
  /// A frame that the rules could not judge counts as a frame without a pose.
  public init(time: Seconds, answer: DetectorAnswer) {
    self.init(time: time, plank: answer.rawPlank == nil ? nil : answer.plank, grade: answer.grade)
  }

  /// Grades a frame by its form class: aligned is good, sag and pike are bad.
  public init(time: Seconds, plank: PlankClass?, form: FormClass?) {
    self.init(time: time, plank: plank, grade: form.map { $0 == .aligned ? .good : .bad })
  }
}

#if !hasFeature(Embedded)
  extension SessionState: Codable {
    private enum CodingKeys: String, CodingKey { case state, pause, end }

    /// Decodes the name of a state with its pause or end.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      switch try container.decode(String.self, forKey: .state) {
      case "idle": self = .idle
      case "active": self = .active
      case "paused": self = .paused(try container.decode(SessionPause.self, forKey: .pause))
      case "ended": self = .ended(try container.decode(SessionEnd.self, forKey: .end))
      case let name:
        throw DecodingError.dataCorruptedError(
          forKey: .state, in: container,
          debugDescription: "no state `\(name)`; the states are idle, active, paused, ended")
      }
    }

    /// Encodes the name of the state, and its pause or end.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .state)
      switch self {
      case .idle, .active: break
      case .paused(let pause): try container.encode(pause, forKey: .pause)
      case .ended(let end): try container.encode(end, forKey: .end)
      }
    }
  }

  extension PauseReason: Codable {}

  extension SessionPause: Codable {}

  extension SessionEnd: Codable {}

  extension SessionEnd.Reason: Codable {}
#endif

/// The parameters of the session's state machine and of its scores.
///
/// Parameters that are not given take their defaults.
public struct SessionParameters: Hashable, Sendable {
  private let values: [ParameterKey: Double]

  /// Every parameter with unit, default, range and meaning.
  public static let definitions: [ParameterDefinition] = timers + scores

  /// The default value of every parameter.
  public static let standard = SessionParameters(
    values: Dictionary(uniqueKeysWithValues: definitions.map { ($0.key, $0.defaultValue) }))

  /// Creates parameters from given values, which are checked, and defaults for the others.
  ///
  /// - Throws: `StrategyError` for unknown keys and values that are not allowed.
  public init(_ given: [ParameterKey: Double] = [:]) throws(StrategyError) {
    var values = Self.standard.values
    for (key, value) in given {
      guard let definition = Self.definitions.first(where: { $0.key == key }) else {
        throw .unknownParameter(
          key.rawValue, of: "session", available: Self.definitions.map { $0.key })
      }
      guard definition.accepts(value) else { throw .invalidValue(definition, value) }
      values[key] = value
    }
    self.values = values
  }

  private init(values: [ParameterKey: Double]) { self.values = values }

  /// The value of a parameter in its unit; nil for an unknown key.
  public subscript(key: ParameterKey) -> Double? { values[key] }

  func value(_ key: ParameterKey) -> Double { values[key] ?? 0 }

  private static let timers: [ParameterDefinition] = [
    .init(
      checked: .sessionEnter, .seconds, 1, 0...60,
      "a session starts after one plank class for this long"),
    .init(
      checked: .sessionBad, .seconds, 0.5, 0...60, "a pause starts after bad form for this long"),
    .init(
      checked: .sessionNone, .seconds, 1, 0...60, "a pause starts after no plank for this long"),
    .init(
      checked: .sessionLost, .seconds, 1.5, 0.001...60, "a pause starts after no pose for this long"
    ),
    .init(
      checked: .sessionDeadline, .seconds, 10, 0.001...600, "a pause this long ends the session"),
    .init(
      checked: .sessionRecovery, .seconds, 0.5, 0...60,
      "a session resumes after a plank in good enough form for this long"),
    .init(
      checked: .sessionShortest, .seconds, 3, 0...600, "least active time of a session that counts"),
  ]

  private static let scores: [ParameterDefinition] = [
    .init(checked: .sessionWarning, .ratio, 0, 0...1, "the value of a frame graded `warning`"),
    .init(
      checked: .sessionLateShare, .ratio, 0.3, 0...1, "last share of the time, which weighs more"),
    .init(checked: .sessionLateWeight, .ratio, 3, 1...100, "how much more that share weighs"),
  ]
}

#if !hasFeature(Embedded)
  extension SessionParameters: Codable {
    /// Decodes an object of keys and numbers; parameters that are missing take their defaults.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let given = try container.decode([String: Double].self).map { (ParameterKey($0), $1) }
      do throws(StrategyError) {
        try self.init(Dictionary(uniqueKeysWithValues: given))
      } catch {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
      }
    }

    /// Encodes every parameter by key.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      let named = values.map { ($0.rawValue, $1) }
      try container.encode(Dictionary(uniqueKeysWithValues: named))
    }
  }
#endif

extension ParameterKey {
  /// How long a plank class must be held before a session starts.
  public static let sessionEnter = ParameterKey("session_enter")
  /// How long bad form may last before the session pauses.
  public static let sessionBad = ParameterKey("session_bad")
  /// How long there may be no plank before the session pauses.
  public static let sessionNone = ParameterKey("session_none")
  /// How long there may be no pose before the session pauses.
  public static let sessionLost = ParameterKey("session_lost")
  /// How long a pause may last before it ends the session.
  public static let sessionDeadline = ParameterKey("session_deadline")
  /// How long the form must be good enough before a paused session resumes.
  public static let sessionRecovery = ParameterKey("session_recovery")
  /// The shortest active time of a session that counts.
  public static let sessionShortest = ParameterKey("session_shortest")
  /// The value of a frame graded `warning`.
  public static let sessionWarning = ParameterKey("session_warning")
  /// The share of the graded time, at its end, that counts as late.
  public static let sessionLateShare = ParameterKey("session_late_share")
  /// The factor by which late time weighs more than other time.
  public static let sessionLateWeight = ParameterKey("session_late_weight")
}
