package import PoseModel
import PoseRecording

/// A recording as read from a file.
package struct RecordingFile: Sendable {
  /// The recording, unmirrored if it was mirrored.
  package let recording: Recording
  /// Facts about the text that are worth reporting.
  package let notes: [TextNote]
  /// Frames in pelvis axes with a pose but no camera matrix, which therefore count as missing.
  package let posesWithoutMatrix: Int
}

/// Reads recordings in the native format, line by line.
///
/// Memory does not grow with the file, except for the recording itself.
package enum RecordingReader {
  /// Reads a `.poses.jsonl` file, or a `.poses.jsonl.gz` file.
  ///
  /// - Throws: `DatasetError` with file, line and remedy; its `isMissingInput` distinguishes a
  ///   missing file from bad data.
  /// - Complexity: O(bytes).
  package static func read(path: String) throws -> RecordingFile {
    let source: any ByteSource =
      path.hasSuffix(".gz") ? try GzipBytes(path: path) : try FileBytes(path: path)
    return try read(source, name: path)
  }

  /// Reads an uncompressed recording that is in memory.
  ///
  /// - Parameter name: its name in errors.
  package static func read(bytes: [UInt8], name: String) throws -> RecordingFile {
    try read(MemoryBytes(bytes), name: name)
  }

  /// Reads a recording from a text.
  ///
  /// - Parameter name: its name in errors.
  package static func read(text: String, name: String) throws -> RecordingFile {
    try read(bytes: Array(text.utf8), name: name)
  }

  static func read(_ source: any ByteSource, name: String) throws -> RecordingFile {
    let lines = LineReader(source, name: name)
    guard let first = try lines.next() else {
      throw DatasetError.invalidRecording(file: name, line: nil, problem: .empty)
    }
    let header: RecordingHeader
    do throws(RecordingProblem) {
      header = try HeaderDecoder.header(of: Array(first.bytes)[...])
    } catch {
      throw Self.error(error, on: first, of: name)
    }
    return try readFrames(lines, header: header)
  }

  private static func readFrames(
    _ lines: LineReader, header: RecordingHeader
  ) throws -> RecordingFile {
    var assembler = RecordingAssembler(
      header: header, expectedByteCount: lines.expectedByteCount)
    var reader = FrameLineReader(layout: assembler.recording.layout)
    while let line = try lines.next() {
      do throws(RecordingProblem) {
        try reader.read(line.bytes)
        let frame = reader.line
        try reader.withNumbers { (pose, confidences) throws(RecordingProblem) in
          try assembler.append(
            frame, pose: pose, confidences: confidences, lineLength: line.bytes.count)
        }
      } catch {
        throw Self.error(error, on: line, of: lines.name)
      }
    }
    do {
      return RecordingFile(
        recording: try assembler.finish(), notes: lines.notes,
        posesWithoutMatrix: assembler.posesWithoutMatrix)
    } catch {
      throw DatasetError.invalidRecording(file: lines.name, line: nil, problem: error)
    }
  }

  /// A problem with its file and line; an incomplete last line is reported as truncated.
  private static func error(
    _ problem: RecordingProblem, on line: LineReader.Line, of name: String
  ) -> DatasetError {
    var problem = problem
    if case .notJSON = problem {
      // A line that was cut off rarely ends with a brace; other bad lines do.
      let isCutOff = !line.isTerminated && line.bytes.last != UInt8(ascii: "}")
      if isCutOff { problem = .truncated }
    }
    return .invalidRecording(file: name, line: line.number, problem: problem)
  }
}
