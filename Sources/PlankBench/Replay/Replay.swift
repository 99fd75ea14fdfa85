internal import ArgumentParser
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// `planklab replay`.
struct Replay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replay a recording as a session: timeline, pauses and their causes, scores.",
    discussion: """
      A plank held for a second starts a session; bad form, no plank or no pose pauses it; ten \
      seconds later it ends. The score is given by frames, by time, and with the last part of the \
      time weighing more; for the labels, for the answers, and for the answers with form graded by \
      the body angle.

      Examples:
        planklab replay datasets/scripted/s01-floor.poses.jsonl
        planklab replay datasets/scripted/s01-floor.poses.jsonl --picture session.svg
        planklab replay datasets/scripted/s01-floor.poses.jsonl --session session_deadline=5s
      """)

  @Argument(help: "The recording: a .poses.jsonl or .poses.jsonl.gz file.")
  var sequence: String

  @OptionGroup var detector: DetectorOptions
  @OptionGroup var steadying: SteadyingOptions

  @Option(
    help: ArgumentHelp(
      "Set a parameter of the session, e.g. session_deadline=5s; may be repeated.",
      valueName: "key=value"))
  var session: [String] = []

  @Option(help: ArgumentHelp("Draw the timeline into an SVG file.", valueName: "FILE.svg"))
  var picture: String?

  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      let request = ReplayRequest(
        recording: sequence, detector: detector.choice, steadying: steadying.choice,
        session: session, picture: picture, format: result.format, usesColor: result.usesColor)
      return try result.deliver(ReplaySequence.run(request))
    }
  }
}

/// What `replay` is asked for.
struct ReplayRequest: Sendable {
  /// The recording's path.
  var recording: String
  /// The detector and its parameters.
  var detector: DetectorChoice
  /// Smoothing and debounce.
  var steadying: SteadyingChoice
  /// Assignments to the session's parameters, such as `session_deadline=5s`.
  var session: [String]
  /// Where the picture goes; nil for none.
  var picture: String?
  /// The face of the result.
  var format: OutputFormat
  /// Whether text may be colored.
  var usesColor: Bool

  /// Makes a request.
  init(
    recording: String, detector: DetectorChoice = DetectorChoice(),
    steadying: SteadyingChoice = SteadyingChoice(), session: [String] = [],
    picture: String? = nil, format: OutputFormat = .text, usesColor: Bool = false
  ) {
    self.recording = recording
    self.detector = detector
    self.steadying = steadying
    self.session = session
    self.picture = picture
    self.format = format
    self.usesColor = usesColor
  }
}

/// Runs a recording as a session: who held what when, what paused it, and what it scored.
enum ReplaySequence {
  /// Runs the command.
  ///
  /// - Throws: `WorkflowFailure`: `usage` for strategies and parameters with a mistake, `noInput`
  ///   and `badData` for recordings, `cannotCreate` for the picture.
  static func run(_ request: ReplayRequest) throws(WorkflowFailure) -> Outcome {
    let steady = try request.detector.resolve(request.steadying)
    let session = try sessionParameters(request.session)
    let context = try RecordingContext(path: request.recording)
    guard context.sequence.recording.frameCount > 0 else {
      throw WorkflowFailure(.badData, "\(request.recording): has no frame to replay")
    }
    let replay = try SessionReplay(context.sequence, steady, session)
    var remarks: [String] = []
    if let picture = request.picture {
      try OutputFile.writeReport(replay.timeline.svg(), to: picture)
      remarks.append("wrote \(picture)")
    }
    return Outcome(
      request.format, usesColor: request.usesColor, remarks: remarks, json: replay.json,
      document: replay.document)
  }

  private static func sessionParameters(
    _ assignments: [String]
  ) throws(WorkflowFailure) -> SessionParameters {
    try Assignments.checkRepeats(assignments, option: "--session")
    var values: [ParameterKey: Double] = [:]
    for assignment in assignments {
      let parts = assignment.split(separator: "=", maxSplits: 1).map(String.init)
      let definition = SessionParameters.definitions.first { $0.key.rawValue == parts.first }
      guard parts.count == 2, let definition else {
        throw WorkflowFailure(
          .usage,
          "--session \(assignment): give key=value with one of "
            + SessionParameters.definitions.map(\.key.rawValue).joined(separator: ", "))
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
