package import PoseModel
package import Statistics

/// What to change next: the single parameters that make the most wrong answers right, each changed
/// alone.
package struct NextSteps: Codable, Hashable, Sendable {
  /// The fixes, at most `mostFixes`, the largest gain first; none makes held-out people worse.
  package let fixes: [Fix]
  /// What was found for each stream.
  package let findings: PerStream<Finding>
  /// The parameters that were tried, in the order of the detector's.
  package let tried: [String]
  /// What all fixes do at the same time; nil for fewer than two.
  package let together: Together?
  /// What is known about changes of the rules themselves; nil if they were not searched.
  package var rules: SuggestionResult?

  /// The largest number of fixes.
  package static let mostFixes = 3
  /// The smallest gain of a fix: half a point of the time that is scored.
  package static let leastGain = 0.005

  /// States what to change.
  package init(
    fixes: [Fix], findings: PerStream<Finding>, tried: [String], together: Together? = nil,
    rules: SuggestionResult? = nil
  ) {
    self.fixes = fixes
    self.findings = findings
    self.tried = tried
    self.together = together
    self.rules = rules
  }

  /// What was found for a stream.
  package enum Finding: String, CaseIterable, Codable, Hashable, Sendable {
    /// Some parameter helps.
    case helps
    /// No single parameter makes `leastGain` of the time right.
    case nothingHelps = "nothing_helps"
    /// Some value makes as much right, but values chosen in the same way make held-out people worse.
    case fitsOnlyThese = "fits_only_these_people"
    /// Every scored frame is right.
    case nothingWrong = "nothing_wrong"
    /// No frame is scored.
    case unlabeled
    /// Fewer than `fewestFrames` frames are scored.
    case tooFewFrames = "too_few_frames"
    /// The rules could decide no scored frame.
    case undecided
    /// A single class is labeled: always answering it would be best.
    case oneClass = "one_class"
    /// All scored recordings show one person: what fits them may fit nobody else.
    case onePerson = "one_person"
    /// More frames than `mostFrames`.
    case tooManyFrames = "too_many_frames"
  }

  /// The smallest number of scored frames from which anything is tried: a second at 30 Hz.
  package static let fewestFrames = 30
  /// The largest number of labeled frames for which measurements are kept in memory.
  package static let mostFrames = 2_000_000

  /// Several fixes at the same time.
  package struct Together: Codable, Hashable, Sendable {
    /// The parameters with their new values, in the order of the fixes.
    package let settings: [Setting]
    /// The share of scored time that is right; nil for a stream without a scored frame.
    package let right: PerStream<BeforeAfter<Double>?>
    /// The words of the command that evaluates them.
    package let command: [String]

    /// States what fixes do at the same time.
    package init(
      settings: [Setting], right: PerStream<BeforeAfter<Double>?>, command: [String]
    ) {
      self.settings = settings
      self.right = right
      self.command = command
    }
  }

  /// A parameter with a value.
  package struct Setting: Codable, Hashable, Sendable {
    /// The parameter.
    package let parameter: String
    /// The value, in the parameter's unit.
    package let value: Double

    /// Makes a setting.
    package init(parameter: String, value: Double) {
      self.parameter = parameter
      self.value = value
    }
  }
}

/// Something before a change and after it.
package struct BeforeAfter<Value> {
  /// As evaluated.
  package let before: Value
  /// With the change.
  package let after: Value

  /// Takes both.
  package init(before: Value, after: Value) {
    self.before = before
    self.after = after
  }
}

extension BeforeAfter: Sendable where Value: Sendable {}
extension BeforeAfter: Equatable where Value: Equatable {}
extension BeforeAfter: Hashable where Value: Hashable {}
extension BeforeAfter: Encodable where Value: Encodable {}
extension BeforeAfter: Decodable where Value: Decodable {}

extension BeforeAfter<Double> {
  /// The number after the change minus that before it.
  package var change: Double { after - before }
}

/// A change of one parameter that makes more answers right, and what is known about it.
package struct Fix: Codable, Hashable, Sendable {
  /// The parameter.
  package let parameter: String
  /// What the parameter does, in one line.
  package let meaning: String
  /// The unit of its values; `-` for pure numbers.
  package let unit: String
  /// The value as evaluated.
  package let from: Double
  /// The proposed value: the roundest in the middle of `asGood`.
  package let to: Double
  /// The tried values around it that are as good.
  package let asGood: ClosedRange<Double>
  /// The stream that it helps.
  package let stream: AnswerStream
  /// The share of scored time that is right: metric `accuracy`; nil for a stream without a scored
  /// frame.
  package let right: PerStream<BeforeAfter<Double>?>
  /// The cell of the stream's matrix that it empties: see `Cell`.
  package let cell: Cell
  /// The seconds of every cell of the stream's matrix.
  package let confusionSeconds: BeforeAfter<ConfusionMatrix<Double>>
  /// How often the stream flickers: metric `flickers_per_minute`.
  package let flickersPerMinute: BeforeAfter<MetricValue>
  /// What it does to every person with a scored frame of the stream, in order of names.
  package let people: [Person]
  /// What a value that is chosen in the same way does to people on whom it was not chosen; nil if
  /// that could not be tried.
  package let heldOut: HeldOut?
  /// Why it could not be tried on held-out people; nil if it was.
  package let notHeldOut: NotHeldOut?
  /// A moment that it makes right; nil if no frame of the cell becomes right.
  package let moment: Moment?
  /// What was measured and what every value scores; nil in results of versions without it.
  package let evidence: Evidence?
  /// The words of the command that evaluates it.
  package let command: [String]

  private enum CodingKeys: String, CodingKey {
    case parameter, meaning, unit, from, to, stream, right, cell, people, moment, evidence, command
    case asGood = "as_good"
    case confusionSeconds = "confusion_seconds"
    case flickersPerMinute = "flickers_per_minute"
    case heldOut = "held_out"
    case notHeldOut = "not_held_out"
  }

  /// States a fix.
  package init(
    parameter: String, meaning: String, unit: String, value: BeforeAfter<Double>,
    asGood: ClosedRange<Double>, stream: AnswerStream, runs: BeforeAfter<ScoredRun>,
    heldOut: HeldOut?, notHeldOut: NotHeldOut?, moment: (Cell) -> Moment?,
    evidence: (Moment?) -> Evidence?, command: [String]
  ) {
    let before = runs.before.views[stream]
    let after = runs.after.views[stream]
    self.parameter = parameter
    self.meaning = meaning
    self.unit = unit
    from = value.before
    to = value.after
    self.asGood = asGood
    self.stream = stream
    right = runs.right
    cell = Cell(before.confusionSeconds, after.confusionSeconds)
    confusionSeconds = BeforeAfter(
      before: before.confusionSeconds, after: after.confusionSeconds)
    flickersPerMinute = BeforeAfter(
      before: before[.flickersPerMinute], after: after[.flickersPerMinute])
    people = Person.all(runs, stream)
    self.heldOut = heldOut
    self.notHeldOut = notHeldOut
    let shown = moment(cell)
    self.moment = shown
    self.evidence = evidence(shown)
    self.command = command
  }

  /// The share of scored time that becomes right in its stream.
  package var gain: Double { right[stream]?.change ?? 0 }

  /// Whether it makes held-out people better, or could not be tried on them.
  package var holds: Bool { Self.holds(heldOut) }

  /// Whether a change makes held-out people better; true for nil, where it could not be tried.
  package static func holds(_ heldOut: HeldOut?) -> Bool {
    heldOut.map { $0.right.change > 0 } ?? true
  }

  /// How many people have more of their time right.
  package var helped: Int { people.count { $0.right.change > Person.same } }

  /// How many people have less of their time right.
  package var hurt: Int { people.count { $0.right.change < -Person.same } }

  /// A cell of a matrix.
  package struct Cell: Codable, Hashable, Sendable {
    /// The true class.
    package let truth: String
    /// The answer.
    package let answer: String
    /// Its time in seconds.
    package let seconds: BeforeAfter<Double>

    /// Finds the wrong cell that shrinks most in the row of the class of which most becomes right; of
    /// equals, the first in the order of the matrix.
    ///
    /// A cell of another row may shrink more, but only to be wrong in another way.
    init(_ before: ConfusionMatrix<Double>, _ after: ConfusionMatrix<Double>) {
      let codes = before.labels.indices
      func loss(_ truth: Int, _ answer: Int) -> Double {
        before[truth, answer] - after[truth, answer]
      }
      let row = codes.min { loss($0, $0) < loss($1, $1) } ?? 0
      let cell = codes.filter { $0 != row }.max { loss(row, $0) < loss(row, $1) } ?? 0
      truth = before.labels[row]
      answer = before.labels[cell]
      seconds = BeforeAfter(before: before[row, cell], after: after[row, cell])
    }
  }

  /// What a fix does to one person.
  package struct Person: Codable, Hashable, Sendable {
    /// The person; nil for recordings that do not name theirs.
    package let subject: String?
    /// The share of their scored time that is right.
    package let right: BeforeAfter<Double>

    /// The largest difference that only rounding makes.
    static let same = 1e-9

    /// Every person with a scored frame of a stream.
    static func all(
      _ runs: BeforeAfter<ScoredRun>, _ stream: AnswerStream
    ) -> [Person] {
      let key = MetricKey(.accuracy, in: stream)
      let before = SubjectPools(runs.before.scores, stream)
      let after = SubjectPools(runs.after.scores, stream)
      return before.subjects.indices.compactMap { place in
        guard let old = before.values([key], of: [place])[0].number,
          let new = after.values([key], of: [place])[0].number
        else { return nil }
        return Person(
          subject: before.subjects[place], right: BeforeAfter(before: old, after: new))
      }
    }
  }

  /// What happens to people on whom the value was not chosen.
  ///
  /// In every fold the value is chosen in the same way without the held-out people; if nothing
  /// helps the others, it stays. Which parameter is changed was chosen on all people.
  package struct HeldOut: Codable, Hashable, Sendable {
    /// How many people were held out, each once.
    package let people: Int
    /// The share of their scored time that is right.
    package let right: BeforeAfter<Double>
    /// The 95 % interval of the change; nil if there is none.
    package let interval: Interval?

    /// States a change on held-out people.
    package init(people: Int, right: BeforeAfter<Double>, interval: Interval?) {
      self.people = people
      self.right = right
      self.interval = interval
    }
  }

  /// Why a fix could not be tried on held-out people.
  package enum NotHeldOut: String, CaseIterable, Codable, Hashable, Sendable {
    /// Some recordings do not name their person.
    case unnamedPeople = "unnamed_people"
  }

  /// A moment that the fix makes right: in the middle of the longest such stretch of its cell.
  package struct Moment: Codable, Hashable, Sendable {
    /// The sequence's name.
    package let sequence: String
    /// The frame: the nearest to the middle in which there is something to show.
    package let frame: Int
    /// Its time.
    package let time: Seconds
    /// The first frame's time of the stretch.
    package let start: Seconds
    /// How long the stretch lasts.
    package let duration: Seconds
    /// The rule that uses the parameter, as a sentence.
    package let rule: String
    /// The comparison with the parameter; nil for a parameter that rules do not compare with.
    package let comparison: Comparison?

    private enum CodingKeys: String, CodingKey {
      case sequence, frame, rule, comparison
      case time = "time_s"
      case start = "start_s"
      case duration = "duration_s"
    }

    /// States a moment.
    package init(
      sequence: String, frame: Int, time: Seconds, start: Seconds, duration: Seconds, rule: String,
      comparison: Comparison?
    ) {
      self.sequence = sequence
      self.frame = frame
      self.time = time
      self.start = start
      self.duration = duration
      self.rule = rule
      self.comparison = comparison
    }
  }

  /// A comparison of a measurement with a parameter.
  package struct Comparison: Codable, Hashable, Sendable {
    /// The comparison as detector files have it: `verticalRatio >= horizontal_ratio`.
    package let text: String
    /// The measurement.
    package let measurement: String
    /// What was measured, in the parameter's unit.
    package let measured: Double
    /// What it is compared with, negated if the rule negates the parameter.
    package let limit: BeforeAfter<Double>

    /// States a comparison.
    package init(
      text: String, measurement: String, measured: Double, limit: BeforeAfter<Double>
    ) {
      self.text = text
      self.measurement = measurement
      self.measured = measured
      self.limit = limit
    }
  }
}

/// A detector's answers in all sequences, scored.
package struct ScoredRun: Sendable {
  /// The sequences.
  package let scores: [SequenceScores]
  /// All of them together.
  package let views: PerStream<ScoreView>

  /// Scores answers.
  ///
  /// - Complexity: O(frames).
  package init(_ scores: [SequenceScores]) {
    self.scores = scores
    views = PerStream { ScoreView(scores, $0) }
  }
}

extension BeforeAfter<ScoredRun> {
  /// The share of scored time that is right in each stream; nil for one without a scored frame.
  package var right: PerStream<BeforeAfter<Double>?> {
    PerStream { stream in
      guard let old = before.views[stream][.accuracy].number,
        let new = after.views[stream][.accuracy].number
      else { return nil }
      return BeforeAfter<Double>(before: old, after: new)
    }
  }
}

extension NextSteps {
  /// The longest stretch of one true class with one wrong answer that another run answers right.
  ///
  /// - Parameters:
  ///   - outcomes: the answers of the same sequences in both runs.
  ///   - cell: the true class and the answer before.
  /// - Returns: the sequence, its frames and their seconds; of stretches of equal length, the first;
  ///   nil if there is none.
  /// - Complexity: O(frames).
  package static func longestStretch(
    _ outcomes: [BeforeAfter<SequenceOutcome>], _ stream: AnswerStream, of cell: Fix.Cell
  ) -> (sequence: Int, frames: Range<Int>, seconds: Double)? {
    guard let truth = stream.labels.firstIndex(of: cell.truth),
      let answer = stream.labels.firstIndex(of: cell.answer)
    else { return nil }
    var longest: (sequence: Int, frames: Range<Int>, seconds: Double)?
    for (sequence, outcome) in outcomes.enumerated() {
      let scored = ScoredStream(outcome.before, stream)
      let after = outcome.after[stream].answers
      let stretches = scored.stretches { frame in
        Int(scored.truth[frame]) == truth && Int(scored.answers[frame]) == answer
          && Int(after[frame]) == truth
      }
      for stretch in stretches
      where WrongStretch.ticks(stretch.seconds) > WrongStretch.ticks(longest?.seconds ?? 0) {
        longest = (sequence: sequence, frames: stretch.frames, seconds: stretch.seconds)
      }
    }
    return longest
  }
}
