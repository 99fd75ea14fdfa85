internal import PlankDetection
internal import PoseModel

/// One variant of a stream, ready to be swept: its predicates and, a hold, its sequences as words.
struct PreparedVariant: Sendable {
  /// One sequence under one hold.
  struct Sequence: Sendable {
    let layout: WordLayout
    /// `table.rowCount` rows of `layout.wordCount` words.
    let bits: [UInt64]
  }

  /// The cells.
  let grid: VariantGrid
  /// The list's predicates.
  let table: PredicateTable
  /// The axis of `hold_seconds` and of the debounce length, by place; nil where fixed.
  let holdAxis: Int?
  let framesAxis: Int?
  /// The sequences by value of the hold axis.
  let holds: [[Sequence]]

  /// Prepares a variant.
  ///
  /// - Complexity: O(frames x thresholds x holds); one bit each.
  init(_ grid: VariantGrid, _ sequences: [MeasuredSequence], _ facts: StreamFacts) {
    let table = PredicateTable(grid)
    self.grid = grid
    self.table = table
    let framesKey = Self.framesKey(grid.stream)
    framesAxis = grid.axes.firstIndex { $0.key == framesKey }
    holdAxis = grid.axes.firstIndex { $0.key == .holdSeconds }
    let holdValues = holdAxis.map { grid.axes[$0].values } ?? [grid.base[.holdSeconds] ?? 0]
    holds = holdValues.map { hold in
      zip(sequences, facts.sequences).map { sequence, facts in
        let layout = WordLayout(
          sequence, grid.stream, determined: table.determined(sequence), holdSeconds: hold,
          facts: facts)
        return Sequence(layout: layout, bits: table.bits(sequence, layout))
      }
    }
  }

  /// The debounce length of a cell.
  func framesNeeded(_ digits: [Int]) -> UInt32 {
    UInt32(grid.value(of: Self.framesKey(grid.stream), at: digits) ?? 1)
  }

  private static func framesKey(_ stream: AnswerStream) -> ParameterKey {
    stream == .plank ? .plankFrames : .formFrames
  }
}
