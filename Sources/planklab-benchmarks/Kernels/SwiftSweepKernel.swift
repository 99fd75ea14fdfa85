import CSweepKernels

/// The sweep's kernel in Swift: the work of `sweep_count` on the same inputs, for timing.
///
/// It counts `lanesPerPass` cells side by side and takes the eight in passes: of two, four and eight
/// lanes four were fastest at baseline instructions, whose registers hold two words.
final class SwiftSweepKernel {
  /// Words of `lanesPerPass` cells.
  typealias Lanes = SIMD4<UInt64>

  /// Cells that are counted at a time.
  static var lanesPerPass: Int { Lanes.scalarCount }

  /// A vector of eight cells is this many of ours.
  static var passes: Int { Int(SWEEP_LANES) / lanesPerPass }

  /// The working memory of all calls.
  private let scratch: SweepScratch

  /// Takes memory for calls of up to so many lengths.
  init(lengths: Int) { scratch = SweepScratch(lengths: lengths) }

  deinit { scratch.deallocate() }

  /// Counts eight cells a debounce length over one stream of one sequence, as `sweep_count` does.
  func count(_ call: KernelCall, lengths: UnsafeBufferPointer<UInt32>) {
    call.counts.update(repeating: 0)
    call.hits.update(repeating: .max)
    call.counts.withMemoryRebound(to: Lanes.self) { counts in
      guard let counts = counts.baseAddress else { return }
      for pass in 0..<Self.passes {
        scratch.clear(lengths: lengths.count)
        if call.planes == 3 {
          SweepPass<ThreePlanes>(call, lengths, pass: pass, counts: counts, scratch).run()
        } else {
          SweepPass<TwoPlanes>(call, lengths, pass: pass, counts: counts, scratch).run()
        }
      }
    }
  }
}
