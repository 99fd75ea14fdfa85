internal import ArgumentParser
internal import Workflows

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
