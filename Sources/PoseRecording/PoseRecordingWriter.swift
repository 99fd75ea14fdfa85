public import PoseModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes a recording frame by frame, while it is being recorded.
///
/// Every frame is one complete line and one call to the operating system, so an app that is killed
/// loses at most the frame that it was writing. The line's memory is reused: in the steady state,
/// no frame allocates. A writer must not be used from two threads at once; keep it in an actor or
/// on a queue.
///
///     let writer = try PoseRecordingWriter(path: path, header: header)
///     try writer.append(time: Seconds(timestamp), pose: pose)
///     try writer.close()
public final class PoseRecordingWriter {
  /// The number of frames written so far.
  public private(set) var frameCount = 0
  private let file: OutputFile
  private var encoder: FrameLineEncoder
  private var line = LineBuffer()
  private var positions: [Float]
  private var confidences: [Float]
  private let layout: JointLayout

  /// Creates a file and writes its header line.
  ///
  /// - Parameters:
  ///   - path: the file; by convention its name ends in `.poses.jsonl`.
  ///   - header: the metadata of the recording; `isMirrored` is written unchanged.
  ///   - decimals: the number of decimals to which positions are rounded, 0 to 9 (4 is 0.1 mm); nil
  ///     writes the shortest decimals that read back to the same `Float`.
  ///   - overwriting: whether an existing file is replaced.
  /// - Throws: `PoseRecordingError` for a header that readers would refuse, in which case no file
  ///   is created, and for a file that cannot be created or written.
  public init(
    path: String, header: RecordingHeader, decimals: Int? = nil, overwriting: Bool = false
  ) throws(PoseRecordingError) {
    try HeaderLineEncoder.add(header, to: &line)
    encoder = FrameLineEncoder(header: header, decimals: decimals)
    layout = encoder.layout
    positions = Array(repeating: .nan, count: layout.stride)
    confidences = Array(repeating: .nan, count: layout.joints.count)
    file = try OutputFile(path: path, overwriting: overwriting)
    try file.append(line.bytes)
  }

  /// Writes a frame from a buffer of numbers in the order of the header's joints, all NaN for a
  /// missing joint.
  ///
  /// After an error, the file contains nothing of the frame, and the next frame can be written.
  package func append(
    time: Seconds, pose: UnsafeBufferPointer<Float>?, extras: FrameExtras = FrameExtras(),
    confidences: UnsafeBufferPointer<Float>? = nil
  ) throws(PoseRecordingError) {
    try append(
      FrameLineEncoder.Frame(time: time, pose: pose, extras: extras, confidences: confidences))
  }

  /// Writes a frame with a pose; joints that the header lacks are left out.
  ///
  /// - Parameters:
  ///   - time: seconds on the recording's clock, rounded to microseconds and later than the
  ///     previous frame's time.
  ///   - pose: the joints; nil if no pose was found.
  ///   - extras: what the frame has besides its time and pose.
  /// - Throws: `PoseRecordingError`; the file then contains nothing of the frame, and the next
  ///   frame can be written.
  public func append(
    time: Seconds, pose: Pose?, extras: FrameExtras = FrameExtras()
  ) throws(PoseRecordingError) {
    guard let pose else {
      return try append(
        FrameLineEncoder.Frame(time: time, pose: nil, extras: extras, confidences: nil))
    }
    for (slot, joint) in layout.joints.enumerated() {
      for axis in 0..<layout.dimension {
        positions[slot * layout.dimension + axis] = pose.positions[3 * joint.index + axis]
      }
      confidences[slot] = pose.confidences[joint.index]
    }
    let isConfident = confidences.contains { !$0.isNaN }
    try positions.withUnsafeBufferPointer { positions throws(PoseRecordingError) in
      try confidences.withUnsafeBufferPointer { confidences throws(PoseRecordingError) in
        try append(
          FrameLineEncoder.Frame(
            time: time, pose: positions, extras: extras,
            confidences: isConfident ? confidences : nil))
      }
    }
  }

  /// Closes the file; no frames can be added afterward, and further calls do nothing.
  public func close() throws(PoseRecordingError) { try file.close() }

  /// Writes a whole recording to a file.
  ///
  /// Parameters and errors are those of `init(path:header:decimals:overwriting:)`.
  public static func write(
    _ recording: Recording, to path: String, decimals: Int? = nil, overwriting: Bool = false
  ) throws(PoseRecordingError) {
    let writer = try PoseRecordingWriter(
      path: path, header: recording.header, decimals: decimals, overwriting: overwriting)
    for index in 0..<recording.frameCount {
      try recording.withFrame(at: index) { (frame) throws(PoseRecordingError) in
        try writer.append(frame)
      }
    }
    try writer.close()
  }

  private func append(_ frame: FrameLineEncoder.Frame) throws(PoseRecordingError) {
    line.clear()
    let microseconds = try encoder.add(frame, to: &line)
    try file.append(line.bytes)
    encoder.accept(microseconds: microseconds)
    frameCount += 1
  }
}

/// A file that grows by whole pieces; a piece that cannot be written completely is removed.
final class OutputFile {
  let path: String
  private var descriptor: Int32
  private var size = 0

  init(path: String, overwriting: Bool) throws(PoseRecordingError) {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (overwriting ? O_TRUNC : O_EXCL)
    self.path = path
    let (opened, code) = Self.retrying { Int(open(path, flags, 0o644)) }
    descriptor = Int32(opened)
    guard descriptor >= 0 else {
      if code == EEXIST, !overwriting { throw .fileExists(path: path) }
      throw .cannotCreate(path: path, reason: Self.message(of: code))
    }
  }

  deinit {
    if descriptor >= 0 { systemClose(descriptor) }
  }

  func append(_ bytes: [UInt8]) throws(PoseRecordingError) {
    guard descriptor >= 0 else { throw .closed(path: path) }
    let failure = bytes.withUnsafeBytes { buffer -> Int32? in
      var rest = buffer[...]
      while !rest.isEmpty {
        let chunk = UnsafeRawBufferPointer(rebasing: rest)
        let (written, code) = Self.retrying { write(descriptor, chunk.baseAddress, chunk.count) }
        if written <= 0 { return code }
        rest = rest.dropFirst(written)
      }
      return nil
    }
    if let failure {
      // Half a line would make the file unreadable.
      if ftruncate(descriptor, off_t(size)) == 0 { lseek(descriptor, off_t(size), SEEK_SET) }
      throw .writeFailed(path: path, reason: Self.message(of: failure))
    }
    size += bytes.count
  }

  func close() throws(PoseRecordingError) {
    guard descriptor >= 0 else { return }
    let result = systemClose(descriptor)
    let code = errno
    descriptor = -1
    guard result == 0 || code == EINTR else {
      throw .writeFailed(path: path, reason: Self.message(of: code))
    }
  }

  private static func retrying(_ call: () -> Int) -> (value: Int, code: Int32) {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return (result, errno) }
    }
  }

  static func message(of code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

/// Closes a descriptor; the class's own `close` hides the system's function.
@discardableResult
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

// In this module, only this extension reads files, so that the rest can be compiled for devices
// without an operating system.
extension PoseRecordingReader {
  /// Reads a `.poses.jsonl` file.
  ///
  /// Compressed files (`.gz`) are refused: unpack them first.
  ///
  /// - Throws: `PoseRecordingError.cannotRead`, `.compressed`, or `.invalidRecording` with the line
  ///   of the first mistake.
  /// - Complexity: O(bytes), all of which are in memory at once.
  public static func recording(at path: String) throws(PoseRecordingError) -> Recording {
    let bytes = try bytes(ofFileAt: path)
    guard !bytes.starts(with: [0x1F, 0x8B]) else { throw .compressed(path: path) }
    return try recording(from: bytes, name: path)
  }

  private static func bytes(ofFileAt path: String) throws(PoseRecordingError) -> [UInt8] {
    // Non-blocking: opening a pipe that nobody writes to would otherwise block the caller forever.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .cannotRead(path: path, reason: OutputFile.message(of: errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .cannotRead(path: path, reason: "it is not a regular file")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let new = bytes.withUnsafeMutableBytes {
        read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if new < 0, errno == EINTR { continue }
      guard new >= 0 else { throw .cannotRead(path: path, reason: OutputFile.message(of: errno)) }
      if new == 0 { break }
      count += new
    }
    return Array(bytes[..<count])
  }
}
