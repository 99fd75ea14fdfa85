internal import PlankDetection
internal import PoseModel
internal import Reports
internal import Tuning

struct SmootherGrid {
  struct Variant: Sendable {
    let family: SmootherFamily
    let choice: SmoothingChoice
  }

  let target: SmoothingTarget

  func variants() throws -> [Variant] {
    let curves = families + Self.curves(.bound, Self.bounds)
    return try [Variant(family: .raw, choice: .none)]
      + curves.flatMap { family, texts in
        try texts.map { Variant(family: family, choice: try choice($0)) }
      }
  }

  func choice(_ text: String) throws -> SmoothingChoice {
    let full = text.split(separator: "+").map {
      $0.contains("@") || $0 == "none" ? String($0) : "\($0)@\(target.rawValue)"
    }.joined(separator: "+")
    do {
      return try SmoothingChoice(text: full)
    } catch {
      throw WorkflowFailure(.usage, "\(text): \(error); `planklab smoothers` lists all")
    }
  }

  /// An EMA with time constants of 0.04, 0.08, 0.15 and 0.3 s, and the one-euro filter that does
  /// best on noise like a phone's.
  ///
  /// The time constant of an EMA is 1 / (2 pi cutoff).
  static let beforeRules =
    ["4", "2", "1.06", "0.53"].map { "ema:cutoff=\($0)Hz" } + ["one-euro:minCutoff=0.8Hz,beta=0.5"]

  private static let windows = ["0.07", "0.1", "0.17", "0.24", "0.3", "0.44", "0.57", "0.84"]
  private static let cutoffs = ["9", "6", "4", "2.7", "1.8", "1.2", "0.8", "0.5", "0.3"]

  private static func curves(
    _ origin: SmootherFamily.Origin, _ lists: [(String, [String])]
  ) -> [(SmootherFamily, [String])] {
    lists.map { (SmootherFamily(origin: origin, name: $0), $1) }
  }

  private var families: [(SmootherFamily, [String])] {
    var families: [(String, [String])] = [
      ("moving-average", Self.windows.map { "moving-average:seconds=\($0)s" }),
      ("median", Self.windows.map { "median:seconds=\($0)s" }),
      ("hampel", ["0.17", "0.3", "0.5"].map { "hampel:seconds=\($0)s" }),
      ("ema", Self.cutoffs.map { "ema:cutoff=\($0)Hz" }),
      ("butterworth", Self.cutoffs.map { "butterworth:cutoff=\($0)Hz" }),
      (
        "kalman",
        ["20", "2", "0.2", "0.02", "0.002", "0.0002", "0.00002"].map { "kalman:processNoise=\($0)" }
      ),
      ("ml-kit", ["3", "5", "10", "20"].map { "ml-kit:frames=\($0)" }),
      ("median + ema", Self.cutoffs.map { "median:seconds=0.17s+ema:cutoff=\($0)Hz" }),
    ]
    families += ["0", "0.5", "2", "8"].map { beta in
      (
        "one-euro beta \(beta)",
        Self.cutoffs.dropFirst().map { "one-euro:minCutoff=\($0)Hz,beta=\(beta)" }
      )
    }
    let holt = ["0.02", "0.1", "0.3"].map { beta in
      (
        "holt beta \(beta)",
        ["0.7", "0.5", "0.35", "0.25", "0.15", "0.08"].map { "holt:alpha=\($0),beta=\(beta)" }
      )
    }
    let polynomials = ["1", "2"].map { degree in
      (
        "savitzky-golay \(degree)",
        ["0.17", "0.3", "0.44", "0.57", "0.84", "1.2"].map {
          "savitzky-golay:seconds=\($0)s,degree=\(degree)"
        }
      )
    }
    return Self.curves(.grid, families) + Self.curves(.published, Self.shipped)
      + Self.curves(.grid, holt + polynomials)
  }

  /// Published smoothers, except ML Kit's window of 10, which is already in the grid, and those of
  /// MMPose, whose settings are per frame and pixel.
  ///
  /// - Source: Casiez, Roussel and Vogel (2012), CHI, the defaults of the reference code;
  ///   MediaPipe's pose graph, whose speeds are in body sizes, here in meters.
  private static let shipped: [(String, [String])] = [
    ("Casiez's one-euro", ["one-euro:minCutoff=1Hz,beta=0"]),
    ("MediaPipe's one-euro", ["one-euro:minCutoff=0.1Hz,beta=40"]),
  ]

  private static let bounds: [(String, [String])] = [
    ("gaussian (offline)", ["0.033", "0.067", "0.1", "0.2"].map { "gaussian:deviation=\($0)s" }),
    ("rts (offline)", ["2", "0.02", "0.0002"].map { "rts:processNoise=\($0)" }),
  ]
}

extension SmoothingChoice {
  func moved(to target: SmoothingTarget) throws -> SmoothingChoice {
    switch self {
    case .offline(let settings, _): return .offline(settings, target)
    case .causal(let strategy):
      do {
        return .causal(
          try SmoothingStrategy(
            strategy.steps.map { SmoothingStep(settings: $0.settings, on: target) }))
      } catch { throw WorkflowFailure(.usage, "\(text) on \(target.rawValue): \(error)") }
    }
  }
}

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
  private static let widths = [1.0, 2, 3, 4, 6, 8, 10]
  private static let widthsWithDwell = [2.0, 4, 8]
  private static let dwellsWithBands = [0.1, 0.2]
  private static let dwellsOfPlanks = [0.1, 0.3]
  private static let widthsOfForm = [3.0, 5, 8]

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
            settings: candidate.settings), detector: rule.detector)
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
      "\(threshold.key.rawValue)=" + threshold.text(Self.rounded(width * Self.perDegree(threshold)))
    }
    return DebounceStrategy.bandsName + ":" + values.joined(separator: ",")
  }

  /// The amount in a threshold's unit that corresponds to 1 degree.
  ///
  /// A body that bends by 1 degree at the hips moves them off the line from shoulders to ankles by
  /// 0.0032 body heights: a b / (a + b) radians, with a = 0.29 from shoulders to hips and b = 0.49
  /// from hips to ankles. For other units, a hundredth of the upper end of the range is used.
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
    } catch let error as StrategyTextError { throw WorkflowFailure(.usage, "\(text): \(error)") }
  }
}
