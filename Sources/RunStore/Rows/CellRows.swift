internal import Evaluation
internal import ParameterTuning
internal import PoseModel

/// The cells of a stream as rows, in order of their ids, some at a time.
///
/// Rows depend on the cells alone: neither on the order in which chunks were written nor on how
/// often the sweep was continued.
package struct CellRows: Sendable {
  private let reader: RunReader
  private let stream: AnswerStream
  private let variants: [(grid: GridDescription.Variant, first: Int, strides: [Int])]
  private let metrics: [CellMetric]
  private let codec: CellCodec
  private var last: Int?

  init(_ reader: RunReader, _ stream: AnswerStream, _ layout: StatisticsLayout) {
    self.reader = reader
    codec = CellCodec(layout)
    self.stream = stream
    metrics = CellMetric.all.filter { $0.stream == stream }
    var first = 0
    var variants: [(grid: GridDescription.Variant, first: Int, strides: [Int])] = []
    for variant in reader.grids.first(where: { $0.stream == stream })?.variants ?? [] {
      variants.append((grid: variant, first: first, strides: variant.strides))
      first += variant.cellCount
    }
    self.variants = variants
  }

  /// The next rows; nil after the last one.
  ///
  /// - Throws: `RunStoreError.corruptCell` for numbers that do not read back.
  package mutating func next() throws(RunStoreError) -> [CellRow]? {
    guard let cells = try reader.cells(stream, after: last, count: 256) else { return nil }
    last = cells.ids.last
    let table = try table(cells)
    return try cells.ids.indices.map { (position) throws(RunStoreError) -> CellRow in
      try row(table, at: position)
    }
  }

  private func table(_ cells: CellTable) throws(RunStoreError) -> SubjectTable {
    do {
      return try SubjectTable(cells, allowsUngrouped: true)
    } catch {
      throw .unexpected(path: reader.facts.id, reason: "\(error)")
    }
  }

  private func row(_ table: SubjectTable, at position: Int) throws(RunStoreError) -> CellRow {
    let id = table.cells.ids[position]
    guard let variant = variants.last(where: { $0.first <= id }),
      id < variant.first + variant.grid.cellCount
    else { throw .corruptCell(run: reader.facts.id, stream: stream, cell: id) }
    let counts = counts(table.cells, at: position)
    return CellRow(
      stream: stream, cell: id, detector: variant.grid.detector,
      smoothing: variant.grid.smoothing,
      parameters: zip(variant.grid.axes, variant.strides).map { axis, stride in
        CellRow.NamedValue(
          name: axis.name,
          value: axis.values[(id - variant.first) / stride % axis.values.count])
      }, counts: counts,
      metrics: metrics.map { metric in
        let value = table.value(metric, at: position, Array(table.subjects.indices))
        return CellRow.MetricValue(
          name: metric.description, value: value,
          reason: value == nil ? reason(metric, counts) : nil)
      }, table: table, position: position)
  }

  private func counts(_ cells: CellTable, at position: Int) -> [Int] {
    let summary = codec.summary(cells.numbers(at: position))
    let facts = cells.layout.facts.sequences
    return [
      facts.reduce(0) { $0 + $1.rows.reduce(0) { $0 + $1.frames } }, summary.rightFrames,
      summary.transitions, facts.reduce(0) { $0 + $1.trueTransitions },
      facts.reduce(0) { $0 + $1.onsets.count }, summary.detectedEvents,
    ]
  }

  /// Why a metric has no value.
  private func reason(_ metric: CellMetric, _ counts: [Int]) -> String {
    guard counts[0] > 0 else { return UndefinedReason.noScoredFrames.rawValue }
    return switch metric.kind {
    case .classification(.precision, _): UndefinedReason.neverAnswered.rawValue
    case .classification(.recall, _): UndefinedReason.noTruth.rawValue
    case .classification(.f1, _): UndefinedReason.occursNowhere.rawValue
    case .classification(.cohenKappa, _): UndefinedReason.certainAgreement.rawValue
    case .classification(.matthewsCorrelation, _): UndefinedReason.singleClass.rawValue
    case .classification, .transitions, .excessTransitions:
      UndefinedReason.noScoredFrames.rawValue
    case .detectionLatency, .hitRate:
      counts[4] == 0 ? "no true event" : "too few events were detected"
    }
  }
}
