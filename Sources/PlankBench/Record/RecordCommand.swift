internal import ArgumentParser
internal import Platform
internal import PoseDatasets

struct RecordCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Find the poses in movies and make a dataset of them.",
    discussion: """
      Each movie becomes a recording on the movie's own clock, with its frames' presentation times; \
      frames in which nobody is found are recorded, too. The dataset links to the movies, so that \
      the labeling page and the viewer show them beside the skeleton. Which way is up is taken \
      from how the movie is shown: a camera that leans is not corrected.

      --with vision uses Apple Vision, on macOS. --with mediapipe uses MediaPipe, on any system, \
      through Python. One version brings its model, for \(MediaPipeTool.pythonsWithModel):
        python3 -m venv \(MediaPipeTool.environment)
        \(MediaPipeTool.environment)/bin/pip install \(MediaPipeTool.packageWithModel)
      The newest versions need --model. Google publishes \(MediaPipeTool.model) on MediaPipe's page \
      "\(MediaPipeTool.modelPage)". These versions send metrics of their use to Google, but no \
      pictures.

      Example:
        planklab record movie.mp4 --with mediapipe \\
          --python \(MediaPipeTool.environment)/bin/python --output planks
      """)

  @Argument(help: "The movies, one person in each.", completion: .file())
  var movies: [String]

  @Option(
    name: .customLong("with"),
    help: ArgumentHelp("What finds the poses; vision needs macOS.", valueName: "DETECTOR"))
  var estimator: PoseEstimator = .vision

  @Flag(
    name: .customLong("2d"),
    help: "Also record the points in the image, as a second dataset: DIR-2d.")
  var points = false

  @Option(help: ArgumentHelp("Take one of N frames.", valueName: "N"))
  var every = 1

  @Option(help: ArgumentHelp("Begin here, as 80.5 or 1:20.5.", valueName: "TIME"))
  var start: Moment?

  @Option(help: ArgumentHelp("Stop here, as 80.5 or 1:20.5.", valueName: "TIME"))
  var end: Moment?

  @Flag(help: "The pictures show a mirror image: left and right are swapped back.")
  var mirrored = false

  @Flag(help: "Copy the movies into the dataset instead of linking to them.")
  var copyMovies = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("How many movies to read at a time.", valueName: "N"))
  var jobs = 1

  @Option(
    help: ArgumentHelp("The Python that has MediaPipe, for --with mediapipe.", valueName: "FILE"))
  var python = "python3"

  @Option(
    help: ArgumentHelp(
      "A bundle for MediaPipe's Pose Landmarker, for --with mediapipe.", valueName: "FILE.task"),
    completion: .file())
  var model: String?

  @OptionGroup var options: ImportOptions

  private static let mostJobs = 64

  func validate() throws {
    if let model, estimator != .mediapipe {
      throw ValidationError("--model \(model): is for --with mediapipe; add that, or leave it out")
    }
    guard every >= 1 else { throw ValidationError("--every \(every): give 1 or more") }
    guard (1...Self.mostJobs).contains(jobs) else {
      throw ValidationError("--jobs \(jobs): give 1 to \(Self.mostJobs)")
    }
    if let start, start.seconds < 0 {
      throw ValidationError("--start \(start): give a time from 0")
    }
    if let end, end.seconds <= start?.seconds ?? 0 {
      throw ValidationError("--end \(end): give a time after the start")
    }
  }

  func outcome() async throws -> Outcome {
    let selection = FrameSelection(every: every, start: start?.seconds ?? 0, end: end?.seconds)
    let recording = MovieRecording(
      movies: movies, selection: selection, findsPoints: points, isMirrored: mirrored,
      copiesMovies: copyMovies, jobs: jobs, options: options)
    switch estimator {
    case .mediapipe:
      let tool = try MediaPipeTool(python: python, model: model)
      return try await recording.run { try tool.record($0, in: $1, progress: $2) }
    case .vision:
      #if canImport(AVFoundation) && canImport(Vision)
        return try await recording.run { request, _, progress in
          try await VisionMovieReader(request: request).record(progress)
        }
      #else
        throw WorkflowFailure(
          .usage,
          "Apple Vision exists on macOS only; "
            + Leftovers.again(
              CommandLine.arguments, with: "--with=mediapipe",
              purpose: "find poses with MediaPipe"))
      #endif
    }
  }
}

enum PoseEstimator: String, CaseIterable, ExpressibleByArgument {
  case vision
  case mediapipe
}
