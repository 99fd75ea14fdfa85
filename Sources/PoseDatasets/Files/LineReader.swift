import Platform
import PoseRecording
internal import Synchronization

/// Reads text line by line; memory grows only with the longest line.
final class LineReader {
  static let lineLimit = 4 << 20

  struct Line {
    /// The bytes without their line end, valid until the reader ends or reads the next line.
    let bytes: UnsafeRawBufferPointer
    let number: Int
    let isTerminated: Bool
  }

  let name: String
  private let source: any ByteSource
  private var buffer: PageBuffer
  private var start = 0
  private var scanned = 0
  private var end = 0
  private var atEnd = false
  private var number = 0
  private var hasMark = false
  private var carriageReturns = (firstLine: 0, count: 0)
  private var blanks = (firstLine: 0, count: 0)

  init(_ source: any ByteSource, name: String) {
    self.source = source
    self.name = name
    buffer = PageBuffer(byteCount: PageBuffer.usualByteCount)
  }

  var expectedByteCount: Int? { source.expectedByteCount }

  var notes: [TextNote] {
    var notes: [TextNote] = []
    if hasMark { notes.append(.byteOrderMark) }
    if carriageReturns.count > 0 {
      notes.append(
        .carriageReturns(firstLine: carriageReturns.firstLine, count: carriageReturns.count))
    }
    if blanks.count > 0 {
      notes.append(.blankLastLines(firstLine: blanks.firstLine, count: blanks.count))
    }
    return notes
  }

  func next() throws -> Line? {
    while let line = try nextRaw() {
      let stripped = strip(line)
      if stripped.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
        note(&blanks, line: line.number)
        continue
      }
      if blanks.count > 0 { throw error(.blankLine, line: blanks.firstLine) }
      return stripped
    }
    return nil
  }

  func error(_ problem: TextProblem, line: Int) -> DatasetError {
    .invalidText(file: name, line: line, problem: problem)
  }

  private func nextRaw() throws -> Line? {
    while true {
      if scanned < end, let found = memchr(buffer.base + scanned, 0x0A, end - scanned) {
        let feed = UnsafeRawPointer(found) - UnsafeRawPointer(buffer.base)
        return try take(length: feed - start, isTerminated: true)
      }
      scanned = end
      if end - start > Self.lineLimit + 1 { throw error(.lineTooLong, line: number + 1) }
      if atEnd { return start < end ? try take(length: end - start, isTerminated: false) : nil }
      try fill()
    }
  }

  private func take(length: Int, isTerminated: Bool) throws -> Line {
    number += 1
    guard length <= Self.lineLimit else { throw error(.lineTooLong, line: number) }
    let bytes = UnsafeRawBufferPointer(start: buffer.base + start, count: length)
    start += length + (isTerminated ? 1 : 0)
    scanned = start
    return Line(bytes: bytes, number: number, isTerminated: isTerminated)
  }

  private func fill() throws {
    if start > 0 {
      memmove(buffer.base, buffer.base + start, end - start)
      end -= start
      scanned -= start
      start = 0
    }
    if end >= buffer.count {
      let larger = PageBuffer(byteCount: 2 * buffer.count)
      larger.base.copyMemory(from: buffer.base, byteCount: end)
      buffer = larger
    }
    let room = UnsafeMutableRawBufferPointer(start: buffer.base + end, count: buffer.count - end)
    do {
      let count = try source.read(into: room)
      end += count
      atEnd = count == 0
    } catch { throw self.error(error.problem, line: number + 1) }
  }

  private func strip(_ line: Line) -> Line {
    var bytes = line.bytes[...]
    if line.number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      hasMark = true
      bytes = bytes.dropFirst(3)
    }
    if bytes.last == 0x0D {
      note(&carriageReturns, line: line.number)
      bytes = bytes.dropLast()
    }
    return Line(
      bytes: UnsafeRawBufferPointer(rebasing: bytes), number: line.number,
      isTerminated: line.isTerminated)
  }

  private func note(_ mark: inout (firstLine: Int, count: Int), line: Int) {
    if mark.count == 0 { mark.firstLine = line }
    mark.count += 1
  }
}

/// Memory in whole pages, which returns to the operating system when it is freed.
///
/// A few buffers of the usual size are kept for later readers, because new pages cost as much as
/// reading a file into them. Buffers of a megabyte from the heap left holes of that size between
/// the recordings that stay in memory: 2,500 short recordings took 2.6 GB. The heap is used only
/// where the system provides no pages.
private final class PageBuffer {
  /// The usual size in bytes, which fits into the cache of a processor core.
  static let usualByteCount = 1 << 16

  let base: UnsafeMutableRawPointer
  let count: Int
  private let isMapped: Bool

  private static let spare = Mutex<[UInt]>([])
  /// The number of buffers that are kept, together 1 MiB.
  private static let mostSpare = 16

  init(byteCount: Int) {
    count = byteCount
    if byteCount == Self.usualByteCount, let address = Self.spare.withLock({ $0.popLast() }),
      let pages = UnsafeMutableRawPointer(bitPattern: address)
    {
      (base, isMapped) = (pages, true)
      return
    }
    let pages = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymous, -1, 0)
    if let pages, pages != MAP_FAILED {
      (base, isMapped) = (pages, true)
    } else {
      base = .allocate(byteCount: byteCount, alignment: 16)
      base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
      isMapped = false
    }
  }

  deinit {
    guard isMapped else {
      base.deallocate()
      return
    }
    let address = UInt(bitPattern: base)
    let isKept =
      count == Self.usualByteCount
      && Self.spare.withLock { spare in
        guard spare.count < Self.mostSpare else { return false }
        spare.append(address)
        return true
      }
    if !isKept { munmap(base, count) }
  }

  #if canImport(Darwin)
    private let anonymous = MAP_ANON
  #else
    private let anonymous = MAP_ANONYMOUS
  #endif
}

package enum TextProblem: Hashable, Sendable {
  case blankLine
  case lineTooLong
  case notUTF8
  case notAnArchive
  case truncatedArchive
  case damagedArchive(reason: String)
  case readingFailed(reason: String)

  var message: String {
    switch self {
    case .blankLine: "found a blank line; allowed: blank lines only at the end"
    case .lineTooLong: "found a line of more than 4 MiB; allowed: at most 4 MiB per line"
    case .notUTF8: "found bytes that are not UTF-8; allowed: UTF-8"
    case .notAnArchive: "the name ends in .gz but the contents are not gzip data"
    case .truncatedArchive: "the gzip file ends early"
    case .damagedArchive(let reason): "the gzip file is damaged (\(reason))"
    case .readingFailed(let reason): "reading failed (\(reason))"
    }
  }

  var remedy: String {
    switch self {
    case .blankLine: "remove the line"
    case .lineTooLong: "write one frame per line"
    case .notUTF8: "save the file as UTF-8"
    case .notAnArchive: "compress the file with gzip, or remove .gz from its name"
    case .truncatedArchive, .damagedArchive: "copy or compress the file again"
    case .readingFailed: "check the disk and the file's permissions"
    }
  }
}

package enum TextNote: Hashable, Sendable {
  case byteOrderMark
  case carriageReturns(firstLine: Int, count: Int)
  case blankLastLines(firstLine: Int, count: Int)
}

extension Double {
  /// Parses a decimal number as Swift does, but refuses hexadecimal numbers, `nan` and `infinity`.
  init?(decimal text: some StringProtocol) {
    if let exact = text.utf8.withContiguousStorageIfAvailable({ Double(shortDecimal: $0) }) {
      if let exact {
        self = exact
        return
      }
    }
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else {
      // Spreadsheets, word processors and web pages put no-break spaces around numbers, and replace
      // the hyphen with a minus sign.
      let own = text.drop { $0 == "\u{A0}" }.reversed().drop { $0 == "\u{A0}" }.reversed()
      let isNegative = own.first == "\u{2212}"
      guard isNegative || own.count < text.count else { return nil }
      self.init(decimal: isNegative ? "-" + String(own.dropFirst()) : String(own))
      return
    }
    self.init(text)
  }
}
