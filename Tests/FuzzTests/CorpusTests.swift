import Foundation
import Statistics
import Testing

/// The initial inputs of fuzzing and its findings are read again, without a fuzzer.
@Suite("Corpora of the fuzzed readers") struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Corpora")

  /// Every line of a file named `lines.txt` is an input, and every text in `inputs.json`.
  private static func inputs(_ reader: FuzzedReader) throws -> [(name: String, bytes: [UInt8])] {
    let folder = folder.appendingPathComponent(reader.rawValue)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().flatMap {
      let bytes = Array(try Data(contentsOf: folder.appendingPathComponent($0)))
      switch $0 {
      case "lines.txt":
        return bytes.split(separator: UInt8(ascii: "\n")).map { line in
          (name: String(decoding: line, as: UTF8.self), bytes: Array(line))
        }
      case "inputs.json":
        let texts = try JSONDecoder().decode([String: String].self, from: Data(bytes))
        return texts.sorted { $0.key < $1.key }.map { (name: $0.key, bytes: Array($0.value.utf8)) }
      default: return [(name: $0, bytes: bytes)]
      }
    }
  }

  @Test("Every input is read or refused, never more", arguments: FuzzedReader.allCases)
  func inputs(reader: FuzzedReader) throws {
    for (name, bytes) in try Self.inputs(reader) {
      #expect(throws: Never.self, "\(reader.rawValue)/\(name)") { try reader.read(bytes) }
    }
  }

  @Test("Inputs that were cut off anywhere are read or refused", arguments: FuzzedReader.allCases)
  func cutOff(reader: FuzzedReader) throws {
    for (name, bytes) in try Self.inputs(reader) {
      for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
        #expect(throws: Never.self, "\(reader.rawValue)/\(name), \(count) bytes") {
          try reader.read(Array(bytes.prefix(count)))
        }
      }
    }
  }

  @Test(
    "Inputs with changed, repeated or missing bytes are read or refused",
    arguments: FuzzedReader.allCases, [1, 2] as [UInt64])
  func changed(reader: FuzzedReader, seed: UInt64) throws {
    let draw = RandomStream(seed: seed, purpose: reader.rawValue)
    for (name, bytes) in try Self.inputs(reader) {
      for number in 0..<12 {
        let input = Self.mutated(bytes, draw)
        #expect(throws: Never.self, "\(reader.rawValue)/\(name), \(number) of seed \(seed)") {
          try reader.read(input)
        }
      }
    }
  }

  private static func mutated(_ bytes: [UInt8], _ draw: RandomStream) -> [UInt8] {
    var bytes = bytes
    for _ in 0...draw.index(below: 4) where !bytes.isEmpty {
      let start = draw.index(below: bytes.count)
      let end = min(bytes.count, start + 1 + draw.index(below: 30))
      switch draw.index(below: 4) {
      case 0: bytes[start] ^= 1 << UInt8(draw.index(below: 8))
      case 1: bytes[start] = UInt8(draw.index(below: 256))
      case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
      default: bytes.removeSubrange(start..<end)
      }
    }
    return bytes
  }

  @Test("Every reader has a corpus, and every corpus a reader")
  func folders() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(folders) == Set(FuzzedReader.allCases.map(\.rawValue)))
  }
}
