internal import CSweepKernels
package import PlankDetection
internal import PoseModel

struct PreparedVariant: Sendable {
  final class Sequence: Sendable {
    let layout: WordLayout
    let rows: BitRows?

    init(layout: WordLayout, rows: BitRows?) {
      self.layout = layout
      self.rows = rows
    }
  }

  final class Fixed: Sendable {
    let variant: PreparedVariant
    let numbers: [UInt32]
    fileprivate let unchanged: [Sequence]

    init(variant: PreparedVariant, numbers: [UInt32]) {
      self.variant = variant
      self.numbers = numbers
      unchanged = variant.holds[0].map { Sequence(layout: $0.layout, rows: nil) }
    }
  }

  struct Outline: Sendable {
    fileprivate let grid: VariantGrid
    fileprivate let table: PredicateTable
    fileprivate let holdAxis: Int?
    private let holdValues: [Double]
    private let sequences: [MeasuredSequence]
    private let facts: StreamFacts
    fileprivate let fixed: Fixed?
    private let variesDebounce: Bool
    private let setsAtOnce: Bool
    private let deciding: DecidingRows?
    private let determined: [[Bool]]
    private struct Task {
      let sequence: Int
      var hold: Int
    }
    private let tasks: [Task]
    private let taskPlaces: [[Int]]

    init(
      _ grid: VariantGrid, _ sequences: [MeasuredSequence], _ facts: StreamFacts,
      fixed: Fixed? = nil
    ) {
      self.grid = grid
      self.fixed = fixed
      self.sequences = sequences
      self.facts = facts
      table = PredicateTable(grid)
      variesDebounce = PreparedVariant.framesAxis(grid) != nil
      setsAtOnce = !variesDebounce && grid.base[grid.stream.framesKey] ?? 1 == 1
      deciding =
        if let fixed, !variesDebounce {
          DecidingRows(table, beside: fixed.variant.table)
        } else {
          nil
        }
      holdAxis = grid.axes.firstIndex { $0.key == .holdSeconds }
      holdValues = holdAxis.map { grid.axes[$0].values } ?? [grid.base[.holdSeconds] ?? 0]
      var tasks: [Task] = []
      var taskPlaces: [[Int]] = holdValues.map { _ in [] }
      determined = holdValues.count > 1 ? sequences.map(table.determined) : []
      for (place, sequence) in sequences.enumerated() {
        let isApart =
          determined.isEmpty ? [] : sequence.holdsApart(holdValues, determined: determined[place])
        for (hold, value) in holdValues.enumerated() {
          if hold == 0 || isApart[hold] { tasks.append(Task(sequence: place, hold: hold)) }
          if value == fixed?.variant.ownHold { tasks[tasks.count - 1].hold = hold }
          taskPlaces[hold].append(tasks.count - 1)
        }
      }
      self.tasks = tasks
      self.taskPlaces = taskPlaces
    }

    var count: Int { tasks.count }

    /// With a fixed variant, computes only thresholds that an axis changes; O(frames x thresholds).
    func sequence(_ index: Int) -> Sequence {
      let (place, hold) = (tasks[index].sequence, tasks[index].hold)
      let known = fixed.flatMap { KnownRows($0, place) }
      let isPlaced =
        fixed?.variant.ownHold == holdValues[hold] && known?.hasLayout(setsAtOnce) ?? false
      if isPlaced, let known, let fixed, let deciding, !deciding.mayDecide(known) {
        return fixed.unchanged[place]
      }
      let placed = isPlaced ? known?.layout : nil
      let layout =
        placed
        ?? WordLayout(
          sequences[place], grid.stream,
          determined: determined.isEmpty ? table.determined(sequences[place]) : determined[place],
          holdSeconds: holdValues[hold], setsAtOnce: setsAtOnce, facts: facts.sequences[place])
      var filling = RowFilling(table, sequences[place], layout, known: known)
      let isKnown = filling.fill()
      return Sequence(
        layout: layout, rows: isPlaced && !variesDebounce && isKnown ? nil : filling.rows)
    }

    fileprivate func holds(_ all: [Sequence]) -> [[Sequence]] {
      taskPlaces.map { $0.map { all[$0] } }
    }
  }

  let grid: VariantGrid
  let table: PredicateTable
  let holdAxis: Int?
  let framesAxis: Int?
  let holds: [[Sequence]]
  let fixedNumbers: [UInt32]

  init(_ outline: Outline, _ sequences: [Sequence]) {
    grid = outline.grid
    table = outline.table
    holdAxis = outline.holdAxis
    framesAxis = Self.framesAxis(outline.grid)
    holds = outline.holds(sequences)
    fixedNumbers = outline.fixed?.numbers ?? []
  }

  private var ownHold: Double { grid.base[.holdSeconds] ?? 0 }

  func framesNeeded(_ digits: [Int]) -> UInt32 {
    UInt32(grid.value(of: grid.stream.framesKey, at: digits) ?? 1)
  }

  private static func framesAxis(_ grid: VariantGrid) -> Int? {
    grid.axes.firstIndex { $0.key == grid.stream.framesKey }
  }
}

extension MeasuredSequence {
  /// A hold time treats a frame differently if it is the shortest one that bridges the time since
  /// the last determined frame.
  fileprivate func holdsApart(_ holds: [Double], determined: [Bool]) -> [Bool] {
    var isApart = holds.map { _ in false }
    let bridged = holds.map { $0 + Debouncer.tolerance }
    for recording in recordings {
      var last: Double?
      for (time, isDetermined) in zip(
        times[recording.frames], determined[recording.frames]
      ) {
        if let last, let shortest = bridged.first, time - last > shortest {
          let first = bridged.partitioningIndex { $0 >= time - last }
          if first < holds.count { isApart[first] = true }
        }
        if isDetermined { last = time }
      }
    }
    return isApart
  }
}

struct PredicateTable: Sendable {
  struct Entry: Sendable {
    let measurement: Int
    let comparison: Comparison
    let thresholds: [Float]
    let axis: Int?
    let firstRow: Int
  }

  let entries: [Entry]
  let rowCount: Int
  let labels: [UInt8]
  let ends: [UInt32]
  fileprivate let rules: [(single: [Int], several: [Int])]
  let varied: [Int]
  let measurements: [Measurement]

  init(_ grid: VariantGrid) {
    let list = grid.detector.list(grid.stream)
    let measurements = list.measurements
    var entries: [Entry] = []
    var rows = 0
    var ends: [UInt32] = []
    var rules: [(single: [Int], several: [Int])] = []
    for rule in list.rules {
      for predicate in rule.predicates {
        let axis = grid.axes.firstIndex { $0.key == predicate.parameter }
        let values = axis.map { grid.axes[$0].values } ?? [grid.base[predicate.parameter] ?? .nan]
        let entry = Entry(
          measurement: measurements.place(of: predicate.measurement),
          comparison: predicate.comparison,
          thresholds: values.map { predicate.isNegated ? -Float($0) : Float($0) }, axis: axis,
          firstRow: rows)
        rows += values.count
        entries.append(entry)
      }
      let places = (ends.last.map(Int.init) ?? 0)..<entries.count
      rules.append(
        (
          single: places.filter { entries[$0].thresholds.count == 1 },
          several: places.filter { entries[$0].thresholds.count > 1 }
        ))
      ends.append(UInt32(entries.count))
    }
    self.rules = rules
    varied = rules.flatMap(\.several)
    self.entries = entries
    self.ends = ends
    rowCount = rows
    labels = list.rules.map(\.label.code)
    self.measurements = measurements.members
  }

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
}

/// Finding out first that no row has to be filled makes `evaluate` an eighth faster.
private struct DecidingRows: Sendable {
  private struct Rule {
    let rows: Range<Int>
    let isVaried: Bool
  }

  private let rules: [Rule]
  private let rows: [Int]

  init?(_ table: PredicateTable, beside fixed: PredicateTable) {
    var rules: [Rule] = []
    var rows: [Int] = []
    for rule in table.rules {
      let start = rows.count
      for place in rule.single {
        guard fixed.entries[place].thresholds == table.entries[place].thresholds else {
          return nil
        }
        rows.append(fixed.entries[place].firstRow)
      }
      rules.append(Rule(rows: start..<rows.count, isVaried: !rule.several.isEmpty))
    }
    self.rules = rules
    self.rows = rows
  }

  func mayDecide(_ known: KnownRows) -> Bool {
    let valid = known.sequence.layout.valid
    return valid.indices.contains { word in
      var open = valid[word]
      for rule in rules {
        var decisive = open
        for row in rows[rule.rows] { decisive &= known.words[known.starts[row] + word] }
        if rule.isVaried {
          if decisive != 0 { return true }
        } else {
          open &= ~decisive
        }
      }
      return false
    }
  }
}

struct BitRows: Sendable {
  private let shared: [UInt64]
  fileprivate private(set) var own: [UInt64] = []
  private(set) var starts: [Int]

  fileprivate init(count: Int, shared: [UInt64], certainWords: Int) {
    self.shared = shared
    starts = Array(repeating: 0, count: count)
    own.reserveCapacity(certainWords)
  }

  func withWords<Result>(_ body: (Words) -> Result) -> Result {
    shared.withUnsafeBufferPointer { shared in
      own.withUnsafeBufferPointer { body(Words(shared: shared, own: $0)) }
    }
  }

  struct Words {
    fileprivate let shared: UnsafeBufferPointer<UInt64>
    fileprivate let own: UnsafeBufferPointer<UInt64>

    subscript(start: Int) -> UnsafePointer<UInt64>? {
      start < shared.count
        ? shared.baseAddress.map { $0 + start }
        : own.baseAddress.map { $0 + (start - shared.count) }
    }
  }

  fileprivate mutating func share(_ start: Int, as number: Int) { starts[number] = start }

  fileprivate mutating func take(_ row: [UInt64], as number: Int, isFirst: Bool) {
    if !isFirst, hasEqual(row, at: starts[number - 1]) {
      starts[number] = starts[number - 1]
    } else {
      starts[number] = shared.count + own.count
      own += row
    }
  }

  private func hasEqual(_ row: [UInt64], at start: Int) -> Bool {
    row.indices.allSatisfy { row[$0] == own[start - shared.count + $0] }
  }
}

private struct KnownRows {
  let sequence: PreparedVariant.Sequence
  let words: [UInt64]
  let starts: [Int]
  private let fixed: PreparedVariant.Fixed

  init?(_ fixed: PreparedVariant.Fixed, _ place: Int) {
    sequence = fixed.variant.holds[0][place]
    guard let rows = sequence.rows else { return nil }
    self.fixed = fixed
    words = rows.own
    starts = rows.starts
  }

  var layout: WordLayout { sequence.layout }

  func hasLayout(_ setsAtOnce: Bool) -> Bool { setsAtOnce || !sequence.layout.hasJoinedPieces }

  func thresholds(of place: Int) -> [Float] { fixed.variant.table.entries[place].thresholds }

  func start(of place: Int) -> Int { starts[fixed.variant.table.entries[place].firstRow] }
}

/// A predicate with several thresholds can decide only in frames in which all single-threshold
/// predicates of its rule hold and no earlier rule of only single-threshold predicates does.
///
/// In all other frames, its bits are 0, so that more thresholds have the same bits.
private struct RowFilling {
  private(set) var rows: BitRows
  private let table: PredicateTable
  private let known: KnownRows?
  private let move: BitMove?
  private var values: Gathered
  private var open: [UInt64]
  private var decisive: [UInt64]
  private var row: [UInt64]

  init(
    _ table: PredicateTable, _ sequence: MeasuredSequence, _ layout: WordLayout, known: KnownRows?
  ) {
    self.table = table
    self.known = known
    move = known.flatMap { BitMove(from: $0.layout, to: layout) }
    let shared = move == nil ? known?.words ?? [] : []
    let certain = shared.isEmpty ? table.entries.count : table.varied.count
    rows = BitRows(count: table.rowCount, shared: shared, certainWords: certain * layout.wordCount)
    values = Gathered(columns: sequence.columns, layout: layout)
    open = layout.valid
    decisive = open
    row = open
  }

  mutating func fill() -> Bool {
    var isKnown = known != nil
    for rule in table.rules {
      decisive = open
      for place in rule.single { fillOne(place) }
      for place in rule.several { isKnown = fillAll(place) && isKnown }
      guard rule.several.isEmpty else { continue }
      for word in open.indices { open[word] &= ~decisive[word] }
    }
    return isKnown
  }

  private mutating func fillOne(_ place: Int) {
    let entry = table.entries[place]
    if let known, known.thresholds(of: place) == entry.thresholds {
      let start = known.start(of: place)
      guard let move else {
        for word in decisive.indices { decisive[word] &= known.words[start + word] }
        return rows.share(start, as: entry.firstRow)
      }
      move.copy(known.words, from: start, to: &row)
    } else {
      pack(entry, entry.thresholds[0], row.indices)
    }
    for word in decisive.indices { decisive[word] &= row[word] }
    rows.take(row, as: entry.firstRow, isFirst: true)
  }

  private mutating func fillAll(_ place: Int) -> Bool {
    let entry = table.entries[place]
    let first = decisive.firstIndex { $0 != 0 } ?? 0
    let part = first..<(decisive.lastIndex { $0 != 0 } ?? -1) + 1
    let own = known.flatMap { part.isEmpty || $0.layout.wordCount == row.count ? $0 : nil }
    var isKnown = own != nil
    for word in row.indices { row[word] = 0 }
    for (index, threshold) in entry.thresholds.enumerated() {
      pack(entry, threshold, part)
      for word in part { row[word] &= decisive[word] }
      rows.take(row, as: entry.firstRow + index, isFirst: index == 0)
      guard isKnown, let own else { continue }
      let start = own.start(of: place)
      isKnown = part.allSatisfy { row[$0] == own.words[start + $0] & decisive[$0] }
    }
    return isKnown
  }

  private mutating func pack(
    _ entry: PredicateTable.Entry, _ threshold: Float, _ part: Range<Int>
  ) {
    guard !part.isEmpty else { return }
    values.take(entry.measurement, of: table, part)
    values.numbers.withUnsafeBufferPointer { numbers in
      row.withUnsafeMutableBufferPointer { row in
        sweep_pack(
          numbers.baseAddress, UInt32(part.count), entry.comparison.kernelCode, threshold,
          row.baseAddress.map { $0 + part.lowerBound })
      }
    }
  }
}

/// Moves bits between layouts: no hold time changes which frames are determined, so the words of
/// both layouts differ only where pieces begin.
private struct BitMove {
  private struct Part {
    let source: Int
    let target: Int
    let taken: UInt64
    let filled: UInt64
    let mask: UInt64
  }

  private var parts: [Part] = []

  init?(from source: WordLayout, to target: WordLayout) {
    guard source.valid != target.valid else { return nil }
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

  func copy(_ bits: [UInt64], from start: Int, to row: inout [UInt64]) {
    for word in row.indices { row[word] = 0 }
    for part in parts {
      row[part.target] |= (bits[start + part.source] >> part.taken & part.mask) << part.filled
    }
  }
}

private struct Gathered {
  let columns: MeasurementColumns
  let layout: WordLayout
  private(set) var numbers: [Float] = []
  private var taken: (measurement: Int, words: Range<Int>)?

  init(columns: MeasurementColumns, layout: WordLayout) {
    self.columns = columns
    self.layout = layout
  }

  mutating func take(_ measurement: Int, of table: PredicateTable, _ words: Range<Int>) {
    if let taken, taken.words == words, taken.measurement == measurement { return }
    taken = (measurement: measurement, words: words)
    numbers = layout.gather(columns[table.measurements[measurement]], words)
  }
}

extension Comparison {
  package var kernelCode: UInt32 {
    switch self {
    case .greater: UInt32(SWEEP_GREATER)
    case .greaterOrEqual: UInt32(SWEEP_GREATER_OR_EQUAL)
    case .less: UInt32(SWEEP_LESS)
    case .lessOrEqual: UInt32(SWEEP_LESS_OR_EQUAL)
    }
  }
}
