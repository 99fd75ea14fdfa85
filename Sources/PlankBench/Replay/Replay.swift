internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Statistics
internal import Tuning

struct Replay: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replay a recording as a session: timeline, pauses with their causes, and scores.",
    discussion: """
      A plank held for one second starts a session. Bad form, no plank or no pose pauses the \
      session; a pause of ten seconds ends it. There are three scores: by frames, by time, and \
      with more weight on the last part of the session. Each score is computed for the labels, for \
      the answers, and for the answers with form graded by the body angle.

      Examples:
        planklab replay datasets/scripted/s01-floor.poses.jsonl
        planklab replay datasets/scripted/s01-floor.poses.jsonl --picture session.svg
        planklab replay datasets/scripted s01-floor --session session_deadline=5s
      """)

  @OptionGroup var source: RecordingArguments

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var strategies: StrategyOptions

  @Option(
    help: ArgumentHelp(
      "Set a session parameter, e.g. session_deadline=5s; may be repeated.",
      valueName: "key=value"))
  var session: [String] = []

  @Option(
    help: ArgumentHelp("Draw the timeline as an SVG file.", valueName: "FILE.svg"),
    transform: PictureFile.path)
  var picture: String?

  @OptionGroup var result: ResultOptions
  @OptionGroup var page: PageOptions

  mutating func takeDefaults() throws {
    strategies = try detector.takeDefaults(strategies)
    source = try source.filled(&detector.defaults)
    detector.defaults.say()
  }

  func outcome() throws -> Outcome {
    try page.check(beside: [picture, result.output])
    let bench = try BenchDetector(detector.settings(strategies))
    let parameters = try sessionParameters()
    let context = try source.context()
    try require(
      context.sequence.recording.frameCount > 0, .badData,
      "\(source.recording): has no frames, so there is nothing to replay; check the recording")
    let replay = ResultEnvelope(
      try SessionReplay(
        context.sequence, bench, parameters, explain: explain(context.sequence.name)),
      on: try source.identity(),
      provenance: [
        "detector": bench.detector.definition.name, "smoothing": bench.smoothingText,
        "debounce": bench.debounceText, "defaults": detector.defaults.sentence,
      ])
    var remarks: [String] = []
    if let picture {
      try OutputFile.writeReport(replay.result.timeline.svg, to: picture)
      remarks.append("wrote \(picture)")
    }
    let viewer = try page.html.map { try viewerData(of: context, bench, page: $0) }
    remarks += try page.write(
      replay.result.timeline.title,
      replay.result.page(replay.origin, hasViewer: viewer != nil), viewer: viewer)
    return try result.outcome(replay, remarks: remarks)
  }

  private func viewerData(
    of context: RecordingContext, _ bench: BenchDetector, page: String
  ) throws -> ViewerData {
    let sequence = context.sequence
    let answers = bench.detector.detect(bench.measure(sequence.recording), of: sequence)
    return try ViewerData(
      [ViewedSequence(context, SequenceOutcome(sequence, PerStream(answers)))], bench,
      explain: explain(sequence.name), page: page, progress: { _, _, _ in })
  }

  private func explain(_ sequence: String) -> ExplainCommand {
    ExplainCommand(
      places: [sequence: [source.recording] + [source.sequence].compactMap(\.self)],
      options: detector.settings(strategies).options)
  }

  private func sessionParameters() throws -> SessionParameters {
    try Assignments.checkRepeats(session, option: "--session")
    var values: [ParameterKey: Double] = [:]
    for assignment in session {
      let parts = assignment.split(separator: "=", maxSplits: 1).map(String.init)
      let definition = SessionParameters.definitions.first { $0.key.rawValue == parts.first }
      guard parts.count == 2, let definition else {
        let names = SessionParameters.definitions.map(\.key.rawValue)
        throw WorkflowFailure(
          .usage,
          "--session \(assignment): \(NearestNames.hint(parts.first ?? "", among: names))give "
            + "key=value with one of \(names.joined(separator: ", "))")
      }
      do {
        values[definition.key] = try definition.parse(parts[1])
      } catch {
        throw WorkflowFailure(.usage, "--session \(assignment): \(error)")
      }
    }
    do {
      return try SessionParameters(values)
    } catch {
      throw WorkflowFailure(.usage, "--session: \(error)")
    }
  }
}

struct SessionViews {
  let truth: [SessionFrame]
  let answers: [SessionFrame]
  let graded: [SessionFrame]
  let truthForm: [String]
  let answerForm: [String]

  init(
    _ times: [Double], _ detection: DetectionColumns, _ columns: MeasurementColumns,
    _ labels: FrameTruth, _ bands: GradeBands
  ) {
    truth = times.indices.map { frame in
      SessionFrame(
        time: Seconds(times[frame]), plank: PlankClass(code: labels.plank[frame]),
        form: FormClass(code: labels.form[frame]))
    }
    func answer(_ frame: Int) -> PlankClass? {
      detection.plank.isDetermined(at: frame)
        ? PlankClass(code: detection.plank.answers[frame]) : nil
    }
    func form(_ frame: Int) -> FormClass? {
      detection.form.isDetermined(at: frame) ? FormClass(code: detection.form.answers[frame]) : nil
    }
    answers = times.indices.map { frame in
      SessionFrame(time: Seconds(times[frame]), plank: answer(frame), form: form(frame))
    }
    graded = times.indices.map { frame in
      let angle = columns.value(of: .bodyAngle, at: frame)
      return SessionFrame(
        time: Seconds(times[frame]), plank: answer(frame),
        grade: answer(frame).flatMap { FormGrade(bodyAngle: angle, answer: $0, bands) })
    }
    truthForm = times.indices.map { FormClass(code: labels.form[$0])?.name ?? "" }
    answerForm = times.indices.map { frame in
      guard let plank = answer(frame), plank != .none else { return "" }
      return form(frame)?.name ?? ""
    }
  }
}

struct SessionRun: Sendable {
  let name: String
  let log: SessionLog
  let summary: SessionSummary

  init(
    _ name: String, _ frames: [SessionFrame], end: Double, _ parameters: SessionParameters
  ) throws {
    self.name = name
    var log = SessionLog(parameters, reservedFrames: frames.count)
    for frame in frames { try log.append(frame) }
    self.log = log
    summary = log.summary(finishedAt: Seconds(end))
  }
}

extension SessionReplay {
  init(
    _ sequence: DatasetSequence, _ bench: BenchDetector, _ parameters: SessionParameters,
    explain: ExplainCommand? = nil
  ) throws {
    let recording = sequence.recording
    let columns = bench.measure(recording, also: .all)
    let detection = bench.detector.detect(columns, of: sequence)
    let labels = sequence.truth()
    let frames = SessionViews(
      recording.times, detection, columns, labels, bench.detector.gradeBands)
    let end = (recording.times.last ?? 0) + recording.frameWeight.value
    let isLabeled = sequence.labels != nil
    let truth = isLabeled ? try SessionRun("labels", frames.truth, end: end, parameters) : nil
    let answers = try SessionRun("answers", frames.answers, end: end, parameters)
    let graded = try SessionRun("answers by grade", frames.graded, end: end, parameters)
    let evidence = FormEvidence(detection, columns, columns, labels, bench.detector.gradeBands)
    self.init(
      detector: bench.detector.definition.name, parameters: bench.detector.parameters.facts(),
      sessions: Sessions(
        labels: truth.map { ReplayedSession($0.summary) },
        answers: ReplayedSession(answers.summary), graded: ReplayedSession(graded.summary)),
      holds: ReplayHolds(sequence, detection),
      timeline: Self.timeline(
        sequence, bench, frames, end: end, sessions: [truth, answers, graded].compactMap(\.self)),
      notes: FormEvidence.notes([evidence]) + [bench.caution].compactMap(\.self), explain: explain)
  }

  private static func timeline(
    _ sequence: DatasetSequence, _ bench: BenchDetector, _ frames: SessionViews, end: Double,
    sessions: [SessionRun]
  ) -> Timeline {
    let times = sequence.recording.times
    var ribbons: [Timeline.Ribbon] = []
    func add(_ name: String, _ states: [String]) {
      ribbons.append(Timeline.Ribbon(name, times: times, end: end, states: states))
    }
    if sequence.labels != nil { add("plank, label", frames.truth.map { $0.plank?.name ?? "" }) }
    add("plank, answer", frames.answers.map { $0.plank?.name ?? "" })
    if sequence.labels != nil { add("form, label", frames.truthForm) }
    add("form, answer", frames.answerForm)
    for session in sessions {
      add("session, " + session.name, session.log.stateNames)
      for record in session.summary.pauses {
        let (start, end) = (record.pause.start.value, record.end.value)
        ribbons[ribbons.count - 1].annotate(at: (start + end) / 2, record.pause.reason.sentence)
      }
    }
    return Timeline(
      title: sequence.name,
      subtitle: "detector \(bench.detector.definition.name), smoothing "
        + "\(bench.smoothingText), debounce \(debounceWords(bench))", start: times.first ?? 0,
      end: end, ribbons: ribbons)
  }

  private static func debounceWords(_ bench: BenchDetector) -> String {
    guard bench.detector.debounce == .parameters else { return bench.debounceText }
    return [ParameterKey.plankFrames, .formFrames].compactMap { key in
      bench.detector.parameters[key].map {
        "\(NumberText.count(Int($0), "frame")) (\(key.rawValue))"
      }
    }.joined(separator: ", ")
  }
}

extension ReplayHolds {
  init(_ sequence: DatasetSequence, _ detection: DetectionColumns) {
    let outcome = SequenceOutcome(sequence, PerStream(detection), truth: Self.truth(of: sequence))
    let counts = SequenceScores(outcome, detail: .metrics).plank.temporal.any.holds
    let isLabeled = sequence.labels != nil
    guard counts.sequences > 0 else {
      let undefined = Hold(undefined: .noScoredFrameToHold)
      self.init(isLabeled: isLabeled, labels: undefined, answers: undefined)
      return
    }
    self.init(
      isLabeled: isLabeled,
      labels: isLabeled
        ? Hold(counts.trueSeconds, longest: counts.longestTrue) : Hold(undefined: .noLabels),
      answers: Hold(counts.answeredSeconds, longest: counts.longestAnswered))
  }

  /// Without labels, the whole sequence is `none`, so that every frame counts.
  private static func truth(of sequence: DatasetSequence) -> FrameTruth {
    let times = sequence.recording.times
    guard sequence.labels == nil, let first = times.first, let last = times.last,
      let whole = try? LabelTrack([
        LabeledSegment(start: Seconds(first), end: Seconds(last.nextUp), plank: PlankClass.none)
      ])
    else { return sequence.truth() }
    return whole.truth(at: times)
  }
}

extension UndefinedReason {
  fileprivate static let noScoredFrameToHold = UndefinedReason("no frame is scored")
  fileprivate static let noLabels = UndefinedReason("there are no labels")
}
