package import Evaluation
package import PoseModel
package import Statistics

/// Compares smoothing with debounce; all sides choose by one rule and are scored on people who had
/// no part in the choice.
///
/// For each group of people, every side chooses by the answers of the other groups. The intervals
/// of a chosen candidate are widened by `HeldOutEstimate.sharedTraining`.
package struct SteadyContest: Hashable, Sendable, Codable {
  package let rule: ChoiceRule
  package let people: Int
  /// How many groups of people are left out in turn.
  ///
  /// It is 1 if there is only one person; the numbers then come from the data on which the choice
  /// was made.
  package let rounds: Int
  package let smoothing: Side
  package let debounce: Side
  package let combined: Side
  package let rows: [Row]
  /// The advised side; nil to keep the original answers.
  package let recommended: Answers?

  private enum CodingKeys: String, CodingKey {
    case rule, people, rounds, recommended, smoothing, debounce, combined
    case rows = "metrics"
  }

  package struct Side: Hashable, Sendable, Codable {
    package let families: [Family]
    package let choice: Candidate?
    package let sameChoices: Int
    /// True if the usual candidate was chosen because the best one was not advised; otherwise nil.
    package let isUsual: Bool?
    /// The advice by balanced accuracy on a change from the original answers to those of this side.
    package let advice: StreamAdvice
    package let falseTransitionsAdvice: StreamAdvice

    private enum CodingKeys: String, SnakeCaseKey {
      case families, choice, advice
      case sameChoices = "rounds_with_the_same_choice"
      case isUsual, falseTransitionsAdvice
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
    package let settings: [String]

    package init(family: String, name: String, strategy: String, settings: [String] = []) {
      self.family = family
      self.name = name
      self.strategy = strategy
      self.settings = settings
    }
  }

  package enum Answers: String, CaseIterable, Codable, Hashable, Sendable {
    case plain
    case smoothed
    case debounced
    case combined

    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  package struct Row: Hashable, Sendable, Codable {
    package let key: MetricKey
    package let plain: Number
    package let smoothed: Number
    package let debounced: Number
    package let combined: Number

    private enum CodingKeys: String, CodingKey {
      case key = "metric"
      case plain, smoothed, debounced, combined
    }

    init(_ key: MetricKey, number: (Answers) -> Number) {
      self.key = key
      plain = number(.plain)
      smoothed = number(.smoothed)
      debounced = number(.debounced)
      combined = number(.combined)
    }

    package subscript(answers: Answers) -> Number {
      switch answers {
      case .plain: plain
      case .smoothed: smoothed
      case .debounced: debounced
      case .combined: combined
      }
    }

    package var isPrimary: Bool { key.metric == SteadyContest.primary }
  }

  package struct Number: Hashable, Sendable, Codable {
    package let value: MetricValue
    package let interval: IntervalValue
  }

  package var isHeldOut: Bool { rounds > 1 }

  package subscript(answers: Answers) -> Side? {
    switch answers {
    case .plain: nil
    case .smoothed: smoothing
    case .debounced: debounce
    case .combined: combined
    }
  }

  package var leading: Answers {
    recommended
      ?? [.debounced, .smoothed, .combined].filter { self[$0]?.choice != nil }
      .min { wrongChanges($0) < wrongChanges($1) } ?? .debounced
  }

  package func wrongChanges(_ answers: Answers) -> Double {
    rows.filter(\.isPrimary).compactMap { $0[answers].value.number }.reduce(0, +)
  }

  package func row(_ metric: Metric, _ stream: AnswerStream) -> Row? {
    rows.first { $0.key == MetricKey(metric, in: stream) }
  }

  /// The largest number of groups of people.
  ///
  /// With one group per person, choices among equal candidates depend on the person who is left
  /// out, and from eight people on, the intervals cover too little (docs/decisions/0015).
  package static let mostRounds = 5

  /// A light smoothing and a light debounce that the data at hand did not choose.
  ///
  /// One of them may be advised when the best of many candidates is not, because a choice among
  /// many looks better than it is.
  package static let usual = ["ema:cutoff=1.2Hz", "dwell:enter=0.1s,switch=0.1s,exit=0.1s"]

  package static let primary = Metric.falseTransitionsPerMinute

  package static let metrics: [Metric] = [
    primary, .flickersPerMinute, .hitRate, .detectionLatencyMedian, .detectionLatencyNinetieth,
    .balancedAccuracy,
  ]
}

package struct Rival: Sendable {
  package let candidate: SteadyContest.Candidate
  package let answers: PersonalAnswers
  package let settings: PerStream<Int>

  package init(
    candidate: SteadyContest.Candidate, answers: PersonalAnswers, settings: PerStream<Int>
  ) {
    self.candidate = candidate
    self.answers = answers
    self.settings = settings
  }
}

extension SteadyContest {
  /// Leaves out each group of people in turn; every side chooses without the group and is compared
  /// on it.
  ///
  /// Positions in `people` are the same as in `plain`. The result is nil if nobody is labeled.
  ///
  /// - Complexity: O((candidates + resamples) x people).
  package init?(
    _ rule: ChoiceRule, plain: PersonalAnswers, people: [String?], smoothing: [Rival],
    debounce: [Rival], combined: [Rival]
  ) {
    guard !people.isEmpty else { return nil }
    self.rule = rule
    self.people = people.count
    let rounds = min(people.count, Self.mostRounds)
    self.rounds = rounds
    let rivals = [smoothing, debounce, combined]
    let person = plain.recordings.plank.map { people.firstIndex(of: $0.right.subject) }
    let candidates = max(1, rivals.count { !$0.isEmpty })
    func judged(_ choices: [Choices]) -> (answers: HeldOutAnswers, sides: [Side]) {
      var answers = HeldOutAnswers(plain, people: people.count)
      for (rivals, choices) in zip(rivals, choices) { answers.add(rivals.map(\.answers), choices) }
      let sides = rivals.indices.map { index in
        Side(
          rivals[index], choices[index], answers, index + 1, of: person, candidates: candidates)
      }
      return (answers, sides)
    }
    let best = rivals.map { rivals in
      Self.choices(rule, plain, rivals.map(\.answers), people.count, rounds: rounds)
    }
    var (answers, sides) = judged(best)
    let usual = rivals.indices.map { index in
      sides[index].isAdvised(rule) ? nil : Self.usualChoice(rivals[index])
    }
    if usual.contains(where: { $0 != nil }) {
      let other = judged(zip(best, usual).map { $1 ?? $0 }).sides
      let choices = rivals.indices.map { index in
        other[index].isAdvised(rule) ? usual[index] ?? best[index] : best[index]
      }
      if choices.contains(where: \.isUsual) { (answers, sides) = judged(choices) }
    }
    (self.smoothing, self.debounce, self.combined) = (sides[0], sides[1], sides[2])
    let factor = rounds > 1 ? HeldOutEstimate.sharedTraining(folds: rounds) : 1
    let rows = AnswerStream.allCases.flatMap { Self.rows(answers, $0, factor) }
    self.rows = rows
    func number(_ metric: Metric, _ stream: AnswerStream, _ answers: Answers) -> Double? {
      rows.first { $0.key == MetricKey(metric, in: stream) }?[answers].value.number
    }
    let fitting = zip([Answers.smoothed, .debounced, .combined], sides).filter { answers, side in
      side.isAdvised(rule)
        && AnswerStream.allCases.allSatisfy { stream in
          rule.isInTime(
            number(.detectionLatencyMedian, stream, answers),
            before: number(.detectionLatencyMedian, stream, .plain),
            hitRate: number(.hitRate, stream, .plain))
        }
    }
    // Two stages take more effort to build and to explain than one, so ties go to the earlier side.
    recommended =
      fitting.reduce(nil as (answers: Answers, gain: Double)?) { best, next in
        let gain = next.1.fewerChanges
        guard let best, gain <= best.gain + ChoiceRule.rounding else { return (next.0, gain) }
        return best
      }?.answers
  }

  struct Choices {
    let all: Int?
    let rounds: [Int?]
    var isUsual = false

    func choice(for person: Int) -> Int? { rounds[person % rounds.count] }
  }

  private static func usualChoice(_ rivals: [Rival]) -> Choices? {
    guard rivals.count > 1,
      let place = rivals.firstIndex(where: { rival in
        let strategy = rival.candidate.strategy
        return Self.usual.contains {
          strategy == $0 || strategy.hasPrefix($0 + "@") && !strategy.contains("+")
        }
      })
    else { return nil }
    return Choices(all: place, rounds: [place], isUsual: true)
  }

  private static func choices(
    _ rule: ChoiceRule, _ plain: PersonalAnswers, _ rivals: [PersonalAnswers], _ count: Int,
    rounds: Int
  ) -> Choices {
    guard rivals.count != 1 else {
      return Choices(all: 0, rounds: Array(repeating: 0, count: rounds))
    }
    let everybody = Array(0..<count)
    let all = rule.choose(rivals, plain: plain, everybody)
    guard rounds > 1 else { return Choices(all: all, rounds: [all]) }
    return Choices(
      all: all,
      rounds: (0..<rounds).map { round in
        rule.choose(rivals, plain: plain, everybody.filter { $0 % rounds != round })
      })
  }
}

extension SteadyContest.Side {
  /// `answers` are those of all sides; those of this side are at `index`.
  fileprivate init(
    _ rivals: [Rival], _ choices: SteadyContest.Choices, _ answers: HeldOutAnswers, _ index: Int,
    of person: [Int?], candidates: Int
  ) {
    families = rivals.map(\.candidate.family).distinct.map { name in
      .init(name: name, candidates: rivals.count { $0.candidate.family == name })
    }
    choice = choices.all.map { rivals[$0].candidate }
    sameChoices = choices.rounds.count { $0 == choices.all }
    isUsual = choices.isUsual ? true : nil
    let chosen = Set(choices.rounds + [choices.all]).compactMap(\.self)
    let settings = PerStream { stream in chosen.map { rivals[$0].settings[stream] }.max() ?? 0 }
    let before = PerStream { answers.recordings(0, $0, of: person) }
    let after = PerStream { answers.recordings(index, $0, of: person) }
    advice = StreamAdvice { stream in
      Advice(
        PairedCounts(before[stream].map(\.right), after[stream].map(\.right)),
        settings: settings[stream], candidates: candidates)
    }
    falseTransitionsAdvice = StreamAdvice { stream in
      Advice(
        falseTransitions: before[stream], after[stream], settings: settings[stream],
        candidates: candidates)
    }
  }

  fileprivate var fewerChanges: Double {
    AnswerStream.allCases.reduce(0) { $0 + (falseTransitionsAdvice[$1]?.expected ?? 0) }
  }

  /// False transitions must become rarer in one stream and no more frequent in the other.
  ///
  /// For a candidate chosen among many, the chance of losing more balanced accuracy than allowed
  /// must also be at most one in four.
  fileprivate func isAdvised(_ rule: ChoiceRule) -> Bool {
    let steps = AnswerStream.allCases.compactMap { falseTransitionsAdvice[$0]?.step }
    return choice != nil && steps.contains(where: \.takes) && !steps.contains(where: \.keeps)
      && AnswerStream.allCases.allSatisfy { stream in
        guard let advice = advice[stream] else { return true }
        let isChosen = count > 1 && isUsual == nil
        // The distance to the lower quartile of a normal distribution with 5 % of its probability
        // below `low`.
        let margin = isChosen ? 0.41 * (advice.expected - advice.low) : 0
        return advice.expected - margin >= -rule.allowedLoss
      }
  }
}

struct HeldOutAnswers {
  private(set) var distinct: [PersonalAnswers]
  private(set) var sides: [[Int]]

  init(_ plain: PersonalAnswers, people: Int) {
    distinct = [plain]
    sides = [Array(repeating: 0, count: people)]
  }

  mutating func add(_ candidates: [PersonalAnswers], _ choices: SteadyContest.Choices) {
    var known: [Int: Int] = [:]
    for choice in choices.rounds.compactMap(\.self) where known[choice] == nil {
      known[choice] = distinct.count
      distinct.append(candidates[choice])
    }
    sides.append(sides[0].indices.map { choices.choice(for: $0).flatMap { known[$0] } ?? 0 })
  }

  func recordings(_ side: Int, _ stream: AnswerStream, of person: [Int?]) -> [AnsweredRecording] {
    person.enumerated().map { index, person in
      distinct[person.map { sides[side][$0] } ?? 0].recordings[stream][index]
    }
  }
}

extension SteadyContest {
  /// Empty if nobody's false transitions can be counted; `factor` widens the intervals of all sides
  /// but the original answers.
  private static func rows(
    _ answers: HeldOutAnswers, _ stream: AnswerStream, _ factor: Double
  ) -> [Row] {
    let keys = metrics.map { MetricKey($0, in: stream) }
    let pools = answers.distinct.map { $0.pools[stream] }
    let people = pools[0].subjects.indices
    let own = people.filter { pools[0].values([keys[0]], of: [$0])[0].number != nil }
    guard !own.isEmpty else { return [] }
    let draws = MetricDraws(pools, keys)
    let resamples = ClusterResamples(
      clusters: own.count, count: own.count < 2 ? 1 : StreamUncertainty.resamplesDeciding,
      stream: RandomStream(seed: 0, purpose: "smoothers.held_out.\(stream.rawValue)"))
    let found = ClusterSample.make(resamples) { drawn in
      answers.sides.flatMap { side in
        draws.numbers(of: drawn.map { side[own[$0]] * people.count + own[$0] })
      }
    }
    return keys.enumerated().map { column, key in
      // The scored time of a person does not depend on the side.
      let weights = key.metric.spread == .jackknife ? pools[0].weights(key) : nil
      let reason = pools[0].values([key])[0].reason ?? .tooManyMisses
      return Row(key) { side in
        var sample = found[side.index * keys.count + column]
        sample.spread = key.metric.spread
        sample.weights = weights
        return Number(
          value: sample.estimate.map(MetricValue.value) ?? .undefined(reason),
          interval: sample.interval(
            widenedBy: side == .plain ? 1 : factor, within: key.metric.range,
            scale: key.metric.logitScale))
      }
    }
  }
}

package struct PersonalAnswers: Sendable {
  let pools: PerStream<SubjectPools>
  let recordings: PerStream<[AnsweredRecording]>
  private let draws: PerStream<MetricDraws>

  package init(_ sequences: [SequenceScores], people: [String?]) {
    pools = PerStream { SubjectPools(sequences, $0, subjects: people) }
    draws = pools.map { MetricDraws([$0], ChoiceRule.keys($0.stream)) }
    recordings = PerStream { stream in sequences.map { AnsweredRecording($0, stream) } }
  }

  fileprivate func numbers(_ people: [Int]) -> PerStream<ChoiceNumbers> {
    draws.map { ChoiceNumbers($0.numbers(of: people)) }
  }
}

struct AnsweredRecording: Sendable {
  let right: RightSeconds
  let wrongChanges: Double
  let minutes: Double

  init(_ scores: SequenceScores, _ stream: AnswerStream) {
    self.init(RightSeconds(scores, stream), scores[stream].stability)
  }

  init(_ right: RightSeconds, _ stability: StabilityCounts) {
    self.right = right
    wrongChanges = Double(stability.falseTransitions)
    minutes = stability.evaluatedSeconds / 60
  }
}

extension Advice {
  init?(
    falseTransitions before: [AnsweredRecording], _ after: [AnsweredRecording], settings: Int,
    candidates: Int = 1
  ) {
    let minutes = before.reduce(0) { $0 + $1.minutes }
    let now = minutes > 0 ? before.reduce(0) { $0 + $1.wrongChanges } / minutes : 0
    let counts = PairedCounts(
      summing: zip(before, after).map { old, new in
        PairedCounts.Recording(
          name: old.right.name, subject: old.right.subject,
          counts: PairedCounts.Unit(
            source: old.right.source, amount: old.minutes, before: old.wrongChanges,
            after: new.wrongChanges))
      })
    self.init(
      counts, settings: settings, candidates: candidates,
      in: .rate("false transitions per minute", now: now))
  }
}

/// The candidate with the fewest false transitions in both streams together is chosen.
///
/// Candidates that answer too late or lose too much do not take part.
package struct ChoiceRule: Hashable, Sendable, Codable {
  package let allowedDelay: Seconds
  /// The largest loss of balanced accuracy in either stream, 0...1.
  package let allowedLoss: Double
  /// The largest loss of hit rate in either stream, 0...1.
  package let allowedMisses: Double

  private enum CodingKeys: String, SnakeCaseKey {
    case allowedDelay = "allowed_delay_s"
    case allowedLoss, allowedMisses
  }

  package init(allowedDelay: Seconds, allowedLoss: Double = 0.01, allowedMisses: Double = 0.05) {
    self.allowedDelay = allowedDelay
    self.allowedLoss = allowedLoss
    self.allowedMisses = allowedMisses
  }

  package static let usual = ChoiceRule(allowedDelay: Seconds(0.2))
  static let rounding = 1e-9

  fileprivate static func keys(_ stream: AnswerStream) -> [MetricKey] {
    [
      Metric.falseTransitionsPerMinute, .detectionLatencyMedian, .hitRate, .balancedAccuracy,
    ].map { MetricKey($0, in: stream) }
  }

  /// Ties go to the shorter median latencies, then to the earlier candidate; nil stands for the
  /// original answers.
  func choose(_ candidates: [PersonalAnswers], plain: PersonalAnswers, _ people: [Int]) -> Int? {
    let own = plain.numbers(people)
    var best = (cost: own.wrongChanges, latency: own.latency, candidate: Int?.none)
    for (index, candidate) in candidates.enumerated() {
      let numbers = candidate.numbers(people)
      let isAllowed = AnswerStream.allCases.allSatisfy { numbers[$0].isWithin(self, of: own[$0]) }
      guard isAllowed else { continue }
      let (cost, latency) = (numbers.wrongChanges, numbers.latency)
      let isBetter =
        cost < best.cost - Self.rounding
        || cost <= best.cost + Self.rounding && latency < best.latency - Self.rounding
      if isBetter { best = (cost, latency, index) }
    }
    return best.candidate
  }
}

private struct ChoiceNumbers {
  let wrongChanges: Double?
  let latency: Double?
  let hitRate: Double?
  let accuracy: Double?

  init(_ numbers: [Double?]) {
    precondition(numbers.count == 4, "the numbers are those of ChoiceRule.keys")
    wrongChanges = numbers[0]
    latency = numbers[1]
    hitRate = numbers[2]
    accuracy = numbers[3]
  }

  /// A number that is undefined for the original answers sets no limit.
  func isWithin(_ rule: ChoiceRule, of plain: ChoiceNumbers) -> Bool {
    func holds(_ before: Double?, _ after: Double?, loss: Double) -> Bool {
      guard let before else { return true }
      return after.map { before - $0 <= loss + ChoiceRule.rounding } ?? false
    }
    return rule.isInTime(latency, before: plain.latency, hitRate: plain.hitRate)
      && holds(plain.hitRate, hitRate, loss: rule.allowedMisses)
      && holds(plain.accuracy, accuracy, loss: rule.allowedLoss)
  }
}

extension ChoiceRule {
  /// If the original answers find less than half of the true events, the median is the length of a
  /// missed event and sets no limit.
  func isInTime(_ latency: Double?, before: Double?, hitRate: Double?) -> Bool {
    guard let before, hitRate ?? 1 >= 0.5 else { return true }
    return latency.map { $0 - before <= allowedDelay.value + Self.rounding } ?? false
  }
}

extension PerStream<ChoiceNumbers> {
  fileprivate var wrongChanges: Double { all.compactMap(\.wrongChanges).reduce(0, +) }
  fileprivate var latency: Double { all.compactMap(\.latency).reduce(0, +) }
}
