import PoseModel
import PoseRecording
import Testing

@testable import PoseDatasets

@Suite("Tables that are one frame each")
struct FrameTableTests {
  private static let size = ImageSize(width: 1080, height: 1920)

  /// A line as YOLO writes it: class, box, points, and the number of the track.
  private static func line(_ frame: [[Double]], scale: Double, track: Int?) -> String {
    let points = frame.flatMap { [$0[0] * scale / 1080, $0[1] * scale / 1920, $0[2]] }
    let (x, y) = (frame.map { $0[0] * scale }, frame.map { $0[1] * scale })
    let (left, right) = (x.min() ?? 0, x.max() ?? 0)
    let (top, bottom) = (y.min() ?? 0, y.max() ?? 0)
    let box =
      [(left + right) / 2160, (top + bottom) / 3840, (right - left) / 1080]
      + [(bottom - top) / 1920]
    return "0 " + (box + points).map { "\($0)" }.joined(separator: " ")
      + (track.map { " \($0)" } ?? "")
  }

  private func diagnosis(_ files: [NamedBytes]) throws -> PoseDiagnosis {
    let groups = FrameFiles.groups(files.map { ExaminedFile($0) })
    #expect(groups.count == 1)
    return PoseDoctor.diagnose(groups[0], called: "labels", imageSize: Self.size)
  }

  private func recording(_ files: [NamedBytes], rate: Double) throws -> Recording {
    var map = try #require(try diagnosis(files).map)
    map.time.rate = rate
    let sequences = try TableSource(options: TableOptions(map: map)).sequences(from: files)
    #expect(sequences.count == 1)
    return try #require(sequences.first?.recording)
  }

  @Test("Numbers in names are frame numbers, an empty file is a frame without a pose")
  func numbers() throws {
    let files = ImagePoints.frames.enumerated().compactMap { index, frame -> NamedBytes? in
      guard index != 7 else { return nil }
      let text = index == 12 ? "" : Self.line(frame, scale: 1, track: nil) + "\n"
      return NamedBytes(name: "labels/clip_\(index).txt", bytes: Array(text.utf8))
    }
    let recording = try recording(files.reversed(), rate: 20)
    #expect(recording.frameCount == 39)
    #expect(!recording.hasPose(at: 11) && recording.hasPose(at: 10))
    #expect(abs(recording.times[7] - 0.4) < 1e-6 && abs(recording.times[38] - 1.95) < 1e-6)
  }

  @Test("Rows of a frame are people, told apart by the number of their track")
  func tracks() throws {
    let files = ImagePoints.frames.enumerated().map { index, frame in
      let people = [
        Self.line(frame, scale: 0.2, track: 8), Self.line(frame, scale: 1, track: 5),
      ]
      let lines = index % 3 == 0 ? people : people.reversed()
      return NamedBytes(
        name: "labels/vid_\(index).txt", bytes: Array(lines.joined(separator: "\n").utf8))
    }
    let map = try #require(try diagnosis(files).map)
    #expect(map.people?.track?.text == "rows[0][56]")
    let recording = try recording(files, rate: 30)
    for frame in 0..<40 {
      let wrist = try #require(recording.position(of: .rightWrist, at: frame))
      #expect(abs(wrist.x - 475 - Double(frame)) < 0.01)
    }
  }

  @Test("A file that is empty and called otherwise is no frame")
  func otherNames() {
    let files = ImagePoints.frames.enumerated().map { index, frame in
      NamedBytes(
        name: "labels/vid_\(index).txt", bytes: Array(Self.line(frame, scale: 1, track: nil).utf8))
    }
    let notes = NamedBytes(name: "labels/notes.txt", bytes: [])
    let groups = FrameFiles.groups((files + [notes]).map { ExaminedFile($0) })
    #expect(groups.map(\.count).sorted() == [1, 40])
  }

  @Test("Frames that repeat time and pose are left out, and counted")
  func repeats() throws {
    let names = ImagePoints.names.flatMap { ["\($0)_x", "\($0)_y", "\($0)_v"] }
    var rows = ["t," + names.joined(separator: ",")]
    for (index, row) in ImagePoints.rows().enumerated() {
      rows += Array(repeating: "\(Double(index) / 30),\(row)", count: index % 10 == 3 ? 2 : 1)
    }
    let file = NamedBytes(name: "t.csv", bytes: Array(rows.joined(separator: "\n").utf8))
    let diagnosis = PoseDoctor.diagnose(file, imageSize: Self.size)
    #expect(
      diagnosis.problems.contains { $0.found.contains("4 frames with the time and the pose") })
    let map = try #require(diagnosis.map)
    let sequence = try #require(
      try TableSource(options: TableOptions(map: map)).sequences(from: [file]).first)
    #expect(sequence.recording.frameCount == 40)
    #expect(sequence.notes.contains { $0.contains("left out") })
  }

  @Test("Images stand in the order of their names where their list does not")
  func imageOrder() {
    func image(_ id: Int, _ name: String) -> JSONNode {
      JSONNode(
        .object(
          keys: ["id", "file_name"],
          values: [
            JSONNode(.number(Double(id)), line: 1), JSONNode(.text(name), line: 1),
          ]), line: 1)
    }
    let named = ImageOrder([image(3, "f_10.jpg"), image(9, "f_2.jpg"), image(1, "f_30.jpg")])
    #expect(named.places == [1, 0, 2] && named.key == "file_name" && named.rival == "id")
    let unnamed = ImageOrder([image(3, "a1b.jpg"), image(1, "c.jpg"), image(2, "d9.jpg")])
    #expect(unnamed.places == [1, 2, 0] && unnamed.key == "id" && unnamed.rival == nil)
  }

  @Test("What is no JSON between lines of JSON is named with its lines")
  func mixedLines() {
    let line = "{\"t\": 1, \"x\": [1, 2]}"
    let text = (["INFO start"] + Array(repeating: line, count: 5) + ["W slow", line])
      .joined(separator: "\n")
    let problem = PoseDoctor.diagnose(NamedBytes(name: "t.jsonl", bytes: Array(text.utf8))).problems
      .first
    #expect(
      problem?.found == "lines 1, 7 are no JSON, such as `INFO start`, among 6 lines that are")
  }
}
