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

/// The input of a session from one frame.
public struct SessionFrame: Hashable, Sendable {
  /// When the frame was taken.
  public var time: Seconds
  /// The debounced plank class; nil if the frame has no pose, which counts toward loss only.
  public var plank: PlankClass?
  /// How good the form is; nil if it cannot be judged.
  public var grade: FormGrade?

  /// Makes a frame.
  public init(time: Seconds, plank: PlankClass?, grade: FormGrade?) {
    self.time = time
    self.plank = plank
    self.grade = grade
  }

  /// A frame as the detector answered it, graded by its body angle as in the article.
  ///
  /// A frame that the rules could not judge counts as one without a pose.
  public init(time: Seconds, answer: DetectorAnswer) {
    self.init(
      time: time, plank: answer.rawPlank == nil ? nil : answer.plank, grade: answer.grade)
  }

  /// A frame whose form is a class: aligned is good, sag and pike are bad.
  public init(time: Seconds, plank: PlankClass?, form: FormClass?) {
    self.init(time: time, plank: plank, grade: form.map { $0 == .aligned ? .good : .bad })
  }
}

#if !hasFeature(Embedded)
  extension SessionState: Codable {
    private enum CodingKeys: String, CodingKey {
      case state
      case pause
      case end
    }

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
          debugDescription: "no state `\(name)`; there are idle, active, paused, ended")
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
