import CSweepKernels

extension SweepPass {
  /// Raw labels of a block, and where they equal the frame before.
  @inline(never)
  func classify(begin: Int, count: Int) {
    let (raw0, raw1, raw2) = (scratch.raw(0), scratch.raw(1), scratch.raw(2))
    let level = scratch.level(0)
    let last = scratch.last
    var (last0, last1, last2) = (last[0], last[1], last[2])
    for word in 0..<count {
      let label = labels(word: begin &+ word)
      var differs = (label.0 &<< 1 | last0) ^ label.0
      differs |= (label.1 &<< 1 | last1) ^ label.1
      raw0[word] = label.0
      raw1[word] = label.1
      last0 = label.0 &>> 63
      last1 = label.1 &>> 63
      if Planes.hasThird {
        differs |= (label.2 &<< 1 | last2) ^ label.2
        raw2[word] = label.2
        last2 = label.2 &>> 63
      }
      if Int32(sequence.flags[begin &+ word]) & SWEEP_BEGINS_PIECE != 0 { differs |= Lanes.one }
      level[word] = ~differs
    }
    (last[0], last[1], last[2]) = (last0, last1, last2)
  }

  /// Evaluates the decision list: one bit plane a bit of the label's code.
  @inline(__always)
  private func labels(word: Int) -> (Lanes, Lanes, Lanes) {
    var open = ~Lanes()
    var (plane0, plane1, plane2) = (Lanes(), Lanes(), Lanes())
    var predicate = 0
    for rule in 0..<Int(rules.rule_count) {
      var hit = open
      let end = Int(rules.ends[rule])
      while predicate < end {
        hit &= holds(predicate, word: word)
        predicate &+= 1
      }
      open &= ~hit
      let label = rules.labels[rule]
      if label & 1 != 0 { plane0 |= hit }
      if label & 2 != 0 { plane1 |= hit }
      if Planes.hasThird, label & 4 != 0 { plane2 |= hit }
    }
    return (plane0, plane1, plane2)
  }

  @inline(__always)
  private func holds(_ predicate: Int, word: Int) -> Lanes {
    let rows = bits + predicate &* Int(SWEEP_LANES)
    if isShared[predicate] != 0 { return Lanes(repeating: rows[0][word]) }
    return Lanes(rows, word: word)
  }

  /// Doubles the length of the runs of equal labels, level by level.
  @inline(never)
  func raiseLevels(_ levels: Int, count: Int) {
    for index in 1..<max(levels, 1) {
      let shift = 1 << (index - 1)
      let below = scratch.level(index - 1)
      let older = below - shift >> 6
      let level = scratch.level(index)
      let part = UInt64(shift & 63)
      for word in 0..<count {
        level[word] = below[word] & Lanes.moved(older[word], older[word &- 1], by: part)
      }
    }
  }

  /// Keeps the last words of a block where the next one looks for its past.
  @inline(never)
  func keepHistory(_ levels: Int, count: Int) {
    for index in 0..<levels {
      let past = scratch.level(index) - SweepScratch.history
      for word in 0..<SweepScratch.history { past[word] = past[count &+ word] }
    }
  }
}
