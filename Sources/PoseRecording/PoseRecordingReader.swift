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
      let header = try HeaderDecoder.header(from: members(of: first))
      var assembler = RecordingAssembler(header: header, expectedByteCount: bytes.count)
      let reader = FrameReader(layout: assembler.recording.layout)
      while let line = lines.next() {
        number = line.number
        let frame = try reader.frame(from: members(of: line))
        try frame.withBuffers { (pose, confidences) throws(RecordingProblem) in
          try assembler.append(
            frame.line, pose: pose, confidences: confidences, lineLength: line.bytes.count)
        }
      }
      number = nil
      return try assembler.finish()
    } catch {
      throw .invalidRecording(name: name, line: number, problem: error)
    }
  }

  /// The members of a line; an incomplete last line is reported as truncated.
  private static func members(
    of line: RecordingLines.Line
  ) throws(RecordingProblem) -> [String: JSONValue] {
    do {
      return try JSONLine.members(of: line.bytes)
    } catch .notJSON(let fault) {
      let isCutOff = !line.isTerminated && line.bytes.last != UInt8(ascii: "}")
      throw isCutOff ? .truncated : .notJSON(fault)
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

/// Decodes the members of frame lines by the header's joints.
private struct FrameReader {
  struct Frame {
    var line: FrameLine
    var positions: [Float]?
    var confidences: [Float]?

    /// Calls a body with the numbers in the form that an assembler takes.
    func withBuffers(
      _ body: (UnsafeBufferPointer<Float>?, UnsafeBufferPointer<Float>?) throws(RecordingProblem)
        -> Void
    ) throws(RecordingProblem) {
      try (positions ?? []).withUnsafeBufferPointer { pose throws(RecordingProblem) in
        try (confidences ?? []).withUnsafeBufferPointer { own throws(RecordingProblem) in
          try body(positions == nil ? nil : pose, confidences == nil ? nil : own)
        }
      }
    }
  }

  let layout: JointLayout

  func frame(from members: [String: JSONValue]) throws(RecordingProblem) -> Frame {
    guard let time = members["t"] else { throw .missingField("t") }
    guard let pose = members["p"] else { throw .missingField("p") }
    guard case .number(let seconds) = time else { throw wrongType("t", time) }
    var line = FrameLine(time: seconds)
    if let up = try doubles("up", members, count: 3) { line.up = Vector3(up[0], up[1], up[2]) }
    line.camera = try doubles("camera", members, count: 16)
    switch members["height_m"] ?? .null {
    case .null: break
    case .number(let height): line.bodyHeight = height
    case let other: throw wrongType("height_m", other)
    }
    line.heightEstimation = try text(members["height_estimation"] ?? .null, "height_estimation")
    if let answer = try list("a", members, count: 2) {
      line.hasAnswer = true
      line.plankAnswer = try text(answer[0], "a", element: 0)
      line.formAnswer = try text(answer[1], "a", element: 1)
    }
    return Frame(
      line: line, positions: try positions(pose), confidences: try confidences(members))
  }

  private func positions(_ value: JSONValue) throws(RecordingProblem) -> [Float]? {
    guard let numbers = try list("p", ["p": value], count: layout.stride) else { return nil }
    var positions: [Float] = []
    positions.reserveCapacity(numbers.count)
    for (index, number) in numbers.enumerated() {
      positions.append(try float(number, "p", element: index, slot: index / layout.dimension))
    }
    for slot in layout.joints.indices {
      let start = slot * layout.dimension
      let missing = numbers[start..<start + layout.dimension].count { $0 == .null }
      guard missing == 0 || missing == layout.dimension else {
        throw .partlyNull(joint: layout.joints[slot].name)
      }
    }
    return positions
  }

  private func confidences(_ members: [String: JSONValue]) throws(RecordingProblem) -> [Float]? {
    guard let numbers = try list("c", members, count: layout.joints.count) else { return nil }
    var confidences: [Float] = []
    for (index, number) in numbers.enumerated() {
      confidences.append(try float(number, "c", element: index, slot: index))
    }
    return confidences
  }

  /// A number as a `Float`, NaN for null.
  private func float(
    _ value: JSONValue, _ field: String, element: Int, slot: Int
  ) throws(RecordingProblem) -> Float {
    if value == .null { return .nan }
    guard case .number(let number) = value else { throw wrongType(field, value, element) }
    let result = Float(number)
    guard result.isFinite else {
      throw .notFinite(field: field, joint: layout.joints[slot].name)
    }
    return result
  }

  private func doubles(
    _ field: String, _ members: [String: JSONValue], count: Int
  ) throws(RecordingProblem) -> [Double]? {
    guard let values = try list(field, members, count: count) else { return nil }
    var numbers: [Double] = []
    for (index, value) in values.enumerated() {
      guard case .number(let number) = value else { throw wrongType(field, value, index) }
      numbers.append(number)
    }
    return numbers
  }

  private func list(
    _ field: String, _ members: [String: JSONValue], count: Int
  ) throws(RecordingProblem) -> [JSONValue]? {
    guard let value = members[field], value != .null else { return nil }
    guard case .list(let values) = value else { throw wrongType(field, value) }
    guard values.count == count else {
      throw .wrongCount(
        field: field, found: values.count,
        allowed: RecordingProblem.allowed(field, layout: layout))
    }
    return values
  }

  private func text(
    _ value: JSONValue, _ field: String, element: Int? = nil
  ) throws(RecordingProblem) -> String? {
    switch value {
    case .null: return nil
    case .text(let text): return text
    default: throw wrongType(field, value, element)
    }
  }

  private func wrongType(
    _ field: String, _ value: JSONValue, _ element: Int? = nil
  ) -> RecordingProblem {
    .wrongType(
      field: field, element: element, found: value.kind,
      allowed: RecordingProblem.allowed(field, layout: layout))
  }
}
