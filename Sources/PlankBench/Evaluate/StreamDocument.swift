internal import Evaluation
internal import PoseModel
internal import Statistics

extension StreamReport {
  /// `isMean`: whether recall and precision are means over several sources.
  func matrix(hasFrames: Bool, isMean: Bool) -> Document {
    var document = Document()
    document.heading("\(stream.rawValue): truth in rows, answers in columns, seconds")
    guard view.frameCounts.scored > 0 else {
      document.paragraph(unscoredSentence)
      return document
    }
    document.table(matrixTable(isMean: isMean))
    if hasFrames { document.table(frameTable) }
    document.paragraph(StyledText(noEvidenceSentence, .warning))
    let wrong = confusions.prefix(3).map(\.text).joined(separator: ", ")
    document.paragraph(StyledText(wrong.isEmpty ? "" : "What is wrong: \(wrong)."))
    return document
  }

  func metrics(hasMethods: Bool) -> Document {
    var document = Document()
    guard view.frameCounts.scored > 0 else { return document }
    document.heading("\(stream.rawValue): metrics")
    document.table(metricsTable(hasMethods: hasMethods))
    let people = self.uncertainty.map { " Intervals resample \($0.subjects) people." } ?? ""
    document.paragraph(
      StyledText(
        "Metrics weight frames by their time. The column `decided` leaves out the frames in which the "
          + "rules could not decide.\(people)", .dim))
    if let uncertainty = self.uncertainty {
      document.paragraph(StyledText(uncertainty.gapSentence(headlines), .dim))
      document.paragraph(StyledText([uncertainty].alikeSentence(headlines), .dim))
    }
    return document
  }

  /// Of the classes that occur, precision in the last row: what fits the first screen.
  var smallMatrix: Table {
    let seconds = view.confusionSeconds
    let shown = labels.indices.filter { label in
      labels.indices.contains { seconds[label, $0] > 0 || seconds[$0, label] > 0 }
    }
    var table = Table(
      [.words("\(stream.rawValue), s")] + shown.map { .number(labels[$0]) } + [.number("recall")])
    for row in shown {
      table.row(cells(row, shown) + [StyledText(view[.recall, labels[row]].text())])
    }
    table.row(
      ["precision"] + shown.map { StyledText(view[.precision, labels[$0]].text()) } + [""])
    return table
  }

  private func matrixTable(isMean: Bool) -> Table {
    let of = isMean ? ", mean of sources" : ""
    var table = Table(
      [.words("truth")] + labels.map { .number($0) }
        + [.number("recall\(of)"), .number("precision\(of)"), .number("decided")])
    for (row, label) in labels.enumerated() {
      table.row(
        cells(row, Array(labels.indices)) + [
          StyledText(view[.recall, label].text()), StyledText(view[.precision, label].text()),
          StyledText(view.determinedSeconds.text(label)),
        ])
    }
    return table
  }

  private func cells(_ row: Int, _ columns: [Int]) -> [StyledText] {
    let total = view.confusionSeconds.truthTotal(row)
    return [StyledText(labels[row], .strong)]
      + columns.map { column in
        let seconds = view.confusionSeconds[row, column]
        return cell(seconds, NumberText.fixed(seconds, 1), isRight: row == column, of: total)
      }
  }

  private var frameTable: Table {
    var table = Table([.words("truth, frames")] + labels.map { .number($0) })
    for (row, label) in labels.enumerated() {
      let total = Double(view.confusion.truthTotal(row))
      let cells = labels.indices.map { column in
        let count = view.confusion[row, column]
        return cell(
          Double(count), NumberText.count(count), isRight: row == column, of: total)
      }
      table.row([StyledText(label, .strong)] + cells)
    }
    return table
  }

  private func cell(_ number: Double, _ text: String, isRight: Bool, of total: Double) -> StyledText
  {
    guard number > 0 else { return StyledText(".", .dim) }
    let right: StyledText.Tone = self.noEvidence.isEmpty ? .good : .warning
    return StyledText(text, isRight ? right : .bad).shaded(number, of: total)
  }

  private func metricsTable(hasMethods: Bool) -> Table {
    var table = Table(
      [.words("metric"), .number("value"), .number("95 %")]
        + (hasMethods ? [.words("by")] : []) + [.number("decided"), .words("")])
    func row(_ key: MetricKey, _ value: MetricValue, decided: String, _ remark: String) {
      let found = self.uncertainty?.intervals[key]
      table.row(
        [
          StyledText("\(key)"), StyledText(value.text(), .strong),
          StyledText(found?.wider.shortText ?? ""),
        ] + (hasMethods ? [StyledText(found?.methodText ?? "", .dim)] : []) + [
          StyledText(decided), StyledText(remark, .dim),
        ])
    }
    let scopes: [Metric.Scope] = stream == .plank ? [.stream, .session] : [.stream]
    let decided = scopes.flatMap { view.results(.classification, $0, determined: true) }
    let results = scopes.flatMap { view.results(.classification, $0) }
    for (all, decided) in zip(results, decided) {
      row(all.key, all.value, decided: decided.value.text(), remark(all))
    }
    for key in headlines where !results.contains(where: { $0.key == key }) {
      let value = view.value(key)
      row(key, value, decided: "", value.reason?.rawValue ?? "")
    }
    if let endToEnd = self.endToEnd {
      let accuracy = MetricKey(.accuracy, in: .form)
      table.row(
        ["form.accuracy where the plank is right", StyledText(endToEnd[.accuracy].text()), ""]
          + (hasMethods ? [""] : []) + [
            StyledText(endToEnd.value(accuracy, determined: true).text()), "",
          ])
    }
    return table
  }

  private func remark(_ result: MetricResult) -> String {
    if let reason = result.value.reason { return reason.rawValue }
    var remarks: [String] = []
    if !self.noEvidence.isEmpty {
      remarks.append(
        "includes \(NumberText.count(self.noEvidence.count, "sequence")) with NO EVIDENCE")
    }
    if !result.excluded.isEmpty {
      remarks.append("without " + result.excluded.joined(separator: ", "))
    }
    return remarks.joined(separator: "; ")
  }

  var unscoredSentence: StyledText {
    StyledText("No frame carries a \(stream.rawValue) label.", .warning)
  }

  var noEvidenceSentence: String {
    guard !self.noEvidence.isEmpty else { return "" }
    let listed = self.noEvidence.prefix(8).joined(separator: ", ")
    let more = self.noEvidence.count > 8 ? " and \(self.noEvidence.count - 8) more" : ""
    return
      "NO EVIDENCE in \(self.noEvidence.count) of the sequences: the rules decided fewer than half of their "
      + "scored frames, so agreement there says nothing about the rules: \(listed)\(more)."
  }
}

extension DeterminedShare {
  func text(_ label: String) -> String { perClass[label]?.percentText ?? "n/a" }
}

extension StreamUncertainty {
  func gapSentence(_ stream: [MetricKey]) -> String {
    var names: [String: [String]] = [:]
    for key in stream {
      guard let found = intervals[key], let gap = found.wider.reason else {
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
  func document(isBesideScores: Bool) -> Document {
    var document = Document()
    document.heading("Agreement of two annotators")
    if isBesideScores {
      document.paragraph(
        StyledText(
          "Labels have errors, so no detector can agree with them fully. If two annotators err "
            + "independently and equally often, a detector without a mistake reaches about the "
            + "square root of their kappa against either of them: `perfect_detector_kappa`. "
            + "Annotators who make the same mistakes agree more, and then it is too high."))
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
