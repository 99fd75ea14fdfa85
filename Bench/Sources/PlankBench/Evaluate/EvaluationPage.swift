internal import Evaluation
@_spi(Bench) internal import PoseModel

extension EvaluationReport {
  /// The title, the answer with the command to run next, and the verdict behind it.
  func opening(_ origin: ResultOrigin) -> Document {
    var document = title(origin)
    let answer = EvaluationAnswer(self, origin)
    document.paragraph(answer.sentence)
    document.code(answer.commands)
    let verdict = EvaluationVerdict(self, origin)
    for fact in verdict.facts { document.paragraph(fact) }
    document.list(verdict.sentences)
    return document
  }

  /// The report for a page: as in print, but matrices are data that the page can turn into shares and
  /// subtract, intervals name their methods, and the rules are written out.
  ///
  /// Timings are left out, so that the same answers give the same page.
  func page(_ origin: ResultOrigin) -> Document {
    var page = opening(origin)
    for section in ReportSection.allCases {
      switch section {
      case .timing: continue
      case .matrix: for part in [plank, form] { page.append(part.matrixPage) }
      case .metrics: for part in [plank, form] { appendMetrics(part, to: &page) }
      default: append(section, origin, to: &page)
      }
    }
    page.list(origin.dataset?.facts ?? [])
    return page
  }

  private func appendMetrics(_ part: StreamReport, to page: inout Document) {
    page.append(part.metrics(hasMethods: true))
    let rules = detector.rules[part.stream]
    guard !rules.isEmpty else { return }
    page.heading("\(part.stream.rawValue): rules", level: 3)
    page.list(rules.map { StyledText($0) })
  }
}

extension StreamReport {
  /// Truth against answers as data, and the numbers of each class.
  fileprivate var matrixPage: Document {
    var page = Document()
    page.heading("\(stream.rawValue): confusion")
    guard view.frameCounts.scored > 0,
      let matrix = Document.Matrix(
        title: stream.rawValue, labels: labels, frames: view.confusion.rows,
        seconds: view.confusionSeconds.rows)
    else {
      page.paragraph(unscoredSentence)
      return page
    }
    page.matrix(matrix)
    page.table(classes)
    page.paragraph(StyledText(noEvidenceSentence, .warning))
    return page
  }

  private var classes: Table {
    var table = Table([
      .words("class"), .number("true s"), .number("precision"), .number("recall"), .number("F1"),
      .number("decided"),
    ])
    for (row, label) in labels.enumerated() {
      table.row([
        StyledText(label, .strong),
        StyledText(NumberText.fixed(view.confusionSeconds.truthTotal(row), 1)),
        StyledText(view[.precision, label].text()), StyledText(view[.recall, label].text()),
        StyledText(view[.f1, label].text()),
        StyledText(view.determinedSeconds.text(label)),
      ])
    }
    return table
  }
}
