import CZlib
package import Platform
internal import Synchronization

protocol ByteSource: AnyObject {
  var expectedByteCount: Int? { get }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int
}

enum ByteSourceError: Error {
  case system(code: Int32)
  case archive(TextProblem)

  var problem: TextProblem {
    switch self {
    case .system(let code): .readingFailed(reason: FileDescriptor.message(of: code))
    case .archive(let problem): problem
    }
  }
}

final class MemoryBytes: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var expectedByteCount: Int? { bytes.count }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
    let count = min(buffer.count, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<(position + count)])
    position += count
    return count
  }
}

package final class FileBytes: ByteSource {
  private let descriptor: Int32
  let expectedByteCount: Int?

  init(path: String) throws {
    let (descriptor, size) = try FileDescriptor.open(path)
    self.descriptor = descriptor
    expectedByteCount = size
  }

  deinit { FileDescriptor.close(descriptor) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
    let count = FileDescriptor.read(descriptor, into: buffer)
    guard count >= 0 else { throw .system(code: FileDescriptor.lastCode) }
    return count
  }

  package static func contents(of path: String) throws -> [UInt8] {
    try contents(try FileBytes(path: path), path)
  }

  package static func unpackedContents(of path: String) throws -> [UInt8] {
    guard path.hasSuffix(".gz") else {
      return try PackedBytes.unpacked(try contents(of: path), file: path)
    }
    return try contents(try GzipBytes(path: path), path)
  }

  static func unpackedSource(of path: String) throws -> any ByteSource {
    if path.hasSuffix(".gz") { return try GzipBytes(path: path) }
    let file = try FileBytes(path: path)
    var start = [UInt8](repeating: 0, count: 3)
    let count = start.withUnsafeMutableBytes { FileDescriptor.peek(file.descriptor, into: $0) }
    return count == 3 && PackedBytes.isGzip(start) ? try GzipBytes(path: path) : file
  }

  private static func contents(_ source: any ByteSource, _ path: String) throws -> [UInt8] {
    var result: [UInt8] = []
    try source.forEachChunk(file: path) { result.append(contentsOf: $0) }
    return result
  }
}

extension ByteSource {
  func forEachChunk(file: String, _ body: (UnsafeRawBufferPointer) -> Void) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      do throws(ByteSourceError) {
        let count = try read(into: buffer)
        if count == 0 { return }
        body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      } catch { throw DatasetError.invalidText(file: file, line: nil, problem: error.problem) }
    }
  }
}

final class GzipBytes: ByteSource {
  private let file: gzFile

  init(path: String) throws {
    let (descriptor, _) = try FileDescriptor.open(path)
    guard let file = gzdopen(descriptor, "rb") else {
      FileDescriptor.close(descriptor)
      throw DatasetError.unreadableFile(path: path, code: ENOMEM)
    }
    self.file = file
    gzbuffer(file, 1 << 18)
  }

  deinit { gzclose_r(file) }

  var expectedByteCount: Int? { nil }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
    let wanted = min(buffer.count, 1 << 30)
    let count = Int(gzread(file, buffer.baseAddress, UInt32(wanted)))
    if count < wanted { try checkEnd() }
    // zlib passes the bytes of other files through unchanged.
    if count > 0, gzdirect(file) == 1 { throw .archive(.notAnArchive) }
    return count
  }

  private func checkEnd() throws(ByteSourceError) {
    var code: Int32 = 0
    let text = gzerror(file, &code)
    switch code {
    case Z_OK, Z_STREAM_END: return
    case Z_BUF_ERROR: throw .archive(.truncatedArchive)
    case Z_ERRNO: throw .system(code: FileDescriptor.lastCode)
    default:
      let reason = text.map { String(cString: $0) } ?? "error \(code)"
      throw .archive(.damagedArchive(reason: reason))
    }
  }
}

package enum FileDescriptor {
  static func open(_ path: String) throws -> (descriptor: Int32, size: Int) {
    let descriptor = retrying { openForReading(path) }
    guard descriptor >= 0 else {
      let code = errno
      throw code == ENOENT || code == ENOTDIR
        ? DatasetError.missingFile(path: path) : .unreadableFile(path: path, code: code)
    }
    do {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else {
        throw DatasetError.unreadableFile(path: path, code: errno)
      }
      let kind = status.st_mode & S_IFMT
      guard kind != S_IFDIR else { throw DatasetError.directoryForFile(path: path) }
      guard kind == S_IFREG else { throw DatasetError.notAFile(path: path) }
      FilesRead.current?.note(status)
      return (descriptor, Int(status.st_size))
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Returns the status of a file or folder, following links; nil if nothing exists at the path.
  ///
  /// If it throws `unreadableFile`, something may exist there.
  package static func status(of path: String) throws -> stat? {
    var status = stat()
    guard stat(path, &status) != 0 else { return status }
    let code = lastCode
    guard [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(code) else {
      throw DatasetError.unreadableFile(path: path, code: code)
    }
    return nil
  }

  package static func exists(_ path: String) throws -> Bool { try status(of: path) != nil }

  package static func isFolder(_ path: String) throws -> Bool {
    try status(of: path).map { $0.st_mode & S_IFMT } == S_IFDIR
  }

  package static func isFile(_ path: String) throws -> Bool {
    try status(of: path).map { $0.st_mode & S_IFMT } == S_IFREG
  }

  static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    retrying { systemRead(descriptor, buffer) }
  }

  /// Reads the first bytes of a file without moving the place from which `read` continues.
  static func peek(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    retrying { pread(descriptor, buffer.baseAddress, buffer.count, 0) }
  }

  static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

  static var lastCode: Int32 { errno }

  static func message(of code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }

  package static func remedy(forLimit code: Int32) -> String? {
    switch code {
    case EMFILE, ENFILE: "allow more open files (`ulimit -n`), and run the command again"
    case ENOMEM: "free some memory, and run the command again"
    default: nil
    }
  }

  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

private func openForReading(_ path: String) -> Int32 {
  open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

package enum PackedBytes {
  package enum Content: Sendable {
    /// Columns of measured numbers or of their steps: noise in which only runs of one byte repeat.
    ///
    /// A search for other repetitions takes up to twice as long and changes the size only by -3 %
    /// to +1 %.
    case numbers
    /// Code, and columns of which one is the other's magnitude.
    case repetitive

    fileprivate var strategy: Int32 { self == .numbers ? Z_RLE : Z_DEFAULT_STRATEGY }
  }

  /// zlib's compression level: code takes 3 % more bytes than at level 9, in a tenth of the time.
  private static let level: Int32 = 4

  /// Compresses bytes to a zlib stream (RFC 1950), which browsers decompress as `deflate`; nil if
  /// memory runs out, and for 4 GiB or more.
  package static func deflated(_ bytes: [UInt8], _ content: Content) -> [UInt8]? {
    var stream = z_stream()
    let (windowBits, memoryLevel): (Int32, Int32) = (15, 8)
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, windowBits, memoryLevel, content.strategy, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    let bound = UInt32(exactly: deflateBound(&stream, UInt(bytes.count)))
    guard let size = UInt32(exactly: bytes.count), let bound else { return nil }
    var isDone = false
    let packed = bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: Int(bound)) { output, count in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = size
        stream.next_out = output.baseAddress
        stream.avail_out = bound
        isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = Int(bound - stream.avail_out)
      }
    }
    return isDone ? packed : nil
  }

  static let unpackedLimit = 1 << 31

  package static func isGzip(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0x1F, 0x8B, 0x08])
  }

  /// Unpacks gzip (RFC 1952) whatever the file's name, because servers and storage buckets compress
  /// files without renaming them.
  package static func unpacked(_ bytes: [UInt8], file: String) throws -> [UInt8] {
    guard isGzip(bytes) else { return bytes }
    do throws(ByteSourceError) { return try inflated(bytes[...]) } catch {
      throw DatasetError.invalidText(file: file, line: nil, problem: error.problem)
    }
  }

  /// Inflates gzip, or a raw stream if `windowBits` is negative, as zlib's `inflateInit2` takes it.
  ///
  /// More than `limit` bytes are refused, unless the stream ends in the chunk that exceeds it.
  static func inflated(
    _ packed: ArraySlice<UInt8>, windowBits: Int32 = MAX_WBITS + 16, limit: Int = unpackedLimit
  ) throws(ByteSourceError) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard let count = UInt32(exactly: packed.count) else {
      throw .archive(.damagedArchive(reason: "more than 4 GB"))
    }
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else {
      throw .archive(.damagedArchive(reason: "zlib does not start"))
    }
    defer { inflateEnd(&stream) }
    var contents: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    var code = Z_OK
    packed.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = count
      while code == Z_OK, contents.count <= limit {
        let made = chunk.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          code = inflate(&stream, Z_NO_FLUSH)
          return output.count - Int(stream.avail_out)
        }
        contents.append(contentsOf: chunk[..<made])
        // Padding of zeros may follow the last member.
        let rest = input[(packed.count - Int(stream.avail_in))...]
        if code == Z_STREAM_END, windowBits > 0, isGzip(rest) { code = inflateReset(&stream) }
      }
    }
    switch code {
    case Z_STREAM_END: return contents
    case Z_OK:
      throw .archive(.damagedArchive(reason: "it unpacks to more than \(limit) bytes"))
    case Z_BUF_ERROR: throw .archive(.truncatedArchive)
    default: throw .archive(.damagedArchive(reason: "error \(code)"))
    }
  }
}

/// Records which files were read, by device and inode, so that a command does not overwrite them.
///
/// Pipes and devices are not recorded, because writing to them replaces nothing.
package final class FilesRead: Sendable {
  @TaskLocal package static var current: FilesRead?

  private struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  private let identities = Mutex<Set<Identity>>([])

  package init() {}

  package func note(path: String) throws {
    if let status = try FileDescriptor.status(of: path) { note(status) }
  }

  package func contains(_ status: stat) -> Bool {
    guard let identity = Self.identity(status) else { return false }
    return identities.withLock { $0.contains(identity) }
  }

  func note(_ status: stat) {
    guard let identity = Self.identity(status) else { return }
    identities.withLock { _ = $0.insert(identity) }
  }

  private static func identity(_ status: stat) -> Identity? {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
  }
}
