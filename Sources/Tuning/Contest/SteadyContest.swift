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
  /// The side that is advised; nil to keep the answers as they are.
  package let recommended: Answers?

  private enum CodingKeys: String, CodingKey {
    case rule, people, rounds, recommended
    case smoothing, debounce, combined
    case rows = "metrics"
  }

  package struct Side: Hashable, Sendable, Codable {
    package let families: [Family]
    package let choice: Candidate?
    package let sameChoices: Int
    /// Of the answers of this side against those as they are, by balanced accuracy.
    package let advice: StreamAdvice
    /// The same by wrong changes per minute.
    package let wrongChangesAdvice: StreamAdvice

    private enum CodingKeys: String, CodingKey {
      case families, choice, advice
      case sameChoices = "rounds_with_the_same_choice"
      case wrongChangesAdvice = "wrong_changes_advice"
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
    /// The parameters whose place the strategy takes: `plank_frames=1`.
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

  /// The side that is advised, else the one with the fewest wrong changes.
  package var leading: Answers {
    recommended
      ?? [Answers.smoothed, .combined].reduce(.debounced) { best, next in
        wrongChanges(next) < wrongChanges(best) ? next : best
      }
  }

  package func wrongChanges(_ answers: Answers) -> Double {
    rows.filter(\.isPrimary).compactMap { $0[answers].value.number }.reduce(0, +)
  }

  package func row(_ metric: Metric, _ stream: AnswerStream) -> Row? {
    rows.first { $0.key == MetricKey(metric, in: stream) }
  }

  /// The largest number of groups.
  ///
  /// With one group per person, choices among equal candidates depend on the person that is left
  /// out: intervals cover too little from eight people on (docs/decisions/0015).
  package static let mostRounds = 5

  /// The metric that decides: wrong changes per minute.
  package static let primary = Metric.falseTransitionsPerMinute

  package static let metrics: [Metric] = [
    primary, .flickersPerMinute, .hitRate, .detectionLatencyMedian, .detectionLatencyNinetieth,
    .balancedAccuracy,
  ]
}

package struct Rival: Sendable {
  package let candidate: SteadyContest.Candidate
  package let answers: PersonalAnswers
  /// How many settings of each stream differ from the answers as they are.
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
    let rivals = [smoothing, debounce, combined]
    let choices = rivals.map { rivals in
      let found = rivals.map(\.answers)
      let choices = Self.choices(rule, plain, found, people.count, rounds: rounds)
      answers.add(found, choices)
      return choices
    }
    let person = plain.recordings.plank.map { people.firstIndex(of: $0.frames.subject) }
    let candidates = max(1, rivals.count { !$0.isEmpty })
    let sides = rivals.indices.map { index in
      let chosen = Set(choices[index].rounds + [choices[index].all]).compactMap(\.self)
      let settings = PerStream { stream in
        chosen.map { rivals[index][$0].settings[stream] }.max() ?? 0
      }
      let advice = SideAdvice(
        answers, index + 1, of: person, settings: settings, candidates: candidates)
      return Side(rivals[index], choices[index], advice)
    }
    (self.smoothing, self.debounce, self.combined) = (sides[0], sides[1], sides[2])
    let factor = rounds > 1 ? HeldOutEstimate.sharedTraining(folds: rounds) : 1
    let rows = AnswerStream.allCases.flatMap { HeldOutSamples(answers, $0)?.rows(factor) ?? [] }
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
    // Two stages take more to build and to explain than one, so equals go to the earlier side.
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

    func choice(for person: Int) -> Int? { rounds[person % rounds.count] }
  }

  private static func choices(
    _ rule: ChoiceRule, _ plain: PersonalAnswers, _ rivals: [PersonalAnswers], _ count: Int,
    rounds: Int
  ) -> Choices {
    // A single candidate is judged as it is: there is nothing to choose.
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

private struct SideAdvice {
  let right: StreamAdvice
  let wrongChanges: StreamAdvice

  init(
    _ answers: HeldOutAnswers, _ side: Int, of person: [Int?], settings: PerStream<Int>,
    candidates: Int
  ) {
    func pair(_ stream: AnswerStream) -> (before: [AnsweredRecording], after: [AnsweredRecording]) {
      (answers.recordings(0, stream, of: person), answers.recordings(side, stream, of: person))
    }
    right = StreamAdvice { stream in
      let (before, after) = pair(stream)
      return Advice(
        PairedCounts(before.map(\.frames), after.map(\.frames)), settings: settings[stream],
        candidates: candidates)
    }
    wrongChanges = StreamAdvice { stream in
      let (before, after) = pair(stream)
      let minutes = before.reduce(0) { $0 + $1.minutes }
      let now = minutes > 0 ? before.reduce(0) { $0 + $1.wrongChanges } / minutes : 0
      return Advice(
        PairedCounts(wrongChanges: before, after), settings: settings[stream],
        candidates: candidates, in: .rate("wrong changes per minute", now: now))
    }
  }
}

extension SteadyContest.Side {
  fileprivate init(_ rivals: [Rival], _ choices: SteadyContest.Choices, _ advice: SideAdvice) {
    var names: [String] = []
    for rival in rivals where !names.contains(rival.candidate.family) {
      names.append(rival.candidate.family)
    }
    families = names.map { name in
      .init(name: name, candidates: rivals.count { $0.candidate.family == name })
    }
    choice = choices.all.map { rivals[$0].candidate }
    sameChoices = choices.rounds.count { $0 == choices.all }
    self.advice = advice.right
    wrongChangesAdvice = advice.wrongChanges
  }

  /// How many fewer wrong changes per minute new people are expected to see, both streams together.
  fileprivate var fewerChanges: Double {
    AnswerStream.allCases.reduce(0) { $0 + (wrongChangesAdvice[$1]?.expected ?? 0) }
  }

  /// Whether wrong changes get rarer in one stream and not more in the other, at no more than the
  /// allowed loss of balanced accuracy in each.
  fileprivate func isAdvised(_ rule: ChoiceRule) -> Bool {
    let steps = AnswerStream.allCases.compactMap { wrongChangesAdvice[$0]?.step }
    return choice != nil && steps.contains(where: \.takes) && !steps.contains(where: \.keeps)
      && AnswerStream.allCases.allSatisfy { (advice[$0]?.expected ?? 0) >= -rule.allowedLoss }
  }
}
