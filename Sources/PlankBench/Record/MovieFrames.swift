internal import PoseDatasets
internal import PoseModel

struct MovieRequest: Hashable, Sendable {
  let path: String
  let name: String
  var selection = FrameSelection()
  var findsPoints = false
  var isMirrored = false
  var subject: String?
}

struct FrameSelection: Hashable, Sendable {
  /// One of this many frames is taken, the first one within the bounds being the first; at least 1.
  var every = 1
  /// The first time, in seconds since the movie's beginning.
  var start = 0.0
  var end: Double?

  enum Choice: Hashable, Sendable {
    case early
    case take
    case leave
    /// It is behind the bounds, as all frames after it.
    case over
  }

  /// A time that is no number is taken, so that it is reported.
  ///
  /// `place`: how many frames within the bounds came before it.
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

  /// x' = a x + c y, y' = b x + d y, with y down; throws for a mirror image, which Vision's 3D
  /// request does not take, and for anything that is no quarter turn.
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
        + " (transform \(found.map(NumberText.shortest).joined(separator: ", "))), which Vision's 3D "
        + "request does not take; export the movie again so that its pictures are stored as they are "
        + "shown" + (isMirror ? ", and give --mirrored if they then show a mirror image" : ""))
  }

  private static let tolerance = 0.01
}

struct MovieFrame: Sendable {
  /// Seconds since the beginning of the movie's track.
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
    case .matrix: "\(frames) without a camera matrix that turns, which count as missing"
    case .height: "\(frames) without a usable height"
    }
  }
}

/// No frame is dropped unseen: what cannot be recorded as found is counted and noted.
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
    guard frame.time.isFinite else {
      throw WorkflowFailure(
        .badData,
        "\(request.path): frame \(recording.frameCount + 1) has no presentation time; export the "
          + "movie again")
    }
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

  /// A matrix that turns and a height above 0, or none of these.
  private mutating func checked(_ extras: FrameExtras) -> FrameExtras {
    var extras = extras
    if let camera = extras.camera, !camera.turnsRigidly { extras.camera = nil }
    if let height = extras.bodyHeight, !(height.value > 0 && height.value.isFinite) {
      counts[.height, default: 0] += 1
      (extras.bodyHeight, extras.heightEstimation) = (nil, nil)
    }
    return extras
  }

  /// Unmirrored.
  ///
  /// Throws for a movie without a frame within the bounds, and for poses without a single camera
  /// matrix, which show nobody's direction.
  func finish() throws -> RecordedMovie {
    let frames = recording.frameCount
    guard frames > 0 else { throw Self.noFrames(request) }
    let found = (0..<frames).count(where: recording.hasPose)
    guard found == 0 || recording.hasCameras else {
      throw WorkflowFailure(
        .badData,
        "\(request.path): no frame has a camera matrix that turns, so nothing shows which way is up; "
          + "report the version of macOS")
    }
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
        + (selection.end.map { " to before \(NumberText.shortest($0)) s" } ?? "")
      : ""
    return WorkflowFailure(
      .badData,
      "\(request.path): no frame\(bounds); "
        + (bounds.isEmpty ? "give a movie with pictures" : "give other values to --start and --end")
    )
  }
}
