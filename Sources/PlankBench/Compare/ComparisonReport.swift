internal import Evaluation
internal import PoseModel
internal import Statistics

/// The result of `planklab compare`: evaluations of one dataset, compared with the first of them.
struct ComparisonReport: CommandResult {
  static let command = "compare"
  static let schemaVersion = 5

  struct Pair: Hashable, Sendable, Codable {
    var name: String
    /// Whether to take this side in place of the first.
    var advice: StreamAdvice
    var comparison: PairedComparison
    /// The one that differs most first.
    var recordings: [RecordingDifference] = []

    /// The largest change first; nil without labels of activities.
    var activities: [ActivityChange]?

    /// What the advice judges.
    func metric(_ stream: AnswerStream) -> MetricComparison? {
      comparison.metrics.first { $0.key == MetricKey(.balancedAccuracy, in: stream) }
    }
  }

  var reference: String
  var pairs: [Pair]
  var sides: [ScoredSide]
  /// Sequences without a scored frame.
  var unscored: [String] = []
  var commands: Commands

  struct Commands: Hashable, Sendable, Codable {
    var again: [String]
    /// By the side's name; sides that are folders of answers have none.
    var explain: [String: ExplainCommand]
  }
}

extension ComparisonReport {
  func page(_ origin: ResultOrigin) -> ResultPage {
    page(origin, viewed: nil)
  }

  func page(_ origin: ResultOrigin, viewed: String?) -> ResultPage {
    ComparisonPage(report: self, origin: origin, viewed: viewed).page
  }

  func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading("Compared on \(origin.datasetName)", level: 1)
    document.append(ComparisonScreen(self).answer)
    for pair in pairs {
      document.heading("`\(pair.name)` against `\(reference)`")
      document.figure(.intervals(figure(pair)))
      document.table(table(pair))
      document.paragraph(StyledText(unchanged(pair.comparison)))
      document.paragraph(StyledText(undefined(pair.comparison), .dim))
      document.paragraph(StyledText(gaps(pair.comparison), .dim))
      document.table(activityTable(pair))
      append(pair, to: &document)
    }
    return document
  }

  private func figure(_ pair: Pair) -> IntervalFigure {
    IntervalFigure(
      title: "\(pair.name) minus \(reference), 95 % intervals, each for itself",
      rows: pair.comparison.metrics.compactMap { metric in
        guard !metric.isUnchanged, let value = metric.difference else { return nil }
        let interval = metric.intervals.wider.interval
        return IntervalFigure.Row(
          name: "\(metric.key)", unit: metric.unit, value: value,
          lower: interval?.lower, upper: interval?.upper, limit: nil, tone: .plain)
      })
  }

  func table(_ pair: Pair) -> Table {
    var table = Table([
      .words("metric"), .number(reference), .number(pair.name), .number("difference"),
      .number("95 % interval"), .number("better/same/worse"),
    ])
    for metric in pair.comparison.metrics where !metric.isUnchanged && !metric.isUndefined {
      table.row([
        StyledText("\(metric.key)"), StyledText(metric.before.text()),
        StyledText(metric.after.text()), StyledText(number(metric.difference), .strong),
        StyledText(metric.intervals.wider.shortText),
        StyledText("\(metric.wins)/\(metric.ties)/\(metric.losses)"),
      ])
    }
    return table
  }

  func activityTable(_ pair: Pair) -> Table {
    var table = Table([
      .words("activity"), .number("none s"), .number("plank answered: \(reference)"),
      .number(pair.name), .number("plank s"), .number("missed: \(reference)"), .number(pair.name),
      .number("wrong s, change"),
    ])
    for part in pair.activities ?? [] {
      let seconds = [
        part.before.none, part.before.falsePlank, part.after.falsePlank, part.before.plank,
        part.before.missed, part.after.missed,
      ]
      table.row(
        [StyledText(part.activity ?? "(no activity)", .strong)]
          + seconds.map { StyledText(NumberText.fixed($0, 1)) }
          + [
            StyledText(
              NumberText.signed(part.change, 1),
              part.change > 0 ? .bad : part.change < 0 ? .good : .plain)
          ])
    }
    return table
  }

  private func number(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, 3) } ?? "n/a"
  }

  func unchanged(_ comparison: PairedComparison) -> String {
    let same = comparison.metrics.filter(\.isUnchanged)
    guard !same.isEmpty else { return "" }
    return "The same for every person: " + Self.list(same) + "."
  }

  func undefined(_ comparison: PairedComparison) -> String {
    let none = comparison.metrics.filter(\.isUndefined)
    guard !none.isEmpty else { return "" }
    return "Undefined on both sides, so there is nothing to compare: " + Self.list(none) + "."
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
    let worst = pair.comparison.sequences.filter { $0.lost > 0 }.prefix(10)
    guard !worst.isEmpty else { return }
    var table = Table([
      .words("worst sequences"), .words("subject"), .words("stream"),
      .number("\(reference): wrong s"), .number("\(pair.name): wrong s"), .number("lost s"),
    ])
    for sequence in worst {
      table.row([
        StyledText(sequence.name), StyledText(sequence.subject ?? "unknown"),
        StyledText(sequence.stream.rawValue), StyledText(NumberText.fixed(sequence.before, 2)),
        StyledText(NumberText.fixed(sequence.after, 2)),
        StyledText(NumberText.fixed(sequence.lost, 2), .bad),
      ])
    }
    document.table(table)
  }
}
