internal import CSweepKernels
package import PlankDetection
internal import PoseModel

/// One variant of a stream, ready to be swept: its predicates and, per hold time, its sequences as
/// words.
struct PreparedVariant: Sendable {
  /// One sequence at one hold time; shared by all batches.
  final class Sequence: Sendable {
    let layout: WordLayout
    /// The rows of the table; nil if no axis changes a label, so that every cell has the numbers of the
    /// fixed variant.
    let rows: BitRows?

    init(layout: WordLayout, rows: BitRows?) {
      self.layout = layout
      self.rows = rows
    }
  }

  /// A variant without axes, from which is taken over what no axis of another changes.
  final class Fixed: Sendable {
    let variant: PreparedVariant
    /// The numbers of its only cell.
    let numbers: [UInt32]
    /// Every sequence, without rows: what another variant uses where none of its axes changes a label.
    fileprivate let unchanged: [Sequence]

    /// Takes a variant with one hold time.
    init(variant: PreparedVariant, numbers: [UInt32]) {
      self.variant = variant
      self.numbers = numbers
      unchanged = variant.holds[0].map { Sequence(layout: $0.layout, rows: nil) }
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
    fileprivate let fixed: Fixed?
    /// Whether cells differ in more than thresholds.
    private let variesDebounce: Bool
    /// Whether every determined frame sets the answer, in all cells.
    private let setsAtOnce: Bool
    /// Finds the sequences in which no axis can change a label; nil if the fixed variant alone does not
    /// tell.
    private let deciding: DecidingRows?
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
    /// - Parameter fixed: the same variant without axes and the same sequences, whose layouts, rows
    ///   and numbers are taken over where no axis changes them; nil if it was not prepared.
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
      setsAtOnce = !variesDebounce && grid.base[PreparedVariant.framesKey(grid.stream)] ?? 1 == 1
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
          determined.isEmpty
          ? [] : sequence.holdsApart(holdValues, determined: determined[place])
        for (hold, value) in holdValues.enumerated() {
          if hold == 0 || isApart[hold] { tasks.append(Task(sequence: place, hold: hold)) }
          if value == fixed?.variant.ownHold { tasks[tasks.count - 1].hold = hold }
          taskPlaces[hold].append(tasks.count - 1)
        }
      }
      self.tasks = tasks
      self.taskPlaces = taskPlaces
    }

    /// How many sequences are prepared.
    var count: Int { tasks.count }

    /// A sequence at a hold time, and at those that treat its gaps alike.
    ///
    /// - Complexity: O(frames x thresholds), one bit each, of the frames in which they decide; with a
    ///   fixed variant, of the thresholds that an axis changes.
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
          determined: determined.isEmpty
            ? table.determined(sequences[place]) : determined[place],
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

  /// The cells.
  let grid: VariantGrid
  /// The list's predicates.
  let table: PredicateTable
  /// The axes of `hold_seconds` and of the debounce length, by position; nil if fixed.
  let holdAxis: Int?
  let framesAxis: Int?
  /// The sequences by value of the hold axis.
  let holds: [[Sequence]]
  /// The numbers of sequences without rows, in their places among those of a cell.
  let fixedNumbers: [UInt32]

  /// Puts a variant together.
  ///
  /// - Parameter sequences: all of the outline, in its order.
  init(_ outline: Outline, _ sequences: [Sequence]) {
    grid = outline.grid
    table = outline.table
    holdAxis = outline.holdAxis
    framesAxis = Self.framesAxis(outline.grid)
    holds = outline.holds(sequences)
    fixedNumbers = outline.fixed?.numbers ?? []
  }

  /// The hold time without an axis for it.
  private var ownHold: Double { grid.base[.holdSeconds] ?? 0 }

  /// The debounce length of a cell.
  func framesNeeded(_ digits: [Int]) -> UInt32 {
    UInt32(grid.value(of: Self.framesKey(grid.stream), at: digits) ?? 1)
  }

  private static func framesAxis(_ grid: VariantGrid) -> Int? {
    grid.axes.firstIndex { $0.key == framesKey(grid.stream) }
  }

  private static func framesKey(_ stream: AnswerStream) -> ParameterKey {
    stream == .plank ? .plankFrames : .formFrames
  }
}

extension MeasuredSequence {
  /// For every hold time, whether it treats a frame otherwise than the hold time before it: whether
  /// the time since the last determined frame is longer than that one alone.
  ///
  /// - Parameter holds: seconds, ascending.
  fileprivate func holdsApart(_ holds: [Double], determined: [Bool]) -> [Bool] {
    var isApart = holds.map { _ in false }
    let bridged = holds.map { $0 + Debouncer.tolerance }
    var last: Double?
    for (time, isDetermined) in zip(times, determined) {
      if let last, let shortest = bridged.first, time - last > shortest {
        let first = bridged.partitioningIndex { $0 >= time - last }
        if first < holds.count { isApart[first] = true }
      }
      if isDetermined { last = time }
    }
    return isApart
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
  /// For every rule, the predicates that have one threshold and those that have several.
  fileprivate let rules: [(single: [Int], several: [Int])]
  /// The predicates that have several thresholds.
  let varied: [Int]
  /// The measurements that the list uses.
  let measurements: [Measurement]

  /// Converts the list of a grid.
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
}

/// The rows of a fixed variant that say where a predicate of several thresholds can decide.
///
/// In most sequences of a sweep of one parameter nothing has to be filled. Finding that out first makes
/// `evaluate` an eighth faster.
private struct DecidingRows: Sendable {
  /// A rule: its predicates of one threshold, and whether it has others.
  private struct Rule {
    let rows: Range<Int>
    let isVaried: Bool
  }

  private let rules: [Rule]
  /// The rows of predicates of one threshold, rule after rule.
  private let rows: [Int]

  /// Takes the rules of a table; nil if a predicate of one threshold has another one in the fixed
  /// variant.
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

  /// Whether a predicate of several thresholds can decide in any frame of a sequence.
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

/// In which frames of a sequence every predicate holds with each of its thresholds: one bit per frame.
struct BitRows: Sendable {
  /// The words of the rows that a fixed variant has, too; empty if none are taken over.
  private let shared: [UInt64]
  /// The words of all other rows, one row after the other.
  fileprivate private(set) var own: [UInt64] = []
  /// Where the words of every row of the table start, among the shared ones with the others behind
  /// them; rows of a predicate that follow one another and have the same bits share them.
  private(set) var starts: [Int]

  /// Makes room for some rows.
  ///
  /// - Parameter certainWords: how many words the rows have at least that are not shared.
  fileprivate init(count: Int, shared: [UInt64], certainWords: Int) {
    self.shared = shared
    starts = Array(repeating: 0, count: count)
    own.reserveCapacity(certainWords)
  }

  /// Passes on the words of all rows.
  func withWords<Result>(_ body: (Words) -> Result) -> Result {
    shared.withUnsafeBufferPointer { shared in
      own.withUnsafeBufferPointer { body(Words(shared: shared, own: $0)) }
    }
  }

  /// The words of rows by where they start.
  struct Words {
    fileprivate let shared: UnsafeBufferPointer<UInt64>
    fileprivate let own: UnsafeBufferPointer<UInt64>

    /// The words from a start on; nil if there are none.
    subscript(start: Int) -> UnsafePointer<UInt64>? {
      start < shared.count
        ? shared.baseAddress.map { $0 + start }
        : own.baseAddress.map { $0 + (start - shared.count) }
    }
  }

  /// Takes over a row of the shared words.
  fileprivate mutating func share(_ start: Int, as number: Int) { starts[number] = start }

  /// Takes the bits of a row.
  ///
  /// - Parameter isFirst: whether it is the first one of its predicate; the others are taken in order.
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

/// The rows of a sequence in a variant of the same list without axes, with any hold time.
private struct KnownRows {
  let sequence: PreparedVariant.Sequence
  /// The words of all rows, none of which a fixed variant shares with another.
  let words: [UInt64]
  /// Where the words of every row start.
  let starts: [Int]
  private let fixed: PreparedVariant.Fixed

  /// Takes the rows of a sequence; nil if it has none.
  init?(_ fixed: PreparedVariant.Fixed, _ place: Int) {
    sequence = fixed.variant.holds[0][place]
    guard let rows = sequence.rows else { return nil }
    self.fixed = fixed
    words = rows.own
    starts = rows.starts
  }

  /// The frames of the sequence as words.
  var layout: WordLayout { sequence.layout }

  /// Whether a variant with the same hold time has the same layout; false if its pieces begin elsewhere.
  ///
  /// - Parameter setsAtOnce: whether every determined frame sets the answer in the variant.
  func hasLayout(_ setsAtOnce: Bool) -> Bool { setsAtOnce || !sequence.layout.hasJoinedPieces }

  /// The thresholds of a predicate.
  func thresholds(of place: Int) -> [Float] { fixed.variant.table.entries[place].thresholds }

  /// Where the words of a predicate's row start.
  func start(of place: Int) -> Int { starts[fixed.variant.table.entries[place].firstRow] }
}

/// The rows of a table that are being filled for one sequence.
///
/// A predicate of several thresholds can decide only in frames in which all others of its rule that have
/// one threshold hold, and no earlier rule of such predicates does. In all other frames its bits are 0:
/// more thresholds have the same bits, and no label differs.
private struct RowFilling {
  /// The rows so far.
  private(set) var rows: BitRows
  private let table: PredicateTable
  private let known: KnownRows?
  /// How the words of known rows come into this layout; nil if they are shared.
  private let move: BitMove?
  private var values: Gathered
  /// The frames that no rule so far decides for all thresholds.
  private var open: [UInt64]
  /// Of these, the frames in which all predicates of the current rule hold that have one threshold.
  private var decisive: [UInt64]
  /// The row that is being filled.
  private var row: [UInt64]

  /// Prepares to fill rows.
  ///
  /// - Parameter known: rows from which are taken over those of predicates that no axis changes.
  init(
    _ table: PredicateTable, _ sequence: MeasuredSequence, _ layout: WordLayout, known: KnownRows?
  ) {
    self.table = table
    self.known = known
    move = known.flatMap { BitMove(from: $0.layout, to: layout) }
    let shared = move == nil ? known?.words ?? [] : []
    let certain = shared.isEmpty ? table.entries.count : table.varied.count
    rows = BitRows(
      count: table.rowCount, shared: shared, certainWords: certain * layout.wordCount)
    values = Gathered(columns: sequence.columns, layout: layout)
    open = layout.valid
    decisive = open
    row = open
  }

  /// Fills all rows, rule by rule.
  ///
  /// - Returns: whether all rows are known: whether no threshold gives a frame in which it can decide
  ///   another bit than the known row.
  /// - Complexity: O(rows x frames); O(rows x words) for rows that are taken over.
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

  /// Fills the row of a predicate with one threshold, which narrows the frames that its rule decides.
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

  /// Fills the rows of a predicate with several thresholds.
  ///
  /// - Returns: whether they have the bits of the known row where the predicate can decide.
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

  /// Compares a measurement with a threshold in some words of the row.
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

  private var parts: [Part] = []

  /// Finds the parts; nil if both layouts have the same words.
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

  /// Writes a row of the target.
  ///
  /// - Parameters:
  ///   - bits: rows of the source.
  ///   - start: where the row starts in them.
  ///   - row: takes its words in the target.
  /// - Complexity: O(words).
  func copy(_ bits: [UInt64], from start: Int, to row: inout [UInt64]) {
    for word in row.indices { row[word] = 0 }
    for part in parts {
      row[part.target] |= (bits[start + part.source] >> part.taken & part.mask) << part.filled
    }
  }
}

/// A measurement in the frames of some words of a layout; predicates that share it follow one another.
private struct Gathered {
  let columns: MeasurementColumns
  let layout: WordLayout
  private(set) var numbers: [Float] = []
  private var taken: (measurement: Int, words: Range<Int>)?

  init(columns: MeasurementColumns, layout: WordLayout) {
    self.columns = columns
    self.layout = layout
  }

  /// Takes a measurement of a table in some words.
  mutating func take(_ measurement: Int, of table: PredicateTable, _ words: Range<Int>) {
    if let taken, taken.words == words, taken.measurement == measurement { return }
    taken = (measurement: measurement, words: words)
    numbers = layout.gather(columns[table.measurements[measurement]], words)
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
