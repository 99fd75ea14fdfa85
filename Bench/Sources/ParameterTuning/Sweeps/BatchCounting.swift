internal import CSweepKernels

/// Counts a batch of groups over every sequence: the work of one core.
///
/// Neighboring thresholds often leave every label of a sequence unchanged. Thresholds whose
/// predicates hold in the same frames of a sequence are counted only once there, and every cell
/// takes the counts of its thresholds.
struct BatchCounting {
  private let variant: PreparedVariant
  private let layout: StatisticsLayout
  private let planes: Int
  private let sums: Int

  /// Prepares to count batches of one variant.
  init(_ variant: PreparedVariant, _ layout: StatisticsLayout) {
    self.variant = variant
    self.layout = layout
    planes = layout.labelCount > 4 ? 3 : 2
    sums = Int(sweep_sum_count(UInt32(planes)))
  }

  /// Counts a batch.
  ///
  /// - Returns: `layout.stride` numbers per position of the batch.
  func numbers(of batch: GroupBatch) -> [UInt32] {
    let bundles = LaneBundle.bundles(of: batch.groups, variant.table)
    let sequences = variant.holds[batch.hold]
    let places = sequences.indices.map { SequencePlace($0, layout) }
    let lengths = bundles.map(\.lengths.count).max() ?? 0
    let lanes = bundles.map(\.laneCount).max() ?? 0
    let slots = (sequences.map(\.layout.rowTotals.count).max() ?? 0) * sums + 1
    let events = sequences.map(\.layout.events.count).max() ?? 0
    let work = CountingSpace(
      counts: lengths * Int(SWEEP_LANES) * slots, hits: lengths * Int(SWEEP_LANES) * events,
      numbers: lanes * lengths * (places.map(\.width).max() ?? 0), lanes: lanes,
      scratch: sweep_scratch_size(UInt32(lengths)))
    let count = batch.positions.count * layout.stride
    return [UInt32](unsafeUninitializedCapacity: count) { numbers, initialized in
      for (sequence, place) in zip(sequences, places) {
        for bundle in bundles { self.count(bundle, sequence, place, work, into: numbers) }
      }
      initialized = count
    }
  }

  /// Counts the cells of a bundle in one sequence.
  ///
  /// - Parameter numbers: takes the numbers of the sequence in every cell of the bundle.
  private func count(
    _ bundle: LaneBundle, _ sequence: PreparedVariant.Sequence, _ place: SequencePlace,
    _ work: borrowing CountingSpace, into numbers: UnsafeMutableBufferPointer<UInt32>
  ) {
    let slotCount = work.findDistinctLanes(of: bundle, in: sequence.firstEqual)
    let lengths = bundle.lengths.count
    for first in stride(from: 0, to: slotCount, by: Int(SWEEP_LANES)) {
      let lanes = (0..<Int(SWEEP_LANES)).map { work.slots[min(first + $0, slotCount - 1)] }
      run(bundle, lanes, sequence, work)
      let last = min(first + Int(SWEEP_LANES), slotCount)
      for slot in first..<last {
        for length in 0..<lengths {
          store(
            sequence.layout, place, work, lane: slot - first, length: length,
            at: (slot * lengths + length) * place.width)
        }
      }
    }
    for member in bundle.members {
      let start = (work.slotOfLane[member.lane] * lengths + member.length) * place.width
      for piece in place.pieces {
        let own = work.numbers[(start + piece.own.lowerBound)..<(start + piece.own.upperBound)]
        let target = member.position * layout.stride + piece.start
        _ = numbers[target..<target + piece.own.count].initialize(fromContentsOf: own)
      }
    }
  }

  private func run(
    _ bundle: LaneBundle, _ lanes: [Int], _ sequence: PreparedVariant.Sequence,
    _ work: borrowing CountingSpace
  ) {
    let table = variant.table
    let words = sequence.layout.wordCount
    sequence.bits.withUnsafeBufferPointer { bits in
      var rows: [UnsafePointer<UInt64>?] = []
      var isShared: [UInt8] = []
      for entry in table.entries.indices {
        let places = lanes.map { bundle.row(of: entry, in: $0) }
        for place in places { rows.append(bits.baseAddress.map { $0 + place * words }) }
        isShared.append(places.allSatisfy { $0 == places[0] } ? 1 : 0)
      }
      table.labels.withUnsafeBufferPointer { labels in
        table.ends.withUnsafeBufferPointer { ends in
          var rules = sweep_rules(
            labels: labels.baseAddress, ends: ends.baseAddress,
            rule_count: UInt32(labels.count), predicate_count: UInt32(table.entries.count))
          sequence.layout.withKernelSequence { sequence in
            sweep_count(
              sequence, &rules, UInt32(planes), rows, isShared, bundle.lengths,
              UInt32(bundle.lengths.count), work.scratch.baseAddress, work.counts.baseAddress,
              work.hits.baseAddress)
          }
        }
      }
    }
  }

  /// Turns the sums of planes into frames by answer, and hits into latencies.
  private func store(
    _ words: WordLayout, _ place: SequencePlace, _ work: borrowing CountingSpace, lane: Int,
    length: Int, at base: Int
  ) {
    let (rowTotals, alwaysEmpty) = (words.rowTotals.span, words.alwaysEmpty.span)
    let start = length * (rowTotals.count * sums + 1) * Int(SWEEP_LANES) + lane
    let (rowCount, answerCount) = (alwaysEmpty.count, layout.labelCount)
    let numbers = work.numbers.extracting(base..<base + place.width)
    numbers[..<place.latencies].initialize(repeating: 0)
    for kernelRow in rowTotals.indices {
      let row = (kernelRow < rowCount ? kernelRow : kernelRow - rowCount) * answerCount
      let answers = answers(
        total: rowTotals[kernelRow], work, from: start + kernelRow * sums * Int(SWEEP_LANES))
      for label in 0..<answerCount {
        numbers[row + label] += answers[label]
        if let determined = place.determined, kernelRow < rowCount {
          numbers[determined + row + label] = answers[label]
        }
      }
    }
    for row in 0..<rowCount { numbers[row * answerCount] += UInt32(alwaysEmpty[row]) }
    let transitions = work.counts[start + rowTotals.count * sums * Int(SWEEP_LANES)]
    numbers[place.transitions] = UInt32(transitions)
    let events = words.events.count
    storeLatencies(
      words, place, work, hitsFrom: length * events * Int(SWEEP_LANES) + lane,
      into: numbers.extracting(place.latencies..<place.width))
  }

  private func answers(
    total: Int, _ work: borrowing CountingSpace, from start: Int
  ) -> SIMD8<UInt32> {
    let counts = work.counts
    func sum(_ index: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: counts[start + index * Int(SWEEP_LANES)])
    }
    var answers = SIMD8<UInt32>()
    if planes == 3 {
      let (first, second, third) = (sum(0), sum(1), sum(2))
      let (both, ends) = (sum(3), sum(4))
      answers[5] = ends
      answers[4] = third - ends
      answers[3] = both
      answers[2] = second - both
      answers[1] = first - both - ends
    } else {
      answers[1] = sum(0)
      answers[2] = sum(1)
    }
    answers[0] = UInt32(total) - answers.wrappedSum()
    return answers
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
      if first?.onset != search.onset { first = (search.onset, Int(words.frames[Int(hit)])) }
      guard search.isScored, let first, latencies[search.onset] == StatisticsLayout.never
      else { continue }
      latencies[search.onset] = UInt32(max(0, first.frame - place.onsetStarts[search.onset]))
    }
  }
}

/// The memory in which a batch is counted, allocated once for all its sequences.
private struct CountingSpace: ~Copyable {
  /// What the kernel counts, and the bits where answers came first.
  let counts: UnsafeMutableBufferPointer<UInt64>
  let hits: UnsafeMutableBufferPointer<UInt32>
  /// The numbers of one sequence, for different thresholds and lengths.
  let numbers: UnsafeMutableBufferPointer<UInt32>
  /// One lane of each set of lanes with equal bits.
  let slots: UnsafeMutableBufferPointer<Int>
  /// For every lane, the set that it is in.
  let slotOfLane: UnsafeMutableBufferPointer<Int>
  /// The kernel's own memory.
  let scratch: UnsafeMutableRawBufferPointer
  /// A hash table of slots with open addressing; -1 where it is empty.
  private let buckets: UnsafeMutableBufferPointer<Int>

  /// Allocates memory.
  init(counts: Int, hits: Int, numbers: Int, lanes: Int, scratch: Int) {
    self.counts = .allocate(capacity: counts)
    self.hits = .allocate(capacity: hits)
    self.numbers = .allocate(capacity: numbers)
    slots = .allocate(capacity: lanes)
    slotOfLane = .allocate(capacity: lanes)
    var size = 16
    while size < 2 * lanes { size *= 2 }
    buckets = .allocate(capacity: size)
    self.scratch = .allocate(byteCount: scratch, alignment: 64)
  }

  deinit {
    counts.deallocate()
    hits.deallocate()
    numbers.deallocate()
    slots.deallocate()
    slotOfLane.deallocate()
    buckets.deallocate()
    scratch.deallocate()
  }

  /// Finds the lanes of a bundle whose predicates hold in the same frames of a sequence.
  ///
  /// - Parameter firstEqual: for every row the first one with the same bits.
  /// - Returns: how many `slots` there are.
  /// - Complexity: O(lanes x predicates); hashed only if a lane differs from the previous one.
  func findDistinctLanes(of bundle: LaneBundle, in firstEqual: [Int]) -> Int {
    buckets.initialize(repeating: -1)
    let (rows, width) = (bundle.rows.span, bundle.width)
    let first = firstEqual.span
    func isEqual(_ left: Int, _ right: Int, _ rows: Span<Int>, _ first: Span<Int>) -> Bool {
      for entry in 0..<width
      where first[rows[left * width + entry]] != first[rows[right * width + entry]] {
        return false
      }
      return true
    }
    var count = 0
    for lane in 0..<bundle.laneCount {
      if lane > 0, isEqual(lane, lane - 1, rows, first) {
        slotOfLane[lane] = slotOfLane[lane - 1]
        continue
      }
      var hash: UInt64 = 0
      for entry in 0..<width {
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

/// The positions of one sequence's numbers, by themselves and among those of a cell.
private struct SequencePlace {
  /// Where the rows over determined frames start; nil if they are not kept.
  let determined: Int?
  /// The position of the transitions.
  let transitions: Int
  /// Where the latencies start.
  let latencies: Int
  /// How many numbers there are.
  let width: Int
  /// The first frame of every onset.
  let onsetStarts: [Int]
  /// The positions of all numbers in a cell.
  let pieces: [(part: CellParts, own: Range<Int>, start: Int)]

  init(_ index: Int, _ layout: StatisticsLayout) {
    let facts = layout.facts.sequences[index]
    let confusion = facts.rows.count * layout.labelCount
    determined = layout.keepsDetermined ? confusion : nil
    transitions = layout.keepsDetermined ? 2 * confusion : confusion
    latencies = transitions + 1
    width = latencies + facts.onsets.count
    onsetStarts = facts.onsets.map(\.frames.lowerBound)
    pieces = layout.pieces(of: index)
  }
}
