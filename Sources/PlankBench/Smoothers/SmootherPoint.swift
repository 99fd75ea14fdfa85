internal import Evaluation
internal import PlankDetection
internal import Tuning

/// The smoothers of one curve, which differ in one parameter.
struct SmootherFamily: Hashable, Sendable, Codable {
  /// Why they are compared.
  enum Origin: String, CaseIterable, Hashable, Sendable, Codable {
    /// The measurements as they are.
    case raw
    /// A filter over its range of parameters.
    case grid
    /// A published smoother with its own numbers.
    case published
    /// A filter that looks ahead: a bound.
    case bound
    /// Asked for on the command line.
    case candidate
    /// A search found the parameters, rather than the grid.
    case search
  }

  /// Why they are compared.
  let origin: Origin
  /// The name of the curve, for example `ema` or `one-euro beta 0.5`.
  let name: String

  /// The measurements as they are.
  static let raw = SmootherFamily(origin: .raw, name: "none")
}

/// The effect of one smoother with one set of parameters on a dataset.
struct SmootherPoint: Hashable, Sendable, Codable {
  /// The smoother.
  let choice: SmoothingChoice
  /// The curve that it belongs to.
  let family: SmootherFamily
  /// Whether an app could run it.
  let isCausal: Bool
  /// Its effect on measurements while a plank is held.
  let calm: SmootherCalm
  /// How late it is.
  let delay: SmootherDelay
  /// The detector's answers from the smoothed measurements; nil without labels.
  let answers: MetricTable?
  /// Jitter plus lag times its cost; nil if either is undefined, or outside of a comparison.
  private(set) var cost: Double?

  private enum CodingKeys: String, CodingKey {
    case choice = "smoother"
    case family
    case isCausal = "causal"
    case calm, delay, answers, cost
  }

  /// Takes the numbers of a smoother.
  init(
    _ choice: SmoothingChoice, _ family: SmootherFamily, calm: SmootherCalm, delay: SmootherDelay,
    answers: MetricTable? = nil
  ) {
    self.choice = choice
    self.family = family
    isCausal = choice.isCausal
    self.calm = calm
    self.delay = delay
    self.answers = answers
  }

  /// The same point with its cost.
  func priced(lagCost: Double) -> SmootherPoint {
    var point = self
    point.cost = cost(lagCost: lagCost)
    return point
  }

  /// The strategy for a table, without what is obvious.
  var name: String { choice.shortText }

  /// The strategy with every number.
  var text: String { choice.text }

  /// Whether a search found its parameters, rather than the grid.
  var isTuned: Bool { family.origin == .search }

  /// Jitter and lag if both are defined: the plane of the comparison.
  var place: (jitter: Double, lag: Double)? {
    guard let jitter = calm.step.number, let lag = delay.lag.number else { return nil }
    return (jitter, lag)
  }

  /// Jitter plus lag times its cost, what a search minimizes; nil if either is undefined.
  ///
  /// - Parameter lagCost: the cost of one second of lag, as a multiple of the raw jitter.
  func cost(lagCost: Double) -> Double? {
    place.map { $0.jitter + max(0, $0.lag) * lagCost }
  }
}

extension Collection {
  /// The element whose point costs least, of several the first by text; nil if no point has a cost.
  func cheapest(lagCost: Double, _ point: (Element) -> SmootherPoint) -> Element? {
    // Making a text takes long, and two costs are hardly ever equal.
    func comesFirst(
      _ one: (element: Element, cost: Double), _ other: (element: Element, cost: Double)
    ) -> Bool {
      one.cost == other.cost
        ? point(one.element).text < point(other.element).text : one.cost < other.cost
    }
    return compactMap { element in
      point(element).cost(lagCost: lagCost).map { (element: element, cost: $0) }
    }.min(by: comesFirst)?.element
  }
}

extension SmoothingChoice {
  /// The names of its filters, in order: the kind that smoothers share whatever their parameters.
  var filterNames: String {
    filters.map { filter in
      switch filter {
      case .causal(let kind): kind.rawValue
      case .offline(let kind): kind.rawValue
      }
    }.joined(separator: " + ")
  }
}
