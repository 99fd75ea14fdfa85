internal import Evaluation
internal import ParameterTuning
@_spi(Bench) internal import PoseModel
internal import Statistics

/// The best smoother and the best debounce rule on equal terms: chosen by the same rule, and scored
/// on people who had no part in the choice.
///
/// People are dealt into groups by the order of their names. For each group, both sides choose by
/// the answers of the other groups; the group's own answers behind that choice are what counts. The
/// best of many candidates looks better on the data that it was chosen on than on new data; these
/// numbers do not share in that. Intervals of what was chosen are wider by
/// `HeldOutEstimate.sharedTraining`.
struct SteadyContest: Hashable, Sendable, Codable {
  /// The rule of the choice.
  let rule: ChoiceRule
  /// How many people are labeled; sequences without a name count as one person.
  let people: Int
  /// How many groups of people chose for each other; 1 if there is nobody else to choose by, and
  /// numbers are those of the data that the choice was made on.
  let rounds: Int
  /// The smoothers.
  let smoothing: Side
  /// The debounce rules.
  let debounce: Side
  /// The numbers, stream by stream; those of a stream without labels are left out.
  let rows: [Row]

  private enum CodingKeys: String, CodingKey {
    case rule, people, rounds
    case smoothing, debounce
    case rows = "metrics"
  }

  /// One side of the contest.
  struct Side: Hashable, Sendable, Codable {
    /// How many candidates every family has.
    let families: [Family]
    /// The candidate that everybody together chooses; nil for the answers as they are.
    let choice: Candidate?
    /// How many rounds chose the same one.
    let sameChoices: Int

    private enum CodingKeys: String, CodingKey {
      case families, choice
      case sameChoices = "rounds_with_the_same_choice"
    }

    /// How many candidates there are.
    var count: Int { families.reduce(0) { $0 + $1.candidates } }
  }

  /// How many candidates a family has.
  struct Family: Hashable, Sendable, Codable {
    /// The family's name.
    let name: String
    /// How many parameter values of it compete.
    let candidates: Int
  }

  /// One candidate.
  struct Candidate: Hashable, Sendable, Codable {
    /// The family's name.
    let family: String
    /// A short name for tables.
    let name: String
    /// The strategy with every number.
    let strategy: String
  }

  /// One metric on all sides.
  struct Row: Hashable, Sendable, Codable {
    /// The metric.
    let key: MetricKey
    /// The answers as they are.
    let plain: Number
    /// Behind the smoothers that were chosen.
    let smoothed: Number
    /// Behind the debounce rules that were chosen.
    let debounced: Number
    /// Smoothed minus plain.
    let smoothingChange: Difference
    /// Debounced minus plain.
    let debounceChange: Difference
    /// Debounced minus smoothed.
    let difference: Difference

    private enum CodingKeys: String, CodingKey {
      case key = "metric"
      case plain, smoothed, debounced
      case smoothingChange = "smoothed_minus_plain"
      case debounceChange = "debounced_minus_plain"
      case difference = "debounced_minus_smoothed"
    }

    /// Whether the metric decides.
    var isPrimary: Bool { key.metric == SteadyContest.primary }
  }

  /// A number with its interval over people.
  struct Number: Hashable, Sendable, Codable {
    /// The number.
    let value: MetricValue
    /// The 95 % interval, or why there is none.
    let interval: IntervalValue
  }

  /// A paired difference with its interval over people.
  struct Difference: Hashable, Sendable, Codable {
    /// The difference, in the metric's unit; nil if either side is undefined.
    let value: Double?
    /// The 95 % interval, or why there is none.
    let interval: IntervalValue
    /// The two-sided probability of Student's t for the logarithms of half a change per minute more
    /// than each rate, corrected after Holm over all differences of the metric that decides; nil
    /// for other metrics and without a standard error.
    var adjustedProbability: Double?
    /// What it says about the second side: better or worse only for the metric that decides.
    var verdict = ComparisonVerdict.cannotTell

    private enum CodingKeys: String, CodingKey {
      case value, interval
      case adjustedProbability = "p_cluster_t_holm"
      case verdict
    }
  }

  /// Whether numbers are those of people without a part in the choice.
  var isHeldOut: Bool { rounds > 1 }

  /// The largest number of groups.
  ///
  /// With one group per person, choices among equal candidates depend on the person that is left
  /// out: intervals cover too little from eight people on (docs/decisions/0054).
  static let mostRounds = 5

  /// The metric that decides, stated beforehand: wrong changes per minute.
  static let primary = Metric.falseTransitionsPerMinute

  /// What is compared in each stream, the metric that decides first.
  static let metrics: [Metric] = [
    primary, .flickersPerMinute, .hitRate, .detectionLatencyMedian, .detectionLatencyNinetieth,
    .balancedAccuracy,
  ]
}

/// A candidate with its answers.
struct Rival: Sendable {
  /// The candidate.
  let candidate: SteadyContest.Candidate
  /// Its answers by person.
  let answers: PersonalAnswers
}

extension SteadyContest {
  /// Lets both sides choose without each group of people in turn, and compares them on that group.
  ///
  /// - Parameters:
  ///   - plain: the answers as they are.
  ///   - people: the positions are those of `plain`.
  /// - Returns: nil if nobody is labeled.
  /// - Complexity: O(candidates x people), and resamples x people.
  init?(
    _ rule: ChoiceRule, plain: PersonalAnswers, people: [String?], smoothing: [Rival],
    debounce: [Rival]
  ) {
    guard !people.isEmpty else { return nil }
    self.rule = rule
    self.people = people.count
    let rounds = min(people.count, Self.mostRounds)
    self.rounds = rounds
    let sides = [smoothing, debounce].map { rivals in
      Self.choices(rule, plain, rivals.map(\.answers), people.count, rounds: rounds)
    }
    self.smoothing = Side(smoothing, sides[0])
    self.debounce = Side(debounce, sides[1])
    var answers = HeldOutAnswers(plain, people: people.count)
    answers.add(smoothing.map(\.answers), sides[0])
    answers.add(debounce.map(\.answers), sides[1])
    let factor = rounds > 1 ? HeldOutEstimate.sharedTraining(folds: rounds) : 1
    rows = Self.decided(
      AnswerStream.allCases.flatMap { HeldOutSamples(answers, $0)?.rows(factor) ?? [] })
  }

  /// What was chosen, as positions of rivals: by everybody together, and by everybody but each
  /// group.
  fileprivate struct Choices {
    let all: Int?
    let rounds: [Int?]

    /// What others chose for a person.
    func choice(for person: Int) -> Int? { rounds[person % rounds.count] }
  }

  private static func choices(
    _ rule: ChoiceRule, _ plain: PersonalAnswers, _ rivals: [PersonalAnswers], _ count: Int,
    rounds: Int
  ) -> Choices {
    let everybody = Array(0..<count)
    let all = rule.choose(rivals, plain: plain, everybody)
    guard rounds > 1 else { return Choices(all: all, rounds: [all]) }
    return Choices(
      all: all,
      rounds: (0..<rounds).map { round in
        rule.choose(rivals, plain: plain, everybody.filter { $0 % rounds != round })
      })
  }

  /// Judges the differences of the metric that decides, corrected after Holm over all of them.
  private static func decided(_ found: [(row: Row, probabilities: [Double?])]) -> [Row] {
    let known = found.filter(\.row.isPrimary).flatMap { $0.probabilities.compactMap(\.self) }
    var adjusted = Holm.adjusted(known)[...]
    return found.map { row, probabilities in
      guard row.isPrimary else { return row }
      let own = probabilities.map { $0 == nil ? nil : adjusted.popFirst() }
      return Row(
        key: row.key, plain: row.plain, smoothed: row.smoothed, debounced: row.debounced,
        smoothingChange: row.smoothingChange.decided(own[0], row.key.metric),
        debounceChange: row.debounceChange.decided(own[1], row.key.metric),
        difference: row.difference.decided(own[2], row.key.metric))
    }
  }
}

extension SteadyContest.Side {
  fileprivate init(_ rivals: [Rival], _ choices: SteadyContest.Choices) {
    var names: [String] = []
    for rival in rivals where !names.contains(rival.candidate.family) {
      names.append(rival.candidate.family)
    }
    families = names.map { name in
      .init(name: name, candidates: rivals.count { $0.candidate.family == name })
    }
    choice = choices.all.map { rivals[$0].candidate }
    sameChoices = choices.rounds.count { $0 == choices.all }
  }
}

extension SteadyContest.Difference {
  /// Better or worse if the interval excludes zero and the corrected probability is at most 0.05.
  fileprivate func decided(_ probability: Double?, _ metric: Metric) -> Self {
    var decided = self
    decided.adjustedProbability = probability
    guard let probability, probability <= MetricClaim.risk, let interval = interval.interval,
      interval.lower > 0 || interval.upper < 0
    else { return decided }
    decided.verdict = (interval.lower > 0) == metric.higherIsBetter ? .better : .worse
    return decided
  }
}

/// Whose answers count on each side: as they are, smoothed, and debounced.
private struct HeldOutAnswers {
  /// Every candidate that some round chose, once.
  private(set) var distinct: [PersonalAnswers]
  /// For each side, the position among these of every person's candidate.
  private(set) var sides: [[Int]]

  /// Starts with the answers as they are.
  init(_ plain: PersonalAnswers, people: Int) {
    distinct = [plain]
    sides = [Array(repeating: 0, count: people)]
  }

  /// Adds a side with its choices.
  mutating func add(_ candidates: [PersonalAnswers], _ choices: SteadyContest.Choices) {
    var known: [Int: Int] = [:]
    for choice in choices.rounds.compactMap(\.self) where known[choice] == nil {
      known[choice] = distinct.count
      distinct.append(candidates[choice])
    }
    sides.append(sides[0].indices.map { choices.choice(for: $0).flatMap { known[$0] } ?? 0 })
  }
}

/// The metrics of a stream on every side, with their resamples.
private struct HeldOutSamples {
  private let keys: [MetricKey]
  private let samples: [[ClusterSample]]
  private let values: [[MetricValue]]

  /// Draws resamples of the people who are scored in the stream.
  ///
  /// - Returns: nil if nobody is scored.
  init?(_ answers: HeldOutAnswers, _ stream: AnswerStream) {
    let keys = SteadyContest.metrics.map { MetricKey($0, in: stream) }
    let pools = answers.distinct.map { $0.pools[stream] }
    let people = pools[0].subjects.indices
    let own = people.filter { pools[0].values([keys[0]], of: [$0])[0].number != nil }
    guard !own.isEmpty else { return nil }
    let draws = MetricDraws(pools, keys)
    let resamples = ClusterResamples(
      clusters: own.count, count: own.count < 2 ? 1 : StreamUncertainty.resamplesDeciding,
      stream: RandomStream(seed: 0, purpose: "smoothers.held_out.\(stream.rawValue)"))
    let found = ClusterSample.make(resamples) { drawn in
      answers.sides.flatMap { side in
        draws.numbers(of: drawn.map { side[own[$0]] * people.count + own[$0] })
      }
    }
    samples = answers.sides.indices.map { side in
      zip(keys, found[(side * keys.count)...]).map { key, sample in
        var sample = sample
        sample.spread = key.metric.spread
        return sample
      }
    }
    values = answers.sides.indices.map { side in
      keys.enumerated().map { index, key in
        found[side * keys.count + index].estimate.map(MetricValue.value)
          ?? .undefined(pools[0].values([key])[0].reason ?? .tooManyMisses)
      }
    }
    self.keys = keys
  }

  /// One row per metric, with the probabilities of its three differences.
  ///
  /// - Parameter factor: how much wider the intervals of chosen sides are.
  func rows(_ factor: Double) -> [(row: SteadyContest.Row, probabilities: [Double?])] {
    keys.indices.map { column in
      let key = keys[column]
      func number(_ side: Int) -> SteadyContest.Number {
        SteadyContest.Number(
          value: values[side][column],
          interval: samples[side][column].interval(
            widenedBy: side == 0 ? 1 : factor, within: key.metric.range))
      }
      let pairs = [(1, 0), (2, 0), (2, 1)].map { samples[$0][column] - samples[$1][column] }
      let differences = pairs.map { sample in
        SteadyContest.Difference(
          value: sample.estimate,
          interval: sample.interval(widenedBy: factor, within: key.metric.differenceRange))
      }
      return (
        SteadyContest.Row(
          key: key, plain: number(0), smoothed: number(1), debounced: number(2),
          smoothingChange: differences[0], debounceChange: differences[1],
          difference: differences[2]),
        [(1, 0), (2, 0), (2, 1)].map { side, other in
          (samples[side][column].onLogScale - samples[other][column].onLogScale)
            .probability(widenedBy: factor)
        }
      )
    }
  }
}

extension ClusterSample {
  /// The wider of the 95 % intervals with its ends moved away from the estimate, or why there is
  /// none.
  fileprivate func interval(
    widenedBy factor: Double, within range: ClosedRange<Double>
  ) -> IntervalValue {
    let wider = MetricIntervals(self, range: range).wider
    guard let estimate, let interval = wider.interval else { return wider }
    return .interval(interval.widened(by: factor, about: estimate).clamped(to: range))
  }

  /// The logarithm of half a change per minute more than the rate.
  ///
  /// Smoothers and rules take away a share of each person's wrong changes, and people differ by
  /// factors: shares are alike where differences are not. The half keeps 0 finite.
  fileprivate var onLogScale: ClusterSample {
    func scaled(_ rate: Double?) -> Double? { rate.map { Exponential.log($0 + 0.5) } }
    return ClusterSample(
      estimate: scaled(estimate), omissions: omissions.map(scaled),
      replicates: replicates.map(scaled), spread: spread)
  }

  /// The two-sided probability of Student's t with a larger standard error; nil without one.
  fileprivate func probability(widenedBy factor: Double) -> Double? {
    (try? test())?.widened(by: factor).probability
  }
}
