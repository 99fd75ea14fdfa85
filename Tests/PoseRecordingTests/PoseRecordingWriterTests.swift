import Foundation
import PoseModel
import PoseRecording
import Testing

@Suite("Recording writer")
struct PoseRecordingWriterTests {
  private static let header = RecordingHeader(
    skeleton: .vision3d, joints: [.leftHip, .root], frame: .camera)

  /// A path in a new folder, removed by the caller.
  private func temporaryPath() throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent("a.poses.jsonl").path
  }

  private func remove(_ path: String) {
    try? FileManager.default.removeItem(
      at: URL(fileURLWithPath: path).deletingLastPathComponent())
  }

  private func contents(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("After every frame the file ends with a complete line")
  func completeLines() throws {
    let path = try temporaryPath()
    defer { remove(path) }
    let writer = try PoseRecordingWriter(path: path, header: Self.header)
    #expect(try contents(path).hasSuffix("}\n"))
    var pose = Pose()
    pose[.root] = Vector3(0, 1, 2)
    for frame in 0..<3 {
      try writer.append(time: Seconds(Double(frame)), pose: frame == 1 ? nil : pose)
      let lines = try contents(path).split(separator: "\n")
      #expect(lines.count == frame + 2)
      #expect(try contents(path).hasSuffix("}\n"))
    }
    #expect(writer.frameCount == 3)
    try writer.close()
    #expect(
      try contents(path).hasSuffix(
        """
        {"t":0.000000,"p":[null,null,null,0.0,1.0,2.0]}
        {"t":1.000000,"p":null}
        {"t":2.000000,"p":[null,null,null,0.0,1.0,2.0]}

        """))
  }

  @Test("A frame that is refused leaves no trace, and the next one is written")
  func refused() throws {
    let path = try temporaryPath()
    defer { remove(path) }
    let writer = try PoseRecordingWriter(path: path, header: Self.header)
    try writer.append(time: Seconds(1), pose: nil)
    let before = try contents(path)
    #expect(throws: PoseRecordingError.timeNotIncreasing(previous: 1, found: 0.5)) {
      try writer.append(time: Seconds(0.5), pose: nil)
    }
    let four: [Float] = [0, 1, 2, 3]
    #expect(throws: PoseRecordingError.wrongCount(field: "positions", found: 4, expected: 6)) {
      try four.withUnsafeBufferPointer { try writer.append(time: Seconds(2), pose: $0) }
    }
    #expect(throws: PoseRecordingError.wrongCount(field: "confidences", found: 4, expected: 2)) {
      try four.withUnsafeBufferPointer {
        try writer.append(time: Seconds(2), pose: nil, confidences: $0)
      }
    }
    #expect(try contents(path) == before)
    try writer.append(time: Seconds(1.5), pose: nil)
    #expect(writer.frameCount == 2)
  }

  @Test("A file that is there is kept unless it is overwritten on purpose")
  func overwriting() throws {
    let path = try temporaryPath()
    defer { remove(path) }
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: PoseRecordingError.fileExists(path: path)) {
      try PoseRecordingWriter(path: path, header: Self.header)
    }
    #expect(try contents(path) == "old")
    try PoseRecordingWriter(path: path, header: Self.header, overwriting: true).close()
    #expect(try contents(path).hasPrefix("{\"format\""))
  }

  @Test("A bad header makes no file; a bad folder is reported")
  func noFile() throws {
    let path = try temporaryPath()
    defer { remove(path) }
    var header = Self.header
    header.joints = []
    #expect(throws: PoseRecordingError.self) { try PoseRecordingWriter(path: path, header: header) }
    #expect(!FileManager.default.fileExists(atPath: path))
    let error = #expect(throws: PoseRecordingError.self) {
      try PoseRecordingWriter(path: path + "/x/y", header: Self.header)
    }
    guard case .cannotCreate? = error else {
      Issue.record("\(error.map(\.description) ?? "nothing")")
      return
    }
  }

  @Test("A closed writer refuses frames; closing twice is fine")
  func closed() throws {
    let path = try temporaryPath()
    defer { remove(path) }
    let writer = try PoseRecordingWriter(path: path, header: Self.header)
    try writer.close()
    try writer.close()
    #expect(throws: PoseRecordingError.closed(path: path)) {
      try writer.append(time: Seconds(0), pose: nil)
    }
  }

  #if os(Linux)
    @Test("A full disk is reported")
    func fullDisk() throws {
      let error = #expect(throws: PoseRecordingError.self) {
        try PoseRecordingWriter(path: "/dev/full", header: Self.header, overwriting: true)
      }
      guard case .writeFailed("/dev/full", _)? = error else {
        Issue.record("\(error.map(\.description) ?? "nothing")")
        return
      }
    }
  #endif

  @Test("A whole recording is written as its text")
  func whole() throws {
    let path = try temporaryPath()
    defer { remove(path) }
    var recording = Recording(header: Self.header)
    recording.append(time: Seconds(0), pose: [0.1, 0.2, 0.3, .nan, .nan, .nan])
    recording.append(time: Seconds(0.5), pose: nil)
    try PoseRecordingWriter.write(recording, to: path, decimals: 4)
    let text = try PoseRecordingText.bytes(of: recording, decimals: 4)
    #expect(try contents(path) == String(decoding: text, as: UTF8.self))
  }
}
