internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

struct Replay: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replay a recording as a session: timeline, pauses and their causes, scores.",
    discussion: """
      A plank held for one second starts a session. Bad form, no plank or no pose pauses it; a \
      pause of ten seconds ends it. Three scores are given: by frames, by time, and with more \
      weight on the last part of the time; each for the labels, for the answers, and for the \
      answers with form graded by the body angle.

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
      "Set a parameter of the session, e.g. session_deadline=5s; may be repeated.",
      valueName: "key=value"))
  var session: [String] = []

  @Option(help: ArgumentHelp("Draw the timeline into an SVG file.", valueName: "FILE.svg"))
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
    let bench = try detector.found(strategies)
    let parameters = try sessionParameters()
    let context = try source.context()
    guard context.sequence.recording.frameCount > 0 else {
      throw WorkflowFailure(
        .badData, "\(source.recording): has no frames to replay; check the recording")
    }
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
      try OutputFile.writeReport(replay.result.timeline.svg(), to: picture)
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
    let answers = bench.detector.detect(
      bench.measure(sequence.recording), times: sequence.recording.times,
      startsMid: sequence.startsMid)
    return try ViewerData(
      [ViewedSequence(context, SequenceOutcome(sequence, PerStream(answers)))], bench,
      explain: explain(sequence.name), page: page, progress: { _, _, _ in })
  }

  private func explain(_ sequence: String) -> ExplainCommand {
    let named: [(flag: String, value: String?)] =
      [("--detector", detector.detector), ("--parameters", detector.parameters)]
      + detector.assignments.map { ("--set", $0) }
      + [("--smoothing", strategies.smoothing), ("--debounce", strategies.debounce)]
    return ExplainCommand(
      places: [sequence: [source.recording] + [source.sequence].compactMap(\.self)],
      options: named.compactMap { flag, value in value.map { [flag, $0] } })
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
