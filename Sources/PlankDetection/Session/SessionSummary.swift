public import PoseModel

/// What a session came to.
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
  /// What was held when: a new segment for a new class and after a pause.
  public let segments: [SessionSegment]
  /// The scores three ways.
  public let scores: SessionScores
  /// Whether it was long enough to count.
  public let isLongEnough: Bool
}

/// A pause and how it went.
public struct PauseRecord: Hashable, Sendable {
  /// The pause.
  public let pause: SessionPause
  /// When it was over.
  public let end: Seconds
  /// Whether the session went on, rather than ended.
  public let isResumed: Bool
}

/// A stretch of one plank class in a session.
public struct SessionSegment: Hashable, Sendable {
  /// What was held.
  public let plank: PlankClass
  /// When it began to count.
  public let start: Seconds
  /// When the first frame came that is not part of it.
  public private(set) var end: Seconds
  var lastFrame: Int

  /// How long it lasted.
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
