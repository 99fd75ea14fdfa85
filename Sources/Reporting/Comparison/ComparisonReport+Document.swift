internal import Evaluation
internal import PoseModel
internal import Statistics

extension ComparisonReport {
  /// The comparison for people.
  package var document: Document {
    var document = Document()
    document.heading("Compared on \(dataset.name)", level: 1)
    document.paragraph(
      StyledText(
        "A: \(reference). Differences are B minus A, paired by subject; intervals are of 95 %, and the "
          + "wider of cluster t and BCa decides. A verdict also needs Student's t, corrected after "
          + "Holm over all metrics of the table, at 0.05."))
    for pair in pairs {
      document.heading("B: \(pair.name)")
      document.table(table(pair.comparison))
      document.paragraph(StyledText(resolution(pair.comparison), .dim))
      append(pair.comparison.sequences, to: &document)
    }
    return document
  }

  private func table(_ comparison: PairedComparison) -> Table {
    var table = Table([
      .words("metric"), .number("A"), .number("B"), .number("B - A"), .number("cluster t"),
      .number("BCa"), .number("p sign flip"), .number("p Holm"), .number("won/tied/lost"),
      .words("verdict"),
    ])
    for metric in comparison.metrics {
      let record = metric.record
      let tone: StyledText.Tone =
        metric.verdict == .better ? .good : metric.verdict == .worse ? .bad : .dim
      table.row([
        StyledText("\(metric.key)"), StyledText(metric.before.text()),
        StyledText(metric.after.text()), StyledText(number(metric.difference), .strong),
        StyledText(ends(metric.intervals.clusterT)), StyledText(ends(metric.intervals.bca)),
        StyledText(number(metric.signFlip?.probability)),
        StyledText(number(metric.adjustedProbability)),
        StyledText("\(record.wins)/\(record.ties)/\(record.losses)"),
        StyledText(metric.verdict.rawValue, tone),
      ])
    }
    return table
  }

  private func number(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, 3) } ?? "n/a"
  }

  private func ends(_ result: Result<Interval, IntervalGap>) -> String {
    guard case .success(let interval) = result else { return "none" }
    return interval.text()
  }

  /// What so few subjects can show at all.
  private func resolution(_ comparison: PairedComparison) -> String {
    guard let metric = comparison.metrics.first else { return "" }
    let subjects = metric.subjects.count
    guard let least = metric.signFlip?.smallestProbability else {
      return "\(subjects) subject\(subjects == 1 ? "" : "s"): nothing can be told of the next one. "
        + "Differences need two subjects or more."
    }
    let gaps = comparison.metrics.compactMap { metric -> String? in
      guard case .failure(let gap) = metric.intervals.wider else { return nil }
      return "\(metric.key): \(gap.rawValue)"
    }
    let found = metric.detectableDifference.map {
      " For \(metric.key) a true difference of \(NumberText.fixed($0, 3)) would be found in four "
        + "of five such comparisons."
    }
    return "\(subjects) subjects: no sign-flip p below \(NumberText.fixed(least, 4)) can occur."
      + (found ?? "") + (gaps.isEmpty ? "" : " No interval: \(gaps.joined(separator: "; ")).")
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
