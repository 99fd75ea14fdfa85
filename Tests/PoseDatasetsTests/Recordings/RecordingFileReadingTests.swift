import Foundation
import PoseDatasets
import PoseModel
import PoseRecording
import TestSupport
import Testing

@Suite("Recording files") struct RecordingFileReadingTests {
  /// The output of Python's `gzip -9` for the text below.
  private static let packed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2D, 0x8D, 0x31, 0x0E, 0xC2, 0x30,
    0x10, 0x04, 0xFB, 0x3C, 0x63, 0xEB, 0x43, 0x4A, 0x08, 0x34, 0x7E, 0x01, 0x7F, 0x40, 0x29, 0x0C,
    0x9C, 0x25, 0x93, 0x8B, 0xCF, 0xB2, 0x4D, 0x9A, 0x28, 0x7F, 0xE7, 0x82, 0xA8, 0x56, 0xBB, 0x33,
    0xD2, 0x6E, 0x08, 0x5A, 0x16, 0xDF, 0xE0, 0x90, 0xC5, 0xA7, 0x59, 0xFC, 0xE3, 0x94, 0xB5, 0x72,
    0x05, 0x61, 0xE5, 0x52, 0xA3, 0x26, 0xB8, 0x81, 0x50, 0x67, 0x16, 0x6E, 0x47, 0xC1, 0x1A, 0x8F,
    0x75, 0x7C, 0x99, 0xF1, 0xD6, 0x98, 0x5A, 0x85, 0xBB, 0xA3, 0xA8, 0x36, 0x1B, 0x84, 0x43, 0xBB,
    0xC5, 0x8C, 0x89, 0x10, 0x8A, 0x5F, 0xD8, 0xF4, 0xA7, 0x45, 0xF1, 0xD8, 0xBB, 0x0D, 0xF6, 0xD2,
    0x13, 0xB2, 0xF9, 0x3D, 0x0D, 0x74, 0xA6, 0x91, 0x2E, 0x74, 0x9D, 0xFE, 0x64, 0xF8, 0x91, 0xF4,
    0x11, 0xD9, 0xBB, 0x2F, 0x8B, 0x4E, 0xC3, 0x10, 0x96, 0x00, 0x00, 0x00,
  ]
  private static let unpacked = SampleText.text(
    SampleText.header, SampleText.frame("0"), SampleText.frame("1", "null"))

  @Test("A compressed recording is read like a plain one")
  func gzip() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.packed, to: "a.poses.jsonl.gz")
    let plain = try folder.write(Self.unpacked, to: "a.poses.jsonl")
    let recording = try RecordingReader.read(path: path).recording
    #expect(recording.times == [0, 1])
    let expected = try RecordingReader.read(path: plain).recording
    #expect(recording.header == expected.header)
    #expect(recording.positions.prefix(6) == expected.positions.prefix(6))
  }

  @Test("A compressed recording that breaks off is refused", arguments: [1, 4, 9, 40])
  func truncatedGzip(missing: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Self.packed.dropLast(missing)), to: "a.poses.jsonl.gz")
    let error = #expect(throws: DatasetError.self) { try RecordingReader.read(path: path) }
    guard case .invalidText(path, _, .truncatedArchive)? = error else {
      Issue.record("\(error.map(\.description) ?? "nothing")")
      return
    }
  }

  @Test("A compressed recording with a flipped bit is refused")
  func damagedGzip() throws {
    let folder = try TemporaryFolder()
    var bytes = Self.packed
    bytes[bytes.count - 6] ^= 1
    let path = try folder.write(bytes, to: "a.poses.jsonl.gz")
    let error = #expect(throws: DatasetError.self) { try RecordingReader.read(path: path) }
    guard case .invalidText(path, _, .damagedArchive)? = error else {
      Issue.record("\(error.map(\.description) ?? "nothing")")
      return
    }
  }

  @Test("A plain recording that is called .gz is refused")
  func falseGzip() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.unpacked, to: "a.poses.jsonl.gz")
    let error = #expect(throws: DatasetError.self) { try RecordingReader.read(path: path) }
    #expect(error == .invalidText(file: path, line: 1, problem: .notAnArchive))
  }

  @Test("A missing file, a folder and bad data are different errors")
  func missing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/none.poses.jsonl"
    let missing = #expect(throws: DatasetError.self) { try RecordingReader.read(path: path) }
    #expect(missing == .missingFile(path: path))
    let directory = #expect(throws: DatasetError.self) {
      try RecordingReader.read(path: folder.path)
    }
    #expect(directory == .directoryForFile(path: folder.path))
    #expect(missing?.isMissingInput == true && directory?.isMissingInput == true)
    let packed = #expect(throws: DatasetError.self) { try RecordingReader.read(path: path + ".gz") }
    #expect(packed == .missingFile(path: path + ".gz"))
  }

  @Test("A pipe that no one writes to and a device are refused at once", .timeLimit(.minutes(1)))
  func special() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path + "/pipe.poses.jsonl"
    try #require(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, "/dev/zero"] {
      let recording = #expect(throws: DatasetError.self) { try RecordingReader.read(path: path) }
      #expect(recording == .notAFile(path: path))
      #expect(recording?.isMissingInput == true)
      let labels = #expect(throws: DatasetError.self) { try LabelsReader.read(path: path) }
      #expect(labels == .notAFile(path: path))
      #expect(throws: DatasetError.self) { try DatasetReader(path: path) }
    }
  }

  #if os(Linux)
    @Test("Short recordings take little memory, however many there are")
    func memory() throws {
      let folder = try TemporaryFolder()
      let frames = (0..<30).map { SampleText.frame("\($0)") + "\n" }.joined()
      let path = try folder.write(SampleText.text(SampleText.header) + frames, to: "a.poses.jsonl")
      var recordings = [try RecordingReader.read(path: path).recording]
      let before = try Self.residentBytes()
      for _ in 0..<400 { recordings.append(try RecordingReader.read(path: path).recording) }
      // The buffers alone would have left 400 MB behind; the recordings take a few kilobytes each.
      #expect(try Self.residentBytes() - before < 100 << 20)
      #expect(recordings.count == 401)
    }

    private static func residentBytes() throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
      return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
  #endif

  @Test("A line over 4 MiB is refused, whether it ends or not", arguments: ["\n", ""])
  func longLine(end: String) {
    let frame = SampleText.frame("0")
    let padding = String(repeating: " ", count: (4 << 20) - frame.utf8.count + 1)
    let text = SampleText.text(SampleText.header) + padding + frame + end
    let error = #expect(throws: DatasetError.self) {
      try RecordingReader.read(text: text, name: "a")
    }
    #expect(error == .invalidText(file: "a", line: 2, problem: .lineTooLong))
  }

  @Test("Bytes that are not UTF-8 are refused, even in a field that no one reads")
  func invalidUTF8() {
    let bytes =
      Array((SampleText.header + "\n{\"t\":0,\"p\":null,\"x\":\"").utf8) + [0xC3, 0x28]
      + Array("\"}\n".utf8)
    let error = #expect(throws: DatasetError.self) {
      try RecordingReader.read(bytes: bytes, name: "a")
    }
    #expect(error == .invalidRecording(file: "a", line: 2, problem: .notUTF8))
  }

  @Test("A blank line before the end is refused by its own number")
  func blankLine() {
    let text = SampleText.text(SampleText.header, SampleText.frame("0"), "", "\t")
    let error = #expect(throws: DatasetError.self) {
      try RecordingReader.read(text: text + SampleText.frame("1"), name: "a")
    }
    #expect(error == .invalidText(file: "a", line: 3, problem: .blankLine))
  }

  @Test("Lines across the borders of chunks are read whole", arguments: [0, 1, 2, 3])
  func chunks(shift: Int) throws {
    var text = SampleText.header + "\n"
    let count = 30_000
    for frame in 0..<count {
      let spaces = String(repeating: " ", count: frame % 7 + shift)
      text += SampleText.frame("\(frame)", "[\(frame),1,2,3,4,5]", spaces) + "\n"
    }
    try #require(text.utf8.count > 1 << 20)
    let recording = try RecordingReader.read(text: text, name: "a").recording
    #expect(recording.frameCount == count)
    #expect((0..<count).allSatisfy { recording.positions[6 * $0] == Float($0) })
  }
}

@Suite("Recordings that apps read back") struct AppReaderTests {
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
    #expect(read.differences(from: expected) == [])
    #expect(read.frameCount > 0)
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
