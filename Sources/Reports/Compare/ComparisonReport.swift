package import Evaluation
package import PoseModel
internal import Statistics

package struct ComparisonReport: CommandResult {
  package static let command = "compare"
  package static let schemaVersion = 5

  package struct Pair: Hashable, Sendable, Codable {
    var name: String
    var advice: StreamAdvice
    var comparison: PairedComparison
    package var recordings: [RecordingDifference] = []

    package var activities: [ActivityChange]?

    package init(
      name: String, advice: StreamAdvice, comparison: PairedComparison,
      recordings: [RecordingDifference] = [], activities: [ActivityChange]? = nil
    ) {
      self.name = name
      self.advice = advice
      self.comparison = comparison
      self.recordings = recordings
      self.activities = activities
    }

    func metric(_ stream: AnswerStream) -> MetricComparison? {
      comparison.metrics.first { $0.key == MetricKey(.balancedAccuracy, in: stream) }
    }
  }

  var reference: String
  package var pairs: [Pair]
  var sides: [ScoredSide]
  var unscored: [String] = []
  var commands: Commands

  package init(
    reference: String, pairs: [Pair], sides: [ScoredSide], unscored: [String] = [],
    commands: Commands
  ) {
    self.reference = reference
    self.pairs = pairs
    self.sides = sides
    self.unscored = unscored
    self.commands = commands
  }

  package struct Commands: Hashable, Sendable, Codable {
    var again: [String]
    var explain: [String: ExplainCommand]

    package init(again: [String], explain: [String: ExplainCommand]) {
      self.again = again
      self.explain = explain
    }
  }

  package func page(_ origin: ResultOrigin) -> ResultPage { page(origin, viewed: nil) }

  package func page(_ origin: ResultOrigin, viewed: String?) -> ResultPage {
    ComparisonPage(report: self, origin: origin, viewed: viewed).page
  }

  package func document(_ origin: ResultOrigin) -> Document {
    let answer = ComparisonAnswer(self)
    let single = pairs.count == 1 ? pairs.first : nil
    var document = Document()
    document.heading("Compared on \(origin.datasetName)", level: 1)
    for sentence in answer.headline { document.paragraph(sentence, .answer) }
    document.list(answer.rest, .reason)
    document.list(ComparisonCautions(self).sentences, .reason)
    document.list(single.map(remarks) ?? [], .reason)
    document.table(single.map(table) ?? Table(), .reason)
    document.paragraph(method, .dim, .answer)
    for pair in pairs {
      document.heading("`\(pair.name)` against `\(reference)`")
      document.figure(.intervals(figure(pair)))
      if single == nil { document.table(table(pair)) }
      document.table(people(pair))
      document.paragraph(unchanged(pair.comparison))
      document.paragraph(undefined(pair.comparison), .dim)
      document.paragraph(gaps(pair.comparison), .dim)
      document.table(activityTable(pair))
      append(pair, to: &document)
    }
    return document
  }

  private var method: String {
    let other = pairs.count == 1 ? "; the other is `\(pairs[0].name)`" : ""
    return
      "Yours is `\(reference)`\(other). Advice is in points of balanced accuracy, with 90 % intervals."
  }

  private func remarks(_ pair: Pair) -> [StyledText] {
    let changes = (pair.activities ?? []).filter { $0.activity != nil && $0.change != 0 }
    let lived = changes.map { part in
      "\(part.activity ?? "") \(NumberText.fixed(part.before.wrong, 1)) -> "
        + "\(NumberText.fixed(part.after.wrong, 1)) of "
        + "\(NumberText.fixed(part.before.none + part.before.plank, 1)) s"
    }
    let isSteadier = pair.comparison.metrics.contains {
      $0.key.metric == .falseTransitionsPerMinute && ($0.gain ?? 0) > 0 && $0.wins > 0
    }
    return
      (lived.isEmpty
      ? [] : [StyledText("Wrong time by activity: " + WordText.first(3, of: lived) + ".")])
      + (isSteadier && !pair.advice.takes
        ? [
          "To see whether steadier answers are worth their delay, run `planklab smoothers compare`."
        ] : [])
  }

  private func figure(_ pair: Pair) -> IntervalFigure {
    IntervalFigure(
      title: "\(pair.name) minus \(reference), with a separate 95 % interval for each metric",
      rows: pair.comparison.metrics.compactMap { metric in
        guard !metric.isUnchanged, let value = metric.difference else { return nil }
        let interval = metric.intervals.wider.interval
        return IntervalFigure.Row(
          name: "\(metric.key)", unit: metric.unit, value: value,
          lower: interval?.lower, upper: interval?.upper, limit: nil, tone: .plain)
      })
  }

  /// The advice's metric first, then times and rates, then other ways to count right answers.
  func table(_ pair: Pair) -> Table {
    Table(ranked(pair)) { row, metric in
      let interval = metric.intervals.wider.interval.map { " (\($0.text()))" } ?? ""
      row.words("metric", "\(metric.key)")
      row.number(reference, metric.before.text())
      row.number(pair.name, metric.after.text())
      row.number("difference (95 %)", NumberText.fixed(metric.difference, 3) + interval, .strong)
    }
  }

  private func ranked(_ pair: Pair) -> [MetricComparison] {
    func rank(_ metric: MetricComparison) -> Int {
      metric.key.metric == .balancedAccuracy ? 0 : metric.key.countsClasses ? 2 : 1
    }
    let shown = pair.comparison.metrics.filter { !$0.isUnchanged && !$0.isUndefined }
    return (0...2).flatMap { place in shown.filter { rank($0) == place } }
  }

  private func people(_ pair: Pair) -> Table {
    Table(ranked(pair)) { row, metric in
      row.words("people", "\(metric.key)")
      row.number("better", "\(metric.wins)")
      row.number("the same", "\(metric.ties)")
      row.number("worse", "\(metric.losses)")
    }
  }

  func activityTable(_ pair: Pair) -> Table {
    Table(pair.activities ?? []) { row, part in
      let (before, after) = (part.before, part.after)
      row.words("activity", part.activity ?? "(no activity)", .strong)
      row.number("none s", before.none, 1)
      row.number("plank answered: \(reference)", before.falsePlank, 1)
      row.number(pair.name, after.falsePlank, 1)
      row.number("plank s", before.plank, 1)
      row.number("missed: \(reference)", before.missed, 1)
      row.number(pair.name, after.missed, 1)
      let tone: StyledText.Tone = part.change > 0 ? .bad : part.change < 0 ? .good : .plain
      row.number("wrong s, change", NumberText.signed(part.change, 1), tone)
    }
  }

  func unchanged(_ comparison: PairedComparison) -> String {
    let same = comparison.metrics.filter(\.isUnchanged)
    guard !same.isEmpty else { return "" }
    return "The same for every person: " + Self.list(same) + "."
  }

  func undefined(_ comparison: PairedComparison) -> String {
    let none = comparison.metrics.filter(\.isUndefined)
    guard !none.isEmpty else { return "" }
    return "Undefined for both, so there is nothing to compare: " + Self.list(none) + "."
  }

  private static func list(_ metrics: [MetricComparison]) -> String {
    metrics.map { "`\($0.key)`" }.joined(separator: ", ")
  }

  func gaps(_ comparison: PairedComparison) -> String {
    var keys: [UndefinedReason: [String]] = [:]
    var order: [UndefinedReason] = []
    for metric in comparison.metrics where !metric.isUnchanged && !metric.isUndefined {
      guard let gap = metric.intervals.wider.reason else { continue }
      if keys[gap] == nil { order.append(gap) }
      keys[gap, default: []].append("\(metric.key)")
    }
    let clauses = order.compactMap { gap in
      keys[gap].map { "\($0.joined(separator: ", ")): \(gap.rawValue)" }
    }
    return clauses.isEmpty ? "" : "No interval: \(clauses.joined(separator: "; "))."
  }

  func append(_ pair: Pair, to document: inout Document) {
    document.table(pair.comparison.sequences.filter { $0.lost > 0 }.prefix(10)) { row, sequence in
      row.words("worst sequences", sequence.name)
      row.words("subject", sequence.subject ?? "unknown")
      row.words("stream", sequence.stream.rawValue)
      row.number("\(reference): wrong s", sequence.before, 2)
      row.number("\(pair.name): wrong s", sequence.after, 2)
      row.number("lost s", sequence.lost, 2, .bad)
    }
  }
}

package struct RecordingDifference: Hashable, Sendable, Codable {
  package static let mostKept = 10

  package let name: String
  let subject: String?
  let stream: AnswerStream
  let start: Seconds
  let duration: Seconds
  let lost: Seconds
  let won: Seconds
  let truth: ClassRuns
  let before: ClassRuns
  let after: ClassRuns
  let longestLost: Stretch?
  let longestWon: Stretch?

  private enum CodingKeys: String, SnakeCaseKey {
    case name = "sequence"
    case subject, stream
    case start = "start_s"
    case duration = "duration_s"
    case lost = "lost_s"
    case won = "won_s"
    case truth, before, after, longestLost, longestWon
  }

  /// Consecutive frames with one truth and the same two answers.
  package struct Stretch: Hashable, Sendable, Codable {
    let start: Seconds
    let duration: Seconds
    let middle: Seconds
    let truth: String
    let before: String
    let after: String

    private enum CodingKeys: String, CodingKey {
      case start = "start_s"
      case duration = "duration_s"
      case middle = "frame_time_s"
      case truth, before, after
    }

    fileprivate init(_ stretch: MatrixStretch, _ times: [Double]) {
      let labels = stretch.stream.labels
      start = stretch.start
      duration = stretch.duration
      middle = Seconds(times[(stretch.frames.lowerBound + stretch.frames.upperBound - 1) / 2])
      truth = labels[Int(stretch.truth)]
      before = labels[Int(stretch.before ?? stretch.answer)]
      after = labels[Int(stretch.answer)]
    }
  }

  struct ClassRuns: Hashable, Sendable, Codable {
    let classes: [String?]
    let ends: [Seconds]

    private enum CodingKeys: String, CodingKey {
      case classes
      case ends = "ends_s"
    }

    var spans: [ClassSpan] {
      let starts = [0] + ends.map(\.value)
      return zip(classes, zip(starts, ends)).compactMap { label, range in
        guard let label, range.0 < range.1.value else { return nil }
        return ClassSpan(label: label, range: range.0..<range.1.value)
      }
    }
  }
}

extension RecordingDifference {
  package struct Size: Sendable {
    package let stream: AnswerStream
    package let lost: Double
    package let won: Double
  }

  package static func sizes(_ before: SequenceOutcome, _ after: SequenceOutcome) -> [Size] {
    AnswerStream.allCases.compactMap { stream in
      let (lost, won) = seconds(before, after, stream)
      return lost + won > 0 ? Size(stream: stream, lost: lost, won: won) : nil
    }
  }

  private static func seconds(
    _ before: SequenceOutcome, _ after: SequenceOutcome, _ stream: AnswerStream
  ) -> (lost: Double, won: Double) {
    let truth = before.truth.codes(stream)
    let (first, second) = (before[stream].answers, after[stream].answers)
    var (lost, won) = (0.0, 0.0)
    for frame in truth.indices
    where FrameTruth.isScored(truth[frame]) && first[frame] != second[frame] {
      let seconds = MatrixStretch.weight(of: frame, in: before)
      if first[frame] == truth[frame] { lost += seconds }
      if second[frame] == truth[frame] { won += seconds }
    }
    return (lost, won)
  }

  package init(_ before: SequenceOutcome, _ after: SequenceOutcome, _ stream: AnswerStream) {
    let truth = before.truth.codes(stream)
    let labels = stream.labels
    let start = before.times[0]
    let end = (before.times.last ?? start) + before.frameWeight.value
    let (lost, won) = Self.seconds(before, after, stream)
    func runs(_ codes: [UInt8], _ label: (UInt8) -> String?) -> ClassRuns {
      let runs = codes.indices.runs { codes[$0] == codes[$1] }
      let ends = runs.map { $0.upperBound == codes.count ? end : before.times[$0.upperBound] }
      return ClassRuns(
        classes: runs.map { label(codes[$0.lowerBound]) }, ends: ends.map { Seconds($0 - start) })
    }
    name = before.name
    subject = before.subject
    self.stream = stream
    self.start = Seconds(start)
    duration = Seconds(end - start)
    self.lost = Seconds(lost)
    self.won = Seconds(won)
    self.truth = runs(truth) { FrameTruth.isScored($0) ? labels[Int($0)] : nil }
    self.before = runs(before[stream].answers) { labels[Int($0)] }
    self.after = runs(after[stream].answers) { labels[Int($0)] }
    let stretches = MatrixStretch.all(in: after, beside: before).filter { $0.stream == stream }
    func longest(_ isChosen: (MatrixStretch) -> Bool) -> Stretch? {
      stretches.filter(isChosen).max {
        ($0.duration.value, $1.start.value) < ($1.duration.value, $0.start.value)
      }.map { Stretch($0, before.times) }
    }
    longestLost = longest(\.isLost)
    longestWon = longest(\.isWon)
  }
}
