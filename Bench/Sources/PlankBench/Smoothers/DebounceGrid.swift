internal import ParameterTuning
@_spi(Bench) internal import PlankDetection
@_spi(Bench) internal import PoseModel

/// The debounce rules that are compared with smoothers: each kind over its range, and hysteresis
/// around thresholds.
struct DebounceGrid {
  /// One rule.
  struct Rule: Sendable {
    /// The family and names.
    let candidate: SteadyContest.Candidate
    /// The detector behind the rule, without smoothing.
    let detector: BatchDetector
  }

  /// The detector, without smoothing.
  let detector: BatchDetector

  private static let dwells = [0.05, 0.1, 0.15, 0.2, 0.3, 0.5]
  private static let runs = [2, 3, 5, 8, 12]
  private static let votes = [(2, 3), (3, 5), (4, 5), (5, 7), (5, 9), (8, 15)]
  /// Half the width of bands, as shares of each threshold's range.
  private static let shares = [0.01, 0.02, 0.03, 0.05, 0.1]
  private static let sharesWithDwell = [0.01, 0.02, 0.05]
  private static let dwellsWithBands = [0.1, 0.2]

  /// All rules, by family and then from light to heavy.
  ///
  /// They take the place of `plank_frames` and `form_frames`, which are set to 1.
  ///
  /// - Throws: `WorkflowFailure` if a text of the grid is not a strategy, `DetectorError` if the
  ///   detector cannot run with it.
  func rules() throws -> [Rule] {
    let dwells = try Self.dwells.map { time in
      try rule("dwell", "a dwell of \(NumberText.shortest(time)) s", Self.dwell(time))
    }
    let runs = try Self.runs.map { count in
      try rule(
        "consecutive", "\(count) frames in a row",
        "consecutive:enter=\(count),switch=\(count),exit=\(count)")
    }
    let votes = try Self.votes.map { votes, frames in
      try rule("vote", "\(votes) of \(frames) votes", "vote:votes=\(votes),frames=\(frames)")
    }
    return dwells + runs + votes + (try bandRules())
  }

  private func bandRules() throws -> [Rule] {
    guard !widths.isEmpty else { return [] }
    let alone = try Self.shares.map { share in
      try rule("bands", Self.bandName(share), bandText(share))
    }
    let both = try Self.sharesWithDwell.flatMap { share in
      try Self.dwellsWithBands.map { time in
        try rule(
          "bands + dwell",
          Self.bandName(share) + " and a dwell of \(NumberText.shortest(time)) s",
          bandText(share) + "+" + Self.dwell(time))
      }
    }
    return alone + both
  }

  private static func dwell(_ time: Double) -> String {
    let text = NumberText.shortest(time) + "s"
    return "dwell:enter=\(text),switch=\(text),exit=\(text)"
  }

  private static func bandName(_ share: Double) -> String {
    "bands of \(NumberText.shortest((100 * share).rounded())) %"
  }

  /// The thresholds that the rules compare with.
  private var widths: [ParameterDefinition] {
    let keys = AnswerStream.allCases.flatMap { detector.definition.list($0).parameterKeys }
    return DebounceStrategy.bandWidths(detector.definition.parameters).filter {
      keys.contains($0.key)
    }
  }

  private func bandText(_ share: Double) -> String {
    let values = widths.map { width in
      "\(width.key.rawValue)=\(width.text(Self.rounded(share * width.range.upperBound)))"
    }
    return DebounceStrategy.bandsName + ":" + values.joined(separator: ",")
  }

  /// Products of decimals, as people would type them.
  private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

  private func rule(_ family: String, _ name: String, _ text: String) throws -> Rule {
    let definition = detector.definition
    do {
      let strategy = try DebounceStrategy(text: text, parameters: definition.parameters)
      var parameters = detector.parameters
      for key in [ParameterKey.plankFrames, .formFrames] where parameters[key] != nil {
        try parameters.set(key, to: 1)
      }
      return Rule(
        candidate: .init(
          family: family, name: name, strategy: strategy.text(parameters: definition.parameters)),
        detector: try BatchDetector(definition, parameters: parameters, debounce: strategy))
    } catch let error as StrategyTextError {
      throw WorkflowFailure(.usage, "\(text): \(error)")
    }
  }
}
