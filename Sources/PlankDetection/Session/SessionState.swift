public import PoseModel

/// The state of a session.
public enum SessionState: Hashable, Sendable {
  /// Nothing has started: no plank has been held for long enough.
  case idle
  /// A plank is held.
  case active
  /// No plank is held, or its form is bad; the session may resume until the deadline.
  case paused(SessionPause)
  /// It is over, for good.
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
  /// The form was bad.
  case badForm = "bad_form"
  /// No plank was held.
  case noPlank = "no_plank"
  /// No pose was found.
  case lost
}

/// A pause of a session.
public struct SessionPause: Hashable, Sendable {
  /// The cause.
  public let reason: PauseReason
  /// When the pause was confirmed: from here on no time counts as active.
  public let start: Seconds
  /// When its cause started.
  public let causeStart: Seconds
  /// The deadline: at this time the pause ends the session.
  public let deadline: Seconds
}

/// The end of a session.
public struct SessionEnd: Hashable, Sendable {
  /// Why it ended.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    /// A pause reached its deadline.
    case deadline
    /// The user ended it, or the recording did.
    case finished
  }

  /// The cause.
  public let reason: Reason
  /// The time: the deadline itself, not the frame after it.
  public let time: Seconds

  /// Makes an end.
  public init(reason: Reason, time: Seconds) {
    self.reason = reason
    self.time = time
  }
}

/// Why a session cannot take a frame.
public enum SessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The frame is not later than the previous one.
  case timeWentBack(Seconds, last: Seconds)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .timeWentBack(let time, let last):
      "a frame at \(time) follows one at \(last); give frames in the order of their times"
    }
  }
}

/// The input of a session from one frame.
public struct SessionFrame: Hashable, Sendable {
  /// When the frame was taken.
  public var time: Seconds
  /// The debounced plank class; nil if the frame has no pose, which counts toward loss only.
  public var plank: PlankClass?
  /// How good the form is; nil if it cannot be judged.
  public var quality: FormGrade?

  /// Makes a frame.
  public init(time: Seconds, plank: PlankClass?, quality: FormGrade?) {
    self.time = time
    self.plank = plank
    self.quality = quality
  }

  /// A frame as the detector answered it, graded by its body angle as in the article.
  ///
  /// A frame that the rules could not judge counts as one without a pose.
  public init(time: Seconds, answer: DetectorAnswer) {
    self.init(
      time: time, plank: answer.rawPlank == nil ? nil : answer.plank, quality: answer.grade)
  }

  /// A frame whose form is a class: aligned is good, sag and pike are bad.
  public init(time: Seconds, plank: PlankClass?, form: FormClass?) {
    self.init(time: time, plank: plank, quality: form.map { $0 == .aligned ? .good : .bad })
  }
}

#if !hasFeature(Embedded)
  extension PauseReason: Codable {}

  extension SessionEnd.Reason: Codable {}
#endif
