import ParameterTuning
import PlankDetection
import PoseModel

/// The bit-parallel sweep against a loop of the production rules and debounce over the same
/// columns: one process, one thread, interleaved runs, equal numbers.
struct SweepBenchmark {
  /// The result of a comparison; times are medians over the rounds.
  struct Result {
    /// Nanoseconds per cell and frame.
    let sweep: Double
    let loop: Double
    /// A checksum of all cells; the loop's cells are compared number by number.
    let checksum: UInt64
    /// How many times faster the sweep is.
    var ratio: Double { loop / sweep }
  }

  let data: MeasuredData
  let grid: StreamGrid

  /// Five axes, 10,000 cells; two percent of the frames without a pose.
  init(frames: Int, sequences: Int = 20) throws {
    var source = SweepData(seed: 7)
    let measured = try (0..<sequences).map {
      try source.sequence($0, frames: frames / sequences, dropouts: 0.02)
    }
    data = try MeasuredData(variants: [measured])
    grid = try Self.definition().grid(.plank, data)
  }

  /// Takes data with its own grid.
  init(data: MeasuredData, grid: StreamGrid) {
    self.data = data
    self.grid = grid
  }

  /// Five axes, 10,000 cells of `gravity`.
  static func definition() throws -> GridDefinition {
    try GridDefinition(
      detectors: [(definition: .gravity, base: DetectorDefinition.gravity.defaults)],
      axes: [
        ParameterAxis(.horizontalRatio, .range(from: 0.4, to: 0.7, step: 0.075)),
        ParameterAxis(.reverseCosine, .range(from: 0.3, to: 0.6, step: 0.1)),
        ParameterAxis(.sideRise, .range(from: 0.05, to: 0.275, step: 0.025)),
        ParameterAxis(.elbowSplit, .range(from: 100, to: 145, step: 5)),
        ParameterAxis(.plankFrames, .list([1, 3, 5, 9, 15])),
      ])
  }

  /// Sweeps the whole grid and runs the loop over some of its cells, in turns.
  ///
  /// Preparing the sweep counts as its time.
  ///
  /// - Parameter sample: how many cells a round the loop takes, other ones each time.
  func compare(rounds: Int = 5, sample: Int = 40) async throws -> Result {
    let frames = Double(data.sequences.reduce(0) { $0 + $1.times.count })
    let clock = ContinuousClock()
    var (sweeps, loops): ([Double], [Double]) = ([], [])
    var checksums: Set<UInt64> = []
    for round in 0..<rounds {
      let start = clock.now
      let cells = try await StreamSweep(grid, data).evaluate(0..<grid.cellCount)
      let middle = clock.now
      let first = round * grid.cellCount / rounds
      let loop = try await StreamSweep(grid, data, engine: .streaming)
        .evaluate(first..<first + sample)
      let end = clock.now
      for (position, id) in loop.ids.enumerated() {
        let same = cells.position(of: id).map { cells.numbers(at: $0) }
        precondition(same == loop.numbers(at: position), "both engines give the same numbers")
      }
      sweeps.append(Self.nanoseconds(middle - start) / frames / Double(grid.cellCount))
      loops.append(Self.nanoseconds(end - middle) / frames / Double(sample))
      checksums.insert(Self.checksum(cells))
    }
    precondition(checksums.count == 1, "equal runs must give equal answers")
    return Result(
      sweep: sweeps.sorted()[rounds / 2], loop: loops.sorted()[rounds / 2],
      checksum: checksums.first ?? 0)
  }

  private static func nanoseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) * 1e-9
  }

  /// A checksum of all numbers of all cells.
  static func checksum(_ cells: CellTable) -> UInt64 {
    cells.storage.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// The cost per cell and frame as the grid and the frames grow, and on two threads.
struct SweepScaling {
  /// One size.
  struct Row {
    let cells: Int
    let frames: Int
    let jobs: Int
    /// The median over the rounds, preparation included.
    let picoseconds: Double
    let checksum: UInt64
  }

  /// Grid and frames each a hundred times larger, then two threads.
  ///
  /// Rounds of all sizes are interleaved, so that a busy moment falls on each of them.
  static func run(rounds: Int = 5) async throws -> [Row] {
    let small = try SweepBenchmark(frames: 20_000)
    let large = try SweepBenchmark(frames: 2_000_000)
    let few = try small.coarse()
    let sizes: [(data: MeasuredData, grid: StreamGrid, jobs: Int)] = [
      (small.data, few, 1), (small.data, small.grid, 1), (large.data, few, 1),
      (small.data, small.grid, 2),
    ]
    var times = Array(repeating: [Double](), count: sizes.count)
    var checksums = Array(repeating: Set<UInt64>(), count: sizes.count)
    let clock = ContinuousClock()
    for _ in 0..<rounds {
      for (index, size) in sizes.enumerated() {
        let start = clock.now
        let cells = try await StreamSweep(size.grid, size.data)
          .evaluate(0..<size.grid.cellCount, jobs: size.jobs)
        let parts = (clock.now - start).components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
        let work = Double(size.grid.cellCount) * Double(frames(size.data))
        times[index].append(seconds * 1e12 / work)
        checksums[index].insert(SweepBenchmark.checksum(cells))
      }
    }
    precondition(checksums.allSatisfy { $0.count == 1 }, "equal runs must give equal answers")
    precondition(checksums[1] == checksums[3], "two threads must give the answers of one")
    return sizes.indices.map { index in
      Row(
        cells: sizes[index].grid.cellCount, frames: frames(sizes[index].data),
        jobs: sizes[index].jobs, picoseconds: times[index].sorted()[rounds / 2],
        checksum: checksums[index].first ?? 0)
    }
  }

  private static func frames(_ data: MeasuredData) -> Int {
    data.sequences.reduce(0) { $0 + $1.times.count }
  }
}

extension SweepBenchmark {
  /// A grid of a hundredth of the cells over the same data.
  func coarse() throws -> StreamGrid {
    try GridDefinition(
      detectors: [(definition: .gravity, base: DetectorDefinition.gravity.defaults)],
      axes: [
        ParameterAxis(.horizontalRatio, .list([0.5])),
        ParameterAxis(.reverseCosine, .list([0.4, 0.5])),
        ParameterAxis(.sideRise, .list([0.1, 0.15])),
        ParameterAxis(.elbowSplit, .list([110, 120, 130, 135, 140])),
        ParameterAxis(.plankFrames, .list([1, 3, 5, 9, 15])),
      ]
    ).grid(.plank, data)
  }
}
