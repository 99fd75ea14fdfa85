internal import PoseModel

package struct CellTable: Sendable {
  package let layout: StatisticsLayout
  package private(set) var ids: [Int]
  package private(set) var storage: [UInt32]

  package init(layout: StatisticsLayout, ids: [Int], storage: [UInt32]) {
    precondition(storage.count == ids.count * layout.stride, "one row of numbers per cell")
    self.layout = layout
    self.ids = ids
    self.storage = storage
  }

  package mutating func append(_ other: CellTable) {
    precondition(other.layout.stride == layout.stride, "tables of one layout")
    precondition((ids.last ?? -1) < (other.ids.first ?? .max), "ids go up")
    guard !ids.isEmpty else {
      self = other
      return
    }
    ids += other.ids
    storage += other.storage
  }

  package func cells(at positions: Range<Int>) -> CellTable {
    let places = positions.lowerBound * layout.stride..<positions.upperBound * layout.stride
    return CellTable(layout: layout, ids: Array(ids[positions]), storage: Array(storage[places]))
  }

  /// `numbers` are the sequence's own, in the order of a layout of this sequence alone; returns
  /// what changed.
  @discardableResult
  mutating func replace(
    _ sequence: Int, at position: Int, with numbers: ArraySlice<UInt32>
  ) -> CellParts {
    var changed: CellParts = []
    for piece in layout.pieces(of: sequence) {
      let start = position * layout.stride + piece.start
      for (index, from) in piece.own.enumerated()
      where storage[start + index] != numbers[numbers.startIndex + from] {
        storage[start + index] = numbers[numbers.startIndex + from]
        changed.formUnion(piece.part)
      }
    }
    return changed
  }

  package func position(of id: Int) -> Int? {
    let index = ids.partitioningIndex { $0 >= id }
    return index < ids.endIndex && ids[index] == id ? index : nil
  }

  package func numbers(at position: Int) -> ArraySlice<UInt32> {
    storage[position * layout.stride..<(position + 1) * layout.stride]
  }

  package func confusion(at position: Int, sequence: Int, determined: Bool = false) -> [Int] {
    let labels = layout.labelCount
    var cells = Array(repeating: 0, count: labels * labels)
    for (index, row) in layout.facts.sequences[sequence].rows.enumerated() {
      let place = layout.row(index, of: sequence)
      guard let start = determined ? place.determined : place.all else { continue }
      for answer in 0..<labels {
        cells[Int(row.truth) * labels + answer] =
          Int(storage[position * layout.stride + start + answer])
      }
    }
    return cells
  }

  package func transitions(at position: Int, sequence: Int) -> Int {
    Int(storage[position * layout.stride + layout.transitions(of: sequence)])
  }

  /// The frames from an onset to the first answer of its class, or nil if there was none.
  package func latency(at position: Int, sequence: Int, onset: Int) -> Int? {
    let number = storage[position * layout.stride + layout.latency(onset, of: sequence)]
    return number == StatisticsLayout.never ? nil : Int(number)
  }
}

struct CellParts: OptionSet {
  let rawValue: Int

  static let confusion = CellParts(rawValue: 1)
  static let transitions = CellParts(rawValue: 2)
  static let latencies = CellParts(rawValue: 4)
  static let all: CellParts = [.confusion, .transitions, .latencies]
}

/// A cell is a row of `UInt32`: the confusion of all scored frames (sequence, true class, answer);
/// then, if kept, the same over determined frames; then the predicted transitions of each sequence;
/// then the detection latency of each onset in frames, `never` if it was not answered.
package struct StatisticsLayout: Sendable {
  package static let never = UInt32.max

  package let facts: StreamFacts
  package let keepsDetermined: Bool
  package let stride: Int
  package let labelCount: Int
  let rowStarts: [Int]
  let onsetStarts: [Int]
  let determinedStart: Int
  let transitionStart: Int
  let latencyStart: Int

  package init(_ facts: StreamFacts, keepsDetermined: Bool) {
    self.facts = facts
    self.keepsDetermined = keepsDetermined
    labelCount = facts.stream.labels.count
    rowStarts = facts.sequences.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.rows.count) }
    onsetStarts = facts.sequences.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.onsets.count) }
    let confusion = (rowStarts.last ?? 0) * labelCount
    determinedStart = confusion
    transitionStart = keepsDetermined ? 2 * confusion : confusion
    latencyStart = transitionStart + facts.sequences.count
    stride = latencyStart + (onsetStarts.last ?? 0)
  }

  package func row(_ row: Int, of sequence: Int) -> (all: Int, determined: Int?) {
    let offset = (rowStarts[sequence] + row) * labelCount
    return (all: offset, determined: keepsDetermined ? determinedStart + offset : nil)
  }

  package func transitions(of sequence: Int) -> Int { transitionStart + sequence }

  package func latency(_ onset: Int, of sequence: Int) -> Int {
    latencyStart + onsetStarts[sequence] + onset
  }

  /// The numbers of one sequence: their positions among its own, as a layout of the sequence alone
  /// has them, and where they start in a cell.
  func pieces(of sequence: Int) -> [(part: CellParts, own: Range<Int>, start: Int)] {
    let confusion = facts.sequences[sequence].rows.count * labelCount
    let transitions = keepsDetermined ? 2 * confusion : confusion
    let end = transitions + 1 + facts.sequences[sequence].onsets.count
    let row = row(0, of: sequence)
    var pieces = [(part: CellParts.confusion, own: 0..<confusion, start: row.all)]
    if let determined = row.determined {
      pieces.append((.confusion, confusion..<2 * confusion, determined))
    }
    pieces.append((.transitions, transitions..<transitions + 1, self.transitions(of: sequence)))
    pieces.append((.latencies, transitions + 1..<end, latency(0, of: sequence)))
    return pieces
  }
}
