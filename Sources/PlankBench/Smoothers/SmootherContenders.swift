internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

extension Smoothers.Compare {
  /// The candidates that smooth, and those that debounce.
  func candidates(
    _ grid: SmootherGrid, _ rules: DebounceGrid
  ) throws -> (smoothers: [SmootherGrid.Variant], rules: [DebounceGrid.Rule]) {
    let debounces = StrategyCatalogue.debounce.map(\.name).filter { $0 != "none" }
    var smoothers: [SmootherGrid.Variant] = []
    var own: [DebounceGrid.Rule] = []
    for text in candidates {
      if debounces.contains(String(text.prefix { $0.isLetter || $0 == "-" })) {
        own.append(try rules.rule("candidate " + text, text, text))
      } else {
        let family = SmootherFamily(origin: .candidate, name: "candidate " + text)
        smoothers.append(.init(family: family, choice: try grid.choice(text)))
      }
    }
    return (smoothers, own)
  }

  func pairs(
    _ grid: SmootherGrid, _ detector: BatchDetector, _ candidates: [SmoothingChoice],
    _ own: [DebounceGrid.Rule]
  ) throws -> [DebounceGrid.Pairs] {
    var different: [SmoothingChoice] = []
    for smoother in (only ? [] : try SmootherGrid.beforeRules.map(grid.choice)) + candidates
    where smoother.isCausal && !smoother.isNone && !different.contains(smoother) {
      different.append(smoother)
    }
    guard !only else { return different.map { DebounceGrid.pairs(behind: $0, own) } }
    let rules = DebounceGrid(detector: detector)
    return try different.map { try rules.pairs(behind: $0) }
  }

  func contest(
    _ tried: [TriedSmoother], _ rules: [TriedRule], _ pairs: [TriedRule], _ trial: SmootherTrial
  ) -> SteadyContest? {
    guard let plain = tried.first(where: { $0.point.family == .raw }) else { return nil }
    let smoothers = tried.filter { $0.point.isCausal && $0.point.family != .raw }
    return SteadyContest(
      ChoiceRule(allowedDelay: Seconds(latency)),
      plain: plain.answers, people: trial.people,
      smoothing: smoothers.map { smoother in
        Rival(
          candidate: .init(
            family: smoother.point.choice.filterNames, name: smoother.point.name,
            strategy: smoother.point.text),
          answers: smoother.answers, settings: PerStream(plank: 1, form: 1))
      }, debounce: rules.map(Self.rival), combined: pairs.map(Self.rival))
  }

  private static func rival(_ tried: TriedRule) -> Rival {
    Rival(candidate: tried.rule.rule, answers: tried.answers, settings: tried.settings)
  }
}
