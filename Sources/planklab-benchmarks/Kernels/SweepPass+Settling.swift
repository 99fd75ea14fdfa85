import CSweepKernels

extension SweepPass {
  /// The steady answers of a block and their transitions.
  @inline(never)
  func settle(
    frames: UInt32, begin: Int, count: Int,
    _ progress: UnsafeMutablePointer<SweepScratch.Progress>
  ) -> Lanes {
    let step = DebounceStep(frames: frames)
    let level = scratch.level(step.level)
    let older = level - step.whole
    let (raw0, raw1, raw2) = (scratch.raw(0), scratch.raw(1), scratch.raw(2))
    let (state0, state1, state2) = (scratch.state(0), scratch.state(1), scratch.state(2))
    var carry0 = progress.pointee.carry0
    var carry1 = progress.pointee.carry1
    var carry2 = progress.pointee.carry2
    var transitions = Lanes()
    for word in 0..<count {
      let flags = Int32(sequence.flags[begin &+ word])
      var set = Lanes(repeating: sequence.valid[begin &+ word])
      if frames > 1 {
        set &= level[word] & Lanes.moved(older[word], older[word &- 1], by: step.part)
      }
      var (before0, before1, before2) = (carry0, carry1, carry2)
      if flags != 0 {
        if flags & SWEEP_STARTS_MID != 0 { set |= Lanes.one }
        if flags & SWEEP_BEGINS_PIECE != 0 {
          (carry0, carry1, carry2) = (Lanes(), Lanes(), Lanes())
          if flags & SWEEP_CONTINUES == 0 {
            (before0, before1, before2) = (Lanes(), Lanes(), Lanes())
          }
        }
      }
      let answer0 = Lanes.latch(raw0[word], set, carry0)
      let answer1 = Lanes.latch(raw1[word], set, carry1)
      state0[word] = answer0
      state1[word] = answer1
      var changes = (answer0 &<< 1 | before0) ^ answer0
      changes |= (answer1 &<< 1 | before1) ^ answer1
      carry0 = answer0 &>> 63
      carry1 = answer1 &>> 63
      if Planes.hasThird {
        let answer2 = Lanes.latch(raw2[word], set, carry2)
        state2[word] = answer2
        changes |= (answer2 &<< 1 | before2) ^ answer2
        carry2 = answer2 &>> 63
      }
      changes &= Lanes(repeating: sequence.transitions[begin &+ word])
      transitions &+= changes.nonzeroBitCount
      if flags & SWEEP_DROPS != 0 {
        transitions &+= Planes.hasThird ? carry0 | carry1 | carry2 : carry0 | carry1
      }
    }
    progress.pointee.carry0 = carry0
    progress.pointee.carry1 = carry1
    progress.pointee.carry2 = carry2
    return transitions
  }

  /// Looks for the first answer of every event's label in a block.
  @inline(never)
  func findEvents(
    begin: Int, end: Int, _ progress: UnsafeMutablePointer<SweepScratch.Progress>,
    _ hits: UnsafeMutablePointer<UInt32>
  ) {
    let all = UInt32(1) << UInt32(SwiftSweepKernel.lanesPerPass) - 1
    var index = progress.pointee.event
    var pending = progress.pointee.pending & all
    defer { (progress.pointee.event, progress.pointee.pending) = (index, pending) }
    while index < Int(sequence.event_count), Int(sequence.events[index].first_word) < end {
      let event = sequence.events + index
      let (first, last) = (Int(event.pointee.first_word), Int(event.pointee.last_word))
      var word = max(first, begin)
      while word < min(last &+ 1, end), pending != 0 {
        var mask = word == first ? event.pointee.first_mask : .max
        if word == last { mask &= event.pointee.last_mask }
        let found = answers(event.pointee.label, word &- begin) & Lanes(repeating: mask)
        for lane in 0..<SwiftSweepKernel.lanesPerPass
        where pending >> UInt32(lane) & 1 != 0 && found[lane] != 0 {
          hits[index * Int(SWEEP_LANES) + lane] = UInt32(
            truncatingIfNeeded: word &* 64 &+ found[lane].trailingZeroBitCount)
          pending &= ~(1 << UInt32(lane))
        }
        word &+= 1
      }
      if last >= end { return }
      index += 1
      pending = all
    }
  }

  /// Where the steady answer is a label.
  @inline(__always)
  private func answers(_ label: UInt32, _ word: Int) -> Lanes {
    func matches(_ plane: Int) -> Lanes {
      let flip = label >> UInt32(plane) & 1 != 0 ? UInt64(0) : .max
      return scratch.state(plane)[word] ^ Lanes(repeating: flip)
    }
    let both = matches(0) & matches(1)
    return Planes.hasThird ? both & matches(2) : both
  }
}
