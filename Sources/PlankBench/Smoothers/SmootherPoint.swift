internal import Evaluation
internal import PlankDetection
internal import Tuning

struct SmootherFamily: Hashable, Sendable, Codable {
  enum Origin: String, CaseIterable, Hashable, Sendable, Codable {
    case raw
    case grid
    case published
    case bound
    case candidate
    case search
  }

  let origin: Origin
  let name: String

  static let raw = SmootherFamily(origin: .raw, name: "none")
}

struct SmootherPoint: Hashable, Sendable, Codable {
  let choice: SmoothingChoice
  let family: SmootherFamily
  let isCausal: Bool
  let calm: SmootherCalm
  let delay: SmootherDelay
  let answers: MetricTable?
  private(set) var cost: Double?

  private enum CodingKeys: String, CodingKey {
    case choice = "smoother"
    case family
    case isCausal = "causal"
    case calm, delay, answers, cost
  }

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

  func priced(lagCost: Double) -> SmootherPoint {
    var point = self
    point.cost = cost(lagCost: lagCost)
    return point
  }

  var name: String { choice.shortText }

  var text: String { choice.text }

  var isTuned: Bool { family.origin == .search }

  var place: (jitter: Double, lag: Double)? {
    guard let jitter = calm.step.number, let lag = delay.lag.number else { return nil }
    return (jitter, lag)
  }

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
  var filterNames: String {
    filters.map { filter in
      switch filter {
      case .causal(let kind): kind.rawValue
      case .offline(let kind): kind.rawValue
      }
    }.joined(separator: " + ")
  }
}
