package import Evaluation
package import PlankDetection
package import PoseModel
package import Tuning

package struct SmootherComparison: CommandResult {
  package static let command = "smoothers compare"
  package static let schemaVersion = 5

  package let detector: String
  package let target: SmoothingTarget
  let rate: Hertz
  let size: Size
  /// The cost of one second of lag, as a multiple of the raw jitter.
  let lagCost: Double
  let bestTradeChoice: SmoothingChoice?
  /// Causal smoothers, in order of lag; no other is at least as good in jitter and lag and better
  /// in one of them.
  let frontChoices: [SmoothingChoice]
  /// For each limit on lag, the smoother of each kind with the least jitter within that limit, in
  /// order of increasing jitter.
  let equalLag: [EqualLag]
  /// For each limit on jitter, the smoother of each kind with the least lag within that limit, in
  /// order of increasing lag.
  let equalJitter: [EqualJitter]
  let points: [SmootherPoint]
  let rules: [DebounceAnswers]
  let combined: [DebounceAnswers]
  /// Judged on people who had no part in the choice; nil if nobody is labeled.
  package let contest: SteadyContest?
  /// Compares balanced accuracy with the recommendation; without one, with the side that has the
  /// fewest false transitions.
  let advice: StreamAdvice?
  let falseTransitionsAdvice: StreamAdvice?
  let commands: ResultCommands?
  let stress: [SmootherStress]
  let angles: [AngleBias]
  let notes: [String]

  private enum CodingKeys: String, SnakeCaseKey {
    case detector, target
    case rate = "rate_hz"
    case size
    case lagCost = "lag_cost_per_s"
    case bestTradeChoice = "best_trade"
    case frontChoices = "front"
    case equalLag, equalJitter, points
    case rules = "debounce"
    case combined
    case contest = "equal_terms"
    case advice, falseTransitionsAdvice, commands, stress
    case angles = "unsigned_angle"
    case notes
  }

  package struct Size: Hashable, Sendable, Codable {
    package let sequences: Int
    package let frames: Int
    package let transitions: Int

    package init(sequences: Int, frames: Int, transitions: Int) {
      self.sequences = sequences
      self.frames = frames
      self.transitions = transitions
    }
  }

  struct EqualLag: Hashable, Sendable, Codable {
    let limit: Seconds
    let smoothers: [SmoothingChoice]

    private enum CodingKeys: String, CodingKey {
      case limit = "lag_s"
      case smoothers
    }
  }

  struct EqualJitter: Hashable, Sendable, Codable {
    let limit: Double
    let smoothers: [SmoothingChoice]

    private enum CodingKeys: String, CodingKey {
      case limit = "jitter_ratio"
      case smoothers
    }
  }

  package init(
    detector: String, target: SmoothingTarget, rate: Hertz, size: Size, points: [SmootherPoint],
    lagCost: Double, rules: [DebounceAnswers] = [],
    combined: [DebounceAnswers] = [], contest: SteadyContest? = nil,
    commands: ResultCommands? = nil, stress: [SmootherStress], angles: [AngleBias],
    notes: [String]
  ) {
    self.detector = detector
    self.target = target
    self.rate = rate
    self.size = size
    self.lagCost = lagCost
    self.points = points.map { $0.priced(lagCost: lagCost) }
    self.rules = rules
    self.combined = combined
    self.contest = contest
    let leading = contest.flatMap { $0[$0.leading] }
    advice = leading?.advice
    falseTransitionsAdvice = leading?.falseTransitionsAdvice
    self.commands = commands
    self.stress = stress
    self.angles = angles
    self.notes = notes
    let front = SmootherFront(points)
    bestTradeChoice = Self.cheapest(points, lagCost: lagCost)?.choice
    frontChoices = front.front.map(\.choice)
    equalLag = front.equalLag.map {
      EqualLag(limit: Seconds($0.limit), smoothers: $0.points.map(\.choice))
    }
    equalJitter = front.equalJitter.map {
      EqualJitter(limit: $0.limit, smoothers: $0.points.map(\.choice))
    }
  }

  var front: SmootherFront { SmootherFront(points) }

  var bestTrade: SmootherPoint? { Self.cheapest(points, lagCost: lagCost) }

  var marked: SmootherPoint? {
    guard let contest, contest.recommended == .smoothed, let choice = contest.smoothing.choice
    else { return bestTrade }
    return points.first { $0.text == choice.strategy }
  }

  private static func cheapest(_ points: [SmootherPoint], lagCost: Double) -> SmootherPoint? {
    points.filter(\.isCausal).cheapest(lagCost: lagCost, \.self)
  }
}

package struct DebounceAnswers: Hashable, Sendable, Codable {
  package let rule: SteadyContest.Candidate
  let metrics: MetricTable

  package init(rule: SteadyContest.Candidate, metrics: MetricTable) {
    self.rule = rule
    self.metrics = metrics
  }
}

package struct SmootherStress: Hashable, Sendable, Codable {
  package enum Condition: String, CaseIterable, Hashable, Sendable, Codable {
    case asRecorded = "as recorded"
    case halfRate = "half rate"
    case dropped = "10 % dropped"
    /// Every time has a seeded, normally distributed error of 5 ms; frames keep their order.
    case jitteredClock = "jittered clock"
  }

  let condition: Condition
  let point: SmootherPoint

  package init(condition: Condition, point: SmootherPoint) {
    self.condition = condition
    self.point = point
  }

  private enum CodingKeys: String, CodingKey {
    case condition = "frames"
    case point
  }
}

/// The mean unsigned body angle over frames of holds with aligned form, in degrees.
package struct AngleBias: Hashable, Sendable, Codable {
  let choice: SmoothingChoice
  let mean: MetricValue
  let deviation: MetricValue

  package init(choice: SmoothingChoice, mean: MetricValue, deviation: MetricValue) {
    self.choice = choice
    self.mean = mean
    self.deviation = deviation
  }

  private enum CodingKeys: String, CodingKey {
    case choice = "smoother"
    case mean = "mean_deg"
    case deviation = "deviation_deg"
  }
}

package struct SmootherFamily: Hashable, Sendable, Codable {
  package enum Origin: String, CaseIterable, Hashable, Sendable, Codable {
    case raw
    case grid
    case published
    case bound
    case candidate
    case search
  }

  package let origin: Origin
  let name: String

  package init(origin: Origin, name: String) {
    self.origin = origin
    self.name = name
  }

  package static let raw = SmootherFamily(origin: .raw, name: "none")
}

package struct SmootherPoint: Hashable, Sendable, Codable {
  package let choice: SmoothingChoice
  package let family: SmootherFamily
  package let isCausal: Bool
  let calm: SmootherCalm
  let delay: SmootherDelay
  let answers: MetricTable?
  package private(set) var cost: Double?

  private enum CodingKeys: String, CodingKey {
    case choice = "smoother"
    case family
    case isCausal = "causal"
    case calm, delay, cost
    case answers = "metrics"
  }

  package init(
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

  package var name: String { choice.shortText }

  package var text: String { choice.text }

  var isTuned: Bool { family.origin == .search }

  package var place: (jitter: Double, lag: Double)? {
    guard let jitter = calm.step.number, let lag = delay.lag.number else { return nil }
    return (jitter, lag)
  }

  package func cost(lagCost: Double) -> Double? {
    place.map { $0.jitter + max(0, $0.lag) * lagCost }
  }
}

extension Collection {
  /// Nil if no point has a cost; ties go to the first element by text.
  package func cheapest(lagCost: Double, _ point: (Element) -> SmootherPoint) -> Element? {
    // Texts are slow to make, and two costs are hardly ever equal, so only ties compare texts.
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
  package var filterNames: String {
    filters.map { filter in
      switch filter {
      case .causal(let kind): kind.rawValue
      case .offline(let kind): kind.rawValue
      }
    }.joined(separator: " + ")
  }
}

package struct SmootherFront {
  /// In order of lag; no other point is at least as good in jitter and lag and better in one of
  /// them.
  let front: [SmootherPoint]
  package let equalLag: [Row]
  let equalJitter: [Row]

  package struct Row {
    package let limit: Double
    package let points: [SmootherPoint]
  }

  static let lags = [0.05, 0.1, 0.15, 0.2, 0.3]
  static let jitters = [0.5, 0.3, 0.2, 0.1, 0.05]
  private static let tolerance = 1e-9

  private struct Placed {
    let point: SmootherPoint
    let jitter: Double
    let lag: Double

    func comesBefore(_ other: Placed, by number: (Placed) -> (Double, Double)) -> Bool {
      let (left, right) = (number(self), number(other))
      return left == right ? point.text < other.point.text : left < right
    }
  }

  package init(_ points: [SmootherPoint]) {
    let placed = points.compactMap { point in
      point.isCausal
        ? point.place.map { Placed(point: point, jitter: $0.jitter, lag: $0.lag) } : nil
    }
    front = placed.filter { one in
      !placed.contains { other in
        other.jitter <= one.jitter && other.lag <= one.lag
          && (other.jitter < one.jitter || other.lag < one.lag)
      }
    }
    .sorted { $0.comesBefore($1) { ($0.lag, $0.jitter) } }
    .map(\.point)
    func best(
      within isWithin: (Placed) -> Bool, by number: (Placed) -> (Double, Double)
    ) -> [SmootherPoint] {
      let kinds = Dictionary(grouping: placed.filter(isWithin), by: \.point.choice.filters)
      return kinds.values.compactMap { $0.min { $0.comesBefore($1, by: number) } }
        .sorted { $0.comesBefore($1, by: number) }.map(\.point)
    }
    equalLag = Self.lags.map { limit in
      Row(
        limit: limit,
        points: best(within: { $0.lag <= limit + Self.tolerance }, by: { ($0.jitter, $0.lag) }))
    }
    equalJitter = Self.jitters.map { limit in
      Row(
        limit: limit,
        points: best(within: { $0.jitter <= limit + Self.tolerance }, by: { ($0.lag, $0.jitter) }))
    }
  }
}
