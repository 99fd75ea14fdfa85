/// What a label needs to become the answer, ready to run.
enum DebounceNeed: Hashable, Sendable {
  /// Determined frames in a row, by kind of change.
  case frames(enter: Int, switchOver: Int, exit: Int)
  /// Time between determined frames in a row, by kind of change.
  case time(enter: Double, switchOver: Double, exit: Double)
  /// Votes among the last determined frames.
  case votes(Int, of: Int)

  /// The same number of frames for every change.
  static func frames(_ count: Int) -> DebounceNeed {
    .frames(enter: count, switchOver: count, exit: count)
  }

  /// Reads a rule.
  init(_ rule: StrategySettings<DebounceKind>) {
    switch rule.kind {
    case .none: self = .frames(1)
    case .consecutive:
      self = .frames(
        enter: Int(rule.value(.enter)), switchOver: Int(rule.value(.switchOver)),
        exit: Int(rule.value(.exit)))
    case .dwell:
      self = .time(
        enter: rule.value(.enter), switchOver: rule.value(.switchOver), exit: rule.value(.exit))
    case .vote: self = .votes(Int(rule.value(.votes)), of: Int(rule.value(.ballots)))
    }
  }

  /// Whether a run of equal labels is long enough to change the answer.
  ///
  /// - Parameters:
  ///   - answer: the answer so far.
  ///   - label: the label of the run, another one than the answer.
  ///   - run: its determined frames.
  ///   - elapsed: the time that it has lasted; one frame alone has lasted none.
  func isMet(from answer: UInt8, to label: UInt8, run: Int, elapsed: Double) -> Bool {
    switch self {
    case .frames(let enter, let switchOver, let exit):
      run >= (answer == 0 ? enter : label == 0 ? exit : switchOver)
    case .time(let enter, let switchOver, let exit):
      elapsed >= (answer == 0 ? enter : label == 0 ? exit : switchOver) - Debouncer.tolerance
    case .votes: false
    }
  }
}
