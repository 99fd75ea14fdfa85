package import Evaluation
package import PoseModel
package import Statistics

/// All choose by the same rule and are scored on people who had no part in the choice: for each
/// group of people, every side chooses by the answers of the other groups; intervals of what was
/// chosen are wider by `HeldOutEstimate.sharedTraining`.
package struct SteadyContest: Hashable, Sendable, Codable {
  package let rule: ChoiceRule
  package let people: Int
  /// How many groups of people chose for each other; 1 if there is nobody else to choose by:
  /// numbers are then those of the data that the choice was made on.
  package let rounds: Int
  package let smoothing: Side
  package let debounce: Side
  package let combined: Side
  package let rows: [Row]

  private enum CodingKeys: String, CodingKey {
    case rule, people, rounds
    case smoothing, debounce, combined
    case rows = "metrics"
  }

  package struct Side: Hashable, Sendable, Codable {
    package let families: [Family]
    package let choice: Candidate?
    package let sameChoices: Int

    private enum CodingKeys: String, CodingKey {
      case families, choice
      case sameChoices = "rounds_with_the_same_choice"
    }

    package var count: Int { families.reduce(0) { $0 + $1.candidates } }
  }

  package struct Family: Hashable, Sendable, Codable {
    package let name: String
    package let candidates: Int
  }

  package struct Candidate: Hashable, Sendable, Codable {
    package let family: String
    package let name: String
    package let strategy: String

    package init(family: String, name: String, strategy: String) {
      self.family = family
      self.name = name
      self.strategy = strategy
    }
  }

  package enum Answers: Int, CaseIterable, Hashable, Sendable {
    case plain
    case smoothed
    case debounced
    case combined
  }

  package enum Contrast: CaseIterable, Hashable, Sendable {
    case smoothing
    case debouncing
    case combining
    case debouncedMinusSmoothed
    case combinedMinusSmoothed
    case combinedMinusDebounced

    package var sides: (judged: Answers, other: Answers) {
      switch self {
      case .smoothing: (.smoothed, .plain)
      case .debouncing: (.debounced, .plain)
      case .combining: (.combined, .plain)
      case .debouncedMinusSmoothed: (.debounced, .smoothed)
      case .combinedMinusSmoothed: (.combined, .smoothed)
      case .combinedMinusDebounced: (.combined, .debounced)
      }
    }
  }

  package struct Row: Hashable, Sendable, Codable {
    package let key: MetricKey
    package let plain: Number
    package let smoothed: Number
    package let debounced: Number
    package let combined: Number
    private let smoothing: Difference
    private let debouncing: Difference
    private let combining: Difference
    private let debouncedMinusSmoothed: Difference
    private let combinedMinusSmoothed: Difference
    private let combinedMinusDebounced: Difference

    private enum CodingKeys: String, CodingKey {
      case key = "metric"
      case plain, smoothed, debounced, combined
      case smoothing = "smoothed_minus_plain"
      case debouncing = "debounced_minus_plain"
      case combining = "combined_minus_plain"
      case debouncedMinusSmoothed = "debounced_minus_smoothed"
      case combinedMinusSmoothed = "combined_minus_smoothed"
      case combinedMinusDebounced = "combined_minus_debounced"
    }

    init(
      _ key: MetricKey, number: (Answers) -> Number, difference: (Contrast) -> Difference
    ) {
      self.key = key
      plain = number(.plain)
      smoothed = number(.smoothed)
      debounced = number(.debounced)
      combined = number(.combined)
      smoothing = difference(.smoothing)
      debouncing = difference(.debouncing)
      combining = difference(.combining)
      debouncedMinusSmoothed = difference(.debouncedMinusSmoothed)
      combinedMinusSmoothed = difference(.combinedMinusSmoothed)
      combinedMinusDebounced = difference(.combinedMinusDebounced)
    }

    package subscript(answers: Answers) -> Number {
      switch answers {
      case .plain: plain
      case .smoothed: smoothed
      case .debounced: debounced
      case .combined: combined
      }
    }

    package subscript(contrast: Contrast) -> Difference {
      switch contrast {
      case .smoothing: smoothing
      case .debouncing: debouncing
      case .combining: combining
      case .debouncedMinusSmoothed: debouncedMinusSmoothed
      case .combinedMinusSmoothed: combinedMinusSmoothed
      case .combinedMinusDebounced: combinedMinusDebounced
      }
    }

    package var isPrimary: Bool { key.metric == SteadyContest.primary }
  }

  package struct Number: Hashable, Sendable, Codable {
    package let value: MetricValue
    package let interval: IntervalValue
  }

  package struct Difference: Hashable, Sendable, Codable {
    package let value: Double?
    package let interval: IntervalValue
    /// The probability by Student's t for the logarithms of half a change per minute more than each
    /// rate, corrected after Holm over all differences of the metric that decides.
    package internal(set) var adjustedProbability: Double?
    package internal(set) var verdict = ComparisonVerdict.cannotTell

    private enum CodingKeys: String, CodingKey {
      case value, interval
      case adjustedProbability = "p_cluster_t_holm"
      case verdict
    }
  }

  package var isHeldOut: Bool { rounds > 1 }

  package func wrongChanges(_ answers: Answers) -> Double {
    rows.filter(\.isPrimary).compactMap { $0[answers].value.number }.reduce(0, +)
  }

  package func row(_ metric: Metric, _ stream: AnswerStream) -> Row? {
    rows.first { $0.key == MetricKey(metric, in: stream) }
  }

  /// The largest number of groups.
  ///
  /// With one group per person, choices among equal candidates depend on the person that is left
  /// out: intervals cover too little from eight people on (docs/decisions/0054).
  package static let mostRounds = 5

  /// The metric that decides, stated beforehand: wrong changes per minute.
  package static let primary = Metric.falseTransitionsPerMinute

  package static let metrics: [Metric] = [
    primary, .flickersPerMinute, .hitRate, .detectionLatencyMedian, .detectionLatencyNinetieth,
    .balancedAccuracy,
  ]
}

package struct Rival: Sendable {
  package let candidate: SteadyContest.Candidate
  package let answers: PersonalAnswers

  package init(candidate: SteadyContest.Candidate, answers: PersonalAnswers) {
    self.candidate = candidate
    self.answers = answers
  }
}

extension SteadyContest {
  /// Every side chooses without each group of people in turn, and is compared on that group.
  ///
  /// The positions of `people` are those of `plain`. Nil if nobody is labeled. O(candidates x
  /// people), and resamples x people.
  package init?(
    _ rule: ChoiceRule, plain: PersonalAnswers, people: [String?], smoothing: [Rival],
    debounce: [Rival], combined: [Rival]
  ) {
    guard !people.isEmpty else { return nil }
    self.rule = rule
    self.people = people.count
    let rounds = min(people.count, Self.mostRounds)
    self.rounds = rounds
    var answers = HeldOutAnswers(plain, people: people.count)
    let sides = [smoothing, debounce, combined].map { rivals in
      let found = rivals.map(\.answers)
      let choices = Self.choices(rule, plain, found, people.count, rounds: rounds)
      answers.add(found, choices)
      return Side(rivals, choices)
    }
    self.smoothing = sides[0]
    self.debounce = sides[1]
    self.combined = sides[2]
    let factor = rounds > 1 ? HeldOutEstimate.sharedTraining(folds: rounds) : 1
    rows = Self.decided(
      AnswerStream.allCases.flatMap { HeldOutSamples(answers, $0)?.rows(factor) ?? [] })
  }

  struct Choices {
    let all: Int?
    let rounds: [Int?]

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

  private static func decided(
    _ found: [(row: Row, probabilities: [Contrast: Double])]
  ) -> [Row] {
    let known = found.filter(\.row.isPrimary).flatMap { _, probabilities in
      Contrast.allCases.compactMap { probabilities[$0] }
    }
    var adjusted = Holm.adjusted(known)[...]
    return found.map { row, probabilities in
      guard row.isPrimary else { return row }
      var own: [Contrast: Double] = [:]
      for contrast in Contrast.allCases where probabilities[contrast] != nil {
        own[contrast] = adjusted.popFirst()
      }
      return Row(
        row.key, number: { row[$0] },
        difference: { row[$0].decided(own[$0], row.key.metric) })
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
