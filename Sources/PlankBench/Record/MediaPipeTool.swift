internal import Foundation
internal import Platform
internal import PoseDatasets
internal import Reports

/// The script's landmarks go through the same map as those of `planklab import`.
struct MediaPipeTool: Sendable {
  static let package = "mediapipe"
  /// The last version of the package that contains its model.
  static let packageWithModel = package + "==0.10.21"
  static let pythonsWithModel = "Python 3.9 to 3.12"
  static let environment = "mediapipe"
  static let model = "pose_landmarker_full.task"
  static let modelPage = "Pose landmark detection guide"

  private let python: String
  /// A model file for the Pose Landmarker; nil uses the model in the package.
  private let model: String?

  init(
    python: String, model: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    let path = try require(
      Programs.path(of: python, environment: environment), .noInput,
      "--python: no program \(python); install Python, or give its path with --python")
    if let model {
      try require(
        FileDescriptor.exists(model), .noInput,
        "--model: no such file \(model); give \(Self.model): " + Self.modelPlace)
      try require(
        FileDescriptor.isFile(model), .noInput,
        "--model: \(model) is not a file; give \(Self.model): " + Self.modelPlace)
      try FilesRead.current?.note(path: model)
    }
    self.python = path
    self.model = model
  }

  private static let modelPlace = "Google publishes it on MediaPipe's page \"\(modelPage)\""

  private struct Message: Decodable {
    var share: Double?
    var summary: Summary?
    var failure: Failure?
  }

  private struct Summary: Decodable {
    let frames: Int
    let found: Int
    let repeated: Int
    let withoutPicture: Int
    let width: Int
    let height: Int
    let read: Int
    let announced: Int
    let version: String
    let python: String
    var model: String?
  }

  private struct Failure: Decodable {
    enum Kind: String, Decodable {
      case package
      case noModel = "no_model"
      case model
      case movie
    }
    let kind: Kind
    let text: String
    var python: String?
    var isEnvironment: Bool?

    var canHaveModel: Bool {
      let numbers = (python ?? "").split(separator: ".").compactMap { Int($0) }
      return numbers.count >= 2 && numbers[0] == 3 && (9...12).contains(numbers[1])
    }
  }

  func record(
    _ request: MovieRequest, in folder: String, progress: (Double) -> Void
  ) throws -> RecordedMovie {
    let base = folder + "/" + request.name
    let image = request.findsPoints ? base + ".image.csv" : ""
    let selection = request.selection
    let summary = try run(
      [
        OutputFile.place(of: request.path), base + ".csv", image, "\(selection.every)",
        "\(selection.start)", selection.end.map { "\($0)" } ?? "",
        model.map(OutputFile.place) ?? "",
      ], log: base + ".log", request, progress)
    guard summary.frames > 0 else { throw MovieAssembler.noFrames(request) }
    var movie = RecordedMovie(
      poses: try sequence(of: base + ".csv", request, .worldLandmarkTable))
    if request.findsPoints {
      var map = TableMap.imageLandmarkTable
      map.imageSize = ImageSize(width: max(1, summary.width), height: max(1, summary.height))
      movie.points = try sequence(of: image, request, map)
    }
    let estimator = estimator(summary)
    movie.poses.tags[Self.tag] = estimator
    movie.points?.tags[Self.tag] = estimator
    movie.poses.notes = ["found by \(estimator)"] + notes(summary)
    return movie
  }

  private func sequence(
    of table: String, _ request: MovieRequest, _ landmarks: TableMap
  ) throws -> ImportedSequence {
    var map = landmarks
    map.isMirrored = request.isMirrored
    var options = TableOptions(map: map, subject: request.subject, keepsClock: true)
    options.acceptsNobody = true
    let found = try ImportOptions.sequences(of: [table], read: TableSource(options: options))
    return ImportedSequence(name: request.name, unlabeled: found[0].recording)
  }

  private static let tag = "estimator"

  private func estimator(_ summary: Summary) -> String {
    var text = "MediaPipe \(summary.version)"
    if let model, let hash = summary.model {
      let name = model.split(separator: "/").last ?? ""
      text += " with \(name) (SHA-256 \(hash.prefix(Self.hashLength)))"
    }
    return text + " in Python \(summary.python)"
  }

  private static let hashLength = 12

  private func notes(_ summary: Summary) -> [String] {
    var notes: [String] = []
    if summary.found > 0 {
      notes.append("uniformly scaled to the reference height of \(ReferenceBody.height)")
    }
    notes += [
      FrameProblem.repeatedTime.note(on: summary.repeated),
      FrameProblem.noPicture.note(on: summary.withoutPicture),
    ].compactMap(\.self)
    if summary.announced > 0 {
      notes.append(
        "the movie's header says \(NumberText.count(summary.announced, "frame")), but only "
          + "\(NumberText.count(summary.read)) can be read; the movie may be damaged")
    }
    return notes
  }

  private func run(
    _ arguments: [String], log: String, _ request: MovieRequest, _ progress: (Double) -> Void
  ) throws -> Summary {
    let script: ChildProcess
    do {
      script = try ChildProcess(
        python, Self.isolated + ["-c", PageFile.text("movie_landmarks.py")] + arguments,
        errors: log)
    } catch {
      throw WorkflowFailure(
        .noInput, "\(python): cannot be started (\(error)); give another Python with --python")
    }
    let last: Message?
    do {
      last = try Self.lastMessage(of: script, progress)
    } catch let error as ChildProcess.Failure {
      _ = script.wait()
      throw WorkflowFailure(
        .noInput, "\(python): its output cannot be read (\(error)); \(error.remedy)")
    }
    let end = script.wait()
    if let failure = last?.failure { throw self.failure(failure, request) }
    guard end == .exit(0), let summary = last?.summary else {
      if let refusal = Self.refusal(besides: log) { throw refusal }
      throw WorkflowFailure(
        .unexpected, "\(request.path): \(python) ended early: " + Self.ending(of: log))
    }
    return summary
  }

  /// Excludes modules from the current folder, from `PYTHONPATH` and from the user's own packages.
  private static let isolated = ["-I"]

  private static func lastMessage(
    of script: ChildProcess, _ progress: (Double) -> Void
  ) throws -> Message? {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    var last: Message?
    var rest: [UInt8] = []
    try script.readOutput { bytes in
      rest += bytes
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[..<end]
        rest = Array(rest[(end + 1)...])
        guard let message = try? decoder.decode(Message.self, from: Data(line)) else { continue }
        if let share = message.share { progress(share) }
        last = message
      }
    }
    return last
  }

  private func failure(_ failure: Failure, _ request: MovieRequest) -> WorkflowFailure {
    switch failure.kind {
    case .package:
      WorkflowFailure(
        .noInput,
        "\(python): \(failure.text); install MediaPipe: "
          + (model == nil && failure.canHaveModel
            ? install(Self.packageWithModel, failure)
            : install(Self.package, failure)
              + (model == nil ? ", and give --model \(Self.model): " + Self.modelPlace : "")))
    case .noModel:
      WorkflowFailure(
        .noInput,
        "\(python): \(failure.text); give --model \(Self.model): \(Self.modelPlace); or install an "
          + "older version, which has one: "
          + (failure.canHaveModel
            ? install(Self.packageWithModel, failure)
            : "\(Self.packageWithModel), in \(Self.pythonsWithModel)"))
    case .model:
      WorkflowFailure(
        .badData,
        "\(model ?? Self.model): \(failure.text); give \(Self.model): \(Self.modelPlace)")
    case .movie:
      WorkflowFailure(
        .badData,
        "\(request.path): \(failure.text); play it in a player, and export it again as MP4 if it "
          + "plays")
    }
  }

  /// An isolated Python does not see packages that pip installed for a user.
  private func install(_ package: String, _ failure: Failure) -> String {
    let program = ShellWord.quoted(python)
    guard failure.isEnvironment != true else { return "\(program) -m pip install \(package)" }
    let folder = Self.environment
    return "\(program) -m venv \(folder) && \(folder)/bin/pip install \(package), and give "
      + "--python \(folder)/bin/python"
  }

  private static func ending(of log: String) -> String {
    let bytes = FileManager.default.contents(atPath: log) ?? Data()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(mostLines)
    return lines.isEmpty ? "it said nothing" : lines.joined(separator: " | ")
  }

  /// Why nothing more can be written into the folder of `log`; a script that ends early for this
  /// reason cannot report it.
  static func refusal(besides log: String) -> WorkflowFailure? {
    let place = log + ".room"
    defer { unlink(place) }
    do {
      try OutputFile.write([UInt8](repeating: 0, count: 4096), to: place)
      return nil
    } catch { return error as? WorkflowFailure }
  }

  private static let mostLines = 3
}
