internal import Evaluation
internal import PoseModel
internal import Statistics

extension StreamReport {
  /// Matrix, metrics and what is wrong, for people.
  func document() -> Document {
    var document = Document()
    document.heading("\(stream.rawValue): truth in rows, answers in columns, frames")
    guard view.frameCounts.scored > 0 else {
      document.paragraph(StyledText("No frame carries a \(stream.rawValue) label.", .warning))
      return document
    }
    document.table(matrixTable)
    document.paragraph(StyledText(noEvidenceSentence, .warning))
    document.table(metricsTable)
    if let uncertainty {
      document.table(uncertainty.table(view, MetricKey.headlines(stream)))
      document.paragraph(StyledText(uncertainty.gapSentence(MetricKey.headlines(stream)), .dim))
    }
    document.paragraph(StyledText(whatIsWrong))
    return document
  }

  /// Counts by class with recall, precision and the determined share of each class.
  private var matrixTable: Table {
    var table = Table(
      [.words("truth")] + labels.map { .number($0) }
        + [.number("recall"), .number("precision"), .number("determined")])
    for (row, label) in labels.enumerated() {
      let cells = labels.indices.map { column -> StyledText in
        let count = view.confusion[row, column]
        if count == 0 { return StyledText(".", .dim) }
        let right: StyledText.Tone = noEvidence.isEmpty ? .good : .warning
        return StyledText(NumberText.count(count), row == column ? right : .bad)
      }
      table.row(
        [StyledText(label, .strong)] + cells + [
          StyledText(view[.recall, label].text()), StyledText(view[.precision, label].text()),
          StyledText(view.determinedFrames.perClass[row].percentText),
        ])
    }
    return table
  }

  private var metricsTable: Table {
    var table = Table([
      .words("metric (from seconds)"), .number("all scored"), .number("determined only"),
      .words(""),
    ])
    let determinedOnly = view.results(.classification, determined: true)
    for (all, determined) in zip(view.results(.classification), determinedOnly) {
      table.row([
        StyledText("\(all.key)"), StyledText(all.value.text(), .strong),
        StyledText(determined.value.text()), StyledText(remark(all), .dim),
      ])
    }
    if let endToEnd {
      table.row([
        "form.accuracy where the plank class is right",
        StyledText(endToEnd[.accuracy].text()),
        StyledText(
          endToEnd.value(MetricKey(.accuracy, in: .form), determined: true).text()), "",
      ])
    }
    return table
  }

  private func remark(_ result: MetricResult) -> String {
    if let reason = result.value.reason { return reason.rawValue }
    var remarks: [String] = []
    if !noEvidence.isEmpty { remarks.append("includes \(noEvidence.count) of NO EVIDENCE") }
    if !result.excluded.isEmpty {
      remarks.append("without " + result.excluded.joined(separator: ", "))
    }
    return remarks.joined(separator: "; ")
  }

  /// Names sequences whose score says nothing about the rules.
  private var noEvidenceSentence: String {
    guard !noEvidence.isEmpty else { return "" }
    let listed = noEvidence.prefix(8).joined(separator: ", ")
    let more = noEvidence.count > 8 ? " and \(noEvidence.count - 8) more" : ""
    return "NO EVIDENCE in \(noEvidence.count) of the sequences: under half of their scored frames "
      + "are determined, so agreement there says nothing about the rules: \(listed)\(more)."
  }

  /// The largest confusions in words.
  private var whatIsWrong: String {
    var cells: [(truth: Int, answer: Int, seconds: Double)] = []
    for truth in labels.indices {
      for answer in labels.indices where answer != truth {
        let seconds = view.confusionSeconds[truth, answer]
        if seconds > 0 { cells.append((truth, answer, seconds)) }
      }
    }
    guard !cells.isEmpty else {
      return noEvidence.isEmpty
        ? "Every scored frame has the right answer."
        : "No scored frame has a wrong answer, and where there is no evidence that says nothing."
    }
    let largest = cells.sorted { ($0.seconds, $1.truth) > ($1.seconds, $0.truth) }.prefix(3)
    let sentences = largest.map { cell in
      let share = cell.seconds / view.confusionSeconds.truthTotal(cell.truth)
      return "\(labels[cell.truth]) is answered as \(labels[cell.answer]) for "
        + "\(NumberText.fixed(cell.seconds, 1)) s (\(NumberText.percent(share)) of it)"
    }
    return "What is wrong: " + sentences.joined(separator: "; ") + "."
  }
}

extension StreamUncertainty {
  /// The intervals by the metrics' names.
  var json: JSONValue {
    .object(Dictionary(uniqueKeysWithValues: intervals.map { ("\($0)", $1.json) }))
  }

  /// A row a metric: its number and its 95 % intervals.
  func table(_ view: ScoreView, _ stream: [MetricKey]) -> Table {
    var table = Table([
      .words("by subject"), .number("value"), .number("95 %, the wider"), .words("by"),
      .number("subjects"),
    ])
    for key in stream {
      guard let found = intervals[key] else { continue }
      table.row([
        StyledText("\(key)"), StyledText(view.value(key).text(), .strong),
        StyledText(found.wider.shortText), StyledText(found.methodText, .dim),
        StyledText("\(found.subjects)"),
      ])
    }
    return table
  }

  /// Why some metrics have no interval; empty where all have.
  func gapSentence(_ stream: [MetricKey]) -> String {
    var names: [String: [String]] = [:]
    for key in stream {
      guard let found = intervals[key], let gap = found.wider.gap else {
        continue
      }
      names[gap.rawValue, default: []].append("\(key)")
    }
    return names.sorted { $0.key < $1.key }.map { reason, names in
      "No interval for \(names.joined(separator: ", ")): \(reason)."
    }.joined(separator: " ")
  }
}

extension LabelAgreement {
  /// Every number by name, undefined ones as null with their reason.
  var json: JSONValue {
    var members: [String: JSONValue] = [:]
    for row in rows {
      members[row.name] = .object([
        "value": .optional(row.value.number), "unit": .string(row.unit),
        "undefined": .optional(row.value.reason?.rawValue),
      ])
    }
    return .object(members)
  }

  /// The agreement for people.
  ///
  /// - Parameter isCeiling: whether it stands beside the scores of a detector.
  func document(isCeiling: Bool) -> Document {
    var document = Document()
    document.heading("Agreement of two annotators")
    if isCeiling {
      document.paragraph(
        "No detector can be shown to be better than the people whose labels are its truth agree.")
    }
    var table = Table([.words("number"), .number("value"), .words("unit"), .words("")])
    for row in rows {
      table.row([
        StyledText(row.name),
        StyledText(row.value.number.map { NumberText.fixed($0, 3) } ?? "n/a", .strong),
        StyledText(row.unit, .dim), StyledText(row.value.reason?.rawValue ?? "", .dim),
      ])
    }
    document.table(table)
    for stream in AnswerStream.allCases where self[stream].commonSeconds.total > 0 {
      document.table(matrix(stream))
    }
    return document
  }

  /// The seconds that both labeled: rows the first person's classes, columns the second one's.
  private func matrix(_ stream: AnswerStream) -> Table {
    let seconds = self[stream].commonSeconds
    var table = Table(
      [.words("first \\ second, s")] + seconds.labels.map { Table.Column.number($0) })
    for (row, label) in seconds.labels.enumerated() {
      let cells = seconds.labels.indices.map { column -> StyledText in
        let value = seconds[row, column]
        if value == 0 { return StyledText(".", .dim) }
        return StyledText(NumberText.fixed(value, 1), row == column ? .good : .bad)
      }
      table.row([StyledText(label, .strong)] + cells)
    }
    return table
  }
}
