package import PoseModel

package struct SuggestionReport: Codable, Hashable, Sendable {
  package struct Unsearched: Codable, Hashable, Sendable {
    package enum Reason: String, CaseIterable, Codable, Hashable, Sendable {
      case unlabeled
      case oneClass = "one_class"
      case tooManyRules = "too_many_rules"
    }

    package let stream: AnswerStream
    package let reason: Reason

    package init(_ stream: AnswerStream, _ reason: Reason) {
      self.stream = stream
      self.reason = reason
    }
  }

  package let detector: String
  package let streams: [SuggestionResult]
  package let unsearched: [Unsearched]
  /// The advice on the advised edits; if there are none, on the best edit that was found.
  package let advice: StreamAdvice
  package var commands: ResultCommands?

  package init(detector: String, streams: [SuggestionResult], unsearched: [Unsearched] = []) {
    self.detector = detector
    self.streams = streams
    self.unsearched = unsearched
    advice = StreamAdvice { stream in streams.first { $0.stream == stream }?.advice }
  }

  package var made: Int { streams.reduce(0) { $0 + $1.made } }
}

package struct SuggestionResult: Codable, Hashable, Sendable {
  package var stream: AnswerStream
  package var people: Int
  /// Whether all people are named; a recording of an unnamed person counts as a person.
  package var named: Bool
  package var frames: Int
  package var sources: [String]
  /// The weight of a second that an edit makes wrong; a second that it makes right has weight 1.
  package var harm: Double
  package var folds: Int
  package var path: [PathScore]
  /// How many edits are advised: the first ones, up to the largest expected gain.
  package var made: Int
  package var edits: [SuggestedEdit]
  package var remaining: [RemainingError]

  package var suggested: ArraySlice<SuggestedEdit> { edits.prefix(made) }
  package var refused: SuggestedEdit? { edits.dropFirst(made).first }
  package var advice: Advice? { (suggested.last ?? refused)?.advice }

  /// With fewer people, the search is not repeated with some people left out.
  package static let fewestPeople = 6

  package init(
    stream: AnswerStream, people: Int, named: Bool, frames: Int, sources: [String], harm: Double,
    folds: Int, path: [PathScore], made: Int, edits: [SuggestedEdit], remaining: [RemainingError]
  ) {
    self.stream = stream
    self.people = people
    self.named = named
    self.frames = frames
    self.sources = sources
    self.harm = harm
    self.folds = folds
    self.path = path
    self.made = made
    self.edits = edits
    self.remaining = remaining
  }
}

package struct PathScore: Codable, Hashable, Sendable {
  package var edits: Int
  package var seen: Double
  /// The score on people whom the search did not see, in sources from which it saw other people;
  /// nil with too few people.
  package var leftOut: Double?
  package var standardError: Double?
  /// The mean score in sources that the search did not see; nil with one source.
  package var sourceLeftOut: Double?

  private enum CodingKeys: String, SnakeCaseKey {
    case edits, seen, leftOut, standardError, sourceLeftOut
  }

  package init(
    edits: Int, seen: Double, leftOut: Double?, standardError: Double?, sourceLeftOut: Double?
  ) {
    self.edits = edits
    self.seen = seen
    self.leftOut = leftOut
    self.standardError = standardError
    self.sourceLeftOut = sourceLeftOut
  }
}

package struct SuggestedEdit: Codable, Hashable, Sendable {
  package struct Threshold: Codable, Hashable, Sendable {
    package var name: String
    package var unit: String
    package var before: Double?
    package var value: Double
    /// The lower end of the values that do nearly as well.
    package var lower: Double
    package var upper: Double

    package init(
      name: String, unit: String, before: Double?, value: Double, lower: Double, upper: Double
    ) {
      self.name = name
      self.unit = unit
      self.before = before
      self.value = value
      self.lower = lower
      self.upper = upper
    }
  }

  package var edit: RuleEdit
  package var rules: [String]
  package var thresholds: [Threshold]
  /// The advice on this edit together with the edits before it; nil if nothing was counted.
  package var advice: Advice?
  package var tried: Int
  /// The change in the search's own score, which judges single frames without debounce.
  package var seen: BeforeAfter<Double>
  /// The number of left-out groups for which the search on all other people chose the same edit,
  /// whatever its thresholds.
  package var sameChoices: Int
  package var fixed: [AnswerChange]
  package var people: [PeopleChange]
  package var lost: [ClassLoss]
  package var withoutSource: [SourceChange]
  /// The best edits of other kinds, at most two, best first.
  package var alternatives: [AlternativeEdit]

  private enum CodingKeys: String, SnakeCaseKey {
    case edit, rules, thresholds, advice, tried, seen, fixed, people, lost, alternatives,
      sameChoices, withoutSource
  }

  package init(
    edit: RuleEdit, rules: [String], thresholds: [Threshold], advice: Advice?, tried: Int,
    seen: BeforeAfter<Double>, sameChoices: Int, fixed: [AnswerChange], people: [PeopleChange],
    lost: [ClassLoss], withoutSource: [SourceChange], alternatives: [AlternativeEdit]
  ) {
    self.edit = edit
    self.rules = rules
    self.thresholds = thresholds
    self.advice = advice
    self.tried = tried
    self.seen = seen
    self.sameChoices = sameChoices
    self.fixed = fixed
    self.people = people
    self.lost = lost
    self.withoutSource = withoutSource
    self.alternatives = alternatives
  }
}

/// An edit that could replace another one; no advice is given on it.
package struct AlternativeEdit: Codable, Hashable, Sendable {
  package var edit: RuleEdit
  package var thresholds: [SuggestedEdit.Threshold]
  package var seen: BeforeAfter<Double>

  package init(edit: RuleEdit, thresholds: [SuggestedEdit.Threshold], seen: BeforeAfter<Double>) {
    self.edit = edit
    self.thresholds = thresholds
    self.seen = seen
  }
}

package struct AnswerChange: Codable, Hashable, Sendable {
  package var truth: String
  package var before: String
  package var after: String
  package var worth: Double
  package var seconds: Double

  package init(truth: String, before: String, after: String, worth: Double, seconds: Double) {
    self.truth = truth
    self.before = before
    self.after = after
    self.worth = worth
    self.seconds = seconds
  }
}

package struct PeopleChange: Codable, Hashable, Sendable {
  package var source: String
  package var better: Int
  package var worse: Int
  package var count: Int

  package init(source: String, better: Int, worse: Int, count: Int) {
    self.source = source
    self.better = better
    self.worse = worse
    self.count = count
  }
}

package struct ClassLoss: Codable, Hashable, Sendable {
  package var source: String
  package var label: String
  package var before: Double
  package var after: Double

  package init(source: String, label: String, before: Double, after: Double) {
    self.source = source
    self.label = label
    self.before = before
    self.after = after
  }
}

package struct SourceChange: Codable, Hashable, Sendable {
  package var source: String
  package var change: Double

  package init(source: String, change: Double) {
    self.source = source
    self.change = change
  }
}

package struct RemainingError: Codable, Hashable, Sendable {
  package var truth: String
  package var prediction: String
  package var cost: Double
  package var people: Int
  package var person: String
  package var share: Double
  package var undecided: Double

  package init(
    truth: String, prediction: String, cost: Double, people: Int, person: String, share: Double,
    undecided: Double
  ) {
    self.truth = truth
    self.prediction = prediction
    self.cost = cost
    self.people = people
    self.person = person
    self.share = share
    self.undecided = undecided
  }
}

/// A change of a decision list by one rule; rules are numbered from 0, and the last rule stays last
/// without a condition.
package enum RuleEdit: Codable, Hashable, Sendable {
  case move(parameter: String, value: Double)
  case dropRule(rule: Int)
  case dropCondition(rule: Int, condition: Int)
  case swap(rule: Int)
  case narrow(rule: Int, condition: EditCondition)
  case insert(position: Int, label: String, conditions: [EditCondition])

  private enum CodingKeys: String, SnakeCaseKey {
    case move, swap, narrow, insert, dropRule, dropCondition
  }

  package enum Kind: Int, CaseIterable, Comparable, Codable, Hashable, Sendable {
    case move
    case rearrange
    case narrow
    case insert
    case insertPair

    package static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  package var kind: Kind {
    switch self {
    case .move: .move
    case .dropRule, .dropCondition, .swap: .rearrange
    case .narrow: .narrow
    case .insert(_, _, let conditions): conditions.count > 1 ? .insertPair : .insert
    }
  }

  package var newConditions: [EditCondition] {
    switch self {
    case .narrow(_, let condition): [condition]
    case .insert(_, _, let conditions): conditions
    case .move, .dropRule, .dropCondition, .swap: []
    }
  }
}

package struct EditCondition: Codable, Hashable, Sendable {
  package var measurement: String
  package var isBelow: Bool
  package var threshold: Double

  private enum CodingKeys: String, CodingKey {
    case measurement, threshold
    case isBelow = "below"
  }

  package init(_ measurement: String, below isBelow: Bool, _ threshold: Double) {
    self.measurement = measurement
    self.isBelow = isBelow
    self.threshold = threshold
  }
}
