internal import PlankDetection
internal import PoseModel

/// Evaluates cells with the production rules and debounce, frame by frame.
///
/// It is the reference for the bit-parallel engine and replaces it on request.
struct StreamingSweep: Sendable {
  let grid: StreamGrid
  let data: MeasuredData
  let layout: StatisticsLayout

  /// Evaluates cells.
  ///
  /// - Complexity: O(cells x frames x predicates).
  func evaluate(
    _ cells: [Int], jobs: Int, progress: @Sendable (Int) -> Void
  ) async throws -> CellTable {
    var storage = [UInt32](repeating: 0, count: cells.count * layout.stride)
    let stride = layout.stride
    try await withThrowingTaskGroup(of: (Int, [UInt32]).self) { group in
      var next = 0
      func start() {
        guard next < cells.count else { return }
        let position = next
        next += 1
        group.addTask { (position, try numbers(of: cells[position])) }
      }
      for _ in 0..<jobs { start() }
      for try await (position, numbers) in group {
        start()
        storage.replaceSubrange(position * stride..<(position + 1) * stride, with: numbers)
        progress(1)
      }
    }
    return CellTable(layout: layout, ids: cells, storage: storage)
  }

  /// All numbers of one cell.
  func numbers(of cell: Int) throws -> [UInt32] {
    let (variant, _) = grid.locate(cell)
    let detector = try BatchDetector(
      grid.variants[variant].detector, parameters: try grid.parameters(of: cell),
      debounce: grid.variants[variant].variant.debounce)
    var counter = AnswerCounter(layout)
    for (index, sequence) in data.variants[variant].enumerated() {
      let found = detector.run(
        grid.stream, sequence.columns, times: sequence.times, startsMid: sequence.startsMid)
      counter.count(
        sequence.truth.codes(grid.stream), raw: found.raw, answers: found.answers, of: index)
    }
    return counter.numbers
  }
}

/// Counts the answers of one cell, sequence by sequence.
struct AnswerCounter {
  private(set) var numbers: [UInt32]
  private let layout: StatisticsLayout

  /// Makes an empty counter.
  init(_ layout: StatisticsLayout) {
    self.layout = layout
    numbers = Array(repeating: 0, count: layout.stride)
  }

  /// Counts a sequence.
  ///
  /// - Complexity: O(frames).
  mutating func count(_ truth: [UInt8], raw: [UInt8], answers: [UInt8], of sequence: Int) {
    var rowStarts = Array(repeating: (all: 0, determined: Int?.none), count: 256)
    for (row, value) in layout.facts.sequences[sequence].rows.enumerated() {
      rowStarts[Int(value.truth)] = layout.row(row, of: sequence)
    }
    var transitions: UInt32 = 0
    var wasScored = false
    for frame in truth.indices {
      let isScored = FrameTruth.isScored(truth[frame])
      if isScored {
        let place = rowStarts[Int(truth[frame])]
        numbers[place.all + Int(answers[frame])] += 1
        if let determined = place.determined, raw[frame] != Debouncer.undetermined {
          numbers[determined + Int(answers[frame])] += 1
        }
        if wasScored, answers[frame] != answers[frame - 1] { transitions += 1 }
      }
      wasScored = isScored
    }
    numbers[layout.transitions(of: sequence)] = transitions
    for (index, onset) in layout.facts.sequences[sequence].onsets.enumerated() {
      let isHit = onset.frames.contains {
        answers[$0] == onset.label && FrameTruth.isScored(truth[$0])
      }
      let first = isHit ? onset.frames.first { answers[$0] == onset.label } : nil
      numbers[layout.latency(index, of: sequence)] =
        first.map { UInt32($0 - onset.frames.lowerBound) } ?? StatisticsLayout.never
    }
  }
}
