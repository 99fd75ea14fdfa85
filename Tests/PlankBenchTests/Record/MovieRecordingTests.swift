import ArgumentParser
import Foundation
import PoseDatasets
import PoseModel
import TestSupport
import Testing

@testable import PlankBench
@testable import Reports

@Suite("Turns of movies") struct MovieTurnTests {
  @Test(
    "A quarter turn is read off a transform, also one with rounding errors",
    arguments: [
      ([1.0, 0, 0, 1], MovieTurn.none), ([0, 1, -1, 0], .clockwise),
      ([-1, 1e-9, -1e-9, -1], .upsideDown), ([6e-17, -1, 1, 6e-17], .counterclockwise),
    ])
  func quarters(numbers: [Double], turn: MovieTurn) throws {
    let found = try MovieTurn(
      a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], movie: "a.mov")
    #expect(found == turn)
    // The picture's right edge points there, as x and y say.
    #expect(found.isSideways == (numbers[0].magnitude < 0.5))
  }

  @Test(
    "Mirror images and everything but quarter turns are refused by name",
    arguments: [
      ([-1.0, 0, 0, 1], "flip"), ([1, 0, 0, -1], "flip"), ([0, 1, 1, 0], "flip"),
      ([0.7, 0.7, -0.7, 0.7], "more than a quarter turn"), ([2, 0, 0, 2], "quarter turn"),
      ([.nan, 0, 0, 1], "quarter turn"),
    ])
  func refused(numbers: [Double], reason: String) {
    let failure = #expect(throws: WorkflowFailure.self) {
      try MovieTurn(a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], movie: "a.mov")
    }
    #expect(failure?.status == .badData)
    #expect(failure?.message.hasPrefix("a.mov: ") ?? false)
    #expect(failure?.message.contains(reason) ?? false)
  }
}

@Suite("Selections of frames") struct FrameSelectionTests {
  @Test("Frames from the start to before the end are taken, one of so many from the first on")
  func bounds() {
    let selection = FrameSelection(every: 3, start: 1, end: 2)
    #expect(selection.choice(time: 0.999, place: 0) == .early)
    #expect(selection.choice(time: 1, place: 0) == .take)
    #expect(selection.choice(time: 1.1, place: 1) == .leave)
    #expect(selection.choice(time: 1.3, place: 3) == .take)
    #expect(selection.choice(time: 2, place: 3) == .over)
    #expect(FrameSelection().choice(time: 1e9, place: 7) == .take)
  }

  @Test("A frame whose time is no number is taken, so that it is reported")
  func notANumber() {
    #expect(FrameSelection(start: 1, end: 2).choice(time: .nan, place: 0) == .take)
  }
}

@Suite("Movies that become a dataset") struct MovieRecordingTests {
  private struct Place {
    private let folder: TemporaryFolder

    init(_ movies: String...) throws {
      folder = try TemporaryFolder()
      for movie in movies { try folder.write("pictures of \(movie)", to: movie) }
    }

    func path(_ name: String) -> String { folder.path(name) }

    func recording(
      _ movies: String..., change: (inout MovieRecording) -> Void = { _ in }
    ) throws -> MovieRecording {
      var recording = MovieRecording(
        movies: movies.map(path),
        options: try ImportOptions.parse(["--output", path("planks"), "--license", "none"]))
      change(&recording)
      return recording
    }

    /// What is in the folder besides movies, and what is in hidden places.
    var written: [String] { folder.names.filter { !$0.hasSuffix(".mov") } }
  }

  private static func recorded(_ request: MovieRequest) throws -> RecordedMovie {
    var assembler = MovieAssembler(
      request, imageSize: ImageSize(width: 640, height: 480), rate: 30)
    var pose = Pose()
    for joint in Skeleton.vision3d.joints { pose[joint] = Vector3(Double(joint.index), 1, 2) }
    let camera = CameraMatrix(rotation: .identity, translation: Vector3(0, 0, -2))
    for frame in 0..<3 {
      try assembler.append(
        MovieFrame(
          time: Double(frame) / 30, pose: frame == 1 ? nil : pose,
          extras: FrameExtras(camera: camera)))
    }
    return try assembler.finish()
  }

  @Test("A dataset has a recording per movie, and names the movie that it links to")
  func dataset() async throws {
    let place = try Place("one.mov", "sub/two' -\n.MP4")
    let outcome = try await place.recording("one.mov", "sub/two' -\n.MP4") { $0.jobs = 2 }
      .run { request, _, _ in try Self.recorded(request) }
    let reader = try DatasetReader(path: place.path("planks"))
    let entries = reader.manifest.sequences
    #expect(
      entries.map(\.posesPath) == [
        "recordings/one.poses.jsonl", "recordings/two----.poses.jsonl",
      ])
    #expect(entries.map(\.videoPath) == ["videos/one.mov", "videos/two----.mp4"])
    #expect(entries.allSatisfy { $0.labelsPath == nil && !$0.startsMid })
    #expect(reader.manifest.license == "none")
    for (entry, movie) in zip(entries, ["one.mov", "sub/two' -\n.MP4"]) {
      let path = reader.path(of: try #require(entry.videoPath))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "pictures of \(movie)")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path).hasPrefix("/"))
      let recording = try reader.load(entry).recording
      #expect(recording.frameCount == 3 && !recording.hasPose(at: 1))
    }
    #expect(outcome.text.hasSuffix("planks: 2 sequences, 6 frames, 4 of them with a pose\n"))
    #expect(outcome.remarks.contains { $0.hasPrefix("next: planklab label ") })
    #expect(place.written == ["planks", "sub"])
  }

  @Test("Movies are copied where that is asked for")
  func copies() async throws {
    let place = try Place("one.mov")
    _ = try await place.recording("one.mov") { $0.copiesMovies = true }
      .run { request, _, _ in try Self.recorded(request) }
    let copy = place.path("planks/videos/one.mov")
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: copy)) == nil)
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == "pictures of one.mov")
  }

  @Test("A recording that begins later than its movie does not name it")
  func start() async throws {
    let place = try Place("one.mov")
    let outcome = try await place.recording("one.mov") { $0.selection.start = 2.5 }
      .run { request, _, _ in try Self.recorded(request) }
    let entries = try DatasetReader(path: place.path("planks")).manifest.sequences
    #expect(entries[0].videoPath == nil)
    #expect(outcome.remarks.contains { $0.contains("an offset of 2.5 s") })
  }

  @Test("Points of the image become a dataset of their own")
  func points() async throws {
    let place = try Place("one.mov")
    _ = try await place.recording("one.mov") { $0.findsPoints = true }
      .run { request, _, _ in try Self.recorded(request) }
    let reader = try DatasetReader(path: place.path("planks-2d"))
    let recording = try reader.load(reader.manifest.sequences[0]).recording
    #expect(recording.header.skeleton == .vision2d && recording.frameCount == 3)
    #expect(place.written == ["planks", "planks-2d"])
  }

  @Test("If one movie fails, nothing is left behind")
  func failure() async throws {
    let place = try Place("one.mov", "two.mov")
    let failure = await #expect(throws: WorkflowFailure.self) {
      try await place.recording("one.mov", "two.mov") { $0.findsPoints = true }
        .run { request, folder, _ in
          _ = FileManager.default.createFile(
            atPath: folder + "/table.csv", contents: Data("x".utf8))
          if request.name == "two" { throw WorkflowFailure(.badData, "broken") }
          return try Self.recorded(request)
        }
    }
    #expect(failure?.status == .badData)
    #expect(place.written == [])
  }

  @Test("Mistakes are found before any movie is read")
  func mistakes() async throws {
    let place = try Place("one.mov", "sub/ONE.mov", "planks/taken")
    func failure(_ movies: String...) async -> WorkflowFailure? {
      await #expect(throws: WorkflowFailure.self) {
        try await place.recording { $0.movies = movies.map(place.path) }
          .run { request, _, _ in
            Issue.record("a movie is read")
            return try Self.recorded(request)
          }
      }
    }
    #expect(await failure("none.mov")?.status == .noInput)
    #expect(await failure("sub")?.status == .noInput)
    #expect(await failure("one.mov", "sub/ONE.mov")?.status == .usage)
    #expect(await failure("one.mov")?.status == .cannotCreate)
  }

  @Test("Poses without any matrix that turns are an error; single ones are counted")
  func matrices() throws {
    var assembler = MovieAssembler(
      MovieRequest(path: "a.mov", name: "a"), imageSize: ImageSize(width: 640, height: 480),
      rate: nil)
    let zero = Vector3(0, 0, 0)
    let flat = CameraMatrix(rotation: Rotation3(zero, zero, zero), translation: zero)
    try assembler.append(
      MovieFrame(time: 0, pose: Pose(), extras: FrameExtras(camera: flat)))
    let failure = #expect(throws: WorkflowFailure.self) { try assembler.finish() }
    #expect(failure?.message.contains("which way is up") ?? false)
    let whole = CameraMatrix(rotation: .identity, translation: zero)
    try assembler.append(
      MovieFrame(time: 1, pose: Pose(), extras: FrameExtras(camera: whole)))
    let notes = try assembler.finish().poses.notes
    #expect(notes == ["1 frame without a valid camera rotation, counted as missing"])
  }
}
