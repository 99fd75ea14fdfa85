import CSimdjson
package import PoseModel

/// A recording as it was read from a file.
package struct RecordingFile: Sendable {
  /// The recording, turned around if it was mirrored.
  package let recording: Recording
  /// Things about the text that are read and worth telling.
  package let notes: [TextNote]
  /// Frames in pelvis axes that have a pose and no camera matrix, and so count as missing.
  package let posesWithoutMatrix: Int
}

/// Reads recordings in the native format, line by line.
///
/// Memory does not grow with the file beyond the recording itself.
package enum RecordingReader {
  /// Reads a `.poses.jsonl` file, or a `.poses.jsonl.gz` file.
  ///
  /// - Throws: `DatasetError` with file, line and remedy; its `isMissingInput` tells a missing
  ///   file from bad data.
  /// - Complexity: O(bytes).
  package static func read(path: String) throws(DatasetError) -> RecordingFile {
    let source: any ByteSource =
      path.hasSuffix(".gz") ? try GzipBytes(path: path) : try FileBytes(path: path)
    return try read(source, name: path)
  }

  /// Reads a recording that is in memory, not compressed.
  ///
  /// - Parameter name: how errors name it.
  package static func read(bytes: [UInt8], name: String) throws(DatasetError) -> RecordingFile {
    try read(MemoryBytes(bytes), name: name)
  }

  /// Reads a recording from a text.
  ///
  /// - Parameter name: how errors name it.
  package static func read(text: String, name: String) throws(DatasetError) -> RecordingFile {
    try read(bytes: Array(text.utf8), name: name)
  }

  static func read(_ source: any ByteSource, name: String) throws(DatasetError) -> RecordingFile {
    let lines = LineReader(source, name: name, padding: JSONLineParser.padding)
    guard let parser = JSONLineParser() else {
      throw .unreadableFile(path: name, reason: "no memory for a parser")
    }
    guard let first = try lines.next() else {
      throw .invalidRecording(file: name, line: nil, problem: .empty)
    }
    let header = try onLine(first, of: name) { () throws(RecordingProblem) in
      if let problem = parser.readObject(first.bytes) {
        throw RecordingProblem(problem, layout: nil)
      }
      return try HeaderDecoder.header(from: parser.members())
    }
    return try readFrames(lines, header: header, parser: parser)
  }

  private static func readFrames(
    _ lines: LineReader, header: RecordingHeader, parser: JSONLineParser
  ) throws(DatasetError) -> RecordingFile {
    var assembler = RecordingAssembler(
      header: header, expectedByteCount: lines.expectedByteCount)
    let decoder = FrameDecoder(parser: parser, layout: assembler.recording.layout)
    while let line = try lines.next() {
      try onLine(line, of: lines.name) { () throws(RecordingProblem) in
        try decoder.read(line.bytes)
        try assembler.append(decoder, lineLength: line.bytes.count)
      }
    }
    do {
      return RecordingFile(
        recording: try assembler.finish(), notes: lines.notes,
        posesWithoutMatrix: assembler.posesWithoutMatrix)
    } catch {
      throw .invalidRecording(file: lines.name, line: nil, problem: error)
    }
  }

  /// Names file and line of a problem; a last line that breaks off is called truncated.
  private static func onLine<Result>(
    _ line: LineReader.Line, of name: String, _ body: () throws(RecordingProblem) -> Result
  ) throws(DatasetError) -> Result {
    do {
      return try body()
    } catch {
      var problem = error
      if case .notJSON(let fault) = error {
        // A line that was cut off seldom ends in a brace; other bad lines do.
        let isCutOff = !line.isTerminated && line.bytes.last != UInt8(ascii: "}")
        problem = isCutOff ? .truncated : .notJSON(fault.refined(for: line.bytes))
      }
      throw .invalidRecording(file: name, line: line.number, problem: problem)
    }
  }
}

/// A recording in the making: checks what one line cannot tell and collects frames.
struct RecordingAssembler {
  /// The most frames that room is made for before they come.
  private static let reservationLimit = 1 << 22

  /// What has been read so far.
  private(set) var recording: Recording
  /// Frames in pelvis axes that have a pose and no camera matrix.
  private(set) var posesWithoutMatrix = 0
  private let expectedByteCount: Int?
  private let upIsKnown: Bool
  private let isPelvis: Bool
  private var poses = 0
  private var previousTime = -Double.infinity

  /// Makes an assembler for the frames behind a header.
  init(header: RecordingHeader, expectedByteCount: Int?) {
    recording = Recording(header: header)
    self.expectedByteCount = expectedByteCount
    upIsKnown = header.upDirection != .perFrameOnly
    isPelvis = header.frame == .pelvis
  }

  /// A vector of length 1, from one whose length is 0.99 to 1.01.
  static func unit(_ vector: Vector3) throws(RecordingProblem) -> Vector3 {
    let norm = vector.norm
    guard UpDirection.acceptedNorms ~= norm else { throw .upNotUnit(norm: norm) }
    return vector / norm
  }

  /// Adds the frame that a decoder has read.
  mutating func append(_ decoder: FrameDecoder, lineLength: Int) throws(RecordingProblem) {
    let time = decoder.time
    guard time > previousTime else {
      throw .timeNotIncreasing(previous: previousTime, found: time)
    }
    guard (time - (recording.times.first ?? time)).isFinite else {
      throw .outOfRange(field: "t", found: time, allowed: "times whose distances are numbers")
    }
    previousTime = time
    let extras = decoder.hasExtras ? try decoder.extras() : FrameExtras()
    let pose = decoder.pose
    if pose != nil { try checkPose(extras, lineLength: lineLength) }
    recording.append(
      time: time, pose: pose, extras: extras, confidences: decoder.jointConfidences)
  }

  /// The finished recording, turned around if it was mirrored.
  mutating func finish() throws(RecordingProblem) -> Recording {
    if isPelvis, poses > 0, posesWithoutMatrix == poses { throw .noMatrices(poses: poses) }
    do {
      try recording.unmirror()
    } catch {
      throw .mirroredPixels
    }
    return recording
  }

  private mutating func checkPose(
    _ extras: FrameExtras, lineLength: Int
  ) throws(RecordingProblem) {
    if poses == 0 { reserve(lineLength: lineLength) }
    poses += 1
    if isPelvis, extras.camera == nil {
      posesWithoutMatrix += 1
    } else if !upIsKnown, extras.up == nil {
      throw .upUnknown
    }
  }

  /// Makes room for all frames at once, judged by the first one that has a pose.
  private mutating func reserve(lineLength: Int) {
    guard let expectedByteCount else { return }
    recording.reserveCapacity(
      min(expectedByteCount / (lineLength + 1) + 2, Self.reservationLimit))
  }
}
