package import PoseModel

package struct SuggestionResult: Codable, Hashable, Sendable {
  package var stream: AnswerStream
  package var detector: String
  package var people: Int
  package var frames: Int
  package var sources: [String]
  /// How many times a second that is broken counts.
  package var harm: Double
  package var folds: Int
  package var path: [PathScore]
  package var made: Int
  package var edits: [SuggestedEdit]
  package var remaining: [RemainingError]
  package var commands: ResultCommands?

  package var suggested: ArraySlice<SuggestedEdit> { edits.prefix(made) }
  package var refused: SuggestedEdit? { edits.dropFirst(made).first }

  package static let fewestPeople = 6
  /// From how many people on it means something that nothing is suggested.
  package static let enoughPeople = 12

  package init(
    stream: AnswerStream, detector: String, people: Int, frames: Int, sources: [String],
    harm: Double, folds: Int, path: [PathScore], made: Int, edits: [SuggestedEdit],
    remaining: [RemainingError], commands: ResultCommands? = nil
  ) {
    self.stream = stream
    self.detector = detector
    self.people = people
    self.frames = frames
    self.sources = sources
    self.harm = harm
    self.folds = folds
    self.path = path
    self.made = made
    self.edits = edits
    self.remaining = remaining
    self.commands = commands
  }
}

package struct PathScore: Codable, Hashable, Sendable {
  package var edits: Int
  package var seen: Double
  /// The score on people whom the search did not see, in sources that show others; nil with too few.
  package var leftOut: Double?
  package var standardError: Double?
  /// The mean score in sources that the search did not see; nil with one source.
  package var sourceLeftOut: Double?

  private enum CodingKeys: String, CodingKey {
    case edits, seen
    case leftOut = "left_out"
    case standardError = "standard_error"
    case sourceLeftOut = "source_left_out"
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
  package enum Verdict: String, CaseIterable, Codable, Hashable, Sendable {
    /// The gain on people left out is more than two standard errors.
    case sure
    /// It is more than one.
    case suggested
    case unconfirmed
    /// Nearly all corrected seconds are one person's.
    case onePerson = "one_person"
    case tooFewPeople = "too_few_people"
  }

  package struct Threshold: Codable, Hashable, Sendable {
    package var name: String
    package var unit: String
    package var before: Double?
    package var value: Double
    /// The values between which others do nearly as well.
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
  package var verdict: Verdict
  package var tried: Int
  package var seen: ScoreChange
  package var leftOut: ScoreChange?
  package var standardError: Double?
  /// In how many groups of people left out the others chose the same edit but for its thresholds.
  package var sameChoices: Int
  package var mended: [AnswerChange]
  package var people: [PeopleChange]
  package var lost: [ClassLoss]
  package var withoutSource: [SourceChange]
  package var debounced: ScoreChange
  /// The best edit of every other kind, the best first; at most two.
  package var alternatives: [AlternativeEdit]

  private enum CodingKeys: String, CodingKey {
    case edit, rules, thresholds, verdict, tried, seen, mended, people, lost, debounced
    case alternatives
    case leftOut = "left_out"
    case standardError = "standard_error"
    case sameChoices = "same_choices"
    case withoutSource = "without_source"
  }

  package init(
    edit: RuleEdit, rules: [String], thresholds: [Threshold], verdict: Verdict, tried: Int,
    seen: ScoreChange, leftOut: ScoreChange?, standardError: Double?, sameChoices: Int,
    mended: [AnswerChange], people: [PeopleChange], lost: [ClassLoss],
    withoutSource: [SourceChange], debounced: ScoreChange, alternatives: [AlternativeEdit]
  ) {
    self.edit = edit
    self.rules = rules
    self.thresholds = thresholds
    self.verdict = verdict
    self.tried = tried
    self.seen = seen
    self.leftOut = leftOut
    self.standardError = standardError
    self.sameChoices = sameChoices
    self.mended = mended
    self.people = people
    self.lost = lost
    self.withoutSource = withoutSource
    self.debounced = debounced
    self.alternatives = alternatives
  }
}

/// An edit that could be made in place of another one; it was not judged on people left out.
package struct AlternativeEdit: Codable, Hashable, Sendable {
  package var edit: RuleEdit
  package var thresholds: [SuggestedEdit.Threshold]
  package var seen: ScoreChange
  package var debounced: ScoreChange

  package init(
    edit: RuleEdit, thresholds: [SuggestedEdit.Threshold], seen: ScoreChange, debounced: ScoreChange
  ) {
    self.edit = edit
    self.thresholds = thresholds
    self.seen = seen
    self.debounced = debounced
  }
}

package struct ScoreChange: Codable, Hashable, Sendable {
  package var before: Double
  package var after: Double

  package var gain: Double { after - before }

  package init(before: Double, after: Double) {
    self.before = before
    self.after = after
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
  package var answer: String
  package var cost: Double
  package var people: Int
  package var person: String
  package var share: Double
  /// The part in which a measurement of the rules is missing, so that no rule can answer, 0...1.
  package var undecided: Double

  package init(
    truth: String, answer: String, cost: Double, people: Int, person: String, share: Double,
    undecided: Double
  ) {
    self.truth = truth
    self.answer = answer
    self.cost = cost
    self.people = people
    self.person = person
    self.share = share
    self.undecided = undecided
  }
}
