import PoseModel
import PoseRecording

/// Reads the markers of a C3D file, as motion-capture software and pose2sim write it; analog
/// channels after the markers are ignored.
struct MarkerFrames: Sendable {
  let file: String
  private(set) var count = 0
  private(set) var unit: String?

  private let numbers: C3DNumbers
  private var names: [String] = []
  private var firstFrame = 1
  private var rate = 0.0
  private var scale = -1.0
  private var start = 0
  private var frameSize = 0

  private static let blockSize = 512
  private static let mostMarkers = 2000

  static func isC3D(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2 * blockSize, bytes[1] == 0x50, (2...100).contains(bytes[0]) else {
      return false
    }
    let start = (Int(bytes[0]) - 1) * blockSize
    return start + 4 < bytes.count && (84...86).contains(bytes[start + 3])
  }

  init(_ source: NamedBytes) throws {
    file = source.name
    let parameters = (Int(source.bytes[0]) - 1) * Self.blockSize
    numbers = C3DNumbers(bytes: source.bytes, processor: source.bytes[parameters + 3])
    let points = Int(numbers.word(2) ?? 0)
    let analog = Int(numbers.word(4) ?? 0)
    let (first, last) = (Int(numbers.word(6) ?? 0), Int(numbers.word(8) ?? 0))
    scale = numbers.float(12) ?? -1
    rate = numbers.float(20) ?? 0
    firstFrame = first
    let table = C3DParameters(numbers, at: parameters)
    start = (Int(numbers.word(16) ?? 1) - 1) * Self.blockSize
    guard (1...Self.mostMarkers).contains(points), start > 0 else {
      throw Self.error(source.name, "\(points) markers", "1 to \(Self.mostMarkers)")
    }
    unit = table.texts("UNITS").first?.lowercased()
    names = Self.unique(table.texts("LABELS") + table.texts("LABELS2"), count: points)
    frameSize = (4 * points + analog) * (scale < 0 ? 4 : 2)
    let stored = max(0, source.bytes.count - start) / frameSize
    var declared = last - first + 1
    // Two bytes count at most 65,535 frames.
    if last == 0xFFFF || declared < 1 { declared = max(declared, table.count("FRAMES") ?? stored) }
    guard declared <= stored else {
      throw Self.error(
        source.name, "\(CountText.of(stored, "frame")) of the \(CountText.of(declared)) announced",
        "a complete file; copy it again")
    }
    count = declared
  }

  private static func error(_ file: String, _ found: String, _ allowed: String) -> PoseSourceError {
    .unexpectedValue(file: file, path: "the C3D file", found: found, allowed: allowed)
  }

  private static func unique(_ labels: [String], count: Int) -> [String] {
    var seen: Set<String> = ["frame", "time"]
    return (0..<count).map { index in
      let label = index < labels.count ? labels[index] : ""
      let name = label.isEmpty || seen.contains(label) ? "marker_\(index + 1)" : label
      seen.insert(name)
      return name
    }
  }

  func node(_ index: Int) -> JSONNode {
    var fields = [("frame", JSONNode(.number(Double(firstFrame + index)), line: 1))]
    if rate > 0, rate.isFinite {
      fields.append(("time", JSONNode(.number(Double(index) / rate), line: 1)))
    }
    for (marker, name) in names.enumerated() {
      let point = point(marker, in: index).map { JSONNode.Content.list($0) }
      fields.append((name, JSONNode(point ?? .null, line: 1)))
    }
    return JSONNode(fields: fields, line: 1)
  }

  private func point(_ marker: Int, in frame: Int) -> [JSONNode]? {
    let isFloat = scale < 0
    let place = start + frame * frameSize + marker * 4 * (isFloat ? 4 : 2)
    let four = (0..<4).compactMap { axis in
      isFloat
        ? numbers.float(place + 4 * axis)
        : numbers.word(place + 2 * axis).map { Double(Int16(bitPattern: $0)) }
    }
    guard four.count == 4, !(four[3] < 0), four.allSatisfy(\.isFinite) else { return nil }
    return four.prefix(3).map { JSONNode(.number(isFloat ? $0 : $0 * scale), line: 1) }
  }
}

/// Reads numbers in the formats of Intel (84), DEC (85) and MIPS (86) processors.
private struct C3DNumbers: Sendable {
  let bytes: [UInt8]
  let processor: UInt8

  func word(_ place: Int) -> UInt16? {
    guard place >= 0, place + 1 < bytes.count else { return nil }
    let (low, high) = processor == 86 ? (place + 1, place) : (place, place + 1)
    return UInt16(bytes[high]) << 8 | UInt16(bytes[low])
  }

  func float(_ place: Int) -> Double? {
    guard let first = word(place), let second = word(place + 2) else { return nil }
    switch processor {
    case 84: return Double(Float(bitPattern: UInt32(second) << 16 | UInt32(first)))
    // For the same bits, DEC's floating-point numbers are a quarter of IEEE 754's.
    case 85: return Double(Float(bitPattern: UInt32(first) << 16 | UInt32(second))) / 4
    default: return Double(Float(bitPattern: UInt32(first) << 16 | UInt32(second)))
    }
  }
}

private struct C3DParameters {
  private struct Entry {
    let type: Int
    let dimensions: [Int]
    let start: Int
  }

  private let numbers: C3DNumbers
  private var entries: [String: Entry] = [:]

  init(_ numbers: C3DNumbers, at start: Int) {
    self.numbers = numbers
    let bytes = numbers.bytes
    var group: Int8?
    var found: [(group: Int8, name: String, entry: Entry)] = []
    var place = start + 4
    while place + 4 < bytes.count, found.count < 10_000 {
      let length = Int(Int8(bitPattern: bytes[place]).magnitude)
      let id = Int8(bitPattern: bytes[place + 1])
      let end = place + 2 + length
      guard length > 0, id != 0, end + 2 < bytes.count, let offset = numbers.word(end) else {
        break
      }
      let name = String(decoding: bytes[place + 2..<end], as: UTF8.self).uppercased()
      if id < 0, name == "POINT" { group = Int8(clamping: -Int(id)) }
      if id > 0, end + 3 < bytes.count {
        let count = Int(bytes[end + 3])
        let data = end + 4 + count
        if count < 8, data <= bytes.count {
          let dimensions = bytes[end + 4..<data].map { Int($0) }
          let type = Int(Int8(bitPattern: bytes[end + 2]))
          found.append((id, name, Entry(type: type, dimensions: dimensions, start: data)))
        }
      }
      guard offset > 0 else { break }
      place = end + Int(offset)
    }
    for one in found where one.group == group { entries[one.name] = one.entry }
  }

  func texts(_ name: String) -> [String] {
    guard let entry = entries[name], entry.type == -1, let length = entry.dimensions.first else {
      return []
    }
    let count = entry.dimensions.dropFirst().reduce(1, *)
    guard count < 10_000, entry.start + length * count <= numbers.bytes.count else { return [] }
    return (0..<count).map { index in
      let start = entry.start + index * length
      let text = numbers.bytes[start..<start + length].prefix { $0 != 0 }
      let end = text.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? text.startIndex
      return String(decoding: text[..<end], as: UTF8.self)
    }
  }

  func count(_ name: String) -> Int? {
    guard let entry = entries[name] else { return nil }
    switch entry.type {
    case 2: return numbers.word(entry.start).map { Int($0) }
    case 4: return numbers.float(entry.start).flatMap { Int(exactly: $0) }
    default: return nil
    }
  }
}
