internal import PlankDetection
internal import PoseModel
internal import Tuning

struct DebounceGrid {
  struct Rule: Sendable {
    let candidate: SteadyContest.Candidate
    let detector: BatchDetector
  }

  struct Pairs: Sendable {
    let smoother: SmoothingChoice
    let rules: [Rule]
  }

  let detector: BatchDetector

  private static let dwells = [0.05, 0.1, 0.15, 0.2, 0.3, 0.5]
  private static let runs = [2, 3, 5, 8, 12]
  private static let votes = [(2, 3), (3, 5), (4, 5), (5, 7), (5, 9), (8, 15)]
  /// Half the width of bands around angles in degrees; those of other thresholds follow from it.
  private static let widths = [1.0, 2, 3, 4, 6, 8, 10]
  private static let widthsWithDwell = [2.0, 4, 8]
  private static let dwellsWithBands = [0.1, 0.2]
  private static let dwellsOfPlanks = [0.1, 0.3]
  private static let widthsOfForm = [3.0, 5, 8]

  /// All rules, by family and then from light to heavy.
  ///
  /// They take the place of `plank_frames` and `form_frames`, which are set to 1, but for bands alone.
  func rules() throws -> [Rule] {
    let dwells = try Self.dwells.map { time in
      try rule("dwell", Self.dwellName(time), Self.dwell(time))
    }
    let runs = try Self.runs.map { count in
      try rule(
        "consecutive", "\(count) frames in a row",
        "consecutive:enter=\(count),switch=\(count),exit=\(count)")
    }
    let votes = try Self.votes.map { votes, frames in
      try rule("vote", "\(votes) of \(frames) votes", "vote:votes=\(votes),frames=\(frames)")
    }
    return dwells + runs + votes + (try bandRules()) + (try rulesByStream())
  }

  /// Only some of the rules, because each is tried behind each smoother.
  func pairs(behind smoother: SmoothingChoice) throws -> Pairs {
    let dwells = try [0.1, 0.2, 0.3].map { time in
      try rule("dwell", Self.dwellName(time), Self.dwell(time))
    }
    let bands = try hasBands(AnswerStream.allCases) ? Self.widthsOfForm.map(bands) : []
    return Self.pairs(behind: smoother, dwells + bands + (try rulesByStream()))
  }

  static func pairs(behind smoother: SmoothingChoice, _ rules: [Rule]) -> Pairs {
    Pairs(
      smoother: smoother,
      rules: rules.map { rule in
        let candidate = rule.candidate
        return Rule(
          candidate: .init(
            family: "\(smoother.filterNames) + \(candidate.family)",
            name: "\(smoother.shortText) and \(candidate.name)",
            strategy: "--smoothing \(smoother.text) --debounce \(candidate.strategy)",
            settings: candidate.settings),
          detector: rule.detector)
      })
  }

  private func bandRules() throws -> [Rule] {
    guard hasBands(AnswerStream.allCases) else { return [] }
    let both = try Self.widthsWithDwell.flatMap { width in
      try Self.dwellsWithBands.map { time in
        try rule(
          "bands + dwell", "\(Self.bandName(width)) and \(Self.dwellName(time))",
          bandText(width) + "+" + Self.dwell(time))
      }
    }
    return try Self.widths.map(bands) + both
  }

  private func bands(_ width: Double) throws -> Rule {
    try rule("bands", Self.bandName(width), bandText(width))
  }

  private func rulesByStream() throws -> [Rule] {
    guard hasBands([.form]) else { return [] }
    return try Self.widthsOfForm.flatMap { width in
      try Self.dwellsOfPlanks.map { time in
        try rule(
          "dwell of planks, bands of form",
          "\(Self.dwellName(time)) for planks, \(Self.bandName(width)) for form",
          Self.dwell(time) + "@plank+" + bandText(width, of: [.form]))
      }
    }
  }

  private static func dwell(_ time: Double) -> String {
    let text = NumberText.shortest(time) + "s"
    return "dwell:enter=\(text),switch=\(text),exit=\(text)"
  }

  private static func dwellName(_ time: Double) -> String {
    "a dwell of \(NumberText.shortest(time)) s"
  }

  private static func bandName(_ width: Double) -> String {
    "bands of \(NumberText.shortest(width)) deg"
  }

  private func thresholds(of streams: [AnswerStream]) -> [ParameterDefinition] {
    let keys = streams.flatMap { detector.definition.list($0).parameterKeys }
    return DebounceStrategy.bandWidths(detector.definition.parameters).filter {
      keys.contains($0.key)
    }
  }

  private func hasBands(_ streams: [AnswerStream]) -> Bool { !thresholds(of: streams).isEmpty }

  private func bandText(
    _ width: Double, of streams: [AnswerStream] = AnswerStream.allCases
  ) -> String {
    let values = thresholds(of: streams).map { threshold in
      "\(threshold.key.rawValue)="
        + threshold.text(Self.rounded(width * Self.perDegree(threshold)))
    }
    return DebounceStrategy.bandsName + ":" + values.joined(separator: ",")
  }

  /// What stands for 1 degree in a threshold's unit.
  ///
  /// A body that bends by 1 degree at the hips moves them off the line from shoulders to ankles by
  /// 0.0032 body heights: a b / (a + b) radians, with a = 0.29 from shoulders to hips and b = 0.49
  /// from hips to ankles. Other thresholds have no angle to go by, and take a hundredth of their
  /// range.
  private static func perDegree(_ threshold: ParameterDefinition) -> Double {
    switch threshold.unit {
    case .degrees: 1
    case .meters: 0.005
    case .bodyHeights: 0.003
    default: threshold.range.upperBound / 100
    }
  }

  private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

  func rule(_ family: String, _ name: String, _ text: String) throws -> Rule {
    let definition = detector.definition
    do {
      let strategy = try DebounceStrategy(text: text, parameters: definition.parameters)
      var parameters = detector.parameters
      let replaced = [(AnswerStream.plank, ParameterKey.plankFrames), (.form, .formFrames)].filter {
        strategy[$0.0] != nil && (parameters[$0.1] ?? 1) != 1
      }.map(\.1)
      for key in replaced { try parameters.set(key, to: 1) }
      return Rule(
        candidate: .init(
          family: family, name: name, strategy: strategy.text(parameters: definition.parameters),
          settings: replaced.map { "\($0.rawValue)=1" }),
        detector: try BatchDetector(definition, parameters: parameters, debounce: strategy))
    } catch let error as StrategyTextError {
      throw WorkflowFailure(.usage, "\(text): \(error)")
    }
  }
}
