/// How much of the past a window holds.
enum WindowLength: Hashable, Sendable {
  /// The newest samples, this many.
  case frames(Int)
  /// The samples of the newest stretch of time, its older end not included.
  case seconds(Double)

  /// Reads the alternative that settings chose.
  init(_ settings: StrategySettings<SmoothingKind>) {
    self =
      settings[.windowSeconds].map(WindowLength.seconds)
      ?? .frames(Int(settings.value(.windowFrames)))
  }

  /// Room to begin with: enough for 60 samples a second.
  var expectedCount: Int {
    switch self {
    case .frames(let count): count
    case .seconds(let seconds): Int((seconds * 60).rounded(.up)) + 2
    }
  }
}
