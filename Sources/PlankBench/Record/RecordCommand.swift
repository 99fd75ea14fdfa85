internal import ArgumentParser
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Synchronization

struct RecordCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Find the poses in movies and make a dataset of them.",
    discussion: """
      Each movie becomes a recording with the presentation times of its frames, including frames \
      in which nobody is found. The dataset links to the movies, so the labeling page and the \
      viewer can show them beside the skeleton. Up is toward the top of the displayed \
      picture; camera tilt is not corrected.

      --with vision uses Apple Vision (macOS only). --with mediapipe uses MediaPipe through Python \
      on any system. One version, for \(MediaPipeTool.pythonsWithModel), includes its model:
        python3 -m venv \(MediaPipeTool.environment)
        \(MediaPipeTool.environment)/bin/pip install \(MediaPipeTool.packageWithModel)
      The newest versions need --model. Google publishes \(MediaPipeTool.model) on MediaPipe's \
      page "\(MediaPipeTool.modelPage)". The newest versions send usage metrics, but no pictures, \
      to Google.

      Example:
        planklab record movie.mp4 --with mediapipe \\
          --python \(MediaPipeTool.environment)/bin/python --output planks
      """)

  @Argument(help: "The movies, with one person in each.", completion: .file())
  var movies: [String]

  @Option(
    name: .customLong("with"),
    help: ArgumentHelp("The pose estimator; vision needs macOS.", valueName: "DETECTOR"))
  var estimator: PoseEstimator = .vision

  @Flag(
    name: .customLong("2d"),
    help: "Also record image points, as a second dataset named DIR-2d.")
  var points = false

  @Option(help: ArgumentHelp("Use only every Nth frame.", valueName: "N"))
  var every = 1

  @Option(help: ArgumentHelp("Begin at this time, e.g. 80.5 or 1:20.5.", valueName: "TIME"))
  var start: Moment?

  @Option(help: ArgumentHelp("Stop at this time, e.g. 80.5 or 1:20.5.", valueName: "TIME"))
  var end: Moment?

  @Flag(help: "Swap left and right; use this if the pictures are mirrored.")
  var mirrored = false

  @Flag(help: "Copy the movies into the dataset instead of linking to them.")
  var copyMovies = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The number of movies to read at the same time.", valueName: "N"))
  var jobs = 1

  @Option(
    help: ArgumentHelp("For --with mediapipe, a Python that has MediaPipe.", valueName: "FILE"))
  var python = "python3"

  @Option(
    help: ArgumentHelp(
      "For --with mediapipe, a model bundle for its Pose Landmarker.", valueName: "FILE.task"),
    completion: .file())
  var model: String?

  @OptionGroup var options: ImportOptions

  private static let mostJobs = 64

  func validate() throws {
    if let model, estimator != .mediapipe {
      throw ValidationError(
        "--model \(model): is only for --with mediapipe; add that option, or remove --model")
    }
    guard every >= 1 else { throw ValidationError("--every \(every): give 1 or more") }
    guard (1...Self.mostJobs).contains(jobs) else {
      throw ValidationError("--jobs \(jobs): give 1 to \(Self.mostJobs)")
    }
    if let start, start.seconds < 0 {
      throw ValidationError("--start \(start): give a time of 0 or later")
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
          "Apple Vision exists only on macOS; "
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

struct MovieRecording: Sendable {
  /// A reader may put files into the folder, which is removed afterwards.
  typealias Reader =
    @Sendable (
      _ request: MovieRequest, _ folder: String, _ progress: @escaping @Sendable (Double) -> Void
    ) async throws -> RecordedMovie

  var movies: [String]
  var selection = FrameSelection()
  var findsPoints = false
  var isMirrored = false
  var copiesMovies = false
  var jobs = 1
  let options: ImportOptions

  static let pointsSuffix = "-2d"

  func run(_ read: @escaping Reader) async throws -> Outcome {
    let requests = try requests()
    let folder = try StagedFolder(destination: options.output)
    var pointsFolder: StagedFolder?
    do {
      if findsPoints {
        pointsFolder = try StagedFolder(destination: folder.destination + Self.pointsSuffix)
      }
      let recorded = try await recorded(requests, in: folder, read)
      try await options.write(
        recorded.map(\.poses), to: folder, copiesVideos: copiesMovies, progress: { _, _, _ in })
      if let pointsFolder {
        try await options.write(
          recorded.compactMap(\.points), to: pointsFolder, copiesVideos: copiesMovies,
          progress: { _, _, _ in })
        try pointsFolder.commit()
      }
      try folder.commit()
      return outcome(recorded, folder.destination, pointsFolder?.destination)
    } catch {
      folder.abandon()
      pointsFolder?.abandon()
      throw error
    }
  }

  private func requests() throws -> [MovieRequest] {
    var requests: [MovieRequest] = []
    for movie in movies {
      try require(
        FileDescriptor.exists(movie), .noInput,
        "\(movie): no such file; check the path of the movie")
      try require(
        FileDescriptor.isFile(movie), .noInput, "\(movie): is not a file; give the path of a movie")
      try FilesRead.current?.note(path: movie)
      let name = NamedBytes(name: movie, bytes: []).stem
      if let other = requests.first(where: { $0.name.lowercased() == name.lowercased() }) {
        throw WorkflowFailure(
          .usage,
          "\(movie): its recording would be called \(name), like that of \(other.path); rename one "
            + "of them, or record them separately")
      }
      requests.append(
        MovieRequest(
          path: movie, name: name, selection: selection, findsPoints: findsPoints,
          isMirrored: isMirrored, subject: options.subject))
    }
    return requests
  }

  private func recorded(
    _ requests: [MovieRequest], in folder: StagedFolder, _ read: @escaping Reader
  ) async throws -> [RecordedMovie] {
    let work = folder.staging + "/" + Self.workFolder
    _ = try folder.path(of: Self.workFolder + "/tables")  // makes the folder
    let progress = MovieProgress(count: requests.count, report: LongWork().report)
    let recorded = try await ConcurrentMap.run(requests.count, jobs: jobs) {
      (index) async throws -> RecordedMovie in
      var movie = try await read(requests[index], work) { progress.take($0, of: index) }
      progress.take(1, of: index)
      if selection.start == 0 {
        movie.poses.video = requests[index].path
        movie.points?.video = requests[index].path
      }
      return movie
    }
    do {
      try FileManager.default.removeItem(atPath: work)
    } catch {
      throw WorkflowFailure(
        .cannotCreate,
        "\(folder.destination): temporary files cannot be removed there; check the disk")
    }
    return recorded
  }

  private static let workFolder = "work"

  private func outcome(
    _ movies: [RecordedMovie], _ folder: String, _ pointsFolder: String?
  ) -> Outcome {
    let recordings = movies.map(\.poses.recording)
    let frames = recordings.reduce(0) { $0 + $1.frameCount }
    let found = recordings.reduce(0) { sum, recording in
      sum + (0..<recording.frameCount).count(where: recording.hasPose)
    }
    var remarks: [String] = []
    for poses in movies.map(\.poses)
    where !(0..<poses.recording.frameCount).contains(where: poses.recording.hasPose) {
      remarks.append("note: nobody was found in \(poses.name); the whole body must be visible")
    }
    for movie in movies {
      remarks += movie.poses.notes.map { "note (\(movie.poses.name)): \($0)" }
      remarks += (movie.points?.notes ?? []).map { "note (\(movie.poses.name), 2D): \($0)" }
    }
    remarks.append("note: up is toward the top of the pictures; camera tilt is not corrected")
    if selection.start > 0 {
      remarks.append(
        "note: the manifest names no videos, because the recordings begin later than the movies; "
          + "open a movie in the labeling page with an offset of "
          + "\(NumberText.shortest(selection.start)) s")
    }
    if options.subject == nil {
      remarks.append(
        "note: name the people with `planklab dataset update --subject`, since intervals are "
          + "computed per person")
    }
    if let pointsFolder {
      remarks.append("wrote \(pointsFolder): the same frames as image points")
    }
    return .sentence(
      "wrote \(folder): \(NumberText.count(movies.count, "sequence")), "
        + "\(NumberText.count(frames, "frame")), \(NumberText.count(found)) of them with a pose",
      remarks: remarks + nextSteps(folder))
  }

  private func nextSteps(_ folder: String) -> [String] {
    let dataset = ShellWord.quoted(folder)
    let page = ShellWord.quoted(folder + ".html")
    return [
      "next: planklab label \(dataset) --html \(page), and save the labels beside the recordings",
      "then: planklab dataset update \(dataset) && planklab evaluate \(dataset)",
    ]
  }
}

private final class MovieProgress: Sendable {
  private let shares: Mutex<[Double]>
  private let report: ProgressReport

  init(count: Int, report: @escaping ProgressReport) {
    shares = Mutex(Array(repeating: 0, count: count))
    self.report = report
  }

  func take(_ share: Double, of index: Int) {
    let mean = shares.withLock { shares in
      shares[index] = max(shares[index], min(1, share))
      return shares.reduce(0, +) / Double(shares.count)
    }
    report(Int(mean * Double(Self.steps)), Self.steps, Self.what)
  }

  private static let steps = 100
  private static let what = "% of the movies"
}

struct MovieRequest: Hashable, Sendable {
  let path: String
  let name: String
  var selection = FrameSelection()
  var findsPoints = false
  var isMirrored = false
  var subject: String?
}

struct FrameSelection: Hashable, Sendable {
  var every = 1
  var start = 0.0
  var end: Double?

  enum Choice: Hashable, Sendable {
    case early
    case take
    case leave
    case over
  }

  /// A frame whose time is not a number is recorded, so that it is reported.
  func choice(time: Double, place: Int) -> Choice {
    if time < start { return .early }
    if let end, time >= end { return .over }
    return place.isMultiple(of: every) ? .take : .leave
  }
}

enum MovieTurn: Int, CaseIterable, Hashable, Sendable {
  case none = 0
  case clockwise = 90
  case upsideDown = 180
  case counterclockwise = 270

  var isSideways: Bool { self == .clockwise || self == .counterclockwise }

  /// Reads the turn x' = a x + c y, y' = b x + d y, with y down.
  ///
  /// Throws for anything that is not a quarter turn, such as a mirror image, which Vision's 3D
  /// request does not accept.
  init(a: Double, b: Double, c: Double, d: Double, movie: String) throws {
    let turns: [(numbers: [Double], turn: MovieTurn)] = [
      ([1, 0, 0, 1], .none), ([0, 1, -1, 0], .clockwise), ([-1, 0, 0, -1], .upsideDown),
      ([0, -1, 1, 0], .counterclockwise),
    ]
    let found = [a, b, c, d]
    for (numbers, turn) in turns
    where zip(found, numbers).allSatisfy({ ($0 - $1).magnitude <= Self.tolerance }) {
      self = turn
      return
    }
    let isMirror = a * d - b * c < 0
    throw WorkflowFailure(
      .badData,
      "\(movie): its track says to "
        + (isMirror ? "flip its pictures" : "change its pictures by more than a quarter turn")
        + " (transform \(found.map(NumberText.shortest).joined(separator: ", "))), which Vision's "
        + "3D request does not support; export the movie again so that its pictures are stored as "
        + "they are "
        + "shown" + (isMirror ? ", and give --mirrored if they then show a mirror image" : ""))
  }

  private static let tolerance = 0.01
}

struct MovieFrame: Sendable {
  var time: Double
  var hasPicture = true
  var pose: Pose?
  var extras = FrameExtras()
  var people: [[Vision2DSource.Point]] = []
}

struct RecordedMovie: Sendable {
  var poses: ImportedSequence
  var points: ImportedSequence?
}

enum FrameProblem: CaseIterable, Hashable, Sendable {
  case repeatedTime
  case noPicture
  case matrix
  case height

  func note(on count: Int) -> String? {
    guard count > 0 else { return nil }
    let frames = NumberText.count(count, "frame")
    return switch self {
    case .repeatedTime: "\(frames) left out, not later than the frame before"
    case .noPicture: "\(frames) without a picture, recorded without a pose"
    case .matrix: "\(frames) without a valid camera rotation, counted as missing"
    case .height: "\(frames) without a usable height"
    }
  }
}

struct MovieAssembler {
  private let request: MovieRequest
  private var recording: Recording
  private var people: [[[Vision2DSource.Point]]] = []
  private var lastTime = -Double.infinity
  private var counts: [FrameProblem: Int] = [:]
  private let imageSize: ImageSize

  init(_ request: MovieRequest, imageSize: ImageSize, rate: Double?) {
    self.request = request
    self.imageSize = imageSize
    var header = RecordingHeader.observations
    header.buffer = .upright
    header.up = .unitY
    if let rate, rate > 0, rate.isFinite {
      header.nominalRate = Hertz(rate / Double(request.selection.every))
    }
    recording = Recording(header: Self.completed(header, request, imageSize))
  }

  private static func completed(
    _ header: RecordingHeader, _ request: MovieRequest, _ imageSize: ImageSize
  ) -> RecordingHeader {
    var header = header
    header.isMirrored = request.isMirrored
    header.subject = request.subject
    header.imageSize = imageSize
    return header
  }

  mutating func append(_ frame: MovieFrame) throws {
    try require(
      frame.time.isFinite, .badData,
      "\(request.path): frame \(recording.frameCount + 1) has no presentation time; export the "
        + "movie again")
    let time = roundedToMicroseconds(frame.time)
    guard time > lastTime else {
      counts[.repeatedTime, default: 0] += 1
      return
    }
    lastTime = time
    if !frame.hasPicture { counts[.noPicture, default: 0] += 1 }
    let extras = frame.pose == nil ? FrameExtras() : checked(frame.extras)
    let joints = recording.header.joints
    let numbers = frame.pose.map { pose in
      joints.flatMap { joint -> [Float] in
        guard let place = pose[joint] else { return [.nan, .nan, .nan] }
        return [Float(place.x), Float(place.y), Float(place.z)]
      }
    }
    recording.append(time: Seconds(time), pose: numbers, extras: extras)
    if frame.pose != nil, extras.camera == nil { counts[.matrix, default: 0] += 1 }
    if request.findsPoints { people.append(frame.people) }
  }

  private mutating func checked(_ extras: FrameExtras) -> FrameExtras {
    var extras = extras
    if let camera = extras.camera, !camera.turnsRigidly { extras.camera = nil }
    if let height = extras.bodyHeight, !(height.value > 0 && height.value.isFinite) {
      counts[.height, default: 0] += 1
      (extras.bodyHeight, extras.heightEstimation) = (nil, nil)
    }
    return extras
  }

  /// Throws for poses without any camera matrix, because the up direction is then unknown.
  func finish() throws -> RecordedMovie {
    let frames = recording.frameCount
    guard frames > 0 else { throw Self.noFrames(request) }
    let found = (0..<frames).count(where: recording.hasPose)
    try require(
      found == 0 || recording.hasCameras, .badData,
      "\(request.path): no frame has a valid camera rotation, so it is unknown which way is up; "
        + "report this problem with the version of macOS")
    var poses = ImportedSequence(
      name: request.name, unlabeled: recording,
      notes: FrameProblem.allCases.compactMap { $0.note(on: counts[$0] ?? 0) })
    try poses.unmirror(file: request.path)
    return RecordedMovie(poses: poses, points: try points())
  }

  private func points() throws -> ImportedSequence? {
    guard request.findsPoints else { return nil }
    let header = RecordingHeader(
      skeleton: .vision2d, joints: Skeleton.vision2d.joints, frame: .image)
    var points = Vision2DSource.sequence(
      named: request.name, header: Self.completed(header, request, imageSize),
      times: recording.times, people: people)
    try points.unmirror(file: request.path)
    return points
  }

  static func noFrames(_ request: MovieRequest) -> WorkflowFailure {
    let selection = request.selection
    let bounds =
      selection.start > 0 || selection.end != nil
      ? " from \(NumberText.shortest(selection.start)) s"
        + (selection.end.map { " to before \(NumberText.shortest($0)) s" } ?? "") : ""
    return WorkflowFailure(
      .badData,
      "\(request.path): no frame\(bounds); "
        + (bounds.isEmpty
          ? "give a movie that contains pictures" : "give other values for --start and --end")
    )
  }
}
