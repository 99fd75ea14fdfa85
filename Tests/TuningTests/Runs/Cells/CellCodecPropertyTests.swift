import PoseModel
import TestSupport
import Testing

@testable import Tuning

@Suite("Cell encoding")
struct CellCodecPropertyTests {
  private static let sweeps: [StreamSweep]? = try? [false, true].flatMap {
    try SweepCase(seed: 3, sequences: 4, frames: 100, keepsDetermined: $0).sweeps
  }

  /// Numbers that no sweep gives, extremes among them.
  private static func numbers(_ count: Int, seed: Int) -> [UInt32] {
    var random = SplitMix64(spread: seed)
    let extremes: [UInt32] = [0, 1, 127, 128, .max, .max - 1, 1 << 31, (1 << 31) - 1]
    return (0..<count).map { _ in
      switch random.index(below: 4) {
      case 0: 0
      case 1: random.pick(extremes)
      case 2: UInt32(random.index(below: 300))
      default: UInt32(truncatingIfNeeded: random.next())
      }
    }
  }

  @Test("Any numbers of any layout read back", arguments: Draws.seeds(40))
  func randomNumbers(seed: Int) throws {
    for sweep in try #require(Self.sweeps) {
      let codec = CellCodec(sweep.layout)
      let numbers = Self.numbers(sweep.layout.stride, seed: seed)
      #expect(codec.decode(codec.encode(numbers[...])) == numbers)
    }
  }

  @Test("One number everywhere reads back", arguments: [0, 1, UInt32.max, StatisticsLayout.never])
  func uniformNumbers(number: UInt32) throws {
    for sweep in try #require(Self.sweeps) {
      let codec = CellCodec(sweep.layout)
      let numbers = Array(repeating: number, count: sweep.layout.stride)
      #expect(codec.decode(codec.encode(numbers[...])) == numbers)
    }
  }

  @Test("Real cells read back, and noisy as they are take less than half of their numbers' bytes")
  func realCells() async throws {
    for sweep in try #require(Self.sweeps) {
      let codec = CellCodec(sweep.layout)
      let table = try await sweep.evaluate(0..<sweep.grid.cellCount)
      var bytes = 0
      for position in table.ids.indices {
        let encoded = codec.encode(table.numbers(at: position))
        bytes += encoded.count
        #expect(codec.decode(encoded) == Array(table.numbers(at: position)))
      }
      #expect(bytes < table.storage.count * 2)
    }
  }

  @Test("A perfect cell is three runs: the format, zeros, latencies of one")
  func perfectCell() throws {
    let sweep = try #require(Self.sweeps?.first)
    let layout = sweep.layout
    var numbers = Array(repeating: UInt32(0), count: layout.stride)
    for (index, facts) in layout.facts.sequences.enumerated() {
      for (row, truth) in facts.rows.enumerated() {
        numbers[layout.row(row, of: index).all + Int(truth.truth)] = UInt32(truth.frames)
      }
      numbers[layout.transitions(of: index)] = UInt32(facts.trueTransitions)
    }
    let onsets = layout.facts.sequences.reduce(0) { $0 + $1.onsets.count }
    let bytes = CellCodec(layout).encode(numbers[...])
    #expect(bytes.first == CellCodec.format)
    #expect(bytes.suffix(onsets) == Array(repeating: 1, count: onsets)[...])
    #expect(bytes.count <= 1 + 3 + onsets)
  }

  @Test("Bytes of another format, cut or longer bytes are refused")
  func damaged() throws {
    let sweep = try #require(Self.sweeps?.first)
    let codec = CellCodec(sweep.layout)
    var bytes = codec.encode(Self.numbers(sweep.layout.stride, seed: 5)[...])
    #expect(codec.decode(bytes.dropLast()) == nil)
    #expect(codec.decode(bytes + [1]) == nil)
    #expect(codec.decode([]) == nil)
    bytes[0] = 2
    #expect(codec.decode(bytes) == nil)
  }
}
