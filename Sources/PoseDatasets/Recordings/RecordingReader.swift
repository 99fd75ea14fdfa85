package import PoseModel
import PoseRecording

package struct RecordingFile: Sendable {
  package let recording: Recording
  package let notes: [TextNote]
  package let posesWithoutMatrix: Int
}

package enum RecordingReader {
  package static func read(path: String) throws -> RecordingFile {
    try read(try FileBytes.unpackedSource(of: path), name: path)
  }

  package static func read(bytes: [UInt8], name: String) throws -> RecordingFile {
    try read(MemoryBytes(bytes), name: name)
  }

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
    } catch { throw Self.error(error, on: first, of: name) }
    var assembler = RecordingAssembler(header: header, expectedByteCount: lines.expectedByteCount)
    var reader = FrameLineReader(layout: assembler.recording.layout)
    while let line = try lines.next() {
      do throws(RecordingProblem) {
        try reader.read(line.bytes)
        let frame = reader.line
        try reader.withNumbers { (pose, confidences) throws(RecordingProblem) in
          try assembler.append(
            frame, pose: pose, confidences: confidences, lineLength: line.bytes.count)
        }
      } catch { throw Self.error(error, on: line, of: name) }
    }
    do {
      return RecordingFile(
        recording: try assembler.finish(), notes: lines.notes,
        posesWithoutMatrix: assembler.posesWithoutMatrix)
    } catch { throw DatasetError.invalidRecording(file: name, line: nil, problem: error) }
  }

  private static func error(
    _ problem: RecordingProblem, on line: LineReader.Line, of name: String
  ) -> DatasetError {
    var problem = problem
    if case .notJSON = problem {
      // A truncated line rarely ends with a brace, unlike other bad lines.
      let isCutOff = !line.isTerminated && line.bytes.last != UInt8(ascii: "}")
      if isCutOff { problem = .truncated }
    }
    return .invalidRecording(file: name, line: line.number, problem: problem)
  }
}
