/// The answers to held-out subjects, pooled over folds as if one detector had given them.
struct HeldOutPool {
  private var tables: [SubjectTable] = []

  /// Adds the held-out sequences of a fold; the first cell of the table is its detector.
  mutating func add(_ table: SubjectTable) { tables.append(table) }

  /// The value of a metric over all folds, nil where it is undefined.
  func value(_ metric: CellMetric, _ allowsUngrouped: Bool) throws(TuningError) -> Double? {
    guard let first = tables.first else { return nil }
    let all = tables.flatMap { $0.cells.layout.facts.sequences }
    let layout = StatisticsLayout(
      StreamFacts(first.cells.layout.facts.stream, facts: all), keepsDetermined: false)
    var confusion: [UInt32] = []
    var transitions: [UInt32] = []
    var latencies: [UInt32] = []
    for cells in tables.map(\.cells) {
      let parts = cells.layout
      let numbers = Array(cells.numbers(at: 0))
      confusion += numbers[..<parts.transitionStart]
      transitions += numbers[parts.transitionStart..<parts.latencyStart]
      latencies += numbers[parts.latencyStart...]
    }
    let cells = CellTable(layout: layout, ids: [0], storage: confusion + transitions + latencies)
    let table = try SubjectTable(cells, allowsUngrouped: allowsUngrouped)
    return table.value(metric, at: 0, Array(table.subjects.indices))
  }
}
