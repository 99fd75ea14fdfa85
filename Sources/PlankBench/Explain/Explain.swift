internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reports

struct Explain: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show why a detector answered as it did at one moment.",
    discussion: """
      Shows the rule that decided the answer, with its numbers, and the comparisons that came \
      closest to changing it. Give a recording, or a dataset and one of its sequences. Labels, and \
      whether the recording starts during a hold (`starts`), come from the dataset.yaml in the \
      recording's folder or a folder above it, if there is one. --worst explains the moments that \
      `planklab evaluate` lists as the worst.

      Examples:
        planklab explain datasets/scripted/s01-floor.poses.jsonl --at 2.9
        planklab explain datasets/scripted s01-floor --at 2.9 --debounce dwell:enter=0.3s
        planklab explain datasets/scripted --worst 3
      """)

  @OptionGroup var source: RecordingArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The moment to explain, in seconds or minutes, e.g. 80.5 or 1:20.5.", valueName: "TIME"))
  var at: Moment?

  @Option(
    help: ArgumentHelp(
      "Explain the N worst moments instead: the longest wrong answers or, without labels, the "
        + "moments at which the answer changes most.", valueName: "N"))
  var worst: Int?

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var strategies: StrategyOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var result: ResultOptions

  @Flag(
    help: "Print all measurements, and every rule with measurements, parameters and margins.")
  var verbose = false

  mutating func takeDefaults() throws {
    strategies = try detector.takeDefaults(strategies)
    source = try source.filled(&detector.defaults)
    detector.defaults.say()
  }

  func outcome() async throws -> Outcome {
    let bench = try detector.found(strategies, calibration)
    switch (at, worst) {
    case (let at?, nil):
      let context = try source.context()
      let frame = try frame(at.seconds, in: context.sequence.recording)
      let explanation = MomentExplanation(context, bench, frame: frame)
      return try result.outcome(content: explanation, document: document([explanation]))
    case (nil, let worst?): return try await explain(worst: worst, bench)
    default:
      throw WorkflowFailure(
        .usage, "which moment? give either --at TIME, or --worst N for the N worst")
    }
  }

  private func frame(_ at: Double, in recording: Recording) throws -> Int {
    guard let first = recording.times.first, let last = recording.times.last else {
      throw WorkflowFailure(
        .badData, "\(source.recording): has no frames, so there is nothing to explain")
    }
    let end = last + recording.frameWeight.value
    guard at.isFinite, at >= first - 5e-7, at <= end else {
      throw WorkflowFailure(
        .usage,
        "--at \(at): the recording runs from \(first) to \(last) s; give a time in that range")
    }
    return (recording.times.lastIndex { $0 <= at + 5e-7 }) ?? 0
  }

  private func explain(worst count: Int, _ bench: BenchDetector) async throws -> Outcome {
    let range = 1...WorstMoment.limit
    try require(
      range.contains(count), .usage,
      "--worst \(count): give \(range.lowerBound) to \(range.upperBound) moments")
    let reader = try source.reader()
    let progress = LongWork(["sequences"]).report
    let part = try DatasetCollection.Part(reader, split: nil)
    let report = try await DatasetEvaluation(
      of: DatasetCollection([part]), detector: bench, progress: progress
    ).report
    let explanations = try report.namedMoments.prefix(count).map { moment in
      let entry = try DatasetShow.chosen(reader, moment.sequence)[0]
      let context = RecordingContext(sequence: try reader.load(entry))
      let frame = try frame(moment.time.value, in: context.sequence.recording)
      return MomentExplanation(context, bench, frame: frame)
    }
    let none = "No answer is wrong or unsteady, so there is no worst moment."
    return try result.outcome(
      remarks: explanations.isEmpty ? [none] : [],
      content: MomentExplanations(moments: explanations), document: document(explanations))
  }

  private func document(_ explanations: [MomentExplanation]) -> Document {
    var document = explanations.reduce(into: Document()) { $0.append($1.document(isFull: verbose)) }
    if !verbose, !explanations.isEmpty {
      document.code(["# every rule and measurement: --verbose"])
    }
    return document
  }
}

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

  func document(isFull: Bool) -> Document {
    var document = Document()
    let title = "\(context.sequence.name) at \(NumberText.fixed(time, 3)) s, frame \(frame)"
    document.heading(title, level: 1)
    document.paragraph(
      "Detector \(detector.definition.name): \(detector.definition.summary).\(strategies)")
    document.paragraph(
      run.hold?.explanation(
        of: detector.calibration?.measurement, unit: detector.calibration?.unit.rawValue) ?? "")
    if let mismatch = detector.definition.mismatch(with: recording.header) {
      document.paragraph("The rules cannot decide any frame: \(mismatch)", .warning)
    }
    if recording.isMissing(at: frame) { document.paragraph(missingSentence, .warning) }
    if let need = assumedHeight {
      document.paragraph(
        UnmetNeed.sentences([need], of: detector.definition.name, in: 1)[0], .warning)
    }
    for stream in AnswerStream.allCases { append(stream, isFull, to: &document) }
    guard isFull else { return document }
    if let grade {
      document.paragraph(
        "The body angle is graded \(grade.rawValue); grades are never scored.")
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
    return smoothing + (detector.debounce == .parameters ? "" : " Debounce: \(bench.debounceText).")
  }

  private var missingSentence: String {
    recording.hasPose(at: frame)
      ? "The frame has a pose in pelvis axes but no camera matrix, so the pose counts as missing."
      : "No pose was found in this frame."
  }

  private static let mostNear = 4

  private func append(_ stream: AnswerStream, _ isFull: Bool, to document: inout Document) {
    document.heading("\(stream.rawValue): truth \(truth(stream)), answer \(answer(stream))")
    let traces = traces(stream)
    let isWrong = stream.labels.contains(truth(stream)) && truth(stream) != answer(stream)
    document.paragraph(reason(traces, stream), isWrong ? .bad : .strong)
    document.paragraph(debounceSentence(stream))
    if isFull {
      document.table(ruleTable(stream, traces))
    } else if rawLabel(stream) != nil {
      let pivots = traces.pivots
      if pivots.isEmpty {
        document.paragraph("No single comparison would change this answer.", .dim)
      } else {
        document.table(nearTable(pivots))
      }
    }
  }

  /// For example: high, because `forearmVerticality` 0.999 is 0.399 above
  /// `coach_forearm_verticality` 0.6.
  private func reason(_ traces: [RuleTrace], _ stream: AnswerStream) -> String {
    guard rawLabel(stream) != nil, let place = traces.firstIndex(where: \.decides) else {
      return "No rule decides, because a measurement is undefined."
    }
    let trace = traces[place]
    let first = "Rule \(place + 1) of \(traces.count) decides: \(trace.label), because "
    guard trace.steps.isEmpty else {
      return first + trace.steps.map(Self.text).joined(separator: " and ") + "."
    }
    let nearest = traces.nearestStep.map { "; closest: " + Self.text($0) } ?? ""
    return first + "no earlier rule holds\(nearest)."
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

  private func nearTable(_ pivots: [RuleTrace.Pivot]) -> Table {
    let near = pivots.sorted {
      ($0.step.relativeDistance ?? 0, $0.place) < ($1.step.relativeDistance ?? 0, $1.place)
    }
    var table = Table([
      .words("closest to a change"), .number("measured"), .number("limit"), .number("margin"),
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
        StyledText(one.label), "\(one.rule + 1)",
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

  private func rows(_ trace: RuleTrace, number: Int, verdict: StyledText) -> [[StyledText]] {
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
  private enum CodingKeys: String, SnakeCaseKey {
    case sequence, frame, detector, smoothing, debounce, calibration, streams, grade, measurements,
      unmetNeeds
    case time = "time_s"
    case isMissing
    case measurementRemarks = "measurements_remarks"
  }

  private struct Stream: Encodable {
    let truth: String
    let raw: String?
    let prediction: String
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
          truth: truth(stream), raw: rawLabel(stream), prediction: answer(stream),
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
    try container.encode(Dictionary(uniqueKeysWithValues: remarks), forKey: .measurementRemarks)
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

struct DebounceHistory {
  private let labels: [String]
  private let words: DebounceWords
  private let holdSeconds: Double
  private let columns: StreamColumns
  private let times: [Double]
  private let debouncer: Debouncer

  init(
    _ detector: BatchDetector, _ columns: StreamColumns, _ stream: AnswerStream, times: [Double],
    startsMid: Bool
  ) {
    labels = stream.labels
    words = DebounceWords(detector, stream)
    holdSeconds = detector.parameters[.holdSeconds] ?? 0
    self.columns = columns
    self.times = times
    debouncer = detector.debouncer(stream, startsMid: startsMid)
  }

  func sentence(at frame: Int) -> String {
    var replay = debouncer
    var before: UInt8 = 0
    var answer: UInt8 = 0
    for index in 0...frame {
      before = answer
      answer = replay.update(columns.raw[index], at: times[index])
    }
    let raw = columns.raw[frame]
    let name = labels[Int(answer)]
    guard raw != Debouncer.undetermined else { return undecided(replay, name) }
    let run = replay.pending?.run ?? 0
    let seconds = NumberText.fixed(replay.pendingSeconds.value, 3)
    let count =
      "the raw label has been \(labels[Int(raw)]) for \(run) determined frame"
      + "\(run == 1 ? "" : "s in a row") "
      + "(\(seconds) s)"
    let change =
      answer != before
      ? "becomes \(name) here" : raw == answer ? "stays \(name)" : "is still \(name)"
    return "Debounce: \(count); \(words.need(from: before, to: raw)). The answer \(change)."
  }

  private func undecided(_ replay: Debouncer, _ name: String) -> String {
    let hold = NumberText.fixed(holdSeconds, 3)
    return replay.isHolding
      ? "Debounce: the rules did not decide; the last answer, \(name), is kept for at most \(hold) s."
      : "Debounce: the rules have not decided for more than \(hold) s (or since the start), so the "
        + "answer is empty, \(name)."
  }
}

struct DebounceWords {
  private let rule: StrategySettings<DebounceKind>?
  private let framesNeeded: Int

  init(_ detector: BatchDetector, _ stream: AnswerStream) {
    rule = detector.debounce[stream]
    framesNeeded = Int(detector.parameters[stream == .plank ? .plankFrames : .formFrames] ?? 1)
  }

  func need(from answer: UInt8, to raw: UInt8) -> String {
    guard let rule else { return "a change takes \(frames(framesNeeded))" }
    let (key, change): (ParameterKey, String) =
      answer == 0 ? (.enter, "entry") : raw == 0 ? (.exit, "exit") : (.switchOver, "a switch")
    switch rule.kind {
    case .none: return "a change takes 1 frame"
    case .consecutive: return "\(change) takes \(frames(Int(rule[key] ?? 1)))"
    case .dwell: return "\(change) takes \(NumberText.shortest(rule[key] ?? 0)) s"
    case .vote:
      return "a change takes \(Int(rule[.votes] ?? 1)) of the last "
        + "\(Int(rule[.ballots] ?? 1)) frames"
    }
  }

  private func frames(_ count: Int) -> String {
    count == 1 ? "1 frame" : "\(count) frames in a row"
  }
}
