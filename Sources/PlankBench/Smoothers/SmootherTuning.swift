internal import Evaluation
internal import PlankDetection
internal import Statistics
internal import Tuning

/// Minimizes jitter plus lag, from the best point of the family's grid, in logarithms, so that
/// halving and doubling are alike.
///
/// It stays within the grid's range: holds and entries cannot tell filters beyond it from better
/// ones. For example, a one-euro that stands still until a hand moves would follow a tiring body
/// seconds late.
struct SmootherTuning: Sendable {
  let trial: SmootherTrial
  let target: SmoothingTarget
  let lagCost: Double

  struct Family: Sendable {
    let kind: SmoothingKind
    let keys: [ParameterKey]

    func contains(_ variant: SmootherGrid.Variant) -> Bool {
      variant.family.origin == .grid && variant.choice.filters == [.causal(kind)]
    }
  }

  static let families = [
    Family(kind: .exponential, keys: [.cutoff]),
    Family(kind: .butterworth, keys: [.cutoff]),
    Family(kind: .kalman, keys: [.processNoise]),
    Family(kind: .oneEuro, keys: [.minCutoff, .beta]),
    Family(kind: .holt, keys: [.alpha, .beta]),
  ]

  /// In runs of a smoother, for time estimates; measured on the studio.
  static let usualTrials = 20

  /// Nil if no point of the grid has a jitter and a lag; never starts from a published smoother.
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
  fileprivate var threeDigits: Double {
    guard self > 0, isFinite else { return self }
    var scale = 1.0
    while self * scale < 100 { scale *= 10 }
    while self * scale >= 1000 { scale /= 10 }
    return (self * scale).rounded() / scale
  }
}
