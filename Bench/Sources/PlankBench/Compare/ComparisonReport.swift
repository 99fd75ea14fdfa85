internal import Evaluation
@_spi(Bench) internal import PoseModel
internal import Statistics

/// The result of `planklab compare`: evaluations of one dataset, compared with the first of them.
struct ComparisonReport: CommandResult {
  static let command = "compare"
  static let schemaVersion = 2

  /// One side compared with the first.
  struct Pair: Hashable, Sendable, Codable {
    /// The side's name.
    var name: String
    /// The numbers.
    var comparison: PairedComparison
  }

  /// The first side's name.
  var reference: String
  /// The other sides, in order.
  var pairs: [Pair]
  /// All sides with their scores.
  var sides: [ScoredSide]
}

extension ComparisonReport {
  /// The comparison on a page: the verdicts, the text, then every side's matrices and classes.
  func page(_ origin: ResultOrigin) -> Document {
    let document = document(origin)
    var page = Document(Array(document.blocks.prefix(1)))
    page.list(
      pairs.map { StyledText("`\($0.name)` against `\(reference)`: \($0.comparison.summary)") })
    page.append(Document(Array(document.blocks.dropFirst())))
    page.append(sides.document)
    page.heading("Provenance")
    page.list(origin.provenanceLines + (origin.dataset?.facts ?? []))
    return page
  }

  /// The comparison for people.
  func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading("Compared on \(origin.datasetName)", level: 1)
    document.paragraph(
      StyledText(
        "A: \(reference). Differences are B minus A, paired by subject; intervals are 95 %, and the "
          + "wider of cluster t and BCa decides. A verdict also needs Student's t, corrected after "
          + "Holm over all metrics compared, at 0.05: fewer metrics (--metric) tell more."))
    for pair in pairs {
      document.heading("B: \(pair.name)")
      document.paragraph(StyledText(pair.comparison.summary, .strong))
      document.figure(.intervals(figure(pair)))
      document.table(table(pair.comparison))
      document.paragraph(StyledText(unchanged(pair.comparison)))
      document.paragraph(StyledText(resolution(pair.comparison), .dim))
      document.paragraph(StyledText(gaps(pair.comparison), .dim))
      append(pair.comparison.sequences, to: &document)
    }
    return document
  }

  /// The defined differences, against zero.
  private func figure(_ pair: Pair) -> IntervalFigure {
    IntervalFigure(
      title: "B - A: \(pair.name) against \(reference), 95 % intervals",
      rows: pair.comparison.metrics.compactMap { metric in
        guard !isSame(metric), let value = metric.difference else { return nil }
        let interval = metric.intervals.wider.interval
        return IntervalFigure.Row(
          name: "\(metric.key)", unit: metric.unit, value: value,
          lower: interval?.lower, upper: interval?.upper, limit: nil,
          tone: metric.verdict.tone)
      })
  }

  private func table(_ comparison: PairedComparison) -> Table {
    var table = Table([
      .words("metric"), .number("A"), .number("B"), .number("B - A"), .number("cluster t"),
      .number("BCa"), .number("p t, Holm"), .number("p sign flip"),
      .number("p sign flip, Holm"), .number("won/tied/lost"), .words("verdict"),
    ])
    for metric in comparison.metrics where !isSame(metric) {
      table.row([
        StyledText("\(metric.key)"), StyledText(metric.before.text()),
        StyledText(metric.after.text()), StyledText(number(metric.difference), .strong),
        StyledText(metric.intervals.clusterT.shortText), StyledText(metric.intervals.bca.shortText),
        StyledText(number(metric.adjustedT)), StyledText(number(metric.signFlip?.probability)),
        StyledText(number(metric.adjustedProbability)),
        StyledText("\(metric.wins)/\(metric.ties)/\(metric.losses)"),
        StyledText(metric.verdict.rawValue, metric.verdict.tone),
      ])
    }
    return table
  }

  private func number(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, 3) } ?? "n/a"
  }

  /// What this number of subjects can show at best.
  private func resolution(_ comparison: PairedComparison) -> String {
    guard let metric = comparison.metrics.first else { return "" }
    let subjects = metric.subjects.count
    guard let least = metric.signFlip?.smallestProbability else {
      return "\(NumberText.count(subjects, "subject")): nothing can be said about the next one. "
        + "Differences need two or more subjects."
    }
    let telling = comparison.metrics.first { $0.detectableDifference != nil }
    let found = telling?.detectableDifference.map {
      " For \(telling?.key.description ?? "") a true difference of \(NumberText.fixed($0, 3)) would be found in four "
        + "of five such comparisons."
    }
    return "\(subjects) subjects: no sign-flip p below \(NumberText.fixed(least, 4)) can occur."
      + (found ?? "")
  }

  /// Whether the number is the same for all, overall and in every subject.
  private func isSame(_ metric: MetricComparison) -> Bool {
    metric.before == metric.after && metric.subjects.allSatisfy { $0.before == $0.after }
  }

  /// The metrics left out of the table because they do not differ.
  private func unchanged(_ comparison: PairedComparison) -> String {
    let same = comparison.metrics.filter(isSame)
    guard !same.isEmpty, same.count < comparison.metrics.count else { return "" }
    return "The same in every subject, so there is nothing to compare: "
      + same.map(\.key.description).joined(separator: ", ") + "."
  }

  /// Why some metrics of the table have no interval, one clause per reason.
  private func gaps(_ comparison: PairedComparison) -> String {
    var keys: [UndefinedReason: [String]] = [:]
    var order: [UndefinedReason] = []
    for metric in comparison.metrics where !isSame(metric) {
      guard let gap = metric.intervals.wider.reason else { continue }
      if keys[gap] == nil { order.append(gap) }
      keys[gap, default: []].append("\(metric.key)")
    }
    let clauses = order.compactMap { gap in
      keys[gap].map { "\($0.joined(separator: ", ")): \(gap.rawValue)" }
    }
    return clauses.isEmpty ? "" : "No interval: \(clauses.joined(separator: "; "))."
  }

  private func append(_ sequences: [SequenceDifference], to document: inout Document) {
    let worst = sequences.filter { $0.lost > 0 }.prefix(10)
    guard !worst.isEmpty else { return }
    var table = Table([
      .words("worst sequences"), .words("subject"), .words("stream"), .number("A wrong s"),
      .number("B wrong s"), .number("lost s"),
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

extension ComparisonVerdict {
  /// How it is shown.
  fileprivate var tone: StyledText.Tone {
    switch self {
    case .better: .good
    case .worse: .bad
    case .cannotTell: .dim
    }
  }
}
