internal import CSweepKernels
internal import PoseModel

extension WordLayout {
  /// Lays a stream of a sequence out.
  ///
  /// - Parameters:
  ///   - determined: whether every measurement that the list mentions is defined, a frame.
  ///   - facts: the stream's truth.
  /// - Complexity: O(frames).
  init(
    _ sequence: MeasuredSequence, _ stream: AnswerStream, determined: [Bool],
    holdSeconds: Double, facts: StreamFacts.SequenceFacts
  ) {
    let truth = sequence.truth.codes(stream)
    let placement = FramePlacement(
      sequence, truth: truth, determined: determined, holdSeconds: holdSeconds)
    self = placement.layout
    countRows(placement.places, truth: truth, facts.rows)
    addEvents(placement.places, facts.onsets)
  }

  /// Decides which bits count for which row: determined frames once, held ones with the frame
  /// that they repeat, as often as there are.
  private mutating func countRows(
    _ places: [FramePlacement.Place], truth: [UInt8], _ rows: [StreamFacts.TruthRow]
  ) {
    var rowOfTruth = Array(repeating: -1, count: 256)
    for (row, value) in rows.enumerated() { rowOfTruth[Int(value.truth)] = row }
    rowTotals = Array(repeating: 0, count: 2 * rows.count)
    alwaysEmpty = Array(repeating: 0, count: rows.count)
    var kept = Array(
      repeating: Array(repeating: UInt64(0), count: wordCount), count: rows.count)
    var held: [HeldBit: Int] = [:]
    for (frame, place) in places.enumerated() {
      let row = rowOfTruth[Int(truth[frame])]
      guard row >= 0 else { continue }
      switch place {
      case .kept(let position):
        kept[row][position / 64] |= 1 << UInt64(position % 64)
        rowTotals[row] += 1
      case .held(let position):
        held[HeldBit(position: position, row: rows.count + row), default: 0] += 1
        rowTotals[rows.count + row] += 1
      case .empty: alwaysEmpty[row] += 1
      }
    }
    addTasks(kept, held)
    if held.isEmpty { rowTotals.removeLast(rows.count) }
  }

  private struct HeldBit: Hashable {
    let position: Int
    let row: Int
  }

  private mutating func addTasks(_ kept: [[UInt64]], _ held: [HeldBit: Int]) {
    var heldByWord = Array(repeating: [sweep_masked](), count: held.isEmpty ? 0 : wordCount)
    for (bit, count) in held {
      for shift in 0..<(Int.bitWidth - count.leadingZeroBitCount) where count >> shift & 1 == 1 {
        add(
          sweep_masked(
            mask: 1 << UInt64(bit.position % 64), word: UInt32(bit.position / 64),
            row: UInt32(bit.row), shift: UInt32(shift)), to: &heldByWord[bit.position / 64])
      }
    }
    for word in 0..<wordCount {
      for row in kept.indices where kept[row][word] != 0 {
        if kept[row][word] == .max {
          addWord(word, row: row)
        } else {
          masked.append(
            sweep_masked(mask: kept[row][word], word: UInt32(word), row: UInt32(row), shift: 0))
        }
      }
      if !held.isEmpty { masked += heldByWord[word] }
    }
  }

  /// Joins masks of the same row and weight.
  private func add(_ new: sweep_masked, to list: inout [sweep_masked]) {
    if let index = list.firstIndex(where: { $0.row == new.row && $0.shift == new.shift }) {
      list[index].mask |= new.mask
    } else {
      list.append(new)
    }
  }

  /// Adds a full word, to the run before it where the kernel takes both in one block.
  private mutating func addWord(_ word: Int, row: Int) {
    if let last = runs.last, Int(last.row) == row,
      Int(last.first_word + last.word_count) == word,
      !word.isMultiple(of: Int(SWEEP_BLOCK_WORDS))
    {
      runs[runs.count - 1].word_count += 1
    } else {
      runs.append(sweep_run(first_word: UInt32(word), word_count: 1, row: UInt32(row)))
    }
  }

  /// Finds the bits in which an event's answer may come first.
  ///
  /// An event that begins in a dropout shows the answer after the frame kept before it.
  private mutating func addEvents(
    _ places: [FramePlacement.Place], _ all: [StreamFacts.Onset]
  ) {
    for (index, onset) in all.enumerated() {
      var first: Int?
      var last: Int?
      for frame in onset.frames {
        let position: Int
        switch places[frame] {
        case .kept(let own): position = own
        case .held(let before): position = before
        case .empty: continue
        }
        first = first ?? position
        last = position
      }
      guard let first, let last else { continue }
      onsets.append(index)
      events.append(
        sweep_event(
          first_mask: .max << UInt64(first % 64), last_mask: .max >> UInt64(63 - last % 64),
          first_word: UInt32(first / 64), last_word: UInt32(last / 64),
          label: UInt32(onset.label)))
    }
  }
}
