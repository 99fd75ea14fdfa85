internal import CSweepKernels

/// Counts a batch of groups over every sequence: the work of one core.
struct BatchCounting {
  private let variant: PreparedVariant
  private let layout: StatisticsLayout
  private let planes: Int
  private let sums: Int
  private var counts: [UInt64] = []
  private var hits: [UInt32] = []
  private(set) var numbers: [UInt32]

  /// Counts a batch.
  ///
  /// - Returns: in `numbers`, `layout.stride` numbers a position of the batch.
  init(_ batch: GroupBatch, _ variant: PreparedVariant, _ layout: StatisticsLayout) {
    self.variant = variant
    self.layout = layout
    planes = layout.labelCount > 4 ? 3 : 2
    sums = Int(sweep_sum_count(UInt32(planes)))
    numbers = Array(repeating: 0, count: batch.positions.count * layout.stride)
    let lengths = batch.groups.map(\.lengths.count).max() ?? 0
    withUnsafeTemporaryAllocation(
      byteCount: sweep_scratch_size(UInt32(lengths)), alignment: 64
    ) { scratch in
      for (index, sequence) in variant.holds[batch.hold].enumerated() {
        count(batch, sequence, index: index, scratch)
      }
    }
  }

  private mutating func count(
    _ batch: GroupBatch, _ sequence: PreparedVariant.Sequence, index: Int,
    _ scratch: UnsafeMutableRawBufferPointer
  ) {
    let slots = sequence.layout.rowTotals.count * sums + 1
    let events = sequence.layout.events.count
    for group in batch.groups {
      let lanes = group.lengths.count * Int(SWEEP_LANES)
      if counts.count < lanes * slots { counts = Array(repeating: 0, count: lanes * slots) }
      if hits.count < lanes * events { hits = Array(repeating: 0, count: lanes * events) }
      run(group, sequence, scratch)
      for member in group.members {
        let start = (member.length * slots) * Int(SWEEP_LANES) + member.lane
        store(member.position, sequence.layout, index: index, countsFrom: start)
        storeLatencies(
          member.position, sequence.layout, index: index,
          hitsFrom: member.length * events * Int(SWEEP_LANES) + member.lane)
      }
    }
  }

  private mutating func run(
    _ group: LaneGroup, _ sequence: PreparedVariant.Sequence,
    _ scratch: UnsafeMutableRawBufferPointer
  ) {
    let table = variant.table
    let words = sequence.layout.wordCount
    sequence.bits.withUnsafeBufferPointer { bits in
      var rows: [UnsafePointer<UInt64>?] = []
      var isShared: [UInt8] = []
      for entry in table.entries {
        let places = group.lanes.map { digits in
          entry.firstRow + (entry.axis.map { digits[$0] } ?? 0)
        }
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
              sequence, &rules, UInt32(planes), rows, isShared, group.lengths,
              UInt32(group.lengths.count), scratch.baseAddress, &counts, &hits)
          }
        }
      }
    }
  }

  /// Turns the sums of planes into frames by answer.
  private mutating func store(
    _ position: Int, _ words: WordLayout, index: Int, countsFrom start: Int
  ) {
    let base = position * layout.stride
    let rowCount = words.alwaysEmpty.count
    for kernelRow in words.rowTotals.indices {
      let row = kernelRow % max(rowCount, 1)
      let place = layout.row(row, of: index)
      let answers = answers(
        total: words.rowTotals[kernelRow], from: start + kernelRow * sums * Int(SWEEP_LANES))
      for label in 0..<layout.labelCount {
        numbers[base + place.all + label] += UInt32(answers[label])
        if let determined = place.determined, kernelRow < rowCount {
          numbers[base + determined + label] = UInt32(answers[label])
        }
      }
    }
    for row in 0..<rowCount {
      numbers[base + layout.row(row, of: index).all] += UInt32(words.alwaysEmpty[row])
    }
    let transitions = counts[start + words.rowTotals.count * sums * Int(SWEEP_LANES)]
    numbers[base + layout.transitions(of: index)] = UInt32(transitions)
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
    _ position: Int, _ words: WordLayout, index: Int, hitsFrom start: Int
  ) {
    let base = position * layout.stride
    let onsets = layout.facts.sequences[index].onsets
    for onset in onsets.indices {
      numbers[base + layout.latency(onset, of: index)] = StatisticsLayout.never
    }
    var first: (onset: Int, frame: Int)?
    for (event, search) in words.searches.enumerated() {
      let hit = hits[start + event * Int(SWEEP_LANES)]
      guard hit != UInt32.max else { continue }
      if first?.onset != search.onset { first = (search.onset, Int(words.frames[Int(hit)])) }
      let place = base + layout.latency(search.onset, of: index)
      guard search.isScored, let first, numbers[place] == StatisticsLayout.never else { continue }
      numbers[place] = UInt32(max(0, first.frame - onsets[search.onset].frames.lowerBound))
    }
  }
}
