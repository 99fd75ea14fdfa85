internal import CSweepKernels

/// Thresholds whose predicates hold in the same frames of a sequence are counted once.
///
/// Neighboring thresholds often leave every label of a sequence unchanged.
struct BatchCounting {
  private let variant: PreparedVariant
  private let layout: StatisticsLayout
  private let places: [SequencePlace]
  private let planes: Int
  private let sums: Int

  init(_ variant: PreparedVariant, _ layout: StatisticsLayout, _ places: [SequencePlace]) {
    self.variant = variant
    self.layout = layout
    self.places = places
    planes = layout.labelCount > 4 ? 3 : 2
    sums = Int(sweep_sum_count(UInt32(planes)))
  }

  func numbers(of batch: LaneBatch) -> [UInt32] {
    let count = batch.positions.count * layout.stride
    return [UInt32](unsafeUninitializedCapacity: count) { numbers, initialized in
      self.count(batch, into: numbers, rows: Array(batch.positions.indices))
      initialized = count
    }
  }

  func count(_ batch: LaneBatch, into numbers: UnsafeMutableBufferPointer<UInt32>, rows: [Int]) {
    let bundles = batch.bundles.map { $0.withRows(of: variant.table) }
    let sequences = variant.holds[batch.hold]
    let lengths = bundles.lazy.map { $0.lengths.count }.max() ?? 0
    let lanes = bundles.lazy.map { $0.lanes.count }.max() ?? 0
    let slots = (sequences.lazy.map { $0.layout.rowTotals.count }.max() ?? 0) * sums + 1
    let events = sequences.lazy.map { $0.layout.events.count }.max() ?? 0
    let work = CountingSpace(
      counts: lengths * Int(SWEEP_LANES) * slots, hits: lengths * Int(SWEEP_LANES) * events,
      numbers: lanes * lengths * (places.lazy.map { $0.width }.max() ?? 0), lanes: lanes,
      predicates: variant.table.entries.count, scratch: sweep_scratch_size(UInt32(lengths)))
    for (sequence, place) in zip(sequences, places) {
      guard let bitRows = sequence.rows else {
        takeOver(place, into: numbers, rows: rows)
        continue
      }
      for bundle in bundles {
        count(bundle, sequence, bitRows, place, work, into: numbers, rows: rows)
      }
    }
  }

  private func takeOver(
    _ place: SequencePlace, into numbers: UnsafeMutableBufferPointer<UInt32>, rows: [Int]
  ) {
    for piece in place.pieces {
      let own = variant.fixedNumbers[piece.start..<piece.start + piece.own.count]
      for row in rows {
        let start = row * layout.stride + piece.start
        _ = numbers[start..<start + piece.own.count].initialize(fromContentsOf: own)
      }
    }
  }

  private func count(
    _ bundle: LaneBundle, _ sequence: PreparedVariant.Sequence, _ bitRows: BitRows,
    _ place: SequencePlace, _ work: borrowing CountingSpace,
    into numbers: UnsafeMutableBufferPointer<UInt32>, rows: [Int]
  ) {
    let slotCount = work.findDistinctLanes(of: bundle, in: bitRows.starts, variant.table.varied)
    let lengths = bundle.lengths.count
    for first in stride(from: 0, to: slotCount, by: Int(SWEEP_LANES)) {
      let slots = first..<min(first + Int(SWEEP_LANES), slotCount)
      run(bundle, slots, sequence, bitRows, work)
      for slot in slots {
        for length in 0..<lengths {
          store(
            sequence.layout, place, work, lane: slot - first, length: length,
            at: (slot * lengths + length) * place.width)
        }
      }
    }
    for member in bundle.members {
      let start = (work.slotOfLane[member.lane] * lengths + member.length) * place.width
      let row = rows[member.position] * layout.stride
      for piece in place.pieces {
        let from = start + piece.own.lowerBound
        let to = row + piece.start
        // Most pieces are one number, for which copying memory is slower than an assignment.
        if piece.own.count == 1 {
          numbers[to] = work.numbers[from]
        } else {
          let own = work.numbers[from..<from + piece.own.count]
          _ = numbers[to..<to + piece.own.count].initialize(fromContentsOf: own)
        }
      }
    }
  }

  private func run(
    _ bundle: LaneBundle, _ slots: Range<Int>, _ sequence: PreparedVariant.Sequence,
    _ bitRows: BitRows, _ work: borrowing CountingSpace
  ) {
    let (table, lanes) = (variant.table, Int(SWEEP_LANES))
    bitRows.withWords { words in
      for entry in table.entries.indices {
        let common = bundle.row(of: entry, in: work.slots[slots.lowerBound])
        var isShared = true
        for lane in 0..<lanes {
          let slot = min(slots.lowerBound + lane, slots.upperBound - 1)
          let row = bundle.row(of: entry, in: work.slots[slot])
          work.rows[entry * lanes + lane] = words[bitRows.starts[row]]
          isShared = isShared && row == common
        }
        work.isShared[entry] = isShared ? 1 : 0
      }
      table.labels.withUnsafeBufferPointer { labels in
        table.ends.withUnsafeBufferPointer { ends in
          var rules = sweep_rules(
            labels: labels.baseAddress, ends: ends.baseAddress,
            rule_count: UInt32(labels.count), predicate_count: UInt32(table.entries.count))
          sequence.layout.withKernelSequence { sequence in
            sweep_count(
              sequence, &rules, UInt32(planes), work.rows.baseAddress, work.isShared.baseAddress,
              bundle.lengths, UInt32(bundle.lengths.count), work.scratch.baseAddress,
              work.counts.baseAddress, work.hits.baseAddress)
          }
        }
      }
    }
  }

  private func store(
    _ words: WordLayout, _ place: SequencePlace, _ work: borrowing CountingSpace, lane: Int,
    length: Int, at base: Int
  ) {
    let (rowTotals, alwaysEmpty) = (words.rowTotals.span, words.alwaysEmpty.span)
    let rows = words.rows.span
    let start = length * (rowTotals.count * sums + 1) * Int(SWEEP_LANES) + lane
    let answerCount = layout.labelCount
    let numbers = work.numbers.extracting(base..<base + place.width)
    numbers[..<place.latencies].initialize(repeating: 0)
    if let ticks = place.ticks { numbers[ticks...].initialize(repeating: 0) }
    for kernelRow in rowTotals.indices {
      let own = rows[kernelRow]
      let row = own.row * answerCount
      answers(
        total: rowTotals[kernelRow], work, from: start + kernelRow * sums * Int(SWEEP_LANES)
      ) { label, count in
        numbers[row + label] += count
        guard let ticks = place.ticks else { return }
        FrameTicks.add(own.ticks * UInt64(count), to: numbers, at: ticks + 2 * (row + label))
      }
    }
    for row in rowTotals.indices where alwaysEmpty[row] > 0 {
      numbers[rows[row].row * answerCount] += UInt32(alwaysEmpty[row])
      if let ticks = place.ticks {
        FrameTicks.add(
          rows[row].ticks * UInt64(alwaysEmpty[row]), to: numbers,
          at: ticks + 2 * rows[row].row * answerCount)
      }
    }
    let transitions = work.counts[start + rowTotals.count * sums * Int(SWEEP_LANES)]
    numbers[place.transitions] = UInt32(transitions)
    let events = words.events.count
    storeLatencies(
      words, place, work, hitsFrom: length * events * Int(SWEEP_LANES) + lane,
      into: numbers.extracting(place.latencies..<place.latencies + place.onsetStarts.count))
  }

  @inline(__always) private func answers(
    total: Int, _ work: borrowing CountingSpace, from start: Int,
    _ body: (_ label: Int, _ count: UInt32) -> Void
  ) {
    let counts = work.counts
    func sum(_ index: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: counts[start + index * Int(SWEEP_LANES)])
    }
    let (first, second) = (sum(0), sum(1))
    guard planes == 3 else {
      body(0, UInt32(total) - (first + second))
      body(1, first)
      body(2, second)
      return
    }
    let (third, both, ends) = (sum(2), sum(3), sum(4))
    body(0, UInt32(total) - (first + second + third - both - ends))
    body(1, first - both - ends)
    body(2, second - both)
    body(3, both)
    body(4, third - ends)
    if layout.labelCount > 5 { body(5, ends) }
  }

  private func storeLatencies(
    _ words: WordLayout, _ place: SequencePlace, _ work: borrowing CountingSpace,
    hitsFrom start: Int, into latencies: UnsafeMutableBufferPointer<UInt32>
  ) {
    latencies.initialize(repeating: StatisticsLayout.never)
    var first: (onset: Int, frame: Int)?
    for (event, search) in words.searches.enumerated() {
      let hit = work.hits[start + event * Int(SWEEP_LANES)]
      guard hit != UInt32.max else { continue }
      if first?.onset != search.onset { first = (search.onset, words.frame(at: Int(hit))) }
      guard search.isScored, let first, latencies[search.onset] == StatisticsLayout.never
      else { continue }
      latencies[search.onset] = UInt32(max(0, first.frame - place.onsetStarts[search.onset]))
    }
  }
}

private struct CountingSpace: ~Copyable {
  let counts: UnsafeMutableBufferPointer<UInt64>
  let hits: UnsafeMutableBufferPointer<UInt32>
  let numbers: UnsafeMutableBufferPointer<UInt32>
  let slots: UnsafeMutableBufferPointer<Int>
  let slotOfLane: UnsafeMutableBufferPointer<Int>
  let rows: UnsafeMutableBufferPointer<UnsafePointer<UInt64>?>
  let isShared: UnsafeMutableBufferPointer<UInt8>
  let scratch: UnsafeMutableRawBufferPointer
  private let buckets: UnsafeMutableBufferPointer<Int>

  init(counts: Int, hits: Int, numbers: Int, lanes: Int, predicates: Int, scratch: Int) {
    self.counts = .allocate(capacity: counts)
    self.hits = .allocate(capacity: hits)
    self.numbers = .allocate(capacity: numbers)
    slots = .allocate(capacity: lanes)
    slotOfLane = .allocate(capacity: lanes)
    var size = 16
    while size < 2 * lanes { size *= 2 }
    buckets = .allocate(capacity: size)
    rows = .allocate(capacity: predicates * Int(SWEEP_LANES))
    isShared = .allocate(capacity: predicates)
    self.scratch = .allocate(byteCount: scratch, alignment: 64)
  }

  deinit {
    counts.deallocate()
    hits.deallocate()
    numbers.deallocate()
    slots.deallocate()
    slotOfLane.deallocate()
    buckets.deallocate()
    rows.deallocate()
    isShared.deallocate()
    scratch.deallocate()
  }

  /// Rows with equal bits share their start; `varied` are the predicates in which lanes can differ.
  func findDistinctLanes(of bundle: LaneBundle, in starts: [Int], _ varied: [Int]) -> Int {
    buckets.initialize(repeating: -1)
    let (rows, width) = (bundle.rows.span, bundle.width)
    let first = starts.span
    func isEqual(_ left: Int, _ right: Int, _ rows: Span<Int>, _ first: Span<Int>) -> Bool {
      for entry in varied
      where first[rows[left * width + entry]] != first[rows[right * width + entry]] {
        return false
      }
      return true
    }
    var count = 0
    for lane in bundle.lanes.indices {
      if lane > 0, isEqual(lane, lane - 1, rows, first) {
        slotOfLane[lane] = slotOfLane[lane - 1]
        continue
      }
      var hash: UInt64 = 0
      for entry in varied {
        hash = (hash ^ UInt64(first[rows[lane * width + entry]])) &* 0x9E37_79B9_7F4A_7C15
      }
      var bucket = Int(truncatingIfNeeded: hash >> 32) & (buckets.count - 1)
      while buckets[bucket] >= 0, !isEqual(slots[buckets[bucket]], lane, rows, first) {
        bucket = (bucket + 1) & (buckets.count - 1)
      }
      if buckets[bucket] < 0 {
        buckets[bucket] = count
        slots[count] = lane
        count += 1
      }
      slotOfLane[lane] = buckets[bucket]
    }
    return count
  }
}

struct SequencePlace: Sendable {
  let transitions: Int
  let latencies: Int
  let ticks: Int?
  let width: Int
  let onsetStarts: [Int]
  let pieces: [(part: CellParts, own: Range<Int>, start: Int)]

  init(_ index: Int, _ layout: StatisticsLayout) {
    let facts = layout.facts.sequences[index]
    transitions = facts.rows.count * layout.labelCount
    latencies = transitions + 1
    let end = latencies + facts.onsets.count
    ticks = facts.hasTicks ? end : nil
    width = facts.hasTicks ? end + 2 * transitions : end
    onsetStarts = facts.onsets.map(\.frames.lowerBound)
    pieces = layout.pieces(of: index)
  }
}

/// Configurations of one variant and hold time that are counted together.
struct LaneBatch: Sendable {
  let variant: Int
  let hold: Int
  private(set) var bundles: [LaneBundle] = []
  private(set) var positions: [Int] = []
}

extension LaneBatch {
  private static let mostLanes = 16 * Int(SWEEP_LANES)

  /// Configurations that differ only in their debounce length share a lane.
  ///
  /// `cells` ascend; `prepared` is nil for variants that other engines evaluate, which are left
  /// out.
  static func batches(
    _ cells: [Int], _ grid: StreamGrid, _ prepared: [PreparedVariant?]
  ) -> [LaneBatch] {
    var lanes: [LaneKey: [(length: UInt32, position: Int)]] = [:]
    var order: [LaneKey] = []
    for (position, cell) in cells.enumerated() {
      let (index, local) = grid.locate(cell)
      guard let variant = prepared[index] else { continue }
      let digits = variant.grid.digits(of: local)
      var key = LaneKey(variant: index, hold: 0, digits: digits)
      if let axis = variant.holdAxis { key.hold = digits[axis] }
      if let axis = variant.framesAxis { key.digits[axis] = 0 }
      if lanes[key] == nil { order.append(key) }
      lanes[key, default: []].append((length: variant.framesNeeded(digits), position: position))
    }
    order.sort()
    var batches: [LaneBatch] = []
    var laneCount = 0
    for key in order {
      if laneCount == mostLanes || batches.last?.variant != key.variant
        || batches.last?.hold != key.hold
      {
        batches.append(LaneBatch(variant: key.variant, hold: key.hold))
        laneCount = 0
      }
      batches[batches.count - 1].add(key.digits, lanes[key, default: []])
      laneCount += 1
    }
    return batches
  }

  private struct LaneKey: Hashable, Comparable {
    var variant: Int
    var hold: Int
    var digits: [Int]

    static func < (left: LaneKey, right: LaneKey) -> Bool {
      if left.variant != right.variant { return left.variant < right.variant }
      if left.hold != right.hold { return left.hold < right.hold }
      return left.digits.lexicographicallyPrecedes(right.digits)
    }
  }

  /// `cells` have ascending debounce lengths.
  private mutating func add(_ digits: [Int], _ cells: [(length: UInt32, position: Int)]) {
    for first in stride(from: 0, to: cells.count, by: LaneBundle.mostLengths) {
      let part = cells[first..<min(first + LaneBundle.mostLengths, cells.count)]
      let lengths = part.map(\.length)
      let place = bundles.firstIndex { $0.lengths == lengths } ?? bundles.count
      if place == bundles.count { bundles.append(LaneBundle(lengths: lengths)) }
      bundles[place].add(digits, from: positions.count)
      positions += part.map(\.position)
    }
  }
}

/// Lanes whose configurations have the same debounce lengths.
struct LaneBundle: Sendable {
  struct Member: Sendable {
    let lane: Int
    let length: Int
    let position: Int
  }

  let lengths: [UInt32]
  private(set) var lanes: [[Int]] = []
  private(set) var members: [Member] = []
  private(set) var rows: [Int] = []
  private(set) var width = 0

  /// With more lengths, the sums of a bundle would not stay in the cache.
  static let mostLengths = 16

  fileprivate mutating func add(_ digits: [Int], from position: Int) {
    members += lengths.indices.map {
      Member(lane: lanes.count, length: $0, position: position + $0)
    }
    lanes.append(digits)
  }

  fileprivate func withRows(of table: PredicateTable) -> LaneBundle {
    var bundle = self
    bundle.width = table.entries.count
    bundle.rows = lanes.flatMap { digits in
      table.entries.map { $0.firstRow + ($0.axis.map { digits[$0] } ?? 0) }
    }
    return bundle
  }

  func row(of entry: Int, in lane: Int) -> Int { rows[lane * width + entry] }
}
