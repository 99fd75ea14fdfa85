internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reporting

extension MomentExplanation {
  /// The explanation for people.
  var document: Document {
    var document = Document()
    let title = "\(context.sequence.name) at \(NumberText.fixed(time, 3)) s, frame \(frame)"
    document.heading(title, level: 1)
    document.paragraph(
      StyledText("Detector \(detector.definition.name): \(detector.definition.summary)."))
    if recording.isMissing(at: frame) {
      document.paragraph(StyledText(missingSentence, .warning))
    }
    for stream in AnswerStream.allCases { append(stream, to: &document) }
    if let grade {
      document.paragraph(StyledText("Grade of the body angle: \(grade.rawValue) (never scored)."))
    }
    document.heading("Measurements")
    document.table(measurementTable)
    return document
  }

  private var missingSentence: String {
    recording.hasPose(at: frame)
      ? "The frame has a pose in pelvis axes but no camera matrix, so it counts as missing."
      : "No pose was found in this frame."
  }

  private func append(_ stream: AnswerStream, to document: inout Document) {
    document.heading("\(stream.rawValue): truth \(truth(stream)), answer \(answer(stream))")
    var table = Table([
      .number("rule"), .words("label"), .words("condition"), .number("measured"),
      .number("parameter"), .number("margin"), .words("verdict"),
    ])
    var isDecided = false
    for (index, trace) in traces(stream).enumerated() {
      let verdict = isDecided ? "not asked" : trace.decides ? "decides" : "does not hold"
      let tone: StyledText.Tone = isDecided ? .dim : trace.decides ? .good : .plain
      for row in rows(trace, number: index + 1, verdict: StyledText(verdict, tone)) {
        table.row(row)
      }
      isDecided = isDecided || trace.decides
    }
    document.table(table)
    document.paragraph(StyledText(debounceSentence(stream)))
  }

  private func rows(
    _ trace: RuleTrace, number: Int, verdict: StyledText
  ) -> [[StyledText]] {
    guard !trace.steps.isEmpty else {
      return [[StyledText("\(number)"), StyledText(trace.label), "otherwise", "", "", "", verdict]]
    }
    return trace.steps.enumerated().map { index, step in
      let unit = step.predicate.measurement.unit.rawValue
      return [
        StyledText(index == 0 ? "\(number)" : ""), StyledText(index == 0 ? trace.label : "and"),
        StyledText("\(step.predicate)"),
        StyledText(step.value.map { "\(NumberText.fixed(Double($0), 4)) \(unit)" } ?? "undefined"),
        StyledText(NumberText.fixed(Double(step.threshold), 4)),
        StyledText(step.margin.map { NumberText.fixed(Double($0), 4) } ?? ""),
        index == 0 ? verdict : "",
      ]
    }
  }

  private var measurementTable: Table {
    var table = Table([
      .words("measurement"), .number("value"), .words("unit"), .words("definition"),
    ])
    for measurement in Measurement.allCases {
      let value = columns.value(of: measurement, at: frame)
      table.row([
        StyledText(measurement.name),
        StyledText(
          value.map { NumberText.fixed(Double($0), 4) } ?? "undefined",
          value == nil ? .warning : .strong),
        StyledText(measurement.unit.rawValue), StyledText(measurement.definition, .dim),
      ])
    }
    return table
  }
}
