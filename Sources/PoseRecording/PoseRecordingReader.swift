public import PoseModel

/// Reads recordings back for an app's tests, in the same way as the bench.
///
/// A detector then gets the same frames as from `planklab evaluate`: up directions, camera
/// matrices, heights and mirrored images are taken care of.
///
///     let recording = try PoseRecordingReader.recording(at: path)
///     for frame in recording.poseFrames { print(try detector.update(frame)) }
public enum PoseRecordingReader {
  /// Reads an uncompressed recording that is in memory.
  ///
  /// - Parameters:
  ///   - bytes: the text of the file, UTF-8.
  ///   - name: its name in errors.
  /// - Throws: `PoseRecordingError.invalidRecording` with the line of the first mistake.
  public static func recording(
    from bytes: [UInt8], name: String
  ) throws(PoseRecordingError) -> Recording {
    var lines = RecordingLines(bytes)
    var number: Int? = 1
    do throws(RecordingProblem) {
      guard let first = lines.next() else {
        number = nil
        throw .empty
      }
      let header = try first.checked { () throws(RecordingProblem) in
        try HeaderDecoder.header(of: first.bytes)
      }
      var assembler = RecordingAssembler(header: header, expectedByteCount: bytes.count)
      var reader = FrameLineReader(layout: assembler.recording.layout)
      while let line = lines.next() {
        number = line.number
        try line.checked { () throws(RecordingProblem) in
          try line.bytes.withUnsafeBufferPointer { bytes throws(RecordingProblem) in
            try reader.read(UnsafeRawBufferPointer(bytes))
          }
        }
        try reader.withNumbers { (pose, confidences) throws(RecordingProblem) in
          try assembler.append(
            reader.line, pose: pose, confidences: confidences, lineLength: line.bytes.count)
        }
      }
      number = nil
      return try assembler.finish()
    } catch {
      throw .invalidRecording(name: name, line: number, problem: error)
    }
  }
}

/// The lines of a recording's text without byte-order mark, carriage returns and trailing blank
/// lines.
private struct RecordingLines {
  struct Line {
    let bytes: ArraySlice<UInt8>
    let number: Int
    let isTerminated: Bool

    /// Reads the line; an incomplete last line is reported as truncated.
    func checked<Result>(
      _ read: () throws(RecordingProblem) -> Result
    ) throws(RecordingProblem) -> Result {
      do throws(RecordingProblem) {
        return try read()
      } catch .notJSON(let fault) {
        let isCutOff = !isTerminated && bytes.last != UInt8(ascii: "}")
        throw isCutOff ? .truncated : .notJSON(fault)
      }
    }
  }

  private var rest: ArraySlice<UInt8>
  private var number = 0

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0D, 0x0A]
    let end = rest.lastIndex { !blanks.contains($0) } ?? rest.startIndex - 1
    // The line feed after the last line shows that it was written completely.
    let feed = rest[(end + 1)...].firstIndex(of: 0x0A) ?? rest.endIndex - 1
    rest = end < rest.startIndex ? [] : rest[...feed]
  }

  mutating func next() -> Line? {
    guard !rest.isEmpty else { return nil }
    let feed = rest.firstIndex(of: 0x0A)
    var bytes = rest[..<(feed ?? rest.endIndex)]
    rest = feed.map { rest[($0 + 1)...] } ?? []
    if bytes.last == 0x0D { bytes = bytes.dropLast() }
    number += 1
    return Line(bytes: bytes, number: number, isTerminated: feed != nil)
  }
}
