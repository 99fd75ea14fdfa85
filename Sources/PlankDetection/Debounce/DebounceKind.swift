/// The ways to make a steady answer of raw labels, with their names in text form.
public enum DebounceKind: String, StrategyKind {
  /// The raw label as it is.
  case none
  /// A number of equal labels in a row.
  case consecutive
  /// Equal labels for a stretch of time.
  case dwell
  /// A majority among the last labels.
  case vote

  /// What the list is called in messages.
  public static var family: String { "debounce" }

  /// What it does, in one line.
  public var summary: String {
    switch self {
    case .none: "the raw label at once"
    case .consecutive: "a label needs frames in a row: to enter, to switch, to exit"
    case .dwell: "a label needs time without another: to enter, to switch, to exit"
    case .vote: "a label needs most of the last votes"
    }
  }

  /// The parameters in the order of documentation and output.
  public var parameters: [ParameterDefinition] {
    switch self {
    case .none: []
    case .consecutive:
      Self.changes(.frames, 5, 1...1000, "frames in a row")
    case .dwell:
      Self.changes(.seconds, 0.3, 0...10, "time")
    case .vote:
      [
        .init(checked: .votes, .frames, 4, 1...1000, "votes for a label that make it the answer"),
        .init(checked: .ballots, .frames, 5, 1...1000, "determined frames that vote"),
      ]
    }
  }

  /// Two labels must not have enough votes at once.
  public func contradiction(in values: [ParameterKey: Double]) -> String? {
    guard let votes = values[.votes], let ballots = values[.ballots],
      votes > ballots || 2 * votes <= ballots
    else { return nil }
    return "\(Int(votes)) votes of \(Int(ballots)) decide nothing or too much; give more than half "
      + "of the frames and at most all, for example votes=\(Int(ballots) / 2 + 1)"
  }

  private static func changes(
    _ unit: MeasurementUnit, _ value: Double, _ range: ClosedRange<Double>, _ what: String
  ) -> [ParameterDefinition] {
    [
      .init(checked: .enter, unit, value, range, what + " to leave the empty answer"),
      .init(checked: .switchOver, unit, value, range, what + " to go from one class to another"),
      .init(checked: .exit, unit, value, range, what + " to go back to the empty answer"),
    ]
  }
}

extension ParameterKey {
  /// `enter`: what it takes to leave the empty answer.
  public static let enter = ParameterKey("enter")
  /// `switch`: what it takes to go from one class to another.
  public static let switchOver = ParameterKey("switch")
  /// `exit`: what it takes to go back to the empty answer.
  public static let exit = ParameterKey("exit")
  /// `votes`: how many votes make a label the answer.
  public static let votes = ParameterKey("votes")
  /// `frames`: how many of the last determined frames vote.
  public static let ballots = ParameterKey("frames")
}
