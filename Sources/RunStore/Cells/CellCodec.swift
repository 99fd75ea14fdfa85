internal import ParameterTuning

/// The numbers of a cell as a few bytes, and back.
///
/// What the data already say is taken off first, so that a good cell is mostly zeros: the right
/// answers of a true class are its frames less the wrong ones, the determined frames are all frames
/// less a few, the answer changes about as often as the truth, and a latency of `never` becomes 0.
/// Every step is undone exactly, whatever the numbers. The first byte is the format.
struct CellCodec: Sendable {
  /// The format that is written.
  static let format: UInt8 = 1

  private let stride: Int
  private let rows: [Row]
  private let transitions: [(place: Int, truth: UInt32)]
  private let latencies: [Int]
  private let labels: Int

  private struct Row {
    let all: Int
    let determined: Int?
    let truth: Int
    let frames: UInt32
  }

  /// Prepares the numbers of a layout.
  init(_ layout: StatisticsLayout) {
    var rows: [Row] = []
    var transitions: [(place: Int, truth: UInt32)] = []
    var latencies: [Int] = []
    for (index, sequence) in layout.facts.sequences.enumerated() {
      for (number, row) in sequence.rows.enumerated() {
        let place = layout.row(number, of: index)
        rows.append(
          Row(
            all: place.all, determined: place.determined, truth: Int(row.truth),
            frames: UInt32(truncatingIfNeeded: row.frames)))
      }
      transitions.append(
        (
          place: layout.transitions(of: index),
          truth: UInt32(truncatingIfNeeded: sequence.trueTransitions)
        ))
      latencies += sequence.onsets.indices.map { layout.latency($0, of: index) }
    }
    stride = layout.stride
    labels = layout.labelCount
    self.rows = rows
    self.transitions = transitions
    self.latencies = latencies
  }

  /// The bytes of a cell.
  ///
  /// - Complexity: O(numbers).
  func encode(_ numbers: ArraySlice<UInt32>) -> [UInt8] {
    var rest = Array(numbers)
    for row in rows {
      if let determined = row.determined {
        for answer in 0..<labels {
          rest[determined + answer] = rest[row.all + answer] &- rest[determined + answer]
        }
      }
    }
    for row in rows {
      rest[row.all + row.truth] = Self.folded(rest[row.all + row.truth] &- expected(rest, row))
    }
    for (place, truth) in transitions { rest[place] = Self.folded(rest[place] &- truth) }
    for place in latencies { rest[place] &+= 1 }
    var bytes = [Self.format]
    VariableInteger.append(rest, to: &bytes)
    return bytes
  }

  /// The numbers of a cell, nil for bytes that no cell of the layout has.
  func decode(_ bytes: [UInt8]) -> [UInt32]? {
    guard bytes.first == Self.format,
      var rest = VariableInteger.read(bytes.dropFirst(), count: stride)
    else { return nil }
    for place in latencies { rest[place] &-= 1 }
    for (place, truth) in transitions { rest[place] = Self.unfolded(rest[place]) &+ truth }
    for row in rows {
      let place = row.all + row.truth
      rest[place] = Self.unfolded(rest[place]) &+ expected(rest, row)
      guard let determined = row.determined else { continue }
      for answer in 0..<labels {
        rest[determined + answer] = rest[row.all + answer] &- rest[determined + answer]
      }
    }
    return rest
  }

  /// What is plain to see of a cell, for queries.
  func summary(_ numbers: ArraySlice<UInt32>) -> CellSummary {
    let first = numbers.startIndex
    return CellSummary(
      rightFrames: rows.reduce(0) { $0 + Int(numbers[first + $1.all + $1.truth]) },
      transitions: transitions.reduce(0) { $0 + Int(numbers[first + $1.place]) },
      detectedEvents: latencies.count { numbers[first + $0] != StatisticsLayout.never })
  }

  /// The right answers of a row if its answers add up to its frames.
  private func expected(_ numbers: [UInt32], _ row: Row) -> UInt32 {
    var rest = row.frames
    for answer in 0..<labels where answer != row.truth { rest &-= numbers[row.all + answer] }
    return rest
  }

  /// Small differences, down or up, as small numbers: 0, -1, 1, -2 become 0, 1, 2, 3.
  private static func folded(_ difference: UInt32) -> UInt32 {
    let signed = Int32(bitPattern: difference)
    return UInt32(bitPattern: (signed << 1) ^ (signed >> 31))
  }

  private static func unfolded(_ number: UInt32) -> UInt32 {
    (number >> 1) ^ (0 &- (number & 1))
  }
}
