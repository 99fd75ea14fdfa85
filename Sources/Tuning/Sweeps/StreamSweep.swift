internal import CSweepKernels
package import Evaluation
internal import PlankDetection
internal import Platform
package import PoseModel

package enum SweepEngine: String, CaseIterable, Hashable, Sendable {
  /// Runs `bitParallel` if it can express the debounce, otherwise `streaming`.
  case automatic = "auto"
  case bitParallel = "bit-parallel"
  case streaming

  /// The environment variable that selects what `automatic` runs: `streaming`, or one copy of the
  /// kernel.
  ///
  /// All engines and copies give equal numbers; nightly tests run with each of them.
  package static let variable = "PLANKLAB_SWEEP_ENGINE"

  package var asked: SweepEngine {
    self == .automatic && Self.request == .success(.streaming) ? .streaming : self
  }

  fileprivate static let request: Result<SweepEngine, TuningError> = {
    guard let text = getenv(variable).map({ String(cString: $0) }), !text.isEmpty else {
      return .success(.automatic)
    }
    if text == streaming.rawValue { return .success(.streaming) }
    guard sweep_force_path(text) == 1 else {
      let here = SweepKernelPath.names.prefix { SweepKernelPath.use($0) }
      return .failure(.missingEngine(text, here: [streaming.rawValue] + here))
    }
    return .success(.automatic)
  }()
}

package struct StreamSweep: Sendable {
  package let grid: StreamGrid
  package let layout: StatisticsLayout
  package let engine: SweepEngine
  private let data: MeasuredData
  private let prepared: [PreparedVariant?]
  private let places: [SequencePlace]

  package init(
    _ grid: StreamGrid, _ data: MeasuredData, engine: SweepEngine = .automatic
  ) {
    let facts = StreamFacts(grid.stream, data.sequences)
    let prepared = Self.outlines(grid, data, engine, facts).map { outline in
      outline.map { PreparedVariant($0, (0..<$0.count).map($0.sequence)) }
    }
    self.init(grid, data, engine, facts, prepared)
  }

  /// `fixed` has the same variants without axes over the same data.
  package init(
    _ grid: StreamGrid, _ data: MeasuredData, engine: SweepEngine, jobs: Int,
    fixed: FixedSweep? = nil
  ) async {
    let facts = fixed?.facts ?? StreamFacts(grid.stream, data.sequences)
    var prepared: [PreparedVariant?] = []
    for outline in Self.outlines(grid, data, engine, facts, fixed: fixed?.variants) {
      guard let outline else {
        prepared.append(nil)
        continue
      }
      let sequences = await ConcurrentMap.run(outline.count, jobs: jobs) { outline.sequence($0) }
      prepared.append(PreparedVariant(outline, sequences))
    }
    self.init(grid, data, engine, facts, prepared)
  }

  private init(
    _ grid: StreamGrid, _ data: MeasuredData, _ engine: SweepEngine, _ facts: StreamFacts,
    _ prepared: [PreparedVariant?]
  ) {
    self.grid = grid
    self.data = data
    self.engine = engine
    self.prepared = prepared
    let layout = StatisticsLayout(facts)
    self.layout = layout
    places = layout.facts.sequences.indices.map { SequencePlace($0, layout) }
  }

  private static func outlines(
    _ grid: StreamGrid, _ data: MeasuredData, _ engine: SweepEngine, _ facts: StreamFacts,
    fixed: [PreparedVariant.Fixed?]? = nil
  ) -> [PreparedVariant.Outline?] {
    precondition(data.variants.count == grid.variants.count, "data for every variant")
    return zip(grid.variants, data.variants).enumerated().map { place, variant in
      engine.asked != .streaming && variant.0.variant.isBitParallel(grid.stream)
        ? PreparedVariant.Outline(variant.0, variant.1, facts, fixed: fixed?[place]) : nil
    }
  }

  fileprivate func fixedVariants(jobs: Int) async throws -> [PreparedVariant.Fixed?] {
    var fixed: [PreparedVariant.Fixed?] = []
    for (variant, prepared) in prepared.enumerated() {
      guard let prepared else {
        fixed.append(nil)
        continue
      }
      let cells = Array(grid.cells(of: variant))
      precondition(cells.count == 1, "no axes")
      let numbers = try await countBits(cells, jobs: jobs) { _ in }.storage
      fixed.append(PreparedVariant.Fixed(variant: prepared, numbers: numbers))
    }
    return fixed
  }

  /// Evaluates a range of ids without degenerate ones; the result does not depend on `jobs`.
  ///
  /// - Throws: `notBitParallel` if the bit-parallel engine is forced and cannot express a variant,
  ///   and `missingEngine` if this machine lacks the engine that the environment selects.
  /// - Complexity: O(configurations x frames / 64) with the bit-parallel engine.
  package func evaluate(
    _ range: Range<Int>, jobs: Int = 1, progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> CellTable {
    _ = try SweepEngine.request.get()
    if engine == .bitParallel, let index = prepared.firstIndex(where: { $0 == nil }) {
      throw TuningError.notBitParallel(grid.variants[index].detectorName)
    }
    var table = CellTable(layout: layout, ids: [], storage: [])
    let streaming = StreamingSweep(grid: grid, data: data, layout: layout)
    var start = range.lowerBound
    while start < range.upperBound {
      let isStreamed = prepared[grid.locate(start).variant] == nil
      var end = start
      while end < range.upperBound {
        let variant = grid.locate(end).variant
        guard (prepared[variant] == nil) == isStreamed else { break }
        end = min(range.upperBound, grid.cells(of: variant).upperBound)
      }
      let cells = grid.accepted(in: start..<end)
      if isStreamed {
        table.append(try await streaming.evaluate(cells, jobs: max(1, jobs), progress: progress))
      } else {
        table.append(try await countBits(cells, jobs: max(1, jobs), progress: progress))
      }
      start = end
    }
    return table
  }

  /// With fewer configurations per core, lanes of the kernel would be idle, and sequences would be
  /// visited more often than necessary.
  package var fewestCells: Int { prepared.contains { $0 == nil } ? 1 : Self.fullLanes }

  private static let fullLanes = Int(SWEEP_LANES) * LaneBundle.mostLengths

  /// The most configurations to evaluate at once, if each has `numbers` numbers.
  ///
  /// They take at most 4 MB, or at most 64 MB if that many are needed to fill the lanes.
  package static func cellsAtOnce(_ numbers: Int) -> Int {
    let numbers = max(1, numbers)
    return max(1, 1_000_000 / numbers, min(fullLanes, 16_000_000 / numbers))
  }

  private func countBits(
    _ cells: [Int], _ batches: [LaneBatch], progress: @Sendable (Int) -> Void
  ) -> CellTable {
    let count = cells.count * layout.stride
    precondition(batches.reduce(0) { $0 + $1.positions.count } == cells.count, "every cell")
    let storage = [UInt32](unsafeUninitializedCapacity: count) { storage, initialized in
      for batch in batches {
        guard let variant = prepared[batch.variant] else { continue }
        BatchCounting(variant, layout, places).count(batch, into: storage, rows: batch.positions)
        progress(batch.positions.count)
      }
      initialized = count
    }
    return CellTable(layout: layout, ids: cells, storage: storage)
  }

  private func countBits(
    _ cells: [Int], jobs: Int, progress: @Sendable (Int) -> Void
  ) async throws -> CellTable {
    let batches = LaneBatch.batches(cells, grid, prepared)
    guard jobs > 1 else { return countBits(cells, batches, progress: progress) }
    let stride = layout.stride
    var storage = [UInt32](repeating: 0, count: cells.count * stride)
    try await ConcurrentMap.inOrder(batches.count, jobs: jobs) { index in
      let batch = batches[index]
      let counting = prepared[batch.variant].map { BatchCounting($0, layout, places) }
      return (positions: batch.positions, numbers: counting?.numbers(of: batch) ?? [])
    } use: { positions, numbers in
      storage.withUnsafeMutableBufferPointer { storage in
        numbers.withUnsafeBufferPointer { numbers in
          for (row, position) in positions.enumerated() {
            let own = numbers[row * stride..<(row + 1) * stride]
            _ = storage[position * stride..<(position + 1) * stride].update(fromContentsOf: own)
          }
        }
      }
      progress(positions.count)
    }
    return CellTable(layout: layout, ids: cells, storage: storage)
  }
}

package struct FixedSweep: Sendable {
  let facts: StreamFacts
  let variants: [PreparedVariant.Fixed?]

  package init(
    _ grid: StreamGrid, _ data: MeasuredData, engine: SweepEngine = .automatic, jobs: Int
  ) async throws {
    let sweep = await StreamSweep(grid, data, engine: engine, jobs: jobs)
    facts = sweep.layout.facts
    variants = try await sweep.fixedVariants(jobs: jobs)
  }
}

package enum SweepKernelPath {
  package static let names = ["baseline", "avx2", "avx512"]

  /// The copy in use: the machine's best, unless code or the environment selected another one.
  package static var current: String {
    _ = SweepEngine.request
    return String(cString: sweep_path())
  }

  package static func use(_ name: String) -> Bool { sweep_force_path(name) == 1 }
}

package struct SweepSize: Hashable, Sendable {
  package let stream: AnswerStream
  /// The number of configurations, including degenerate ones; a `Double`, so that products cannot
  /// overflow.
  package let cells: Double
  package let numbers: Int
  package let sources: Int

  package init(_ stream: AnswerStream, cells: Double, numbers: Int, sources: Int = 0) {
    self.stream = stream
    self.cells = cells
    self.numbers = numbers
    self.sources = sources
  }

  package init(_ grid: StreamGrid, _ data: MeasuredData) {
    let layout = StatisticsLayout(StreamFacts(grid.stream, data.sequences))
    self.init(
      grid.stream, cells: Double(grid.cellCount), numbers: layout.stride,
      sources: Set(data.sequences.compactMap(\.source)).count)
  }

  /// An estimate of the stored bytes per configuration: 0.9 bytes per number, a row, and a row of
  /// sums for every source.
  ///
  /// Measured: 887 bytes for 898 numbers, and 84 bytes for 59 numbers.
  package var storedBytesPerCell: Double { 0.9 * Double(numbers) + 40 + 36 * Double(sources) }

  package func chosenBytesPerCell(subjects: Int, jobs: Int) -> Double {
    4 * Double(numbers) + 200 * Double(subjects) + 500 + 100 * Double(jobs)
  }
}

package struct FixedSettings: Sendable {
  private let definition: GridDefinition

  package init(_ variant: DetectorVariant, _ smoothing: SmoothingChoice) throws {
    definition = try GridDefinition([variant], smoothings: [smoothing], axes: [])
  }

  package func measure(_ sequence: TuningSequence) throws -> MeasuredSequence {
    let data = try MeasuredData([sequence], for: definition)
    return data.sequences[0]
  }

  package func value(
    _ metric: MetricKey, over sequences: [MeasuredSequence], engine: SweepEngine = .automatic,
    jobs: Int = 1
  ) async throws -> Double? {
    let data = try MeasuredData(variants: [sequences]).compared(by: metric.stream)
    let table = try await SubjectTable(
      definition.detectors[0], variant: 0, metric.stream, data,
      TuningOptions(allowsUngrouped: true, engine: engine), jobs: jobs)
    return table.value(metric, at: 0, Array(table.subjects.indices))
  }
}

/// The reference for the bit-parallel engine.
struct StreamingSweep: Sendable {
  let grid: StreamGrid
  let data: MeasuredData
  let layout: StatisticsLayout

  func evaluate(
    _ cells: [Int], jobs: Int, progress: @Sendable (Int) -> Void
  ) async throws -> CellTable {
    var storage: [UInt32] = []
    storage.reserveCapacity(cells.count * layout.stride)
    try await ConcurrentMap.inOrder(cells.count, jobs: jobs) { position in
      try numbers(of: cells[position])
    } use: { numbers in
      storage += numbers
      progress(1)
    }
    return CellTable(layout: layout, ids: cells, storage: storage)
  }

  func numbers(of cell: Int) throws -> [UInt32] {
    let (variant, _) = grid.locate(cell)
    let detector = try BatchDetector(
      grid.variants[variant].detector, parameters: try grid.parameters(of: cell),
      debounce: grid.variants[variant].variant.debounce)
    var numbers = [UInt32](repeating: 0, count: layout.stride)
    for (index, sequence) in data.variants[variant].enumerated() {
      let found = detector.run(
        grid.stream, sequence.columns, times: sequence.times,
        recordings: sequence.recordings.map(\.frames),
        startsMid: sequence.startsMid)
      count(
        sequence.truth.codes(grid.stream), found.answers, sequence.recordings, of: index,
        into: &numbers)
    }
    return numbers
  }

  private func count(
    _ truth: [UInt8], _ answers: [UInt8], _ recordings: [MeasuredSequence.Part], of sequence: Int,
    into numbers: inout [UInt32]
  ) {
    var rowStarts = Array(repeating: RowPlace(answers: 0, ticks: nil), count: 256)
    let hasTicks = layout.facts.sequences[sequence].hasTicks
    for (row, value) in layout.facts.sequences[sequence].rows.enumerated() {
      rowStarts[Int(value.truth)] = layout.row(row, of: sequence)
    }
    var transitions: UInt32 = 0
    for recording in recordings {
      var wasScored = false
      let ticks = hasTicks ? FrameTicks.of(recording.frameWeight) : 0
      for frame in recording.frames {
        let isScored = FrameTruth.isScored(truth[frame])
        if isScored {
          let place = rowStarts[Int(truth[frame])]
          numbers[place.answers + Int(answers[frame])] += 1
          if let start = place.ticks {
            FrameTicks.add(ticks, to: &numbers, at: start + 2 * Int(answers[frame]))
          }
          if wasScored, answers[frame] != answers[frame - 1] { transitions += 1 }
        }
        wasScored = isScored
      }
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

package struct StreamFacts: Hashable, Sendable {
  package struct TruthRow: Hashable, Sendable {
    package let truth: UInt8
    package let frames: Int
    /// The time of the frames if recordings with different frame weights are joined; otherwise nil.
    package private(set) var ticks: UInt64?
  }

  package struct Onset: Hashable, Sendable {
    package let label: UInt8
    /// The first frame is the onset; an onset from labels may include unscored frames.
    package let frames: Range<Int>
    /// Whether the previous frame has a class as well.
    ///
    /// Otherwise, the event starts where scoring starts, and its true start is unknown.
    package let isObserved: Bool
    /// The time from the event's first frame to the frame after the event.
    ///
    /// If that frame is not scored, the event lasts at most 0.5 s beyond its last frame. At the end
    /// of a sequence, it lasts one frame weight beyond its last frame.
    package let duration: Seconds
  }

  package struct SequenceFacts: Hashable, Sendable {
    package let name: String
    package let subject: String?
    package private(set) var source: String?
    package let frameWeight: Seconds
    package let evaluatedSeconds: Seconds
    package let trueTransitions: Int
    package let rows: [TruthRow]
    package let onsets: [Onset]
    package let times: [Double]

    package var hasTicks: Bool { rows.contains { $0.ticks != nil } }

    package func latency(frames: Int, of onset: Onset) -> Seconds {
      Seconds(times[onset.frames.lowerBound + frames] - times[onset.frames.lowerBound])
    }
  }

  package let stream: AnswerStream
  package let sequences: [SequenceFacts]

  package init(_ stream: AnswerStream, _ sequences: [MeasuredSequence]) {
    self.stream = stream
    self.sequences = sequences.map { Self.facts(stream, $0) }
  }

  package init(_ stream: AnswerStream, facts: [SequenceFacts]) {
    self.stream = stream
    sequences = facts
  }

  private static func facts(_ stream: AnswerStream, _ sequence: MeasuredSequence) -> SequenceFacts {
    let codes = sequence.truth.codes(stream)
    let withOnsets = sequence.truth.codesWithOnsets(stream)
    var frames = stream.labels.map { _ in 0 }
    var ticks = stream.labels.map { _ in UInt64(0) }
    var (seconds, transitions) = (0.0, 0)
    var onsets: [Onset] = []
    let hasOneWeight = sequence.hasOneWeight
    for recording in sequence.recordings {
      let truth = TruthCounts(
        Array(codes[recording.frames]), stream, times: Array(sequence.times[recording.frames]),
        frameWeight: recording.frameWeight)
      for label in frames.indices {
        frames[label] += truth.frames[label]
        guard !hasOneWeight else { continue }
        ticks[label] += UInt64(truth.frames[label]) * FrameTicks.of(recording.frameWeight)
      }
      seconds += truth.evaluatedSeconds.value
      transitions += truth.transitions
      onsets += Self.onsets(of: withOnsets, recording, sequence)
    }
    return SequenceFacts(
      name: sequence.name, subject: sequence.subject, source: sequence.source,
      frameWeight: sequence.frameWeight, evaluatedSeconds: Seconds(seconds),
      trueTransitions: transitions,
      rows: frames.indices.filter { frames[$0] > 0 }.map {
        TruthRow(
          truth: UInt8($0), frames: frames[$0], ticks: hasOneWeight ? nil : ticks[$0])
      }, onsets: onsets, times: sequence.times)
  }

  private static func onsets(
    of truth: [UInt8], _ recording: MeasuredSequence.Part, _ sequence: MeasuredSequence
  ) -> [Onset] {
    var onsets: [Onset] = []
    var start = recording.frames.lowerBound
    while start < recording.frames.upperBound {
      var end = start + 1
      while end < recording.frames.upperBound, truth[end] == truth[start] { end += 1 }
      if truth[start] != 0, FrameTruth.isScored(truth[start]) {
        onsets.append(
          Onset(
            label: truth[start], frames: start..<end,
            isObserved: start > recording.frames.lowerBound
              && FrameTruth.isScored(truth[start - 1]),
            duration: duration(of: start..<end, truth, recording, sequence)))
      }
      start = end
    }
    return onsets
  }

  private static func duration(
    of frames: Range<Int>, _ truth: [UInt8], _ recording: MeasuredSequence.Part,
    _ sequence: MeasuredSequence
  ) -> Seconds {
    let (last, next) = (frames.upperBound - 1, frames.upperBound)
    let times = sequence.times
    var end = times[last] + recording.frameWeight.value
    if next < recording.frames.upperBound {
      let isCut = !FrameTruth.isScored(truth[next])
      end = isCut ? min(times[next], times[last] + FrameTiming.longestGap) : times[next]
    }
    return Seconds(end - times[frames.lowerBound])
  }
}
