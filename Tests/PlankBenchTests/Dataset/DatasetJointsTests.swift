import ArgumentParser
import Foundation
import PoseDatasets
import PoseModel
import TestSupport
import Testing

@testable import PlankBench
@testable import Reports

@Suite("Joints of a moment") struct DatasetJointsTests {
  private let folder = ScriptedDatasetFiles.folder.path

  @Test("A point of the image is f x / -z and f y / -z pixels from the middle")
  func imagePoints() throws {
    let size = ["--focal-length", "1500", "--image-size", "1080x1920"]
    for joint in try listed(["--at", "9"] + size) {
      let (point, place) = (try #require(joint.image), joint.place)
      #expect(abs(point[0] - (0.5 - 1500 * place[0] / place[2] / 1080)) < 1e-9, "\(joint.joint)")
      #expect(abs(point[1] - (0.5 - 1500 * place[1] / place[2] / 1920)) < 1e-9, "\(joint.joint)")
    }
    #expect(try listed("--at", "9").allSatisfy { $0.image == nil })
  }

  @Test(
    "What cannot be listed is refused with what to do",
    arguments: [
      (["--sequence", "s04-pelvis"], 64 as Int32, "--at"),
      (["--at", "9"], 64, "--sequence"),
      (["--sequence", "s04-pelvis", "--at", "9", "--focal-length", "1500"], 64, "1080x1920"),
      (["--sequence", "s04-pelvis", "--at", "9", "--focal-length", "0"], 64, "pixels"),
      (["--sequence", "s04-pelvis", "--at", "9", "--picture", "a.svg"], 64, "--focal-length"),
      (["--sequence", "s01-floor", "--at", "9"], 65, "pelvis"),
    ])
  func refused(arguments: [String], status: Int32, word: String) throws {
    let command = try DatasetShow.parse([folder, "--joints"] + arguments)
    let error = try #require(throws: (any Error).self) { try command.outcome() }
    let failure = WorkflowFailure(translating: error)
    #expect(failure.status.rawValue == status && failure.message.contains(word), "\(failure)")
  }

  @Test("A size of an image is two whole numbers from 1 to 100,000 with an x between them")
  func sizes() {
    #expect(ImageSize("1080x1920") == ImageSize(width: 1080, height: 1920))
    for text in ["", "1080", "1080x", "x1920", "0x1920", "1080x1920x3", "a x b", "1080x100001"] {
      #expect(ImageSize(text) == nil, "\(text)")
    }
  }

  private struct Joint: Decodable {
    let joint: String
    let place: [Double]
    let image: [Double]?

    enum CodingKeys: String, CodingKey {
      case joint
      case place = "before_camera_m"
      case image = "point_in_image"
    }
  }

  private struct Listing: Decodable { let joints: [Joint] }

  private func listed(_ arguments: String...) throws -> [Joint] { try listed(arguments) }

  private func listed(_ arguments: [String]) throws -> [Joint] {
    let start = [folder, "--sequence", "s04-pelvis", "--joints", "--format", "json"]
    let text = try DatasetShow.parse(start + arguments).outcome().text
    return try JSONDecoder().decode(Listing.self, from: Data(text.utf8)).joints
  }
}

@Suite("Joints of a moment in 2D") struct ImageListingTests {
  /// A recording of three joints, the last of them missing, in one frame.
  private func recording(_ skeleton: Skeleton, size: ImageSize?) -> Recording {
    var header = RecordingHeader(
      skeleton: skeleton, joints: [.leftShoulder, .rightShoulder, .leftHip], frame: .image)
    header.imageSize = size
    var recording = Recording(header: header)
    let pose: [Float] =
      skeleton == .coco17
      ? [270, 480, 810, 480, .nan, .nan] : [0.25, 0.75, 0.75, 0.75, .nan, .nan]
    let confidences: [Float] = [0.5, 1, 0]
    pose.withUnsafeBufferPointer { pose in
      confidences.withUnsafeBufferPointer {
        recording.append(time: 2, pose: pose, confidences: $0)
      }
    }
    return recording
  }

  private func listing(_ skeleton: Skeleton, size: ImageSize?) -> ImageListing {
    ImageListing(
      name: "a", recording: recording(skeleton, size: size), frame: 0, size: size)
  }

  private struct Joint: Decodable {
    let joint: String
    let visionKey: String?
    let groups: [String]
    let position: [Double]?
    let pixel: [Double]?
    let confidence: Double?

    enum CodingKeys: String, CodingKey {
      case joint, groups, position, pixel, confidence
      case visionKey = "vision_key"
    }
  }

  private func joints(_ listing: ImageListing) throws -> [Joint] {
    struct Listing: Decodable { let joints: [Joint] }
    return try JSONDecoder().decode(Listing.self, from: Data(JSONText.of(listing).utf8)).joints
  }

  @Test(
    "Pixels are counted from the lower left corner, whatever a skeleton's own origin",
    arguments: [Skeleton.vision2d, .coco17])
  func pixels(skeleton: Skeleton) throws {
    let found = try joints(listing(skeleton, size: ImageSize(width: 1080, height: 1920)))
    #expect(found.map(\.pixel) == [[270, 1440], [810, 1440], nil])
    #expect(found.map(\.confidence) == [0.5, 1, 0])
    #expect(found[0].groups == ["torso", "leftArm"])
    #expect(found[0].visionKey == (skeleton == .vision2d ? "left_shoulder_1_joint" : nil))
    #expect(found[2].position == nil)
  }

  @Test("A wireframe joins the joints that are seen, in the shape of the image, with y downward")
  func wireframe() {
    let size = ImageSize(width: 1080, height: 1920)
    for skeleton in [Skeleton.vision2d, .coco17] {
      let figure = WireframeFigure(
        title: "a", [recording(skeleton, size: size)], frame: 0)
      let svg = figure.svg()
      #expect(svg.contains("width=\"360\" height=\"640\""))
      #expect(svg.contains("cx=\"90\" cy=\"160\"") && svg.contains("cx=\"270\" cy=\"160\""))
      #expect(svg.components(separatedBy: "<circle").count - 1 == 2)
      #expect(svg.contains("<line"), "the shoulders are joined")
    }
  }

  @Test("Pixels of an image of unknown size are drawn inside the picture")
  func unknownSize() {
    let figure = WireframeFigure(
      title: "a", [recording(.coco17, size: nil)], frame: 0)
    #expect(figure.aspect == 810.0 / 480)
    #expect(figure.people[0].points[.rightShoulder] == SVGCanvas.Point(x: 1, y: 1))
  }
}

@Suite("Examination of folders") struct DoctorExaminationTests {
  @Test("Files and folders have their diagnoses in the order in which they were given")
  func order() async throws {
    // Two frames of a recording, and two files that are none.
    let folder = try TemporaryFolder()
    for (name, text) in [
      "0.json": #"{"version":1.3,"people":[]}"#, "1.json": #"{"version":1.3,"people":[]}"#,
      "notes.txt": "shoes off\n", "other.json": #"{"title":"a"}"#,
    ] {
      try folder.write(text, to: name)
    }
    let examination = DoctorExamination(imageSize: nil) { _, _, _ in }
    let file = folder.path("notes.txt")
    let recordings = try await examination.recordings(of: [file, folder.path, file])
    #expect(
      recordings.map(\.diagnosis.file) == [file]
        + ["*.json", "notes.txt", "other.json"].map { folder.path($0) } + [file])
  }
}

@Suite("Access to datasets") struct DatasetAccessTests {
  @Test(
    "Recordings of 500 MB or more are announced before they are read",
    arguments: [(499_999_999, nil), (1_234_000_000, "reading 2 sequences, 1.2 GB of recordings")])
  func work(bytes: Int, sentence: String?) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "name: large\nsequences: [{poses: a.poses.jsonl}, {poses: b.poses.jsonl}]\n",
      to: "dataset.yaml")
    for (name, size) in [("a", bytes - 9), ("b", 9)] {
      let file = try folder.write("", to: name + ".poses.jsonl")
      try #require(truncate(file, off_t(size)) == 0)
    }
    let reader = try DatasetReader(path: folder.path)
    #expect(try DatasetCollection.work([reader], split: nil) == sentence)
  }
}
