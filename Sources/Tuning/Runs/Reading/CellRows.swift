internal import Evaluation
package import PoseModel

/// Rows depend only on the cells: neither on the order in which chunks were written nor on how
/// often the sweep was continued.
package struct CellRows: Sendable {
  private let reader: RunReader
  private let stream: AnswerStream
  private let variants: [(grid: GridDescription.Variant, first: Int, strides: [Int])]
  private let metrics: [MetricKey]
  private let codec: CellCodec
  private var last: Int?

  init(_ reader: RunReader, _ stream: AnswerStream, _ layout: StatisticsLayout) {
    self.reader = reader
    codec = CellCodec(layout)
    self.stream = stream
    metrics = MetricKey.tunable.filter { $0.stream == stream }
    var first = 0
    var variants: [(grid: GridDescription.Variant, first: Int, strides: [Int])] = []
    for variant in reader.grids.first(where: { $0.stream == stream })?.variants ?? [] {
      variants.append((grid: variant, first: first, strides: variant.strides))
      first += variant.cellCount
    }
    self.variants = variants
  }

  package mutating func next() throws -> [CellRow]? {
    guard let cells = try reader.cells(stream, after: last, count: 256) else { return nil }
    last = cells.ids.last
    let table = try table(cells)
    return try cells.ids.indices.map { try row(table, at: $0) }
  }

  private func table(_ cells: CellTable) throws -> SubjectTable {
    do {
      return try SubjectTable(cells, allowsUngrouped: true)
    } catch {
      throw RunStoreError.corrupt(path: "run \(reader.facts.id)", reason: "\(error)")
    }
  }

  private func row(_ table: SubjectTable, at position: Int) throws -> CellRow {
    let id = table.cells.ids[position]
    guard let variant = variants.last(where: { $0.first <= id }),
      id < variant.first + variant.grid.cellCount
    else { throw RunStoreError.corruptCell(run: reader.facts.id, stream: stream, cell: id) }
    let counts = Self.counts(
      table.cells.layout.facts.sequences, codec.summary(table.cells.numbers(at: position)))
    return CellRow(
      stream: stream, cell: id, detector: variant.grid.detector,
      smoothing: variant.grid.smoothing,
      parameters: zip(variant.grid.axes, variant.strides).map { axis, stride in
        CellRow.NamedValue(
          name: axis.name,
          value: axis.values[(id - variant.first) / stride % axis.values.count])
      }, counts: counts,
      metrics: metrics.map { metric in
        CellRow.MetricValue(
          metric, table.metric(metric, at: position, Array(table.subjects.indices)))
      }, sources: sources(table, at: position), table: table, position: position)
  }

  private func sources(_ table: SubjectTable, at position: Int) -> [CellRow.Source] {
    let summaries = codec.summaries(table.cells.numbers(at: position))
    let facts = table.cells.layout.facts.sequences
    return zip(table.subjectsBySource, summaries).compactMap { part, found in
      guard let name = part.source else { return nil }
      return CellRow.Source(
        name: name, counts: Self.counts(facts.filter { $0.source == name }, found.summary),
        metrics: metrics.map {
          CellRow.MetricValue($0, table.pooled($0, at: position, part.subjects))
        })
    }
  }

  private static func counts(
    _ facts: [StreamFacts.SequenceFacts], _ summary: CellSummary
  ) -> [Int] {
    [
      facts.reduce(0) { $0 + $1.rows.reduce(0) { $0 + $1.frames } }, summary.rightFrames,
      summary.transitions, facts.reduce(0) { $0 + $1.trueTransitions },
      facts.reduce(0) { $0 + $1.onsets.count }, summary.detectedEvents,
    ]
  }
}

package struct CellRow: Sendable {
  package struct NamedValue: Hashable, Sendable {
    package let name: String
    package let value: Double
  }

  package struct MetricValue: Hashable, Sendable {
    package let name: String
    package let value: Double?
    package let reason: String?

    init(_ key: MetricKey, _ value: Evaluation.MetricValue) {
      name = key.description
      self.value = value.number
      reason = value.remark
    }
  }

  package struct Source: Hashable, Sendable {
    package let name: String
    package let counts: [Int]
    package let metrics: [MetricValue]
  }

  package let stream: AnswerStream
  package let cell: Int
  package let detector: String
  package let smoothing: String
  package let parameters: [NamedValue]
  package let counts: [Int]
  package let metrics: [MetricValue]
  package let sources: [Source]
  let table: SubjectTable
  let position: Int

  package var subjects: [SubjectNumbers] {
    table.subjects.indices.map {
      SubjectNumbers(
        subject: table.subjects[$0], source: table.sources[$0], table.sequences[$0], table.cells,
        at: position)
    }
  }

  /// The names of `counts`: scored frames, those with the right answer, changes of the answer and
  /// of the truth, true events, and those that were detected.
  package static let countNames = [
    "scored_frames", "right_frames", "transitions", "true_transitions", "true_events",
    "detected_events",
  ]
}

package struct SubjectNumbers: Hashable, Sendable {
  package struct Event: Hashable, Sendable {
    package let label: String
    package let latencyFrames: Int?
    package let latency: Seconds?
  }

  package let subject: String
  package let source: String?
  /// Scored frames, one row per true class, one column per answer.
  package let confusion: [[Int]]
  package let confusionSeconds: [[Double]]
  /// The same over determined frames; nil if the run does not keep them.
  package let determined: [[Int]]?
  package let transitions: Int
  package let trueTransitions: Int
  package let evaluated: Seconds
  /// The true events, sequence by sequence in order of names, then in time order.
  package let events: [Event]

  init(
    subject: String, source: String?, _ sequences: [Int], _ cells: CellTable, at position: Int
  ) {
    let layout = cells.layout
    let facts = sequences.map { layout.facts.sequences[$0] }
    self.subject = subject
    self.source = source
    let sums = ConfusionSums(sequences, cells, at: position)
    confusion = sums.frames
    confusionSeconds = sums.seconds
    determined = sums.determined
    transitions = sequences.reduce(0) { $0 + cells.transitions(at: position, sequence: $1) }
    trueTransitions = facts.reduce(0) { $0 + $1.trueTransitions }
    evaluated = Seconds(facts.reduce(0) { $0 + $1.evaluatedSeconds.value })
    events = zip(sequences, facts).flatMap { index, facts in
      facts.onsets.enumerated().map { number, onset in
        let frames = cells.latency(at: position, sequence: index, onset: number)
        return Event(
          label: layout.facts.stream.labels[Int(onset.label)], latencyFrames: frames,
          latency: frames.map { facts.latency(frames: $0, of: onset) })
      }
    }
  }
}

private struct ConfusionSums {
  private(set) var frames: [[Int]]
  private(set) var seconds: [[Double]]
  private(set) var determined: [[Int]]?

  init(_ sequences: [Int], _ cells: CellTable, at position: Int) {
    let layout = cells.layout
    let labels = layout.labelCount
    frames = Array(repeating: Array(repeating: 0, count: labels), count: labels)
    seconds = Array(repeating: Array(repeating: 0, count: labels), count: labels)
    determined = layout.keepsDetermined ? frames : nil
    let numbers = cells.numbers(at: position)
    let first = numbers.startIndex
    for sequence in sequences {
      let facts = layout.facts.sequences[sequence]
      for (index, row) in facts.rows.enumerated() {
        let (truth, place) = (Int(row.truth), layout.row(index, of: sequence))
        for answer in 0..<labels {
          let count = Int(numbers[first + place.all + answer])
          frames[truth][answer] += count
          seconds[truth][answer] += Double(count) * facts.frameWeight.value
          if let start = place.determined {
            determined?[truth][answer] += Int(numbers[first + start + answer])
          }
        }
      }
    }
  }
}
