import Foundation
import PoseDatasets
import PoseModel
import PoseRecording
import TestSupport
import Testing

@Suite("Recordings that apps read back")
struct AppReaderTests {
  private static let datasets = Repository.file("datasets")

  /// Every committed recording, by its path below `datasets`.
  static let committed: [String] = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: datasets.path)) ?? []
    return paths.filter { $0.contains(".poses.jsonl") && !$0.contains("generated") }.sorted()
  }()

  @Test("Committed recordings are there") func present() { #expect(Self.committed.count > 10) }

  @Test("Apps read what the bench reads, bit for bit", arguments: committed)
  func sameRecording(name: String) throws {
    let path = Self.datasets.appendingPathComponent(name).path
    let expected = try RecordingReader.read(path: path).recording
    let read = try PoseRecordingReader.recording(from: Self.unpacked(path), name: name)
    #expect(read.header == expected.header)
    #expect(read.times == expected.times)
    #expect(read.positions.map(\.bitPattern) == expected.positions.map(\.bitPattern))
    #expect(read.frameCount > 0)
    for frame in 0..<expected.frameCount {
      #expect(read.hasPose(at: frame) == expected.hasPose(at: frame))
      #expect(read.extras(at: frame) == expected.extras(at: frame))
    }
  }

  @Test("A frame has the positions, up direction and height of evaluation", arguments: committed)
  func frames(name: String) throws {
    let path = Self.datasets.appendingPathComponent(name).path
    let expected = try RecordingReader.read(path: path).recording
    let frames = try PoseRecordingReader.recording(from: Self.unpacked(path), name: name).poseFrames
    #expect(frames.count == expected.frameCount)
    for (index, frame) in frames.enumerated() {
      let axes = expected.axes(at: index)
      #expect(frame.time.value == expected.times[index])
      #expect((frame.pose == nil) == (axes == nil))
      #expect(frame.axes == axes ?? frame.axes)
      #expect(frame.bodyHeight == expected.bodyHeight(at: index))
      for joint in expected.header.joints where frame.pose != nil {
        #expect(frame.position(of: joint) == expected.evaluatedPosition(of: joint, at: index))
      }
    }
  }

  @Test("Carriage returns, a byte-order mark and blank last lines are read")
  func otherTools() throws {
    let lines = [SampleText.header, SampleText.frame("0"), SampleText.frame("1", "null")]
    let text = "\u{FEFF}" + lines.map { $0 + "\r\n" }.joined() + "\r\n \n\r\r\n"
    let read = try PoseRecordingReader.recording(from: Array(text.utf8), name: "a")
    #expect(read.times == [0, 1])
  }

  @Test("Escapes of text are resolved, and lone halves of a pair refused")
  func escapes() throws {
    func subject(_ text: String) throws -> String? {
      let line = SampleText.header(["subject": "\"\(text)\""])
      return try PoseRecordingReader.recording(from: Array(line.utf8), name: "a").header.subject
    }
    #expect(try subject(#"\u00e9\ud83d\udca1\n\/"#) == "é\u{1F4A1}\n/")
    for text in [#"\ud83d"#, #"\ud83dx"#, #"\udca1"#, #"\x"#, #"\u00g0"#] {
      #expect(throws: PoseRecordingError.self) { try subject(text) }
    }
  }

  @Test(
    "Both readers take whole numbers of up to 64 bits, and larger ones only with a point or an exponent",
    arguments: [
      ("18446744073709551615", true), ("-9223372036854775808", true), ("1.0e30", true),
      ("100000000000000000000.0", true), ("18446744073709551616", false),
      ("-9223372036854775809", false), ("308888888888888888888888888888888888888888", false),
    ])
  func wholeNumbers(number: String, isRead: Bool) throws {
    let bytes = Array(SampleText.header(["unknown": number]).utf8)
    let app = try? PoseRecordingReader.recording(from: bytes, name: "a")
    let bench = try? RecordingReader.read(bytes: bytes, name: "a")
    #expect((app != nil) == isRead)
    #expect((bench != nil) == isRead)
  }

  @Test("A missing, a compressed and a special file are refused by name")
  func files() throws {
    let folder = try TemporaryFolder()
    let archive = try folder.write([0x1F, 0x8B, 8, 0], to: "a.poses.jsonl.gz")
    #expect(throws: PoseRecordingError.compressed(path: archive)) {
      try PoseRecordingReader.recording(at: archive)
    }
    for path in [folder.path, folder.path + "/none", "/dev/zero"] {
      let error = #expect(throws: PoseRecordingError.self) {
        try PoseRecordingReader.recording(at: path)
      }
      guard case .cannotRead(path, _)? = error else {
        Issue.record("\(error.map(\.description) ?? "nothing")")
        continue
      }
    }
    let path = try folder.write(SampleText.text(SampleText.header), to: "b.poses.jsonl")
    #expect(try PoseRecordingReader.recording(at: path).frameCount == 0)
  }

  /// The text of a recording; compressed ones are unpacked by gunzip.
  private static func unpacked(_ path: String) throws -> [UInt8] {
    guard path.hasSuffix(".gz") else {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "gunzip -c \"$0\"", path]
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(data)
  }
}
