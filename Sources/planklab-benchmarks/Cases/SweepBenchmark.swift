import PlankDetection
import PoseModel
import Tuning

/// Runs the bit-parallel sweep and a loop of the production rules alternately.
struct SweepBenchmark {
  struct Result {
    let sweep: Double
    let loop: Double
    let checksum: UInt64
    var ratio: Double { loop / sweep }
  }

  let data: MeasuredData
  let grid: StreamGrid

  init(frames: Int, sequences: Int = 20) throws {
    var source = SweepData(seed: 7)
    let measured = try (0..<sequences).map {
      try source.sequence($0, frames: frames / sequences, dropouts: 0.02)
    }
    data = try MeasuredData(variants: [measured])
    grid = try Self.definition().grid(.plank, data)
  }

  init(data: MeasuredData, grid: StreamGrid) {
    self.data = data
    self.grid = grid
  }

  var frames: Int { data.sequences.reduce(0) { $0 + $1.times.count } }

  static func definition() throws -> GridDefinition {
    try GridDefinition(
      [DetectorVariant(.gravity)],
      axes: [
        ParameterAxis(.horizontalRatio, .range(from: 0.4, to: 0.7, step: 0.075)),
        ParameterAxis(.reverseCosine, .range(from: 0.3, to: 0.6, step: 0.1)),
        ParameterAxis(.sideRise, .range(from: 0.05, to: 0.275, step: 0.025)),
        ParameterAxis(.elbowSplit, .range(from: 100, to: 145, step: 5)),
        ParameterAxis(.plankFrames, .list([1, 3, 5, 9, 15])),
      ])
  }

  /// The sample differs from round to round, and the time for preparing the sweep counts.
  func compare(rounds: Int = 5, sample: Int = 40) async throws -> Result {
    let frames = Double(self.frames)
    var (sweeps, loops): ([Double], [Double]) = ([], [])
    var checksums: Set<UInt64> = []
    for round in 0..<rounds {
      let first = round * grid.cellCount / rounds
      let start = ProcessTime.seconds
      let loop = try await StreamSweep(grid, data, engine: .streaming)
        .evaluate(first..<first + sample)
      loops.append((ProcessTime.seconds - start) * 1e9 / frames / Double(sample))
      var sum = Checksum()
      let time = try await inChunks { cells in
        for number in cells.storage { sum.add(UInt64(number)) }
        for (position, id) in loop.ids.enumerated() {
          guard let found = cells.position(of: id) else { continue }
          precondition(
            cells.numbers(at: found) == loop.numbers(at: position),
            "both engines give the same numbers")
        }
      }
      sweeps.append(time * 1e9 / frames / Double(grid.cellCount))
      checksums.insert(sum.value)
    }
    precondition(checksums.count == 1, "equal runs must give equal answers")
    return Result(sweep: median(sweeps), loop: median(loops), checksum: checksums.first ?? 0)
  }

  /// Chunks of two million numbers keep memory from dominating the timing; `body` is not timed.
  func inChunks(_ body: (CellTable) throws -> Void) async throws -> Double {
    var start = ProcessTime.seconds
    let sweep = StreamSweep(grid, data)
    let chunk = max(1, 2_000_000 / max(1, sweep.layout.stride))
    var total = 0.0
    for first in stride(from: 0, to: grid.cellCount, by: chunk) {
      let cells = try await sweep.evaluate(first..<min(first + chunk, grid.cellCount))
      total += ProcessTime.seconds - start
      try body(cells)
      start = ProcessTime.seconds
    }
    return total
  }
}

struct SweepScaling {
  struct Size {
    let cells: Int
    let frames: Int
    let jobs: Int
  }

  static func run() async throws -> [(size: Size, timing: Timing)] {
    let small = try SweepBenchmark(frames: 20_000)
    let large = try SweepBenchmark(frames: 2_000_000)
    let few = SweepBenchmark(data: small.data, grid: try small.coarse())
    let long = SweepBenchmark(data: large.data, grid: few.grid)
    let usual = try SweepBenchmark(frames: 200_000)
    let benchmarks = [few, few, small, small, long, long, usual, usual]
    let timings = try await Timing.ofCases(benchmarks.count, rounds: 9) { index in
      let benchmark = benchmarks[index]
      return try await StreamSweep(benchmark.grid, benchmark.data)
        .evaluate(0..<benchmark.grid.cellCount, jobs: jobs(index))
    } checksum: {
      Checksum($0.storage.lazy.map { UInt64($0) }).value
    }
    for index in stride(from: 0, to: timings.count, by: 2) {
      precondition(
        timings[index].checksum == timings[index + 1].checksum,
        "two threads must give the answers of one")
    }
    return zip(benchmarks.enumerated(), timings).map { benchmark, timing in
      let (cells, frames) = (benchmark.element.grid.cellCount, benchmark.element.frames)
      return (Size(cells: cells, frames: frames, jobs: jobs(benchmark.offset)), timing)
    }
  }

  private static func jobs(_ index: Int) -> Int { index.isMultiple(of: 2) ? 1 : 2 }
}

extension SweepBenchmark {
  func coarse() throws -> StreamGrid {
    try GridDefinition(
      [DetectorVariant(.gravity)],
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

struct SweepData {
  private static let measurements: [Measurement] = [
    .verticalRatio, .shoulderRise, .wristHipCosine, .elbowAngle,
  ]
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// `dropouts` is the share of frames without a pose.
  mutating func sequence(
    _ index: Int, frames: Int, dropouts: Double, people: Int = 10
  ) throws -> MeasuredSequence {
    var columns: [Measurement: [Float]] = [:]
    var segments: [LabeledSegment] = []
    var frame = 0
    while frame < frames {
      let length = min(frames - frame, 150 + Int(random.next() % 1000))
      let plank = PlankClass.allCases[Int(random.next() % 6)]
      segments.append(
        LabeledSegment(
          start: Seconds(Double(frame) / 30), end: Seconds(Double(frame + length) / 30),
          plank: plank))
      for _ in 0..<length {
        let isMissing = random.uniform() < dropouts
        for measurement in Self.measurements {
          let (mean, spread) = Self.distribution(of: measurement, plank)
          columns[measurement, default: []]
            .append(isMissing ? .nan : Float(mean + spread * random.normal()))
        }
      }
      frame += length
    }
    let times = (0..<frames).map { Double($0) / 30 }
    return MeasuredSequence(
      name: "s\(index)", subject: "p\(index % people)", times: times,
      truth: try LabelTrack(segments).truth(at: times), startsMid: false,
      frameWeight: Seconds(1.0 / 30),
      columns: MeasurementColumns(frameCount: frames, columns: columns))
  }

  private static func distribution(
    of measurement: Measurement, _ plank: PlankClass
  ) -> (mean: Double, spread: Double) {
    switch measurement {
    case .verticalRatio: (mean: plank == .none ? 0.8 : 0.25, spread: 0.08)
    case .shoulderRise:
      (mean: plank == .sideLeft ? 0.3 : plank == .sideRight ? -0.3 : 0, spread: 0.06)
    case .wristHipCosine: (mean: plank == .reverse ? 0.8 : 0, spread: 0.15)
    default: (mean: plank == .high ? 165 : 95, spread: 15)
    }
  }
}
