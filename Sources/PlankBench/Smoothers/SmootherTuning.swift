internal import Evaluation
internal import PlankDetection
internal import Statistics
internal import Tuning

/// Searches the continuous parameters of smoothers for the lowest jitter plus lag.
///
/// The search starts at the best point of the family's grid and moves in logarithms, so that
/// halving and doubling are alike. It stays within the grid's range. Holds and entries alone cannot
/// tell filters beyond it from better ones: for example, a one-euro that stands still
/// until a hand moves would follow a tiring body seconds late. The search sees jitter and lag only:
/// no answers, and no labels but holds and transitions.
struct SmootherTuning: Sendable {
  /// Where the objective is measured.
  let trial: SmootherTrial
  /// What is smoothed.
  let target: SmoothingTarget
  /// The cost of one second of lag.
  let lagCost: Double

  /// A family with its continuous parameters.
  struct Family: Sendable {
    /// The filter.
    let kind: SmoothingKind
    /// The parameters that are searched.
    let keys: [ParameterKey]

    /// Whether a smoother is one of the grid with this filter alone.
    func contains(_ variant: SmootherGrid.Variant) -> Bool {
      variant.family.origin == .grid && variant.choice.filters == [.causal(kind)]
    }
  }

  /// The filters with continuous parameters.
  static let families = [
    Family(kind: .exponential, keys: [.cutoff]),
    Family(kind: .butterworth, keys: [.cutoff]),
    Family(kind: .kalman, keys: [.processNoise]),
    Family(kind: .oneEuro, keys: [.minCutoff, .beta]),
    Family(kind: .holt, keys: [.alpha, .beta]),
  ]

  /// About how many runs of a smoother the search of a family takes, for time estimates; measured
  /// on the studio.
  static let usualTrials = 20

  /// Searches one family from the best of its grid, never from a published smoother.
  ///
  /// - Returns: nil if no point of the grid has a jitter and a lag.
  func search(_ family: Family, from tried: [TriedSmoother]) -> SmootherGrid.Variant? {
    let candidates = tried.filter { family.contains($0.variant) }
    let best = candidates.cheapest(lagCost: lagCost, \.point)
    guard let best, let start = logarithms(family, best.variant.choice) else { return nil }
    let corners = candidates.compactMap { logarithms(family, $0.variant.choice) }
    let bounds = family.keys.indices.map { key in
      let values = corners.map { $0[key] }
      return (values.min() ?? start[key])...(values.max() ?? start[key])
    }
    let minimum = SimplexMinimizer(tolerance: 0.02, maximumSteps: 40).minimize(
      from: start, stepSizes: start.map { _ in 0.4 }
    ) { point in
      guard zip(bounds, point).allSatisfy({ $0.contains($1) }),
        let variant = variant(family, point)
      else { return .infinity }
      return trial.place(variant).cost(lagCost: lagCost) ?? .infinity
    }
    return variant(family, minimum.point)
  }

  private func logarithms(_ family: Family, _ choice: SmoothingChoice) -> [Double]? {
    guard case .causal(let strategy) = choice, let settings = strategy.steps.first?.settings
    else { return nil }
    return family.keys.map { key in
      let value = settings[key] ?? 1
      // A parameter of 0, such as the one-euro filter's beta, has no logarithm, so a small number
      // takes its place.
      return Exponential.log(value > 0 ? value : 0.01)
    }
  }

  private func variant(_ family: Family, _ point: [Double]) -> SmootherGrid.Variant? {
    let values = zip(family.keys, point).map { ($0, Exponential.exp($1).threeDigits) }
    guard
      let step = try? SmoothingStep(
        family.kind, Dictionary(uniqueKeysWithValues: values), on: target),
      let strategy = try? SmoothingStrategy([step])
    else { return nil }
    return SmootherGrid.Variant(
      family: SmootherFamily(origin: .search, name: family.kind.rawValue + " (tuned)"),
      choice: .causal(strategy))
  }
}

extension Double {
  /// The number with three significant digits, which is all that anybody would type.
  fileprivate var threeDigits: Double {
    guard self > 0, isFinite else { return self }
    var scale = 1.0
    while self * scale < 100 { scale *= 10 }
    while self * scale >= 1000 { scale /= 10 }
    return (self * scale).rounded() / scale
  }
}
