internal import CSweepKernels
@_spi(Bench) package import PlankDetection
@_spi(Bench) internal import PoseModel

/// One variant of a stream, ready to be swept: its predicates and, per hold time, its sequences as
/// words.
struct PreparedVariant: Sendable {
  /// One sequence at one hold time; shared by all batches.
  final class Sequence: Sendable {
    let layout: WordLayout
    /// `table.rowCount` rows of `layout.wordCount` words.
    let bits: [UInt64]
    /// For every row, the first row of its predicate in a run of rows with the same bits.
    let firstEqual: [Int]

    init(layout: WordLayout, bits: [UInt64], firstEqual: [Int]) {
      self.layout = layout
      self.bits = bits
      self.firstEqual = firstEqual
    }
  }

  /// What all sequences of a variant share, each of which any thread may prepare.
  struct Outline: Sendable {
    fileprivate let grid: VariantGrid
    fileprivate let table: PredicateTable
    fileprivate let holdAxis: Int?
    private let holdValues: [Double]
    private let sequences: [MeasuredSequence]
    private let facts: StreamFacts
    private let fixed: PreparedVariant?
    /// For every predicate, the row of the fixed variant that it takes over; nil if an axis changes it.
    private let knownRows: [Int?]
    /// Which frames of every sequence are determined, if there are several hold times.
    private let determined: [[Bool]]
    /// The place of a sequence with a hold time.
    private struct Task {
      let sequence: Int
      var hold: Int
    }
    /// What is prepared: of hold times that no gap of a sequence tells apart, only one.
    private let tasks: [Task]
    /// For every hold time and sequence, the task that prepares it.
    private let taskPlaces: [[Int]]

    /// Outlines a variant.
    ///
    /// - Parameter fixed: the same variant without axes and the same sequences, whose layouts and rows
    ///   are taken over where no axis changes them; nil if it was not prepared.
    init(
      _ grid: VariantGrid, _ sequences: [MeasuredSequence], _ facts: StreamFacts,
      fixed: PreparedVariant? = nil
    ) {
      self.grid = grid
      self.fixed = fixed
      self.sequences = sequences
      self.facts = facts
      table = PredicateTable(grid)
      knownRows = table.rows(equalIn: fixed?.table)
      holdAxis = grid.axes.firstIndex { $0.key == .holdSeconds }
      holdValues = holdAxis.map { grid.axes[$0].values } ?? [grid.base[.holdSeconds] ?? 0]
      var tasks: [Task] = []
      var taskPlaces: [[Int]] = holdValues.map { _ in [] }
      determined = holdValues.count > 1 ? sequences.map(table.determined) : []
      let longestBridged = (holdValues.min() ?? 0) + Debouncer.tolerance
      for (place, sequence) in sequences.enumerated() {
        let gaps =
          determined.isEmpty
          ? [] : sequence.gaps(over: longestBridged, determined: determined[place])
        var taskOfGap: [Int: Int] = [:]
        for (hold, value) in holdValues.enumerated() {
          let gap = gaps.partitioningIndex { $0 > value + Debouncer.tolerance }
          let task = taskOfGap[gap] ?? tasks.count
          if task == tasks.count { tasks.append(Task(sequence: place, hold: hold)) }
          if value == fixed?.ownHold { tasks[task].hold = hold }
          taskOfGap[gap] = task
          taskPlaces[hold].append(task)
        }
      }
      self.tasks = tasks
      self.taskPlaces = taskPlaces
    }

    /// How many sequences are prepared.
    var count: Int { tasks.count }

    /// A sequence at a hold time, and at those that treat its gaps alike.
    ///
    /// - Complexity: O(frames x thresholds), one bit each; with a fixed variant, of the thresholds that
    ///   an axis changes.
    func sequence(_ index: Int) -> Sequence {
      let (place, hold) = (tasks[index].sequence, tasks[index].hold)
      let known = fixed.map { $0.holds[0][place] }
      let placed = fixed?.ownHold == holdValues[hold] ? known?.layout : nil
      let layout =
        placed
        ?? WordLayout(
          sequences[place], grid.stream,
          determined: determined.isEmpty
            ? table.determined(sequences[place]) : determined[place],
          holdSeconds: holdValues[hold], facts: facts.sequences[place])
      let bits = table.bits(
        sequences[place], layout, known: known.map { (rows: knownRows, sequence: $0) })
      return Sequence(
        layout: layout, bits: bits,
        firstEqual: table.firstEqualRows(bits, words: layout.wordCount))
    }

    fileprivate func holds(_ all: [Sequence]) -> [[Sequence]] {
      taskPlaces.map { $0.map { all[$0] } }
    }
  }

  /// The cells.
  let grid: VariantGrid
  /// The list's predicates.
  let table: PredicateTable
  /// The axes of `hold_seconds` and of the debounce length, by position; nil if fixed.
  let holdAxis: Int?
  let framesAxis: Int?
  /// The sequences by value of the hold axis.
  let holds: [[Sequence]]

  /// Puts a variant together.
  ///
  /// - Parameter sequences: all of the outline, in its order.
  init(_ outline: Outline, _ sequences: [Sequence]) {
    grid = outline.grid
    table = outline.table
    holdAxis = outline.holdAxis
    let framesKey = Self.framesKey(outline.grid.stream)
    framesAxis = outline.grid.axes.firstIndex { $0.key == framesKey }
    holds = outline.holds(sequences)
  }

  /// The hold time without an axis for it.
  private var ownHold: Double { grid.base[.holdSeconds] ?? 0 }

  /// The debounce length of a cell.
  func framesNeeded(_ digits: [Int]) -> UInt32 {
    UInt32(grid.value(of: Self.framesKey(grid.stream), at: digits) ?? 1)
  }

  private static func framesKey(_ stream: AnswerStream) -> ParameterKey {
    stream == .plank ? .plankFrames : .formFrames
  }
}

extension MeasuredSequence {
  /// How long after the last determined frame before it each frame is, if longer than some seconds;
  /// ascending.
  ///
  /// Two hold times treat the sequence alike if no gap is longer than one of them alone.
  fileprivate func gaps(over seconds: Double, determined: [Bool]) -> [Double] {
    var last: Double?
    var gaps: [Double] = []
    for (time, isDetermined) in zip(times, determined) {
      if let last, time - last > seconds { gaps.append(time - last) }
      if isDetermined { last = time }
    }
    return gaps.sorted()
  }
}

/// The predicates of a decision list with every threshold that the axes give them.
///
/// Row r of a predicate says in which frames it holds with one of its thresholds.
struct PredicateTable: Sendable {
  /// One predicate of the list, in the list's order.
  struct Entry: Sendable {
    /// The measurement, as its position in `measurements`.
    let measurement: Int
    let comparison: Comparison
    /// The thresholds, one per axis value; a single one if no axis varies the parameter.
    let thresholds: [Float]
    /// The axis that varies the parameter, by its position in the grid.
    let axis: Int?
    /// The first row.
    let firstRow: Int
  }

  /// The predicates, rule after rule.
  let entries: [Entry]
  /// How many rows there are.
  let rowCount: Int
  /// The label of every rule.
  let labels: [UInt8]
  /// Where every rule's predicates end.
  let ends: [UInt32]
  /// The measurements that the list uses.
  let measurements: [Measurement]

  /// Converts the list of a grid.
  init(_ grid: VariantGrid) {
    let list = grid.detector.list(grid.stream)
    let measurements = list.measurements
    var entries: [Entry] = []
    var rows = 0
    var ends: [UInt32] = []
    for rule in list.rules {
      for predicate in rule.predicates {
        let axis = grid.axes.firstIndex { $0.key == predicate.parameter }
        let values =
          axis.map { grid.axes[$0].values } ?? [grid.base[predicate.parameter] ?? .nan]
        let entry = Entry(
          measurement: measurements.place(of: predicate.measurement),
          comparison: predicate.comparison,
          thresholds: values.map { predicate.isNegated ? -Float($0) : Float($0) }, axis: axis,
          firstRow: rows)
        rows += values.count
        entries.append(entry)
      }
      ends.append(UInt32(entries.count))
    }
    self.entries = entries
    self.ends = ends
    rowCount = rows
    labels = list.rules.map(\.label.code)
    self.measurements = measurements.members
  }

  /// For every predicate, the row of another table of the same list in which it has the same
  /// threshold; nil if there is none.
  fileprivate func rows(equalIn other: PredicateTable?) -> [Int?] {
    entries.indices.map { place in
      guard let own = other?.entries[place], own.thresholds.count == 1,
        entries[place].thresholds.map(\.bitPattern) == own.thresholds.map(\.bitPattern)
      else { return nil }
      return own.firstRow
    }
  }

  /// Whether none of the list's measurements is missing, frame by frame.
  func determined(_ sequence: MeasuredSequence) -> [Bool] {
    var determined = Array(repeating: true, count: sequence.times.count)
    for measurement in measurements {
      let column = sequence.columns[measurement]
      for frame in determined.indices
      where column.isEmpty || MeasuredValue.isMissing(column[frame]) {
        determined[frame] = false
      }
    }
    return determined
  }

  /// One bit per frame and row: `rowCount` rows of `layout.wordCount` words.
  ///
  /// - Parameter known: rows of the same sequence with any hold time, and for every predicate the one
  ///   that is taken over.
  /// - Complexity: O(rows x frames); O(rows x words) for those that are taken over.
  func bits(
    _ sequence: MeasuredSequence, _ layout: WordLayout,
    known: (rows: [Int?], sequence: PreparedVariant.Sequence)? = nil
  ) -> [UInt64] {
    let words = layout.wordCount
    guard words > 0 else { return [] }
    var values = Gathered(frames: layout.frames)
    let move = known.map { BitMove(from: $0.sequence.layout, to: layout) }
    return [UInt64](unsafeUninitializedCapacity: rowCount * words) { buffer, count in
      for place in entries.indices {
        let thresholds = entries[place].thresholds
        let first = entries[place].firstRow * words
        if let known, let row = known.rows[place] {
          move?.copy(
            known.sequence.bits, row: row,
            to: UnsafeMutableBufferPointer(rebasing: buffer[first..<first + words]))
          continue
        }
        values.take(entries[place].measurement, measurements, of: sequence.columns)
        for (index, threshold) in thresholds.enumerated() {
          sweep_pack(
            values.values, UInt32(words), entries[place].comparison.kernelCode, threshold,
            buffer.baseAddress.map { $0 + first + index * words })
        }
      }
      count = rowCount * words
    }
  }

  /// Takes rows of bits from one layout of a sequence to another.
  ///
  /// No hold time changes which frames are determined: both layouts have the same frames in the same
  /// order, and other words only where pieces begin.
  private struct BitMove {
    /// Bits that move together, from one word to one word.
    private struct Part {
      let source: Int
      let target: Int
      let taken: UInt64
      let filled: UInt64
      let mask: UInt64
    }

    private let sourceWords: Int
    /// The parts; empty if both layouts have the same words.
    private var parts: [Part] = []

    init(from source: WordLayout, to target: WordLayout) {
      sourceWords = source.wordCount
      guard source.valid != target.valid else { return }
      var (word, taken) = (0, 0)
      for place in target.valid.indices {
        var filled = 0
        let needed = target.valid[place].nonzeroBitCount
        while filled < needed {
          let held = source.valid[word].nonzeroBitCount
          let count = min(needed - filled, held - taken)
          if count > 0 {
            parts.append(
              Part(
                source: word, target: place, taken: UInt64(taken), filled: UInt64(filled),
                mask: .max >> UInt64(64 - count)))
            filled += count
            taken += count
          }
          if taken == held { (word, taken) = (word + 1, 0) }
        }
      }
    }

    /// Writes a row of the target.
    ///
    /// - Parameters:
    ///   - bits: rows of the source.
    ///   - row: which of them.
    ///   - words: room for one row of the target.
    /// - Complexity: O(words).
    func copy(_ bits: [UInt64], row: Int, to words: UnsafeMutableBufferPointer<UInt64>) {
      let first = row * sourceWords
      guard !parts.isEmpty else {
        _ = words.update(fromContentsOf: bits[first..<first + sourceWords])
        return
      }
      let own = bits.span.extracting(first..<first + sourceWords)
      words.initialize(repeating: 0)
      for part in parts {
        words[part.target] |= (own[part.source] >> part.taken & part.mask) << part.filled
      }
    }
  }

  /// A measurement at the frames of a layout; predicates that share it follow one another.
  private struct Gathered {
    let frames: [UInt32]
    private(set) var values: [Float] = []
    private var measurement: Int?

    init(frames: [UInt32]) { self.frames = frames }

    /// Takes one of some measurements.
    mutating func take(
      _ measurement: Int, _ all: [Measurement], of columns: MeasurementColumns
    ) {
      guard measurement != self.measurement else { return }
      self.measurement = measurement
      values = columns[all[measurement]].withUnsafeBufferPointer { column in
        [Float](unsafeUninitializedCapacity: frames.count) { buffer, count in
          for (place, frame) in frames.enumerated() { buffer[place] = column[Int(frame)] }
          count = frames.count
        }
      }
    }
  }

  /// For every row, the first row with the same bits, if all rows in between have them too.
  ///
  /// - Complexity: O(rows x words).
  func firstEqualRows(_ bits: [UInt64], words: Int) -> [Int] {
    bits.withUnsafeBufferPointer { bits in
      var first = Array(0..<rowCount)
      for entry in entries {
        for row in (entry.firstRow..<entry.firstRow + entry.thresholds.count).dropFirst() {
          let isEqual = (0..<words).allSatisfy {
            bits[row * words + $0] == bits[(row - 1) * words + $0]
          }
          if isEqual { first[row] = first[row - 1] }
        }
      }
      return first
    }
  }
}

extension Comparison {
  /// The kernel's name for the comparison.
  package var kernelCode: UInt32 {
    switch self {
    case .greater: UInt32(SWEEP_GREATER)
    case .greaterOrEqual: UInt32(SWEEP_GREATER_OR_EQUAL)
    case .less: UInt32(SWEEP_LESS)
    case .lessOrEqual: UInt32(SWEEP_LESS_OR_EQUAL)
    }
  }
}
