import CSweepKernels
import ParameterTuning
import PoseModel

/// The sweep's kernel in C, on every path that the machine has, against a twin in Swift: one
/// process, one thread, interleaved runs, equal numbers.
struct KernelBenchmark {
  /// What one kernel took.
  struct Row {
    let name: String
    /// The median over the rounds, in nanoseconds a cell and frame.
    let nanoseconds: Double
    /// A checksum of all counts and hits.
    let checksum: UInt64
  }

  private let memory: KernelMemory
  private let swift: SwiftSweepKernel
  private let work: Double

  /// Prepares the inputs of a stream: 20 sequences, eight cells a debounce length.
  init(_ stream: AnswerStream, frames: Int) {
    self.init(stream, frames: frames, sequences: 20, noise: 0.5, lengths: [1, 5, 10, 15, 30])
  }

  /// Prepares inputs of which most holds are without flicker, for lengths around the places where
  /// words and levels end.
  init(edgesOf stream: AnswerStream, frames: Int) {
    self.init(
      stream, frames: frames, sequences: 4, noise: 0.2,
      lengths: [2, 3, 64, 65, 66, 128, 129, 130, 511, 513, 999, 1000])
  }

  private init(
    _ stream: AnswerStream, frames: Int, sequences: Int, noise: Double, lengths: [UInt32]
  ) {
    var source = KernelInputSource(stream, noise: noise, seed: 11)
    let inputs = (0..<sequences).map { _ in source.next(frames: frames / sequences) }
    memory = KernelMemory(inputs, lengths: lengths)
    swift = SwiftSweepKernel(lengths: lengths.count)
    work = Double(inputs.reduce(0) { $0 + $1.frameCount } * lengths.count * Int(SWEEP_LANES))
  }

  /// Runs every kernel in turns.
  ///
  /// Times are processor time of the thread, so that other programs disturb them less.
  ///
  /// - Parameter repeats: how often a round runs each kernel over all sequences.
  func compare(rounds: Int, repeats: Int) -> [Row] {
    let own = SweepKernelPath.current
    let paths = SweepKernelPath.names.filter(SweepKernelPath.use)
    var times = Array(repeating: [Double](), count: paths.count + 1)
    var checksums = Array(repeating: Set<UInt64>(), count: paths.count + 1)
    for _ in 0..<rounds {
      for (index, path) in paths.enumerated() {
        _ = SweepKernelPath.use(path)
        times[index].append(nanoseconds(repeats, runC))
        checksums[index].insert(checksum())
      }
      times[paths.count].append(nanoseconds(repeats, runSwift))
      checksums[paths.count].insert(checksum())
    }
    _ = SweepKernelPath.use(own)
    return (paths.map { "C, \($0)" } + ["Swift"]).enumerated().map { index, name in
      precondition(checksums[index].count == 1, "equal runs must give equal answers")
      return Row(
        name: name, nanoseconds: times[index].sorted()[rounds / 2],
        checksum: checksums[index].first ?? 0)
    }
  }

  private func nanoseconds(_ repeats: Int, _ body: () -> Void) -> Double {
    let start = ThreadTime.nanoseconds
    for _ in 0..<repeats { body() }
    return (ThreadTime.nanoseconds - start) / (work * Double(repeats))
  }

  private func runC() {
    for call in memory.calls {
      withUnsafePointer(to: call.sequence) { sequence in
        withUnsafePointer(to: call.rules) { rules in
          sweep_count(
            sequence, rules, UInt32(call.planes), call.nullableBits, call.isShared,
            memory.lengths.baseAddress, UInt32(memory.lengths.count), memory.scratch,
            call.counts.baseAddress, call.hits.baseAddress)
        }
      }
    }
  }

  private func runSwift() {
    for call in memory.calls { swift.count(call, lengths: memory.lengths) }
  }

  /// A checksum of the answers in memory, which are forgotten.
  private func checksum() -> UInt64 {
    var sum = Checksum()
    for call in memory.calls {
      for count in call.counts { sum.add(count) }
      for hit in call.hits { sum.add(UInt64(hit)) }
      call.counts.update(repeating: 0)
      call.hits.update(repeating: 0)
    }
    return sum.value
  }
}
