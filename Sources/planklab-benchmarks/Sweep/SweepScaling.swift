import ParameterTuning
import PlankDetection
import PoseModel

/// What a cell and frame cost as the grid and the frames grow, and on two threads.
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
