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

  /// `numbers` are in the order of a layout with only this sequence.
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

  /// The scored frames by true class, and then by answer.
  package func confusion(at position: Int, sequence: Int) -> [Int] {
    matrix(at: position, sequence) { Int($1[$0.answers + $2]) }
  }

  package func confusionSeconds(at position: Int, sequence: Int) -> [Double] {
    let weight = layout.facts.sequences[sequence].frameWeight.value
    return matrix(at: position, sequence) { $0.seconds(of: $2, in: $1, weight: weight) }
  }

  private func matrix<Number: Numeric>(
    at position: Int, _ sequence: Int,
    _ number: (RowPlace, UnsafeBufferPointer<UInt32>, _ answer: Int) -> Number
  ) -> [Number] {
    let labels = layout.labelCount
    var matrix = Array(repeating: Number.zero, count: labels * labels)
    numbers(at: position).withUnsafeBufferPointer { numbers in
      for (index, row) in layout.facts.sequences[sequence].rows.enumerated() {
        let place = layout.row(index, of: sequence)
        for answer in 0..<labels {
          matrix[Int(row.truth) * labels + answer] = number(place, numbers, answer)
        }
      }
    }
    return matrix
  }

  package func transitions(at position: Int, sequence: Int) -> Int {
    Int(storage[position * layout.stride + layout.transitions(of: sequence)])
  }

  /// The frames from an onset to the first answer of its class; nil if there was none.
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

/// The order of the numbers of a configuration, which are a row of `UInt32`.
///
/// 1. The confusion of all scored frames, by sequence, true class and answer.
/// 2. The predicted transitions of each sequence.
/// 3. The detection latency of each onset in frames; `never` if it was not answered.
/// 4. For sequences joined from recordings with different frame weights, the confusion in
/// `FrameTicks`.
package struct StatisticsLayout: Sendable {
  package static let never = UInt32.max

  package let facts: StreamFacts
  package let stride: Int
  package let labelCount: Int
  let rowStarts: [Int]
  let onsetStarts: [Int]
  let transitionStart: Int
  let latencyStart: Int
  private let ticksStarts: [Int?]

  package init(_ facts: StreamFacts) {
    self.facts = facts
    labelCount = facts.stream.labels.count
    rowStarts = facts.sequences.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.rows.count) }
    onsetStarts = facts.sequences.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.onsets.count) }
    transitionStart = (rowStarts.last ?? 0) * labelCount
    latencyStart = transitionStart + facts.sequences.count
    var end = latencyStart + (onsetStarts.last ?? 0)
    let labels = labelCount
    ticksStarts = facts.sequences.map { sequence in
      guard sequence.hasTicks else { return nil }
      defer { end += 2 * sequence.rows.count * labels }
      return end
    }
    stride = end
  }

  package func row(_ row: Int, of sequence: Int) -> RowPlace {
    RowPlace(
      answers: (rowStarts[sequence] + row) * labelCount,
      ticks: ticksStarts[sequence].map { $0 + 2 * row * labelCount })
  }

  package func transitions(of sequence: Int) -> Int { transitionStart + sequence }

  package func latency(_ onset: Int, of sequence: Int) -> Int {
    latencyStart + onsetStarts[sequence] + onset
  }

  /// `own` is the range in a layout of this sequence alone.
  func pieces(of sequence: Int) -> [(part: CellParts, own: Range<Int>, start: Int)] {
    let confusion = facts.sequences[sequence].rows.count * labelCount
    let end = confusion + 1 + facts.sequences[sequence].onsets.count
    let row = row(0, of: sequence)
    var pieces = [
      (part: CellParts.confusion, own: 0..<confusion, start: row.answers),
      (part: .transitions, own: confusion..<confusion + 1, start: transitions(of: sequence)),
      (part: .latencies, own: confusion + 1..<end, start: latency(0, of: sequence)),
    ]
    if let ticks = row.ticks { pieces.append((.confusion, end..<end + 2 * confusion, ticks)) }
    return pieces
  }
}

package struct RowPlace: Sendable {
  package let answers: Int
  /// The start of the times, two numbers per answer with the lower half first; nil without times.
  package let ticks: Int?

  @inline(__always) func seconds(
    of answer: Int, in numbers: UnsafeBufferPointer<UInt32>, weight: Double
  ) -> Double {
    guard let ticks else { return Double(numbers[answers + answer]) * weight }
    return FrameTicks.seconds(FrameTicks.read(numbers, at: ticks + 2 * answer))
  }
}

/// Times as multiples of 2^-40 s, about a picosecond, so that sums do not depend on their order.
enum FrameTicks {
  static func of(_ time: Seconds) -> UInt64 { UInt64((time.value * 0x1p40).rounded()) }

  @inline(__always) static func seconds(_ ticks: UInt64) -> Double { Double(ticks) * 0x1p-40 }

  @inline(__always) static func read(
    _ numbers: UnsafeBufferPointer<UInt32>, at place: Int
  ) -> UInt64 { UInt64(numbers[place]) | UInt64(numbers[place + 1]) << 32 }

  @inline(__always) static func add(
    _ ticks: UInt64, to numbers: UnsafeMutableBufferPointer<UInt32>, at place: Int
  ) {
    let sum = read(UnsafeBufferPointer(numbers), at: place) &+ ticks
    numbers[place] = UInt32(truncatingIfNeeded: sum)
    numbers[place + 1] = UInt32(truncatingIfNeeded: sum >> 32)
  }

  static func add(_ ticks: UInt64, to numbers: inout [UInt32], at place: Int) {
    numbers.withUnsafeMutableBufferPointer { add(ticks, to: $0, at: place) }
  }
}
