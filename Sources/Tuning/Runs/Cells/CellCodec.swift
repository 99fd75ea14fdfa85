internal import Platform

/// Compresses the numbers of a configuration after subtracting what the data implies.
///
/// The numbers of a good configuration are then mostly zeros; for example, the answers during a
/// true class add up to its frames. Every step is reversible, whatever the numbers are. The first
/// byte is the format.
struct CellCodec: Sendable {
  static let format: UInt8 = 2

  private let stride: Int
  private let rows: [Row]
  private let transitions: [(place: Int, truth: UInt32, source: Int)]
  private let latencies: [(place: Int, source: Int)]
  private let labels: Int
  let sources: [String?]

  private struct Row {
    let source: Int
    let answers: Int
    let truth: Int
    let frames: UInt32
    let ticks: (place: Int, all: UInt64)?
  }

  init(_ layout: StatisticsLayout) {
    var rows: [Row] = []
    var transitions: [(place: Int, truth: UInt32, source: Int)] = []
    var latencies: [(place: Int, source: Int)] = []
    let sources = Set(layout.facts.sequences.map(\.source)).sorted { ($0 ?? "") < ($1 ?? "") }
    for (index, sequence) in layout.facts.sequences.enumerated() {
      guard let source = sources.firstIndex(of: sequence.source) else {
        preconditionFailure("the sources are those of the sequences")
      }
      for (number, row) in sequence.rows.enumerated() {
        let place = layout.row(number, of: index)
        rows.append(
          Row(
            source: source, answers: place.answers, truth: Int(row.truth),
            frames: UInt32(truncatingIfNeeded: row.frames),
            ticks: place.ticks.map { (place: $0, all: row.ticks ?? 0) }))
      }
      transitions.append(
        (
          place: layout.transitions(of: index),
          truth: UInt32(truncatingIfNeeded: sequence.trueTransitions), source: source
        ))
      latencies += sequence.onsets.indices.map {
        (place: layout.latency($0, of: index), source: source)
      }
    }
    self.sources = sources
    stride = layout.stride
    labels = layout.labelCount
    self.rows = rows
    self.transitions = transitions
    self.latencies = latencies
  }

  func encode(_ numbers: ArraySlice<UInt32>) -> [UInt8] { withEncoded(numbers) { Array($0) } }

  func withEncoded<Result>(
    _ numbers: ArraySlice<UInt32>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: numbers.count) { rest in
      _ = rest.initialize(fromContentsOf: numbers)
      subtract(from: rest)
      return VariableInteger.withBytes(UnsafeBufferPointer(rest), after: Self.format, body)
    }
  }

  private func subtract(from rest: UnsafeMutableBufferPointer<UInt32>) {
    for row in rows {
      var sum: UInt32 = 0
      for answer in 0..<labels { sum &+= rest[row.answers + answer] }
      rest[row.answers + row.truth] = Self.folded(sum &- row.frames)
      exchangeTicks(of: row, rest)
    }
    for (place, truth, _) in transitions { rest[place] = Self.folded(rest[place] &- truth) }
    for (place, _) in latencies where rest[place] > 0 { rest[place] = Self.beside(rest[place]) }
  }

  /// Stores the time that no answer takes, usually 0, instead of the time of the right answers, and
  /// vice versa.
  private func exchangeTicks(of row: Row, _ rest: UnsafeMutableBufferPointer<UInt32>) {
    guard let ticks = row.ticks else { return }
    var left = ticks.all
    for answer in 0..<labels {
      left &-= FrameTicks.read(UnsafeBufferPointer(rest), at: ticks.place + 2 * answer)
    }
    let place = ticks.place + 2 * row.truth
    rest[place] = UInt32(truncatingIfNeeded: left)
    rest[place + 1] = UInt32(truncatingIfNeeded: left >> 32)
  }

  func decode(_ bytes: [UInt8]) -> [UInt32]? {
    guard bytes.first == Self.format, var rest = VariableInteger.read(bytes, from: 1, count: stride)
    else { return nil }
    rest.withUnsafeMutableBufferPointer(addBack)
    return rest
  }

  private func addBack(to rest: inout UnsafeMutableBufferPointer<UInt32>) {
    for (place, _) in latencies where rest[place] > 0 { rest[place] = Self.latency(rest[place]) }
    for (place, truth, _) in transitions { rest[place] = Self.unfolded(rest[place]) &+ truth }
    for row in rows {
      let place = row.answers + row.truth
      rest[place] = Self.unfolded(rest[place]) &+ expected(rest, row)
      exchangeTicks(of: row, rest)
    }
  }

  func summary(_ numbers: ArraySlice<UInt32>) -> CellSummary {
    sums(numbers).reduce(into: CellSummary(), +=)
  }

  /// The summaries of the sources that have a name.
  func summaries(_ numbers: ArraySlice<UInt32>) -> [String: CellSummary] {
    zip(sources, sums(numbers)).reduce(into: [:]) { summaries, part in
      if let source = part.0 { summaries[source] = part.1 }
    }
  }

  func sums(_ numbers: ArraySlice<UInt32>) -> [CellSummary] {
    var sums = Array(repeating: CellSummary(), count: sources.count)
    numbers.withUnsafeBufferPointer { numbers in
      sums.withUnsafeMutableBufferPointer { sums in
        for row in rows { sums[row.source].rightFrames += Int(numbers[row.answers + row.truth]) }
        for (place, _, source) in transitions { sums[source].transitions += Int(numbers[place]) }
        for (place, source) in latencies where numbers[place] != StatisticsLayout.never {
          sums[source].detectedEvents += 1
        }
      }
    }
    return sums
  }

  private func expected(_ numbers: UnsafeMutableBufferPointer<UInt32>, _ row: Row) -> UInt32 {
    var rest = row.frames
    for answer in 0..<labels where answer != row.truth { rest &-= numbers[row.answers + answer] }
    return rest
  }

  /// Maps small differences of either sign to small numbers: 0, -1, 1, -2 become 0, 1, 2, 3.
  private static func folded(_ difference: UInt32) -> UInt32 {
    let signed = Int32(bitPattern: difference)
    return UInt32(bitPattern: (signed << 1) ^ (signed >> 31))
  }

  private static func beside(_ latency: UInt32) -> UInt32 {
    latency == StatisticsLayout.never ? 1 : latency + 1
  }

  private static func latency(_ stored: UInt32) -> UInt32 {
    stored == 1 ? StatisticsLayout.never : stored - 1
  }

  private static func unfolded(_ number: UInt32) -> UInt32 { (number >> 1) ^ (0 &- (number & 1)) }
}

struct CellSummary: Hashable, Sendable {
  var rightFrames = 0
  var transitions = 0
  var detectedEvents = 0

  static func += (left: inout CellSummary, right: CellSummary) {
    left.rightFrames += right.rightFrames
    left.transitions += right.transitions
    left.detectedEvents += right.detectedEvents
  }
}

enum TimeBlob {
  static func data(_ times: [Double]) -> Data {
    Data(times.flatMap { time in withUnsafeBytes(of: time.bitPattern.littleEndian, Array.init) })
  }

  static func times(_ data: Data) -> [Double]? {
    guard data.count % 8 == 0 else { return nil }
    return data.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 8).map { offset in
        Double(
          bitPattern: UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
    }
  }
}

/// Numbers above 0 in LEB128, and runs of zeros as a zero byte and the number of zeros after the
/// first.
enum VariableInteger {
  static func withBytes<Result>(
    _ numbers: UnsafeBufferPointer<UInt32>, after head: UInt8,
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let mostBytes = 5
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 + mostBytes * numbers.count) {
      bytes in
      bytes[0] = head
      return body(UnsafeBufferPointer(rebasing: bytes[..<write(numbers, to: bytes, from: 1)]))
    }
  }

  private static func write(
    _ numbers: UnsafeBufferPointer<UInt32>, to bytes: UnsafeMutableBufferPointer<UInt8>,
    from start: Int
  ) -> Int {
    var (index, place) = (0, start)
    func append(_ number: UInt32) {
      var rest = number
      while rest >= 0x80 {
        bytes[place] = UInt8(truncatingIfNeeded: rest) | 0x80
        place += 1
        rest >>= 7
      }
      bytes[place] = UInt8(truncatingIfNeeded: rest)
      place += 1
    }
    while index < numbers.count {
      append(numbers[index])
      index += 1
      guard numbers[index - 1] == 0 else { continue }
      let zeros = index
      index = endOfZeros(numbers, from: index)
      append(UInt32(index - zeros))
    }
    return place
  }

  private static func endOfZeros(_ numbers: UnsafeBufferPointer<UInt32>, from start: Int) -> Int {
    var index = start
    while index + 4 <= numbers.count,
      numbers[index] | numbers[index + 1] | numbers[index + 2] | numbers[index + 3] == 0
    { index += 4 }
    while index < numbers.count, numbers[index] == 0 { index += 1 }
    return index
  }

  static func read(_ bytes: [UInt8], from start: Int = 0, count: Int) -> [UInt32]? {
    bytes.withUnsafeBufferPointer { bytes in
      var place = start
      var numbers: [UInt32] = []
      numbers.reserveCapacity(count)
      while numbers.count < count {
        guard let number = next(bytes, &place) else { return nil }
        numbers.append(number)
        guard number == 0 else { continue }
        guard let more = next(bytes, &place), Int(more) <= count - numbers.count else {
          return nil
        }
        numbers.append(contentsOf: repeatElement(0, count: Int(more)))
      }
      return place == bytes.count ? numbers : nil
    }
  }

  private static func next(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt32? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 28, by: 7) {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return UInt32(exactly: number) }
    }
    return nil
  }
}
