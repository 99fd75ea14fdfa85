import ParameterTuning
import PlankDetection
import PoseModel

/// The bit-parallel sweep against a loop of the production rules and debounce over the same
/// columns: one process, one thread, interleaved runs, equal numbers.
struct SweepBenchmark {
  /// What a comparison found; times are medians over the rounds.
  struct Result {
    /// Nanoseconds a cell and frame.
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
    grid = try GridDefinition(
      detectors: [(definition: .gravity, base: DetectorDefinition.gravity.defaults)],
      axes: [
        ParameterAxis(.horizontalRatio, .range(from: 0.4, to: 0.7, step: 0.075)),
        ParameterAxis(.reverseCosine, .range(from: 0.3, to: 0.6, step: 0.1)),
        ParameterAxis(.sideRise, .range(from: 0.05, to: 0.275, step: 0.025)),
        ParameterAxis(.elbowSplit, .range(from: 100, to: 145, step: 5)),
        ParameterAxis(.plankFrames, .list([1, 3, 5, 9, 15])),
      ]
    ).grid(.plank, data)
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
