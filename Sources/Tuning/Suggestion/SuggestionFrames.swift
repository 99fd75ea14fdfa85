package import PlankDetection
package import PoseModel

/// Columns are sorted once; 8 bytes per frame and measurement, 40 per frame.
package struct SuggestionFrames: Sendable {
  package let stream: AnswerStream
  package let measurements: [Measurement]
  package let people: [String]
  package let sources: [String]
  let truth: [UInt8]
  let seconds: [Double]
  let person: [Int32]
  let source: [Int32]
  /// The values of every measurement in the form of `MeasuredValue.stored`.
  let columns: [[Float]]
  let orders: [[Int32]]
  let weights: [Int64]

  /// One unit of weights; a score of 1 has 2^50 of them.
  package static let scoreUnit = 0x1p-50

  package var count: Int { truth.count }

  var sharedSources: Set<Int32> {
    var first: [Int32: Int32] = [:]
    var shared: Set<Int32> = []
    for frame in truth.indices {
      if first[source[frame], default: person[frame]] != person[frame] {
        shared.insert(source[frame])
      }
      first[source[frame]] = person[frame]
    }
    return shared
  }

  package init(
    _ sequences: [MeasuredSequence], _ stream: AnswerStream, _ measurements: [Measurement]
  ) {
    self.stream = stream
    self.measurements = measurements
    let people = Set(sequences.map { $0.subject ?? $0.name }).sorted()
    let sources = Set(sequences.map { $0.source ?? "" }).sorted()
    var gathered = GatheredFrames(columns: measurements.map { _ in [] })
    for sequence in sequences {
      gathered.add(
        sequence, stream, measurements,
        person: people.firstIndex(of: sequence.subject ?? sequence.name) ?? 0,
        source: sources.firstIndex(of: sequence.source ?? "") ?? 0)
    }
    self.people = people
    self.sources = sources
    (truth, seconds) = (gathered.truth, gathered.seconds)
    (person, source, columns) = (gathered.person, gathered.source, gathered.columns)
    orders = gathered.columns.map(Self.order)
    weights = Self.weights(gathered, sources: sources.count, labels: stream.labels.count)
  }

  func selecting(_ isKept: (Int) -> Bool) -> SuggestionFrames {
    var place = [Int32](repeating: -1, count: count)
    var kept: [Int] = []
    for frame in 0..<count where isKept(frame) {
      place[frame] = Int32(kept.count)
      kept.append(frame)
    }
    let gathered = GatheredFrames(
      truth: kept.map { truth[$0] }, seconds: kept.map { seconds[$0] },
      person: kept.map { person[$0] }, source: kept.map { source[$0] },
      columns: columns.map { column in kept.map { column[$0] } })
    let orders = orders.map { order in
      order.compactMap { place[Int($0)] >= 0 ? place[Int($0)] : nil }
    }
    return SuggestionFrames(self, gathered, orders)
  }

  private init(_ whole: SuggestionFrames, _ gathered: GatheredFrames, _ orders: [[Int32]]) {
    stream = whole.stream
    measurements = whole.measurements
    people = whole.people
    sources = whole.sources
    (truth, seconds) = (gathered.truth, gathered.seconds)
    (person, source, columns) = (gathered.person, gathered.source, gathered.columns)
    self.orders = orders
    weights = Self.weights(
      gathered, sources: whole.sources.count, labels: whole.stream.labels.count)
  }

  private static func order(_ column: [Float]) -> [Int32] {
    var order: [Int32] = []
    for frame in column.indices where !column[frame].isNaN { order.append(Int32(frame)) }
    column.withUnsafeBufferPointer { column in
      order.sort { left, right in
        let (a, b) = (column[Int(left)], column[Int(right)])
        return a < b || (a == b && left < right)
      }
    }
    return order
  }

  private static func weights(_ frames: GatheredFrames, sources: Int, labels: Int) -> [Int64] {
    var seconds = [Double](repeating: 0, count: sources * labels)
    for frame in frames.truth.indices {
      seconds[Int(frames.source[frame]) * labels + Int(frames.truth[frame])] +=
        frames.seconds[frame]
    }
    let classes = (0..<sources).map { source in
      (0..<labels).count { seconds[source * labels + $0] > 0 }
    }
    let present = Double(classes.count { $0 > 0 })
    return frames.truth.indices.map { frame in
      let source = Int(frames.source[frame])
      let total = seconds[source * labels + Int(frames.truth[frame])]
      let share = frames.seconds[frame] / total / Double(classes[source]) / present
      return Int64((share / scoreUnit).rounded())
    }
  }
}

private struct GatheredFrames {
  var truth: [UInt8] = []
  var seconds: [Double] = []
  var person: [Int32] = []
  var source: [Int32] = []
  var columns: [[Float]]

  mutating func add(
    _ sequence: MeasuredSequence, _ stream: AnswerStream, _ measurements: [Measurement],
    person: Int, source: Int
  ) {
    let codes = sequence.truth.codes(stream)
    let scored = codes.indices.filter { FrameTruth.isScored(codes[$0]) }
    for frame in scored { truth.append(codes[frame]) }
    seconds += scored.map { _ in sequence.frameWeight.value }
    self.person += scored.map { _ in Int32(person) }
    self.source += scored.map { _ in Int32(source) }
    for (index, measurement) in measurements.enumerated() {
      let column = sequence.columns[measurement]
      columns[index] += scored.map { column.isEmpty ? .nan : column[$0] }
    }
  }
}
