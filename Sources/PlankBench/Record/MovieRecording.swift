internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Synchronization

struct MovieRecording: Sendable {
  /// May put files into a folder that goes away; reports the share of the movie that is done.
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

  /// The folder of points of the image is called as that of the poses, with this behind it.
  static let pointsSuffix = "-2d"

  /// Nothing appears before all movies are read.
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
      guard try FileDescriptor.exists(movie) else {
        throw WorkflowFailure(.noInput, "\(movie): no such file; check the path of the movie")
      }
      guard try FileDescriptor.isFile(movie) else {
        throw WorkflowFailure(.noInput, "\(movie): is not a file; give the path of a movie")
      }
      try FilesRead.current?.note(path: movie)
      let name = NamedBytes(name: movie, bytes: []).stem
      if let other = requests.first(where: { $0.name.lowercased() == name.lowercased() }) {
        throw WorkflowFailure(
          .usage,
          "\(movie): its recording would be called \(name), as that of \(other.path); rename one of "
            + "them, or record them separately")
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
        "\(folder.destination): files of the work cannot be removed there; check the disk")
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
    for movie in movies where !(0..<movie.poses.recording.frameCount).contains(where: movie.hasPose)
    {
      remarks.append(
        "note: nobody is found in \(movie.poses.name); the whole body must be visible")
    }
    for movie in movies {
      remarks += movie.poses.notes.map { "note (\(movie.poses.name)): \($0)" }
      remarks += (movie.points?.notes ?? []).map { "note (\(movie.poses.name), 2D): \($0)" }
    }
    remarks.append("note: up is the top of the pictures; a camera that leaned is not corrected")
    if selection.start > 0 {
      remarks.append(
        "note: the manifest names no video, because the recordings begin later than the movies; open "
          + "one in the labeling page with an offset of \(NumberText.shortest(selection.start)) s")
    }
    if options.subject == nil {
      remarks.append(
        "note: say who is shown with `planklab dataset update --subject`; intervals are per person")
    }
    if let pointsFolder {
      remarks.append("wrote \(pointsFolder): the same frames as points of the image")
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

extension RecordedMovie {
  fileprivate func hasPose(at frame: Int) -> Bool { poses.recording.hasPose(at: frame) }
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
