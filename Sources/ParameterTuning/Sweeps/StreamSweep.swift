/// What evaluates cells.
package enum SweepEngine: String, CaseIterable, Hashable, Sendable {
  /// 64 frames a word and eight cells side by side; equal to `streaming` in every number.
  case bitParallel = "bit-parallel"
  /// The production rules and debounce, frame by frame, a cell at a time.
  case streaming
}

/// Evaluates cells of one stream over a dataset.
package struct StreamSweep: Sendable {
  /// The cells.
  package let grid: StreamGrid
  /// Where the numbers of a cell stand.
  package let layout: StatisticsLayout
  /// What evaluates them.
  package let engine: SweepEngine
  private let data: MeasuredData
  private let prepared: [PreparedVariant]

  /// Prepares a sweep.
  ///
  /// - Parameters:
  ///   - data: the sequences of every variant of the grid.
  ///   - keepsDetermined: whether the confusion over determined frames is kept too.
  /// - Complexity: bit-parallel, one bit a frame and axis value of every predicate.
  package init(
    _ grid: StreamGrid, _ data: MeasuredData, engine: SweepEngine = .bitParallel,
    keepsDetermined: Bool = false
  ) {
    precondition(data.variants.count == grid.variants.count, "data for every variant")
    let facts = StreamFacts(grid.stream, data.sequences)
    self.grid = grid
    self.data = data
    self.engine = engine
    layout = StatisticsLayout(facts, keepsDetermined: keepsDetermined)
    prepared =
      engine == .streaming
      ? [] : zip(grid.variants, data.variants).map { PreparedVariant($0, $1, facts) }
  }

  /// Evaluates the accepted cells of a range.
  ///
  /// - Parameters:
  ///   - range: ids; degenerate ones are left out.
  ///   - jobs: how many cores work at the same time; the result does not depend on it.
  ///   - progress: called with the number of cells done since the last call.
  /// - Throws: `TuningError.detector` for values that a detector refuses (streaming only).
  /// - Complexity: O(cells x frames / 64), bit-parallel.
  package func evaluate(
    _ range: Range<Int>, jobs: Int = 1, progress: @Sendable (Int) -> Void = { _ in }
  ) async throws(TuningError) -> CellTable {
    let cells = grid.accepted(in: range)
    switch engine {
    case .bitParallel:
      return await countBits(cells, jobs: max(1, jobs), progress: progress)
    case .streaming:
      let streaming = StreamingSweep(grid, data, layout)
      return try await streaming.evaluate(cells, jobs: max(1, jobs), progress: progress)
    }
  }

  private func countBits(
    _ cells: [Int], jobs: Int, progress: @Sendable (Int) -> Void
  ) async -> CellTable {
    let batches = GroupBatch.batches(cells, grid, prepared)
    let stride = layout.stride
    var storage = [UInt32](repeating: 0, count: cells.count * stride)
    await withTaskGroup(of: (batch: Int, numbers: [UInt32]).self) { group in
      var next = 0
      func start() {
        guard next < batches.count else { return }
        let index = next
        next += 1
        group.addTask {
          let batch = batches[index]
          let counting = BatchCounting(batch, prepared[batch.variant], layout)
          return (batch: index, numbers: counting.numbers)
        }
      }
      for _ in 0..<jobs { start() }
      for await done in group {
        start()
        let positions = batches[done.batch].positions
        for (row, position) in positions.enumerated() {
          for column in 0..<stride {
            storage[position * stride + column] = done.numbers[row * stride + column]
          }
        }
        progress(positions.count)
      }
    }
    return CellTable(layout: layout, ids: cells, storage: storage)
  }
}
