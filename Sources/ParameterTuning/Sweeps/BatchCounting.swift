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
  /// The groups of equal lengths, as one.
  private let bundles: [LaneBundle]
  private var counts: [UInt64] = []
  private var hits: [UInt32] = []
  /// The numbers of one sequence, for different thresholds and lengths.
  private var counted: [UInt32] = []
  private(set) var numbers: [UInt32]

  /// Counts a batch.
  ///
  /// - Returns: in `numbers`, `layout.stride` numbers per position of the batch.
  init(_ batch: GroupBatch, _ variant: PreparedVariant, _ layout: StatisticsLayout) {
    self.variant = variant
    self.layout = layout
    planes = layout.labelCount > 4 ? 3 : 2
    sums = Int(sweep_sum_count(UInt32(planes)))
    bundles = LaneBundle.bundles(of: batch.groups, variant.table)
    numbers = Array(repeating: 0, count: batch.positions.count * layout.stride)
    let lengths = bundles.map(\.lengths.count).max() ?? 0
    withUnsafeTemporaryAllocation(
      byteCount: sweep_scratch_size(UInt32(lengths)), alignment: 64
    ) { scratch in
      for (index, sequence) in variant.holds[batch.hold].enumerated() {
        let place = SequencePlace(index, layout)
        for bundle in bundles { count(bundle, sequence, place, scratch) }
      }
    }
  }

  private mutating func count(
    _ bundle: LaneBundle, _ sequence: PreparedVariant.Sequence, _ place: SequencePlace,
    _ scratch: UnsafeMutableRawBufferPointer
  ) {
    let (slots, slotOfLane) = bundle.distinctLanes(in: sequence.firstEqual)
    let lengths = bundle.lengths.count
    let wanted = slots.count * lengths * place.width
    if counted.count < wanted { counted = Array(repeating: 0, count: wanted) }
    for first in stride(from: 0, to: slots.count, by: Int(SWEEP_LANES)) {
      let lanes = (0..<Int(SWEEP_LANES)).map { slots[min(first + $0, slots.count - 1)] }
      run(bundle, lanes, sequence, scratch)
      for slot in first..<min(first + Int(SWEEP_LANES), slots.count) {
        for length in 0..<lengths {
          store(
            sequence.layout, place, lane: slot - first, length: length,
            at: (slot * lengths + length) * place.width)
        }
      }
    }
    for member in bundle.members {
      let start = (slotOfLane[member.lane] * lengths + member.length) * place.width
      take(place, from: start, to: member.position)
    }
  }

  private mutating func run(
    _ bundle: LaneBundle, _ lanes: [Int], _ sequence: PreparedVariant.Sequence,
    _ scratch: UnsafeMutableRawBufferPointer
  ) {
    let table = variant.table
    let words = sequence.layout.wordCount
    let slots = sequence.layout.rowTotals.count * sums + 1
    let room = bundle.lengths.count * Int(SWEEP_LANES)
    let events = sequence.layout.events.count
    if counts.count < room * slots { counts = Array(repeating: 0, count: room * slots) }
    if hits.count < room * events { hits = Array(repeating: 0, count: room * events) }
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
              UInt32(bundle.lengths.count), scratch.baseAddress, &counts, &hits)
          }
        }
      }
    }
  }

  /// Turns the sums of planes into frames by answer, and hits into latencies.
  private mutating func store(
    _ words: WordLayout, _ place: SequencePlace, lane: Int, length: Int, at base: Int
  ) {
    let slots = words.rowTotals.count * sums + 1
    let start = length * slots * Int(SWEEP_LANES) + lane
    let rowCount = words.alwaysEmpty.count
    for number in base..<base + place.latencies { counted[number] = 0 }
    for kernelRow in words.rowTotals.indices {
      let row = kernelRow % max(rowCount, 1) * layout.labelCount
      let answers = answers(
        total: words.rowTotals[kernelRow], from: start + kernelRow * sums * Int(SWEEP_LANES))
      for label in 0..<layout.labelCount {
        counted[base + row + label] += UInt32(answers[label])
        if let determined = place.determined, kernelRow < rowCount {
          counted[base + determined + row + label] = UInt32(answers[label])
        }
      }
    }
    for row in 0..<rowCount {
      counted[base + row * layout.labelCount] += UInt32(words.alwaysEmpty[row])
    }
    let transitions = counts[start + words.rowTotals.count * sums * Int(SWEEP_LANES)]
    counted[base + place.transitions] = UInt32(transitions)
    let events = words.events.count
    storeLatencies(
      words, place, hitsFrom: length * events * Int(SWEEP_LANES) + lane, at: base + place.latencies)
  }

  private func answers(total: Int, from start: Int) -> SIMD8<Int> {
    func sum(_ index: Int) -> Int { Int(counts[start + index * Int(SWEEP_LANES)]) }
    var answers = SIMD8<Int>()
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
    answers[0] = total - answers.wrappedSum()
    return answers
  }

  private mutating func storeLatencies(
    _ words: WordLayout, _ place: SequencePlace, hitsFrom start: Int, at base: Int
  ) {
    for onset in place.onsetStarts.indices { counted[base + onset] = StatisticsLayout.never }
    var first: (onset: Int, frame: Int)?
    for (event, search) in words.searches.enumerated() {
      let hit = hits[start + event * Int(SWEEP_LANES)]
      guard hit != UInt32.max else { continue }
      if first?.onset != search.onset { first = (search.onset, Int(words.frames[Int(hit)])) }
      guard search.isScored, let first, counted[base + search.onset] == StatisticsLayout.never
      else { continue }
      counted[base + search.onset] = UInt32(max(0, first.frame - place.onsetStarts[search.onset]))
    }
  }

  /// Copies the numbers of a sequence to a cell.
  private mutating func take(_ place: SequencePlace, from start: Int, to position: Int) {
    let base = position * layout.stride
    counted.withUnsafeBufferPointer { counted in
      numbers.withUnsafeMutableBufferPointer { numbers in
        for piece in place.pieces {
          for index in 0..<piece.own.count {
            numbers[base + piece.start + index] = counted[start + piece.own.lowerBound + index]
          }
        }
      }
    }
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

/// Groups that are counted at the same lengths.
private struct LaneBundle {
  /// The debounce lengths, ascending.
  let lengths: [UInt32]
  /// The cells; lanes count over all groups.
  private(set) var members: [LaneGroup.Member] = []
  /// The rows of every lane, one per predicate.
  private var rows: [Int] = []
  /// How many predicates there are.
  private let width: Int
  private var laneCount = 0

  private init(_ lengths: [UInt32], width: Int) {
    self.lengths = lengths
    self.width = width
  }

  /// Bundles groups.
  static func bundles(of groups: [LaneGroup], _ table: PredicateTable) -> [LaneBundle] {
    var bundles: [LaneBundle] = []
    for group in groups {
      let index =
        bundles.firstIndex { $0.lengths == group.lengths }
        ?? {
          bundles.append(LaneBundle(group.lengths, width: table.entries.count))
          return bundles.count - 1
        }()
      bundles[index].add(group, table)
    }
    return bundles
  }

  private mutating func add(_ group: LaneGroup, _ table: PredicateTable) {
    for digits in group.lanes {
      rows += table.entries.map { $0.firstRow + ($0.axis.map { digits[$0] } ?? 0) }
    }
    members += group.members.map {
      LaneGroup.Member(lane: laneCount + $0.lane, length: $0.length, position: $0.position)
    }
    laneCount += group.lanes.count
  }

  /// The row of a predicate in a lane.
  func row(of entry: Int, in lane: Int) -> Int { rows[lane * width + entry] }

  /// One lane of each set of lanes with equal rows, and for every lane the set that it is in.
  ///
  /// - Parameter firstEqual: for every row the first one with the same bits.
  /// - Complexity: O(lanes x predicates); hashed only if a lane differs from the previous one.
  func distinctLanes(in firstEqual: [Int]) -> (lanes: [Int], slotOfLane: [Int]) {
    var lanes: [Int] = []
    var slotOfLane: [Int] = []
    slotOfLane.reserveCapacity(laneCount)
    var slots: [[Int]: Int] = [:]
    for lane in 0..<laneCount {
      let start = lane * width
      if lane > 0,
        (0..<width).allSatisfy({
          firstEqual[rows[start + $0]] == firstEqual[rows[start - width + $0]]
        })
      {
        slotOfLane.append(slotOfLane[lane - 1])
        continue
      }
      let key = rows[start..<start + width].map { firstEqual[$0] }
      let slot = slots[key] ?? lanes.count
      if slot == lanes.count {
        slots[key] = slot
        lanes.append(lane)
      }
      slotOfLane.append(slot)
    }
    return (lanes: lanes, slotOfLane: slotOfLane)
  }
}
