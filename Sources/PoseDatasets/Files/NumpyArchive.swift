import CZlib

/// One array of `numpy.save`, or several of `numpy.savez` (a ZIP file of `.npy` files, stored or
/// deflated); unpacked when asked for; sizes are bounded and checked.
package struct NumpyArchive: Sendable {
  static let sizeLimit = 1 << 30

  private struct Entry {
    let isDeflated: Bool
    let checksum: UInt32
    let packedCount: Int
    let count: Int
    let headerStart: Int
  }

  package let file: String
  /// The names of the arrays, sorted, without `.npy`; the file's own stem for a single array.
  package var names: [String] { entries.keys.sorted() }

  private let bytes: [UInt8]
  private let entries: [String: Entry?]

  package init(_ source: NamedBytes) throws {
    file = source.name
    bytes = source.bytes
    guard bytes.starts(with: [0x50, 0x4B]) else {
      entries = [source.stem: nil]
      return
    }
    do throws(ArrayProblem) {
      entries = try Self.directory(of: ByteFields(bytes: bytes))
    } catch {
      throw PoseSourceError.unusableArray(name: source.name, error)
    }
  }

  package func array(_ name: String) throws -> NumpyArray? {
    guard let entry = entries[name] else { return nil }
    guard let entry else { return try NumpyArray(name: file, bytes: bytes) }
    let place = "\(file), array `\(name.prefix(60))`"
    let unpacked: [UInt8]
    do throws(ArrayProblem) {
      unpacked = try contents(of: entry)
    } catch {
      throw PoseSourceError.unusableArray(name: place, error)
    }
    return try NumpyArray(name: place, bytes: unpacked)
  }

  private func contents(of entry: Entry) throws(ArrayProblem) -> [UInt8] {
    let fields = ByteFields(bytes: bytes)
    guard try fields.number(4, at: entry.headerStart) == 0x0403_4B50 else {
      throw .damagedArchive("an array does not begin where the directory says")
    }
    let nameLength = try fields.number(2, at: entry.headerStart + 26)
    let extraLength = try fields.number(2, at: entry.headerStart + 28)
    let start = entry.headerStart + 30 + nameLength + extraLength
    let packed = try fields.slice(start, count: entry.packedCount)
    let contents = entry.isDeflated ? Inflation.bytes(of: packed, count: entry.count) : packed
    guard let contents, contents.count == entry.count else {
      throw .damagedArchive("an array does not unpack to its size")
    }
    let checksum = contents.withUnsafeBytes { buffer in
      UInt32(crc32_z(0, buffer.bindMemory(to: UInt8.self).baseAddress, contents.count))
    }
    guard checksum == entry.checksum else {
      throw .damagedArchive("the checksum of an array is wrong")
    }
    return Array(contents)
  }

  private static func directory(of fields: ByteFields) throws(ArrayProblem) -> [String: Entry?] {
    let end = try endOfDirectory(in: fields)
    let count = try fields.number(2, at: end + 10)
    var position = try fields.number(4, at: end + 16)
    guard count != 0xFFFF, position != 0xFFFF_FFFF else {
      throw .unsupportedArchive("the archive is in the ZIP64 format for more than 4 GB")
    }
    var entries: [String: Entry?] = [:]
    for _ in 0..<count {
      let (name, entry, next) = try self.entry(at: position, in: fields)
      position = next
      guard let name else { continue }
      guard entries.updateValue(entry, forKey: name) == nil else {
        throw .damagedArchive("two arrays are called `\(name.prefix(60))`")
      }
    }
    return entries
  }

  private static func entry(
    at position: Int, in fields: ByteFields
  ) throws(ArrayProblem) -> (name: String?, entry: Entry, next: Int) {
    guard try fields.number(4, at: position) == 0x0201_4B50 else {
      throw .damagedArchive("its directory ends early")
    }
    let method = try fields.number(2, at: position + 10)
    let entry = Entry(
      isDeflated: method == 8, checksum: UInt32(try fields.number(4, at: position + 16)),
      packedCount: try fields.number(4, at: position + 20),
      count: try fields.number(4, at: position + 24),
      headerStart: try fields.number(4, at: position + 42))
    let nameLength = try fields.number(2, at: position + 28)
    let rest = try fields.number(2, at: position + 30) + fields.number(2, at: position + 32)
    let name = String(
      decoding: try fields.slice(position + 46, count: nameLength), as: UTF8.self)
    let next = position + 46 + nameLength + rest
    guard name.hasSuffix(".npy") else { return (nil, entry, next) }
    guard try fields.number(2, at: position + 8) & 1 == 0, method == 0 || method == 8 else {
      throw .unsupportedArchive("an array is encrypted or compressed by method \(method)")
    }
    guard entry.count <= sizeLimit else {
      throw .tooLarge(bytes: entry.count, limit: sizeLimit)
    }
    return (String(name.dropLast(4)), entry, next)
  }

  /// A comment of at most 65,535 bytes may follow the last record, which says where the directory
  /// is.
  private static func endOfDirectory(in fields: ByteFields) throws(ArrayProblem) -> Int {
    var position = fields.bytes.count - 22
    let last = max(0, position - 0xFFFF)
    while position >= last {
      if try fields.number(4, at: position) == 0x0605_4B50 { return position }
      position -= 1
    }
    throw .truncated
  }
}

private struct ByteFields {
  let bytes: [UInt8]

  func number(_ count: Int, at position: Int) throws(ArrayProblem) -> Int {
    try slice(position, count: count).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func slice(_ position: Int, count: Int) throws(ArrayProblem) -> ArraySlice<UInt8> {
    guard position >= 0, count >= 0, position <= bytes.count - count else { throw .truncated }
    return bytes[position..<position + count]
  }
}

private enum Inflation {
  private static let greatestRatio = 1032

  static func bytes(of packed: ArraySlice<UInt8>, count: Int) -> ArraySlice<UInt8>? {
    guard count / greatestRatio <= packed.count else { return nil }
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = Array(packed)
    // One byte more than announced, so that a stream that goes on does not look complete.
    var output = [UInt8](repeating: 0, count: count + 1)
    let code = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return inflate(&stream, Z_FINISH)
      }
    }
    guard code == Z_STREAM_END, Int(stream.total_out) == count else { return nil }
    return output[..<count]
  }
}
