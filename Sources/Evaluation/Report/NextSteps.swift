package import PoseModel
internal import Statistics

package struct NextSteps: Codable, Hashable, Sendable {
  package let fixes: [Fix]
  package let findings: PerStream<Finding>
  package let tried: [String]
  package let together: Together?
  package var rules: SuggestionReport?

  package static let mostFixes = 3
  /// The smallest gain that makes a value worth considering: half a point of balanced accuracy.
  package static let leastGain = 0.005

  package init(
    fixes: [Fix], findings: PerStream<Finding>, tried: [String], together: Together? = nil,
    rules: SuggestionReport? = nil
  ) {
    self.fixes = fixes
    self.findings = findings
    self.tried = tried
    self.together = together
    self.rules = rules
  }

  package enum Finding: String, CaseIterable, Codable, Hashable, Sendable {
    case helps
    case nothingHelps = "nothing_helps"
    /// Some value gains enough on these people, but no gain is expected on new people.
    case notAdvised = "not_advised"
    case nothingWrong = "nothing_wrong"
    case unlabeled
    case tooFewFrames = "too_few_frames"
    case undecided
    case oneClass = "one_class"
    case tooManyFrames = "too_many_frames"
  }

  package static let fewestFrames = 30
  package static let mostFrames = 2_000_000

  package struct Together: Codable, Hashable, Sendable {
    package let settings: [Setting]
    package let right: PerStream<BeforeAfter<Double>?>
    package let command: [String]

    package init(settings: [Setting], right: PerStream<BeforeAfter<Double>?>, command: [String]) {
      self.settings = settings
      self.right = right
      self.command = command
    }
  }

  package struct Setting: Codable, Hashable, Sendable {
    package let parameter: String
    package let value: Double

    package init(parameter: String, value: Double) {
      self.parameter = parameter
      self.value = value
    }
  }
}

package struct BeforeAfter<Value> {
  package let before: Value
  package let after: Value

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
  package var change: Double { after - before }
}

package struct Fix: Codable, Hashable, Sendable {
  package let parameter: String
  package let meaning: String
  package let unit: String
  package let from: Double
  /// The proposed value: the roundest number in the middle of `asGood`.
  package let to: Double
  package let asGood: ClosedRange<Double>
  package let stream: AnswerStream
  /// The share of scored time that is right (metric `accuracy`); nil for a stream without a scored
  /// frame.
  package let right: PerStream<BeforeAfter<Double>?>
  package let cell: Cell
  package let confusionSeconds: BeforeAfter<ConfusionMatrix<Double>>
  package let falseTransitionsPerMinute: BeforeAfter<MetricValue>
  package let people: [Person]
  package let advice: Advice
  package let moment: Moment?
  package let evidence: Evidence?
  package let command: [String]

  private enum CodingKeys: String, SnakeCaseKey {
    case parameter, meaning, unit, from, to, stream, right, cell, people, advice, moment, evidence,
      command, asGood, confusionSeconds, falseTransitionsPerMinute
  }

  package init(
    parameter: String, meaning: String, unit: String, value: BeforeAfter<Double>,
    asGood: ClosedRange<Double>, stream: AnswerStream, runs: BeforeAfter<ScoredRun>, advice: Advice,
    moment: (Cell) -> Moment?, evidence: (Moment?) -> Evidence?, command: [String]
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
    confusionSeconds = BeforeAfter(before: before.confusionSeconds, after: after.confusionSeconds)
    falseTransitionsPerMinute = BeforeAfter(
      before: before[.falseTransitionsPerMinute], after: after[.falseTransitionsPerMinute])
    people = Person.all(runs, stream)
    self.advice = advice
    let shown = moment(cell)
    self.moment = shown
    self.evidence = evidence(shown)
    self.command = command
  }

  package struct Cell: Codable, Hashable, Sendable {
    package let truth: String
    package let prediction: String
    package let seconds: BeforeAfter<Double>

    /// Chooses the confusion that shrinks most in the row that gains the most right time.
    init(_ before: ConfusionMatrix<Double>, _ after: ConfusionMatrix<Double>) {
      let codes = before.labels.indices
      func loss(_ truth: Int, _ answer: Int) -> Double {
        before[truth, answer] - after[truth, answer]
      }
      let row = codes.min { loss($0, $0) < loss($1, $1) } ?? 0
      let cell = codes.filter { $0 != row }.max { loss(row, $0) < loss(row, $1) } ?? 0
      truth = before.labels[row]
      prediction = before.labels[cell]
      seconds = BeforeAfter(before: before[row, cell], after: after[row, cell])
    }
  }

  package struct Person: Codable, Hashable, Sendable {
    package let subject: String?
    package let right: BeforeAfter<Double>

    static func all(_ runs: BeforeAfter<ScoredRun>, _ stream: AnswerStream) -> [Person] {
      let key = MetricKey(.accuracy, in: stream)
      let before = SubjectPools(runs.before.scores, stream)
      let after = SubjectPools(runs.after.scores, stream)
      return before.subjects.indices.compactMap { place in
        guard let old = before.values([key], of: [place])[0].number,
          let new = after.values([key], of: [place])[0].number
        else { return nil }
        return Person(subject: before.subjects[place], right: BeforeAfter(before: old, after: new))
      }
    }
  }

  /// The middle of the longest stretch of the fix's confusion that the fix makes right.
  package struct Moment: Codable, Hashable, Sendable {
    package let sequence: String
    package let frame: Int
    package let time: Seconds
    package let start: Seconds
    package let duration: Seconds
    package let rule: String
    package let comparison: Comparison?

    private enum CodingKeys: String, CodingKey {
      case sequence, frame, rule, comparison
      case time = "time_s"
      case start = "start_s"
      case duration = "duration_s"
    }

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

  package struct Comparison: Codable, Hashable, Sendable {
    package let text: String
    package let measurement: String
    package let measured: Double
    package let limit: BeforeAfter<Double>

    package init(text: String, measurement: String, measured: Double, limit: BeforeAfter<Double>) {
      self.text = text
      self.measurement = measurement
      self.measured = measured
      self.limit = limit
    }
  }
}

package struct ScoredRun: Sendable {
  package let scores: [SequenceScores]
  package let views: PerStream<ScoreView>

  package init(_ scores: [SequenceScores]) {
    self.scores = scores
    views = PerStream { ScoreView(scores, $0) }
  }
}

extension BeforeAfter<ScoredRun> {
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
  /// The longest stretch of one true class with one wrong answer that the other run answers right.
  ///
  /// Of equally long stretches, the first counts; nil means that there is none.
  package static func longestStretch(
    _ outcomes: [BeforeAfter<SequenceOutcome>], _ stream: AnswerStream, of cell: Fix.Cell
  ) -> (sequence: Int, frames: Range<Int>, seconds: Double)? {
    guard let truth = stream.labels.firstIndex(of: cell.truth),
      let answer = stream.labels.firstIndex(of: cell.prediction)
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

/// The commands that a result suggests; their words are not yet quoted for a shell.
package struct ResultCommands: Codable, Hashable, Sendable {
  package let again: [String]
  package let data: [String]

  package init(again: [String], data: [String]) {
    self.again = again
    self.data = data
  }

  /// The data arguments for commands that take no calibration.
  package var uncalibrated: [String] {
    guard let place = data.firstIndex(of: "--calibrate") else { return data }
    return Array(data[..<place] + data[place...].dropFirst(2))
  }
}

/// A joint or a height that the rules need but recordings lack.
///
/// A frame without a needed joint is undetermined for the whole list of rules, so the recording
/// says nothing about them. A missing height is assumed.
package struct UnmetNeed: Codable, Hashable, Sendable {
  package enum Fact: String, Codable, CaseIterable, Hashable, Sendable {
    case pose
    case bodyHeight = "body_height_m"
    case joint
  }

  package let fact: Fact
  package let joint: String?
  package let measurements: [String]
  package let rules: Int
  package var recordings: Int
  package let assumed: Meters?

  private enum CodingKeys: String, CodingKey {
    case fact, joint, measurements, rules, recordings
    case assumed = "assumed_m"
  }

  package init(
    _ fact: Fact, joint: String? = nil, of measurements: [String] = [], rules: Int, recordings: Int
  ) {
    self.fact = fact
    self.joint = joint
    self.measurements = measurements
    assumed = fact == .bodyHeight ? HeightEstimation.referenceHeight : nil
    self.rules = rules
    self.recordings = recordings
  }

  package static func sum(_ parts: [[UnmetNeed]]) -> [UnmetNeed] {
    var found: [UnmetNeed] = []
    for need in parts.joined() {
      if let index = found.firstIndex(where: { $0.fact == need.fact && $0.joint == need.joint }) {
        found[index].recordings += need.recordings
      } else {
        found.append(need)
      }
    }
    return found
  }
}

extension Fix {
  package struct Evidence: Codable, Hashable, Sendable {
    package let distribution: Distribution?
    package let curve: [Point]

    package init(distribution: Distribution?, curve: [Point]) {
      self.distribution = distribution
      self.curve = curve
    }

    package struct Point: Codable, Hashable, Sendable {
      package let value: Double
      package let right: Double?

      package init(value: Double, right: Double?) {
        self.value = value
        self.right = right
      }
    }
  }

  package struct Distribution: Codable, Hashable, Sendable {
    package let measurement: String
    package let sign: Double
    package let start: Double
    /// The width of every bin; the evaluated limit lies between two bins.
    package let width: Double
    package let classes: [ClassTimes]
    package let missingSeconds: Double

    private enum CodingKeys: String, CodingKey {
      case measurement, sign, start, width, classes
      case missingSeconds = "missing_s"
    }

    package struct ClassTimes: Codable, Hashable, Sendable {
      package let label: String
      /// The seconds of the class in every bin; values beyond the bins count in the outermost bins.
      package let seconds: [Double]
    }

    package var count: Int { classes.first?.seconds.count ?? 0 }
    package var end: Double { start + width * Double(count) }

    static let bins = 48.0
    static let tail = 0.005

    /// `values` and `limits` are in the parameter's unit, and the bins cover both limits; nil if no
    /// scored frame has a value.
    package init?(
      of measurement: String, sign: Double, _ values: [[Float]], _ outcomes: [SequenceOutcome],
      _ stream: AnswerStream, limits: BeforeAfter<Double>
    ) {
      let sequences = zip(values, outcomes.map { ScoredStream($0, stream) })
      var found: [Double] = []
      found.reserveCapacity(values.reduce(0) { $0 + $1.count })
      var missing = 0.0
      for (values, scored) in sequences {
        for frame in scored.times.indices where scored.isScored(frame) {
          let value = Double(values[frame])
          guard value.isFinite else {
            missing += scored.dwell(frame)
            continue
          }
          found.append(value)
        }
      }
      let cut = Int(Double(found.count) * Self.tail)
      guard let lowest = Description.value(ranked: cut, reordering: &found),
        let highest = Description.value(ranked: found.count - 1 - cut, reordering: &found)
      else { return nil }
      let low = min(lowest, limits.before, limits.after)
      let high = max(highest, limits.before, limits.after)
      let width = max(high - low, 1e-6) / Self.bins
      let below = ((limits.before - low) / width).rounded(.up)
      let start = limits.before - below * width
      let count = Int(below + ((high - limits.before) / width).rounded(.down)) + 1
      var times = Array(repeating: Array(repeating: 0.0, count: count), count: stream.labels.count)
      for (values, scored) in sequences {
        for frame in scored.times.indices where scored.isScored(frame) && values[frame].isFinite {
          let place = ((Double(values[frame]) - start) / width).rounded(.down)
          let bin = Int(min(max(place, 0), Double(count - 1)))
          times[Int(scored.truth[frame])][bin] += scored.dwell(frame)
        }
      }
      self.measurement = measurement
      self.sign = sign
      self.start = start
      self.width = width
      classes = zip(stream.labels, times).compactMap { label, seconds in
        seconds.contains { $0 > 0 }
          ? ClassTimes(label: label, seconds: seconds.map(Self.rounded)) : nil
      }
      missingSeconds = Self.rounded(missing)
    }

    private static func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }
  }
}
