internal import Evaluation
@_spi(Bench) internal import PoseModel
internal import Statistics

/// Evaluations of one dataset compared with the first of them.
struct ComparisonReport: Hashable, Sendable {
  /// One side compared with the first.
  struct Pair: Hashable, Sendable {
    /// The side's name.
    var name: String
    /// The numbers.
    var comparison: PairedComparison
  }

  /// The data.
  var dataset: DatasetIdentity
  /// The first side's name.
  var reference: String
  /// The other sides, in order.
  var pairs: [Pair]
  /// All sides with their scores, for a page.
  var sides: [ScoredSide]
  /// How the result came to be, a line each.
  var provenance: [String]
}

extension ComparisonReport {
  /// The comparison on a page: the verdicts, the text, then every side's matrices and classes.
  var page: Document {
    var page = Document(Array(document.blocks.prefix(1)))
    page.list(
      pairs.map { StyledText("`\($0.name)` against `\(reference)`: \($0.comparison.summary)") })
    page.append(Document(Array(document.blocks.dropFirst())))
    page.append(sides.document)
    page.heading("Provenance")
    page.list(provenance.map { StyledText($0, .dim) } + dataset.facts)
    return page
  }
}

extension ComparisonReport {
  /// The comparison for people.
  var document: Document {
    var document = Document()
    document.heading("Compared on \(dataset.name)", level: 1)
    document.paragraph(
      StyledText(
        "A: \(reference). Differences are B minus A, paired by subject; intervals are of 95 %, and the "
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

  /// The differences that there are, against zero.
  private func figure(_ pair: Pair) -> IntervalFigure {
    IntervalFigure(
      title: "B - A: \(pair.name) against \(reference), 95 % intervals",
      rows: pair.comparison.metrics.compactMap { metric in
        guard !isSame(metric), let value = metric.difference else { return nil }
        let interval = metric.intervals.wider.interval
        let tone: StyledText.Tone =
          metric.verdict == .better ? .good : metric.verdict == .worse ? .bad : .dim
        return IntervalFigure.Row(
          name: "\(metric.key)", unit: metric.key.metric.unit, value: value,
          lower: interval?.lower, upper: interval?.upper, limit: nil, tone: tone)
      })
  }

  private func table(_ comparison: PairedComparison) -> Table {
    var table = Table([
      .words("metric"), .number("A"), .number("B"), .number("B - A"), .number("cluster t"),
      .number("BCa"), .number("p t, Holm"), .number("p sign flip"),
      .number("p sign flip, Holm"), .number("won/tied/lost"), .words("verdict"),
    ])
    for metric in comparison.metrics where !isSame(metric) {
      let record = metric.record
      let tone: StyledText.Tone =
        metric.verdict == .better ? .good : metric.verdict == .worse ? .bad : .dim
      table.row([
        StyledText("\(metric.key)"), StyledText(metric.before.text()),
        StyledText(metric.after.text()), StyledText(number(metric.difference), .strong),
        StyledText(metric.intervals.clusterT.shortText), StyledText(metric.intervals.bca.shortText),
        StyledText(number(metric.adjustedT)), StyledText(number(metric.signFlip?.probability)),
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

  /// What so few subjects can show at best.
  private func resolution(_ comparison: PairedComparison) -> String {
    guard let metric = comparison.metrics.first else { return "" }
    let subjects = metric.subjects.count
    guard let least = metric.signFlip?.smallestProbability else {
      return "\(NumberText.count(subjects, "subject")): nothing can be told of the next one. "
        + "Differences need two subjects or more."
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
    return "The same in every subject, so that nothing can be told: "
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

extension ComparisonReport {
  /// The comparison as JSON.
  var json: JSONValue {
    .object([
      "schema_version": .integer(1), "dataset": dataset.json, "reference": .string(reference),
      "comparisons": .array(
        pairs.map { pair in
          .object([
            "name": .string(pair.name), "summary": .string(pair.comparison.summary),
            "metrics": .array(pair.comparison.metrics.map(\.json)),
            "metrics_before": pair.comparison.values(\.before).json,
            "metrics_before_remarks": pair.comparison.values(\.before).remarks,
            "metrics_after": pair.comparison.values(\.after).json,
            "metrics_after_remarks": pair.comparison.values(\.after).remarks,
            "sequences": .array(pair.comparison.sequences.map(\.json)),
          ])
        }),
    ])
  }
}

extension PairedComparison {
  /// One side's numbers by metric.
  fileprivate func values(
    _ side: KeyPath<MetricComparison, MetricValue>
  ) -> [MetricKey: MetricValue] {
    Dictionary(uniqueKeysWithValues: metrics.map { ($0.key, $0[keyPath: side]) })
  }
}

extension DatasetIdentity {
  /// Name and hashes.
  var json: JSONValue {
    .object([
      "name": .string(name), "hash": .string(hash), "poses_hash": .string(posesHash),
      "labels_hash": .string(labelsHash), "manifest_hash": .string(manifestHash),
      "split": .optional(split), "parts": .array(parts.map(\.json)),
    ])
  }
}

extension MetricComparison {
  /// The metric with both sides, their difference and its evidence.
  var json: JSONValue {
    let record = record
    var members = JSONValue.members(["before": before, "after": after])
    members["metric"] = .string("\(key)")
    members["unit"] = .string(key.metric.unit)
    members["higher_is_better"] = .bool(key.metric.higherIsBetter)
    members["difference"] = .optional(difference)
    members["interval"] = intervals.json
    members["p_sign_flip"] = .optional(signFlip?.probability)
    members["p_sign_flip_smallest"] = .optional(signFlip?.smallestProbability)
    members["p_sign_flip_holm"] = .optional(adjustedProbability)
    members["p_cluster_t_holm"] = .optional(adjustedT)
    members["detectable_difference"] = .optional(detectableDifference)
    members["subjects_to_settle"] = subjectsToSettle.map(JSONValue.integer) ?? .null
    members["wins"] = .integer(record.wins)
    members["ties"] = .integer(record.ties)
    members["losses"] = .integer(record.losses)
    members["verdict"] = .string(verdict.rawValue)
    members["subjects"] = .array(subjects.map(\.json))
    return .object(members)
  }
}

extension SubjectDifference {
  /// The subject's numbers.
  var json: JSONValue {
    var members = JSONValue.members(["before": before, "after": after])
    members["subject"] = .optional(subject)
    members["difference"] = .optional(difference)
    return .object(members)
  }
}

extension SequenceDifference {
  /// The sequence's wrong seconds.
  var json: JSONValue {
    .object([
      "sequence": .string(name), "subject": .optional(subject),
      "stream": .string(stream.rawValue), "wrong_before_s": .number(before),
      "wrong_after_s": .number(after), "lost_s": .number(lost),
    ])
  }
}
