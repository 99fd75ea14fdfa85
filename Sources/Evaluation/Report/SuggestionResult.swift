package import PoseModel

/// What the search for edits found, and whether it holds on people it did not see.
package struct SuggestionResult: Codable, Hashable, Sendable {
  /// The stream whose rules were searched.
  package var stream: AnswerStream
  /// The detector's name.
  package var detector: String
  /// How many people there are.
  package var people: Int
  /// How many scored frames there are.
  package var frames: Int
  /// The sources; empty if they are not told apart.
  package var sources: [String]
  /// How many times a second that is broken counts.
  package var harm: Double
  /// How many groups of people were left out in turn.
  package var folds: Int
  /// The scores without an edit, with one, and so on; as many as were searched.
  package var path: [PathScore]
  /// How many of the edits are suggested.
  package var made: Int
  /// The edits in order: those that are suggested, and the first that is not.
  package var edits: [SuggestedEdit]
  /// The most costly errors after the suggested edits.
  package var remaining: [RemainingError]
  /// What to type to search again, and to evaluate the same data; nil where it is not known.
  package var commands: ResultCommands?

  /// The edits that are suggested.
  package var suggested: ArraySlice<SuggestedEdit> { edits.prefix(made) }
  /// The best edit that is not suggested; nil if none is worth anything.
  package var refused: SuggestedEdit? { edits.dropFirst(made).first }

  /// The fewest people for whom anything is suggested.
  package static let fewestPeople = 6
  /// From how many people on it means something that nothing is suggested.
  package static let enoughPeople = 12

  /// States all of it.
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

/// The scores after so many edits.
package struct PathScore: Codable, Hashable, Sendable {
  /// How many edits were made.
  package var edits: Int
  /// The score on all people, who chose the edits.
  package var seen: Double
  /// The score on people whom the search did not see, in sources that show others; nil with too few.
  package var leftOut: Double?
  /// The standard error of its change since the start.
  package var standardError: Double?
  /// The mean score in sources that the search did not see; nil with one source.
  package var sourceLeftOut: Double?

  private enum CodingKeys: String, CodingKey {
    case edits, seen
    case leftOut = "left_out"
    case standardError = "standard_error"
    case sourceLeftOut = "source_left_out"
  }

  /// States all of it.
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

/// An edit with the evidence for and against it.
package struct SuggestedEdit: Codable, Hashable, Sendable {
  /// Whether an edit holds.
  package enum Verdict: String, CaseIterable, Codable, Hashable, Sendable {
    /// The gain on people left out is more than two standard errors.
    case sure
    /// It is more than one.
    case suggested
    /// It is less, so nothing speaks for the edit.
    case unconfirmed
    /// Nearly all mended seconds are one person's.
    case onePerson = "one_person"
    /// There are too few people to tell.
    case tooFewPeople = "too_few_people"
  }

  /// A threshold of the edit.
  package struct Threshold: Codable, Hashable, Sendable {
    /// What it is compared with, or the parameter that moves.
    package var name: String
    /// The unit.
    package var unit: String
    /// The value before; nil for a new one.
    package var before: Double?
    /// The suggested value.
    package var value: Double
    /// The values between which others do nearly as well.
    package var lower: Double
    package var upper: Double

    /// States all of it.
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

  /// What the edit is.
  package var edit: RuleEdit
  /// The rules before the edit, as sentences.
  package var rules: [String]
  /// Its thresholds, in the order of the edit.
  package var thresholds: [Threshold]
  /// Whether it holds.
  package var verdict: Verdict
  /// How many edits were tried.
  package var tried: Int
  /// The score before and after, on all people, who chose the edit.
  package var seen: ScoreChange
  /// The score before and after on people left out; nil with too few people.
  package var leftOut: ScoreChange?
  /// The standard error of the change on people left out.
  package var standardError: Double?
  /// In how many groups of people left out the others chose the same edit but for its thresholds.
  package var sameChoices: Int
  /// The most valuable changes of answers.
  package var mended: [AnswerChange]
  /// How many people are better and worse off, by source.
  package var people: [PeopleChange]
  /// Classes that lose a point of recall or more.
  package var lost: [ClassLoss]
  /// What the same search without a source changes there.
  package var withoutSource: [SourceChange]
  /// The score before and after with smoothing and debounce as the user has them.
  package var debounced: ScoreChange
  /// What else could be made in place of this edit: the best of every kind but for this one, the best
  /// first; at most two.
  package var alternatives: [AlternativeEdit]

  private enum CodingKeys: String, CodingKey {
    case edit, rules, thresholds, verdict, tried, seen, mended, people, lost, debounced
    case alternatives
    case leftOut = "left_out"
    case standardError = "standard_error"
    case sameChoices = "same_choices"
    case withoutSource = "without_source"
  }

  /// States all of it.
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
  /// What the edit is.
  package var edit: RuleEdit
  /// Its thresholds, in the order of the edit.
  package var thresholds: [SuggestedEdit.Threshold]
  /// The score before and after, on all people, who chose the edit.
  package var seen: ScoreChange
  /// The same with smoothing and debounce as the user has them.
  package var debounced: ScoreChange

  /// States all of it.
  package init(
    edit: RuleEdit, thresholds: [SuggestedEdit.Threshold], seen: ScoreChange, debounced: ScoreChange
  ) {
    self.edit = edit
    self.thresholds = thresholds
    self.seen = seen
    self.debounced = debounced
  }
}

/// A score before and after an edit, 0...1.
package struct ScoreChange: Codable, Hashable, Sendable {
  /// The balanced accuracy before.
  package var before: Double
  /// The balanced accuracy after.
  package var after: Double

  /// What was gained.
  package var gain: Double { after - before }

  /// States all of it.
  package init(before: Double, after: Double) {
    self.before = before
    self.after = after
  }
}

/// Frames whose answers an edit changes.
package struct AnswerChange: Codable, Hashable, Sendable {
  /// The true class.
  package var truth: String
  /// The answer before.
  package var before: String
  /// The answer after.
  package var after: String
  /// The change of the score.
  package var worth: Double
  /// The seconds.
  package var seconds: Double

  /// States all of it.
  package init(truth: String, before: String, after: String, worth: Double, seconds: Double) {
    self.truth = truth
    self.before = before
    self.after = after
    self.worth = worth
    self.seconds = seconds
  }
}

/// How the people of a source fare with an edit.
package struct PeopleChange: Codable, Hashable, Sendable {
  /// The source; empty if sources are not told apart.
  package var source: String
  /// How many people gain.
  package var better: Int
  /// How many lose.
  package var worse: Int
  /// How many people there are.
  package var count: Int

  /// States all of it.
  package init(source: String, better: Int, worse: Int, count: Int) {
    self.source = source
    self.better = better
    self.worse = worse
    self.count = count
  }
}

/// A class that an edit costs recall in a source.
package struct ClassLoss: Codable, Hashable, Sendable {
  /// The source; empty if sources are not told apart.
  package var source: String
  /// The class.
  package var label: String
  /// Its recall before.
  package var before: Double
  /// Its recall after.
  package var after: Double

  /// States all of it.
  package init(source: String, label: String, before: Double, after: Double) {
    self.source = source
    self.label = label
    self.before = before
    self.after = after
  }
}

/// What a search that did not see a source changes there.
package struct SourceChange: Codable, Hashable, Sendable {
  /// The source.
  package var source: String
  /// The change of the source's balanced accuracy.
  package var change: Double

  /// States all of it.
  package init(source: String, change: Double) {
    self.source = source
    self.change = change
  }
}

/// A kind of error that the rules still make.
package struct RemainingError: Codable, Hashable, Sendable {
  /// The true class.
  package var truth: String
  /// The answer.
  package var answer: String
  /// What it costs of the score.
  package var cost: Double
  /// How many people it occurs in.
  package var people: Int
  /// The person with the largest part, and that part, 0...1.
  package var person: String
  package var share: Double
  /// The part in which a measurement of the rules is missing, so that no rule can answer, 0...1.
  package var undecided: Double

  /// States all of it.
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
