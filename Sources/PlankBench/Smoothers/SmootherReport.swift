internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

extension SmootherComparison {
  func document(_ origin: ResultOrigin) -> Document { document(origin, isFull: false) }

  func document(_ origin: ResultOrigin, isFull: Bool) -> Document {
    let figures = SmootherFigure.all(self, on: origin.datasetName)
    var document = Document()
    document.heading("Smoothers on \(origin.datasetName)", level: 1)
    document.paragraph(StyledText(opening))
    document.list(verdict)
    if let contest { contest.append(to: &document) }
    document.list(notes.map { StyledText($0) })
    appendTrades(figures, to: &document)
    appendEqual(to: &document)
    if points.contains(where: { $0.answers != nil }) {
      Self.append(Self.answersHeading, figures, to: &document)
      document.table(answerTable(withRaw(front.front)))
    }
    appendStress(to: &document)
    appendAngles(to: &document)
    guard isFull else { return document }
    document.heading("Every smoother")
    document.table(pointTable(points))
    document.table(responseTable)
    return document
  }

  private func appendTrades(_ figures: [SmootherFigure.Picture], to document: inout Document) {
    Self.append(Self.jitterHeading, figures, to: &document)
    document.paragraph(
      """
      Jitter is the RMS step of measurements on holds over the raw one (geometric mean over \
      measurements); lag is how far they run behind where planks begin, end and change, against a \
      smoothing that looks ahead. The front: no other causal smoother is both calmer and faster.
      """)
    document.table(pointTable(withRaw(front.front)))
    Self.append(Self.spreadHeading, figures, to: &document)
    document.paragraph(
      """
      The spread about each hold's median includes colored noise and sway, which no short smoother \
      removes; the gain for noise with a lag-one correlation of 0.95 says the same of each smoother.
      """)
  }

  private static func append(
    _ heading: String, _ figures: [SmootherFigure.Picture], to document: inout Document
  ) {
    document.heading(heading)
    for picture in figures where picture.heading == heading {
      document.figure(.smoothers(picture.figure))
    }
  }

  func page(_ origin: ResultOrigin) -> ResultPage {
    SmootherPage(comparison: self, origin: origin).page
  }

  static let pageName = "smoothers"
  static let jitterHeading = "Jitter against lag"
  static let spreadHeading = "Spread against lag"
  static let answersHeading = "Answers along the front"

  var opening: String {
    "\(NumberText.count(size.sequences, "sequence")), \(NumberText.count(size.frames, "frame")) at "
      + "\(NumberText.fixed(rate.value, 1)) Hz, "
      + "\(NumberText.count(size.transitions, "true change")); \(target.rawValue) smoothed; detector \(detector)."
  }

  private func appendEqual(to document: inout Document) {
    document.heading("Filters at equal lag")
    var table = Table([
      .number("lag up to ms"), .words("calmest"), .number("jitter"), .words("then"),
      .number("jitter"), .words("then"), .number("jitter"),
    ])
    for row in front.equalLag {
      table.row(
        [StyledText(NumberText.fixed(1000 * row.limit, 0))]
          + cells(row.points) { $0.calm.step.percentText })
    }
    document.table(table)
    document.heading("Filters at equal jitter")
    var other = Table([
      .number("jitter up to"), .words("fastest"), .number("lag ms"), .words("then"),
      .number("lag ms"), .words("then"), .number("lag ms"),
    ])
    for row in front.equalJitter {
      other.row(
        [StyledText(NumberText.percent(row.limit))]
          + cells(row.points) { NumberText.milliseconds($0.delay.lag) })
    }
    document.table(other)
  }

  private func cells(
    _ points: [SmootherPoint], _ number: (SmootherPoint) -> String
  ) -> [StyledText] {
    (0..<3).flatMap { index -> [StyledText] in
      guard index < points.count else {
        return [StyledText(index == 0 ? "none" : "", .dim), ""]
      }
      return [
        StyledText(points[index].name, index == 0 ? .strong : .plain),
        StyledText(number(points[index])),
      ]
    }
  }

  private func appendStress(to document: inout Document) {
    guard !stress.isEmpty else { return }
    document.heading("Under stress")
    document.paragraph(
      "The calmest filters within 100 ms, on degraded frames; ratios are to raw data degraded alike."
    )
    var table = Table([
      .words("frames"), .words("smoother"), .number("jitter"), .number("lag ms"),
      .number("false/min"), .number("flickers/min"), .number("detected p50 s"),
      .number("event F1"),
    ])
    for row in stress {
      let answers = row.point.answers
      table.row([
        StyledText(row.condition.rawValue), StyledText(row.point.name, .strong),
        StyledText(row.point.calm.step.percentText),
        StyledText(NumberText.milliseconds(row.point.delay.lag)),
        StyledText(answers.text(.falseTransitionsPerMinute, 2)),
        StyledText(answers.text(.flickersPerMinute, 2)),
        StyledText(answers.text(.detectionLatencyMedian, 3)),
        StyledText(answers.text(.eventF1, 3)),
      ])
    }
    document.table(table)
  }

  private func appendAngles(to document: inout Document) {
    guard angles.contains(where: { $0.mean.number != nil }) else { return }
    document.heading("The unsigned angle of straight bodies")
    document.paragraph(
      """
      `bodyAngle` on `aligned` holds. Noise can only push an unsigned angle below 180 degrees: \
      averaging the angle keeps that bias, averaging joints removes it.
      """)
    var table = Table([.words("smoother"), .number("mean deg"), .number("deviation deg")])
    for row in angles {
      table.row([
        StyledText(row.choice.text), StyledText(row.mean.text(2)),
        StyledText(row.deviation.text(2)),
      ])
    }
    document.table(table)
  }
}

extension SteadyContest {
  fileprivate func append(to document: inout Document) {
    document.heading("On equal terms")
    document.paragraph(StyledText(method))
    document.table(table)
    document.table(adviceTable)
    document.paragraph(StyledText(ruleSentence))
    document.list(choiceSentences.map { StyledText($0) })
    document.table(familyTable)
  }
}

extension MetricTable? {
  func text(_ metric: Metric, _ decimals: Int, in stream: AnswerStream = .plank) -> String {
    self?[MetricKey(metric, in: stream)]?.text(decimals) ?? "n/a"
  }
}

extension SmootherComparison {
  func pointTable(_ points: [SmootherPoint]) -> Table {
    var table = Table([
      .words("smoother"), .number("jitter"), .number("spread"), .number("acceleration"),
      .number("lag ms"), .number("white gain"), .number("colored gain"), .number("cost"),
    ])
    let marked = marked
    for point in points {
      let tone: StyledText.Tone =
        point == marked ? .good : point.isCausal ? .strong : .dim
      table.row([
        StyledText(point.name + (point.isTuned ? " (tuned)" : ""), tone),
        StyledText(point.calm.step.percentText), StyledText(point.calm.spread.percentText),
        StyledText(point.calm.acceleration.percentText),
        StyledText(NumberText.milliseconds(point.delay.lag)),
        StyledText(point.delay.whiteGain.text(2)), StyledText(point.delay.coloredGain.text(2)),
        StyledText(
          point.cost(lagCost: lagCost).map { NumberText.fixed($0, 3) } ?? "n/a", .dim),
      ])
    }
    return table
  }

  func answerTable(_ points: [SmootherPoint]) -> Table {
    var table = Table([
      .words("smoother"), .number("lag ms"), .number("false/min"), .number("flickers/min"),
      .number("balanced"), .number("event F1"), .number("detected p50 s"), .number("p90 s"),
      .number("released s"), .number("form balanced"), .number("form false/min"),
      .number("timer error s"),
    ])
    let rows =
      points.map {
        (name: $0.name, lag: NumberText.milliseconds($0.delay.lag), answers: $0.answers)
      }
      + (rules + combined).map { (name: $0.rule.name, lag: "", answers: $0.answers) }
    for (name, lag, answers) in rows {
      table.row([
        StyledText(name, .strong), StyledText(lag),
        StyledText(answers.text(.falseTransitionsPerMinute, 2)),
        StyledText(answers.text(.flickersPerMinute, 2)),
        StyledText(answers.text(.balancedAccuracy, 3)), StyledText(answers.text(.eventF1, 3)),
        StyledText(answers.text(.detectionLatencyMedian, 3)),
        StyledText(answers.text(.detectionLatencyNinetieth, 2)),
        StyledText(answers.text(.releaseLatencyMedian, 3)),
        StyledText(answers.text(.balancedAccuracy, 3, in: .form)),
        StyledText(answers.text(.falseTransitionsPerMinute, 2, in: .form)),
        StyledText(answers.text(.holdError, 2)),
      ])
    }
    return table
  }

  var responseTable: Table {
    let ramps = SmootherDelay.rampSpeeds
    var table = Table(
      [
        .words("smoother"), .number("movement ms"), .number("step t50 ms"), .number("t90 ms"),
        .number("overshoot"),
      ] + ramps.map { .number("ramp \(NumberText.shortest($0)) ms") }
        + [.number("group delay ms")])
    for point in points {
      let delay = point.delay
      table.row(
        [
          StyledText(point.name, point.isCausal ? .strong : .dim),
          StyledText(NumberText.milliseconds(delay.movement)),
          StyledText(NumberText.milliseconds(delay.halfTime)),
          StyledText(NumberText.milliseconds(delay.ninetyTime)),
          StyledText(delay.overshoot.percentText),
        ]
          + ramps.indices.map { index in
            // An edited result may have fewer or more.
            delay.ramps.indices.contains(index)
              ? StyledText(NumberText.milliseconds(delay.ramps[index])) : "n/a"
          }
          + [StyledText(NumberText.milliseconds(delay.groupDelay))])
    }
    return table
  }
}

extension ResultEnvelope<SmootherComparison> {
  func files() throws -> [(name: String, text: String)] {
    let full = result.document(origin, isFull: true)
    let saved = SavedResult(name: SmootherComparison.pageName, page)
    return [
      ("report.md", MarkdownRenderer().render(full)),
      ("report.html", try ReportPage.html([saved])), ("result.json", json),
    ]
      + SmootherFigure.all(result, on: origin.datasetName).map {
        ($0.name + ".svg", $0.figure.svg())
      }
  }
}
