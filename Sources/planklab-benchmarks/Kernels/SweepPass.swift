import CSweepKernels

/// One pass of the Swift kernel over a sequence: some lanes, all debounce lengths.
///
/// How many bits a label has is a type, so that each stage is compiled once for either.
struct SweepPass<Planes: LabelPlanes> {
  typealias Lanes = SwiftSweepKernel.Lanes

  let sequence: sweep_sequence
  let rules: sweep_rules
  /// Eight pointers a predicate, from the pass's first lane on.
  let bits: UnsafePointer<UnsafePointer<UInt64>>
  let isShared: UnsafePointer<UInt8>
  let lengths: UnsafeBufferPointer<UInt32>
  /// Sums a debounce length.
  let stride: Int
  /// The first sum; the next one stands `SwiftSweepKernel.passes` on.
  let counts: UnsafeMutablePointer<Lanes>
  /// The first hit; the next event's stands eight on.
  let hits: UnsafeMutablePointer<UInt32>
  let scratch: SweepScratch

  /// Prepares a pass over a call's input.
  init(
    _ call: KernelCall, _ lengths: UnsafeBufferPointer<UInt32>, pass: Int,
    counts: UnsafeMutablePointer<Lanes>, _ scratch: SweepScratch
  ) {
    let lane = pass * SwiftSweepKernel.lanesPerPass
    sequence = call.sequence
    rules = call.rules
    bits = UnsafePointer(call.bits) + lane
    isShared = call.isShared
    self.lengths = lengths
    stride = Int(call.sequence.row_count) * Self.sumsPerRow + 1
    self.counts = counts + pass
    hits = call.hits.baseAddress.unsafelyUnwrapped + lane
    self.scratch = scratch
  }

  /// Numbers that are counted a row.
  static var sumsPerRow: Int { Planes.hasThird ? 5 : 2 }

  /// Counts block by block.
  func run() {
    let levels = lengths.reduce(1) { max($0, DebounceStep(frames: $1).level + 1) }
    let words = Int(sequence.word_count)
    var nextRun = 0
    var nextMasked = 0
    var begin = 0
    while begin < words {
      let count = min(words - begin, Int(SWEEP_BLOCK_WORDS))
      classify(begin: begin, count: count)
      raiseLevels(levels, count: count)
      var run = nextRun
      var masked = nextMasked
      for index in lengths.indices {
        let progress = scratch.progress + index
        let sums = counts + index * stride * SwiftSweepKernel.passes
        sums[(stride - 1) * SwiftSweepKernel.passes] &+= settle(
          frames: lengths[index], begin: begin, count: count, progress)
        run = nextRun
        masked = nextMasked
        countRuns(begin: begin, count: count, &run, sums)
        countMasked(begin: begin, count: count, &masked, sums)
        findEvents(
          begin: begin, end: begin + count, progress,
          hits + index * Int(sequence.event_count) * Int(SWEEP_LANES))
      }
      nextRun = run
      nextMasked = masked
      keepHistory(levels, count: count)
      begin += count
    }
  }
}
