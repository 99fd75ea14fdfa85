public import PoseModel

/// Reads recordings for an app's tests, in the same way as the bench does.
///
/// A detector then gets the same frames as in `planklab evaluate`: up directions, camera matrices,
/// heights and mirrored images are already accounted for.
///
///     let recording = try PoseRecordingReader.recording(at: path)
///     for frame in recording.poseFrames { print(try detector.update(frame)) }
public enum PoseRecordingReader {
  /// Reads an uncompressed recording that is in memory.
  ///
  /// - Parameters:
  ///   - bytes: the text of the file, UTF-8.
  ///   - name: the recording's name in errors.
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
    } catch { throw .invalidRecording(name: name, line: number, problem: error) }
  }
}

private struct RecordingLines {
  struct Line {
    let bytes: ArraySlice<UInt8>
    let number: Int
    let isTerminated: Bool

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
    // A line feed after the last line shows that the line was written completely.
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

/// Writes recordings as bytes in the native format.
public enum PoseRecordingText {
  /// Returns the header line with its line feed.
  public static func headerLine(_ header: RecordingHeader) throws(PoseRecordingError) -> [UInt8] {
    var line = LineBuffer()
    try HeaderLineEncoder.add(header, to: &line)
    return line.bytes
  }

  /// Returns a whole recording as text: the header line and one line per frame.
  ///
  /// Times are rounded to microseconds. Positions stay the same when read back, unless `decimals`
  /// rounds them.
  ///
  /// - Parameters:
  ///   - recording: the recording; `isMirrored` is written unchanged.
  ///   - decimals: the number of decimals to which positions are rounded, 0 to 9; nil writes the
  ///     shortest decimals that read back to the same `Float`.
  public static func bytes(
    of recording: Recording, decimals: Int? = nil
  ) throws(PoseRecordingError) -> [UInt8] {
    var line = LineBuffer()
    try HeaderLineEncoder.add(recording.header, to: &line)
    var encoder = FrameLineEncoder(header: recording.header, decimals: decimals)
    for index in 0..<recording.frameCount {
      let microseconds = try recording.withFrame(at: index) {
        (frame) throws(PoseRecordingError) in try encoder.add(frame, to: &line)
      }
      encoder.accept(microseconds: microseconds)
    }
    return line.bytes
  }
}

extension Recording {
  /// Calls a function with a frame whose buffers are valid only during the call.
  func withFrame<Result>(
    at index: Int, _ body: (FrameLineEncoder.Frame) throws(PoseRecordingError) -> Result
  ) throws(PoseRecordingError) -> Result {
    let poseRange = (index * layout.stride)..<((index + 1) * layout.stride)
    let jointCount = layout.joints.count
    return try positions.withUnsafeBufferPointer { all throws(PoseRecordingError) in
      try confidences.withUnsafeBufferPointer { allConfidences throws(PoseRecordingError) in
        var own: UnsafeBufferPointer<Float>?
        if !allConfidences.isEmpty {
          let range = (index * jointCount)..<((index + 1) * jointCount)
          let buffer = UnsafeBufferPointer(rebasing: allConfidences[range])
          own = buffer.allSatisfy { $0.isNaN } ? nil : buffer
        }
        return try body(
          FrameLineEncoder.Frame(
            time: Seconds(times[index]),
            pose: hasPose(at: index) ? UnsafeBufferPointer(rebasing: all[poseRange]) : nil,
            extras: extras(at: index), confidences: own))
      }
    }
  }
}

enum HeaderLineEncoder {
  static func add(_ header: RecordingHeader, to line: inout LineBuffer) throws(PoseRecordingError) {
    try check(header)
    line.add("{\"format\":\"planklab-poses\",\"version\":1,\"skeleton\":")
    line.add(quoted: header.skeleton.rawValue)
    line.add(",\"joints\":[")
    for (index, joint) in header.joints.enumerated() {
      if index > 0 { line.add(",") }
      line.add(quoted: joint.name)
    }
    line.add("],\"frame\":")
    line.add(quoted: header.frame.rawValue)
    add(",\"orientation\":", header.orientation?.rawValue, to: &line) { $0.add(quoted: $1) }
    add(",\"camera_position\":", header.cameraPosition?.rawValue, to: &line) { $0.add(quoted: $1) }
    add(",\"buffer\":", header.buffer?.rawValue, to: &line) { $0.add(quoted: $1) }
    add(",\"buffer_rotation_deg\":", header.bufferRotation?.degrees, to: &line) { $0.add($1) }
    if header.isMirrored { line.add(",\"mirrored\":true") }
    add(",\"up\":", header.up, to: &line) { FrameLineEncoder.add($1, to: &$0) }
    add(",\"nominal_rate_hz\":", header.nominalRate?.value, to: &line) { $0.add($1) }
    add(",\"image_width_px\":", header.imageWidth, to: &line) { $0.add($1) }
    add(",\"image_height_px\":", header.imageHeight, to: &line) { $0.add($1) }
    add(",\"subject\":", header.subject, to: &line) { $0.add(quoted: $1) }
    add(",\"body_height_m\":", header.bodyHeight?.value, to: &line) { $0.add($1) }
    add(",\"height_estimation\":", header.heightEstimation?.rawValue, to: &line) {
      $0.add(quoted: $1)
    }
    line.add("}\n")
  }

  private static func add<Value>(
    _ key: StaticString, _ value: Value?, to line: inout LineBuffer,
    _ write: (inout LineBuffer, Value) -> Void
  ) {
    guard let value else { return }
    line.add(key)
    write(&line, value)
  }

  private static func check(_ header: RecordingHeader) throws(PoseRecordingError) {
    try checkJoints(header)
    let frames = header.skeleton.framesOfReference
    guard frames.contains(header.frame) else {
      throw .invalidHeader(
        field: "frame", found: header.frame.rawValue,
        allowed: frames.map { $0.rawValue }.joined(separator: ", "))
    }
    if let up = header.up { try FrameLineEncoder.checkUp(up) }
    try checkPositive(header.bodyHeight?.value, field: "body_height_m")
    try checkPositive(header.nominalRate?.value, field: "nominal_rate_hz")
    if let rate = header.nominalRate, !rate.hasInterval {
      throw .invalidHeader(
        field: "nominal_rate_hz", found: "\(rate.value)",
        allowed: "frames per second that give a finite frame interval")
    }
    try checkPositive(header.imageWidth.map(Double.init), field: "image_width_px")
    try checkPositive(header.imageHeight.map(Double.init), field: "image_height_px")
    if header.isMirrored, header.skeleton == .coco17, header.imageWidth == nil {
      throw .invalidHeader(
        field: "image_width_px", found: "nothing", allowed: "the width of the mirrored image")
    }
  }

  private static func checkJoints(_ header: RecordingHeader) throws(PoseRecordingError) {
    let known = header.skeleton.joints
    var seen: Set<Joint> = []
    for joint in header.joints where !known.contains(joint) || !seen.insert(joint).inserted {
      throw .invalidHeader(
        field: "joints", found: known.contains(joint) ? "\(joint.name) twice" : joint.name,
        allowed: "joints of \(header.skeleton.rawValue), each once")
    }
    guard !seen.isEmpty else {
      throw .invalidHeader(field: "joints", found: "no joint", allowed: "at least one joint")
    }
  }

  private static func checkPositive(_ value: Double?, field: String) throws(PoseRecordingError) {
    guard let value else { return }
    guard value.isFinite, value > 0 else {
      throw .invalidHeader(field: field, found: "\(value)", allowed: "a finite number above 0")
    }
  }
}
