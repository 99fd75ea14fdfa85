internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reporting

/// Everything that `explain` says about one frame.
struct MomentExplanation {
  let context: RecordingContext
  let frame: Int
  let detector: BatchDetector
  let columns: MeasurementColumns
  let answers: DetectionColumns

  private var recording: Recording { context.sequence.recording }
  private var time: Double { recording.times[frame] }

  /// The rules of a stream with what they made of the frame.
  private func traces(_ stream: AnswerStream) -> [RuleTrace] {
    let list = detector.definition.list(stream)
    let traces = try? list.trace(detector.parameters) { columns.value(of: $0, at: frame) }
    return traces ?? []
  }

  private func truth(_ stream: AnswerStream) -> String {
    let code = context.sequence.truth().codes(stream)[frame]
    switch code {
    case FrameTruth.unlabeled: return "unlabeled"
    case FrameTruth.ignored: return "ignore"
    case FrameTruth.unjudged: return "not judged"
    default: return stream.labels[Int(code)]
    }
  }

  private func rawLabel(_ stream: AnswerStream) -> String? {
    let code = answers[stream].raw[frame]
    return code == Debouncer.undetermined ? nil : stream.labels[Int(code)]
  }

  private func answer(_ stream: AnswerStream) -> String {
    stream.labels[Int(answers[stream].answers[frame])]
  }

  private var grade: FormGrade? {
    PlankClass(rawValue: answers.plank.answers[frame]).flatMap {
      FormGrade(bodyAngle: columns.value(of: .bodyAngle, at: frame), answer: $0)
    }
  }
}

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

  private func debounceSentence(_ stream: AnswerStream) -> String {
    let steps = DebounceHistory(
      detector, answers[stream], stream, times: recording.times,
      startsMid: context.sequence.startsMid)
    return steps.sentence(at: frame, raw: rawLabel(stream))
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

extension MomentExplanation {
  /// The explanation for programs.
  var json: JSONValue {
    var streams: [String: JSONValue] = [:]
    for stream in AnswerStream.allCases {
      streams[stream.rawValue] = .object([
        "truth": .string(truth(stream)), "raw": .optional(rawLabel(stream)),
        "answer": .string(answer(stream)), "rules": .array(traces(stream).map(\.json)),
        "debounce": .string(debounceSentence(stream)),
      ])
    }
    let measurements = Measurement.allCases.map { measurement in
      (
        measurement.name,
        JSONValue.optional(columns.value(of: measurement, at: frame).map(Double.init))
      )
    }
    return .object([
      "schema_version": .integer(1), "sequence": .string(context.sequence.name),
      "frame": .integer(frame), "time_s": .number(time),
      "detector": .string(detector.definition.name),
      "is_missing": .bool(recording.isMissing(at: frame)), "streams": .object(streams),
      "grade": .optional(grade?.rawValue),
      "measurements": .object(Dictionary(uniqueKeysWithValues: measurements)),
    ])
  }
}

extension RuleTrace {
  fileprivate var json: JSONValue {
    .object([
      "label": .string(label), "decides": .bool(decides), "holds": .bool(holds),
      "conditions": .array(
        steps.map { step in
          .object([
            "predicate": .string("\(step.predicate)"),
            "value": .optional(step.value.map(Double.init)),
            "threshold": .number(Double(step.threshold)),
            "margin": .optional(step.margin.map(Double.init)), "holds": .bool(step.holds),
          ])
        }),
    ])
  }
}
