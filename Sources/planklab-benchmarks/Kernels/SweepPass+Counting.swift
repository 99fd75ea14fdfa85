import CSweepKernels

extension SweepPass {
  /// Counts the runs of a block: words whose frames all count for one row.
  @inline(never)
  func countRuns(
    begin: Int, count: Int, _ next: inout Int, _ sums: UnsafeMutablePointer<Lanes>
  ) {
    while next < Int(sequence.run_count), Int(sequence.runs[next].first_word) < begin + count {
      let run = sequence.runs[next]
      let start = Int(run.first_word) - begin
      let words = Int(run.word_count)
      let row = sums + Int(run.row) * Self.sumsPerRow * SwiftSweepKernel.passes
      let (state0, state1) = (scratch.state(0) + start, scratch.state(1) + start)
      add(words, to: row, 0) { state0[$0] }
      add(words, to: row, 1) { state1[$0] }
      if Planes.hasThird {
        let state2 = scratch.state(2) + start
        add(words, to: row, 2) { state2[$0] }
        add(words, to: row, 3) { state0[$0] & state1[$0] }
        add(words, to: row, 4) { state0[$0] & state2[$0] }
      }
      next += 1
    }
  }

  /// Counts the masked words of a block.
  @inline(never)
  func countMasked(
    begin: Int, count: Int, _ next: inout Int, _ sums: UnsafeMutablePointer<Lanes>
  ) {
    while next < Int(sequence.masked_count),
      Int(sequence.masked[next].word) < begin + count
    {
      let masked = sequence.masked[next]
      let word = Int(masked.word) - begin
      let mask = Lanes(repeating: masked.mask)
      let shift = Lanes(repeating: UInt64(masked.shift))
      let row = sums + Int(masked.row) * Self.sumsPerRow * SwiftSweepKernel.passes
      let plane0 = scratch.state(0)[word] & mask
      let plane1 = scratch.state(1)[word] & mask
      row[0] &+= plane0.nonzeroBitCount &<< shift
      row[SwiftSweepKernel.passes] &+= plane1.nonzeroBitCount &<< shift
      if Planes.hasThird {
        let plane2 = scratch.state(2)[word] & mask
        row[2 * SwiftSweepKernel.passes] &+= plane2.nonzeroBitCount &<< shift
        row[3 * SwiftSweepKernel.passes] &+= (plane0 & plane1).nonzeroBitCount &<< shift
        row[4 * SwiftSweepKernel.passes] &+= (plane0 & plane2).nonzeroBitCount &<< shift
      }
      next += 1
    }
  }

  /// Adds the number of one bits in some words, four words a population count.
  @inline(__always)
  private func add(
    _ count: Int, to row: UnsafeMutablePointer<Lanes>, _ sum: Int, _ word: (Int) -> Lanes
  ) {
    var (ones, twos, total) = (Lanes(), Lanes(), Lanes())
    var index = 0
    while index &+ 4 <= count {
      let low = Lanes.saveCarry(&ones, word(index), word(index &+ 1))
      let high = Lanes.saveCarry(&ones, word(index &+ 2), word(index &+ 3))
      total &+= Lanes.saveCarry(&twos, low, high).nonzeroBitCount
      index &+= 4
    }
    total = total &<< 2 &+ twos.nonzeroBitCount &<< 1 &+ ones.nonzeroBitCount
    while index < count {
      total &+= word(index).nonzeroBitCount
      index &+= 1
    }
    row[sum * SwiftSweepKernel.passes] &+= total
  }
}
