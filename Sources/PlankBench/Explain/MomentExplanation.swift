internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// Everything that `explain` says about one frame.
struct MomentExplanation {
  let context: RecordingContext
  let frame: Int
  let detector: BatchDetector
  let columns: MeasurementColumns
  let answers: DetectionColumns

  /// The recording of the frame.
  var recording: Recording { context.sequence.recording }
  /// The frame's time in seconds.
  var time: Double { recording.times[frame] }

  /// The rules of a stream with what they made of the frame.
  func traces(_ stream: AnswerStream) -> [RuleTrace] {
    let list = detector.definition.list(stream)
    let traces = try? list.trace(detector.parameters, columns, at: frame)
    return traces ?? []
  }

  /// The true label of the frame, or why there is none.
  func truth(_ stream: AnswerStream) -> String {
    let code = context.sequence.truth().codes(stream)[frame]
    switch code {
    case FrameTruth.unlabeled: return "unlabeled"
    case FrameTruth.ignored: return "ignore"
    case FrameTruth.unjudged: return "not judged"
    default: return stream.labels[Int(code)]
    }
  }

  /// The label that the rules gave; nil for an undetermined frame.
  func rawLabel(_ stream: AnswerStream) -> String? {
    let code = answers[stream].raw[frame]
    return code == Debouncer.undetermined ? nil : stream.labels[Int(code)]
  }

  /// The steady answer after the frame.
  func answer(_ stream: AnswerStream) -> String {
    stream.labels[Int(answers[stream].answers[frame])]
  }

  /// The grade of the body angle for the answer's class.
  var grade: FormGrade? {
    PlankClass(rawValue: answers.plank.answers[frame]).flatMap {
      FormGrade(
        bodyAngle: columns.value(of: .bodyAngle, at: frame), answer: $0, detector.gradeBands)
    }
  }

  /// How the raw label became the answer, in a sentence.
  func debounceSentence(_ stream: AnswerStream) -> String {
    let steps = DebounceHistory(
      detector, answers[stream], stream, times: recording.times,
      startsMid: context.sequence.startsMid)
    return steps.sentence(at: frame, raw: rawLabel(stream))
  }
}

/// What debounce made of the raw labels up to a frame, in words.
struct DebounceHistory {
  private let labels: [String]
  private let framesNeeded: Int
  private let holdSeconds: Double
  private let columns: StreamColumns
  private let times: [Double]
  private var debouncer: Debouncer

  /// Prepares a replay of one stream's raw labels.
  init(
    _ detector: BatchDetector, _ columns: StreamColumns, _ stream: AnswerStream, times: [Double],
    startsMid: Bool
  ) {
    let key: ParameterKey = stream == .plank ? .plankFrames : .formFrames
    labels = stream.labels
    framesNeeded = Int(detector.parameters[key] ?? 1)
    holdSeconds = detector.parameters[.holdSeconds] ?? 0
    self.columns = columns
    self.times = times
    debouncer = Debouncer(
      framesNeeded: framesNeeded, holdSeconds: Seconds(holdSeconds), startsMid: startsMid)
  }

  /// How the answer at a frame came about.
  func sentence(at frame: Int, raw: String?) -> String {
    var replay = debouncer
    var before: UInt8 = 0
    var answer: UInt8 = 0
    for index in 0...frame {
      before = answer
      answer = replay.update(columns.raw[index], at: times[index])
    }
    let name = labels[Int(answer)]
    guard let raw else { return undetermined(replay, name) }
    let run = replay.pending?.run ?? 0
    let count = "the raw label \(raw) has stood for \(run) determined frame\(run == 1 ? "" : "s")"
    let need = "\(framesNeeded) in a row \(framesNeeded == 1 ? "is" : "are") needed"
    if answer != before {
      return "Debounce: \(count), \(need): the answer becomes \(name) here."
    }
    if raw == name { return "Debounce: \(count), \(need): the answer stays \(name)." }
    return "Debounce: \(count), \(need): the answer is still \(name)."
  }

  private func undetermined(_ replay: Debouncer, _ name: String) -> String {
    let hold = NumberText.fixed(holdSeconds, 3)
    return replay.isHolding
      ? "Debounce: the frame is undetermined; the answer \(name) is held, for at most \(hold) s."
      : "Debounce: the frame is undetermined for longer than \(hold) s (or from the start): the "
        + "answer is empty, \(name)."
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
        StyledText(
          step.measured.absence ?? "\(NumberText.fixed(Double(step.measured.stored), 4)) \(unit)"),
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
    for measurement in detector.definition.reportedMeasurements.members {
      let measured = columns.measured(measurement, at: frame)
      table.row([
        StyledText(measurement.name),
        StyledText(
          measured.absence ?? NumberText.fixed(Double(measured.stored), 4),
          measured.absence == nil ? .strong : .warning),
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
    let reported = detector.definition.reportedMeasurements.members
    let measurements = reported.map { measurement in
      (
        measurement.name,
        JSONValue.optional(columns.value(of: measurement, at: frame).map(Double.init))
      )
    }
    let remarks = reported.compactMap { measurement in
      columns.measured(measurement, at: frame).absence.map {
        (measurement.name, JSONValue.string($0))
      }
    }
    return .object([
      "schema_version": .integer(1), "sequence": .string(context.sequence.name),
      "frame": .integer(frame), "time_s": .number(time),
      "detector": .string(detector.definition.name),
      "is_missing": .bool(recording.isMissing(at: frame)), "streams": .object(streams),
      "grade": .optional(grade?.rawValue),
      "measurements": .object(Dictionary(uniqueKeysWithValues: measurements)),
      "measurements_remarks": .object(Dictionary(uniqueKeysWithValues: remarks)),
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
            "remark": .optional(step.measured.absence),
            "threshold": .number(Double(step.threshold)),
            "margin": .optional(step.margin.map(Double.init)), "holds": .bool(step.holds),
          ])
        }),
    ])
  }
}
