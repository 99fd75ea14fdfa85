internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

struct MomentExplanation {
  let context: RecordingContext
  let bench: BenchDetector
  let frame: Int
  let columns: MeasurementColumns
  private let run: CalibratedRun

  init(_ context: RecordingContext, _ bench: BenchDetector, frame: Int) {
    self.context = context
    self.bench = bench
    self.frame = frame
    let recording = context.sequence.recording
    columns = bench.measure(recording, also: bench.detector.definition.reportedMeasurements)
    let answers = bench.detector.detect(
      columns, times: recording.times, startsMid: context.sequence.startsMid)
    run = CalibratedRun(bench, context.sequence, columns, answers)
  }

  var detector: BatchDetector { run.detector }
  var answers: DetectionColumns { run.answers }
  var recording: Recording { context.sequence.recording }
  var time: Double { recording.times[frame] }

  func traces(_ stream: AnswerStream) -> [RuleTrace] {
    let traces = try? detector.trace(stream, columns, times: recording.times, at: frame)
    return traces ?? []
  }

  func truth(_ stream: AnswerStream) -> String {
    let code = context.sequence.truth().codes(stream)[frame]
    switch code {
    case FrameTruth.unlabeled: return "unlabeled"
    case FrameTruth.ignored: return "ignore"
    case FrameTruth.unjudged: return "not judged"
    default: return stream.labels[Int(code)]
    }
  }

  func rawLabel(_ stream: AnswerStream) -> String? {
    let code = answers[stream].raw[frame]
    return code == Debouncer.undetermined ? nil : stream.labels[Int(code)]
  }

  func answer(_ stream: AnswerStream) -> String {
    stream.labels[Int(answers[stream].answers[frame])]
  }

  var grade: FormGrade? {
    PlankClass(code: answers.plank.answers[frame]).flatMap {
      FormGrade(
        bodyAngle: columns.value(of: .bodyAngle, at: frame), answer: $0, detector.gradeBands)
    }
  }

  func debounceSentence(_ stream: AnswerStream) -> String {
    let steps = DebounceHistory(
      detector, answers[stream], stream, times: recording.times,
      startsMid: context.sequence.startsMid)
    return steps.sentence(at: frame)
  }
}

extension MomentExplanation {
  func document(isFull: Bool) -> Document {
    var document = Document()
    let title = "\(context.sequence.name) at \(NumberText.fixed(time, 3)) s, frame \(frame)"
    document.heading(title, level: 1)
    document.paragraph(
      StyledText(
        "Detector \(detector.definition.name): \(detector.definition.summary).\(strategies)"))
    document.paragraph(
      StyledText(
        run.hold?.explanation(
          of: detector.calibration?.measurement, unit: detector.calibration?.unit.rawValue) ?? ""))
    if let mismatch = detector.definition.mismatch(with: recording.header) {
      document.paragraph(StyledText("The rules cannot decide any frame: \(mismatch)", .warning))
    }
    if recording.isMissing(at: frame) {
      document.paragraph(StyledText(missingSentence, .warning))
    }
    if let need = assumedHeight {
      document.paragraph(
        StyledText(UnmetNeed.sentences([need], of: detector.definition.name, in: 1)[0], .warning))
    }
    for stream in AnswerStream.allCases { append(stream, isFull, to: &document) }
    guard isFull else { return document }
    if let grade {
      document.paragraph(StyledText("Grade of the body angle: \(grade.rawValue) (never scored)."))
    }
    document.heading("Measurements")
    document.table(measurementTable)
    return document
  }

  private var assumedHeight: UnmetNeed? {
    guard recording.bodyHeight(at: frame) == nil, !recording.isMissing(at: frame) else {
      return nil
    }
    return UnmetNeed.height(detector.definition, in: recording)
  }

  private var strategies: String {
    let smoothing = bench.isUnsmoothed ? "" : " Smoothing: \(bench.smoothingText)."
    return smoothing
      + (detector.debounce == .parameters ? "" : " Debounce: \(bench.debounceText).")
  }

  private var missingSentence: String {
    recording.hasPose(at: frame)
      ? "The frame has a pose in pelvis axes but no camera matrix, so it counts as missing."
      : "No pose was found in this frame."
  }

  private static let mostNear = 4

  private func append(_ stream: AnswerStream, _ isFull: Bool, to document: inout Document) {
    document.heading("\(stream.rawValue): truth \(truth(stream)), answer \(answer(stream))")
    let traces = traces(stream)
    let isWrong = stream.labels.contains(truth(stream)) && truth(stream) != answer(stream)
    document.paragraph(StyledText(reason(traces, stream), isWrong ? .bad : .strong))
    document.paragraph(StyledText(debounceSentence(stream)))
    if isFull {
      document.table(ruleTable(stream, traces))
    } else if rawLabel(stream) != nil {
      document.table(nearTable(traces))
    }
  }

  /// As in: high, because `forearmVerticality` 0.999 is 0.399 above `coach_forearm_verticality` 0.6.
  private func reason(_ traces: [RuleTrace], _ stream: AnswerStream) -> String {
    guard rawLabel(stream) != nil, let place = traces.firstIndex(where: \.decides) else {
      return "No rule decides, because a measurement is undefined."
    }
    let trace = traces[place]
    let first = "Rule \(place + 1) of \(traces.count) decides: \(trace.label), because "
    guard trace.steps.isEmpty else {
      return first + trace.steps.map(Self.text).joined(separator: " and ") + "."
    }
    let nearest = traces.nearestStep.map { "; nearest, " + Self.text($0) } ?? ""
    return first + "no rule before it holds\(nearest)."
  }

  private static func text(_ step: RuleTrace.Step) -> String {
    let measurement = step.predicate.measurement
    guard let value = step.value, let margin = step.margin else {
      return "\(measurement.name) is undefined"
    }
    return "`\(measurement.name)` \(number(value, measurement.unit))\(measurement.unit.suffix) is "
      + "\(number(margin.magnitude, measurement.unit)) "
      + "\(value > step.threshold ? "above" : "below") `\(step.predicate.parameter.rawValue)` "
      + number(step.threshold, measurement.unit)
  }

  private static func number(_ value: Float, _ unit: MeasurementUnit) -> String {
    NumberText.fixed(Double(value), unit == .degrees ? 1 : 3)
  }

  /// The comparisons up to the deciding rule that are nearest to a change of side.
  private func nearTable(_ traces: [RuleTrace]) -> Table {
    let last = traces.firstIndex(where: \.decides) ?? traces.count - 1
    let near = traces.prefix(last + 1).enumerated().flatMap { index, trace in
      trace.steps.map { (rule: index + 1, label: trace.label, step: $0) }
    }.filter { $0.step.relativeDistance != nil }.sorted {
      ($0.step.relativeDistance ?? 0, $0.rule) < ($1.step.relativeDistance ?? 0, $1.rule)
    }
    var table = Table([
      .words("nearest to a change"), .number("measured"), .number("limit"), .number("margin"),
      .words("gives"), .number("rule"),
    ])
    for one in near.prefix(Self.mostNear) {
      let unit = one.step.predicate.measurement.unit
      table.row([
        StyledText(one.step.predicate.measurement.name),
        StyledText(one.step.value.map { Self.number($0, unit) } ?? ""),
        StyledText(Self.number(one.step.threshold, unit)),
        StyledText(
          one.step.margin.map { Self.number($0, unit) } ?? "", one.step.holds ? .good : .plain),
        StyledText(one.label), StyledText("\(one.rule)"),
      ])
    }
    return table
  }

  private func ruleTable(_ stream: AnswerStream, _ traces: [RuleTrace]) -> Table {
    var table = Table([
      .number("rule"), .words("label"), .words("condition"), .number("measured"),
      .number("parameter"), .number("margin"), .words("verdict"),
    ])
    var isAsked = rawLabel(stream) != nil
    let reason = isAsked ? "not asked" : "not asked: a measurement is undefined"
    for (index, trace) in traces.enumerated() {
      let verdict = !isAsked ? reason : trace.decides ? "decides" : "does not hold"
      let tone: StyledText.Tone = !isAsked ? .dim : trace.decides ? .good : .plain
      for row in rows(trace, number: index + 1, verdict: StyledText(verdict, tone)) {
        table.row(row)
      }
      isAsked = isAsked && !trace.decides
    }
    return table
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

extension MomentExplanation: Encodable {
  private enum CodingKeys: String, CodingKey {
    case sequence, frame, detector, smoothing, debounce, calibration, streams, grade, measurements
    case unmetNeeds = "unmet_needs"
    case time = "time_s"
    case isMissing = "is_missing"
    case measurementRemarks = "measurements_remarks"
  }

  private struct Stream: Encodable {
    let truth: String
    let raw: String?
    let answer: String
    let rules: [TracedRule]
    let debounce: String
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(context.sequence.name, forKey: .sequence)
    try container.encode(frame, forKey: .frame)
    try container.encode(time, forKey: .time)
    try container.encode(detector.definition.name, forKey: .detector)
    try container.encode(bench.smoothingText, forKey: .smoothing)
    try container.encode(bench.debounceText, forKey: .debounce)
    try container.encodeIfPresent(run.hold, forKey: .calibration)
    try container.encode(recording.isMissing(at: frame), forKey: .isMissing)
    try container.encode(
      PerStream { stream in
        Stream(
          truth: truth(stream), raw: rawLabel(stream), answer: answer(stream),
          rules: traces(stream).map(TracedRule.init), debounce: debounceSentence(stream))
      }, forKey: .streams)
    try container.encodeIfPresent(grade, forKey: .grade)
    try container.encode([assumedHeight].compactMap(\.self), forKey: .unmetNeeds)
    let reported = detector.definition.reportedMeasurements.members
    try container.encode(
      Dictionary(
        uniqueKeysWithValues: reported.map { ($0.name, columns.value(of: $0, at: frame)) }),
      forKey: .measurements)
    let remarks = reported.compactMap { measurement in
      columns.measured(measurement, at: frame).absence.map { (measurement.name, $0) }
    }
    try container.encode(
      Dictionary(uniqueKeysWithValues: remarks), forKey: .measurementRemarks)
  }
}

struct MomentExplanations: Encodable {
  let moments: [MomentExplanation]
}

private struct TracedRule: Encodable {
  struct Condition: Encodable {
    let predicate: String
    let value: Float?
    let remark: String?
    let threshold: Float
    let margin: Float?
    let holds: Bool
  }

  let label: String
  let decides: Bool
  let holds: Bool
  let conditions: [Condition]

  init(_ trace: RuleTrace) {
    label = trace.label
    decides = trace.decides
    holds = trace.holds
    conditions = trace.steps.map { step in
      Condition(
        predicate: "\(step.predicate)", value: step.value, remark: step.measured.absence,
        threshold: step.threshold, margin: step.margin, holds: step.holds)
    }
  }
}
