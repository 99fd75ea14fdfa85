import PlankDetection
import Platform
import PoseModel
import TestSupport
import Tuning

/// A small experiment with data: the input that a sweep gives to a store.
struct SweepCase {
  let definition: GridDefinition
  let sweeps: [StreamSweep]
  var experiment = "side-plank"
  var dataset = RunIdentity.Dataset(name: "desk", hash: "a1b2", split: nil)
  var program = "planklab 1.0"
  var seed: UInt64 = 7

  /// Two detectors, three axes, one constraint; some people with planks in random columns.
  init(
    seed: Int = 1, sequences: Int = 3, frames: Int = 240, sag: [Double] = [0.02, 0.05, 0.08],
    sources: [String?] = [nil]
  ) throws {
    var random = SplitMix64(spread: seed)
    let data = (0..<sequences).map {
      Self.sequence($0, source: sources[$0 / 2 % sources.count], frames: frames, &random)
    }
    definition = try GridDefinition(
      [DetectorVariant(.gravity), DetectorVariant(.scaled)],
      axes: [
        ParameterAxis(.sag, .list(sag)), ParameterAxis(.pike, .list([0.02, 0.06])),
        ParameterAxis(.sideRise, .range(from: 0.05, to: 0.225, step: 0.025)),
        ParameterAxis(.plankFrames, .list([1, 2, 5, 9])),
        ParameterAxis(.formFrames, .list([1, 4, 9])),
      ], constraints: [AxisConstraint(.pike, .lessOrEqual, .sag)])
    let measured = try MeasuredData(variants: [data, data])
    let grid = definition
    sweeps = try AnswerStream.allCases.map { stream in
      StreamSweep(try grid.grid(stream, measured), measured)
    }
  }

  var plan: RunPlan {
    RunPlan(
      identity: RunIdentity(
        experiment: experiment, dataset: dataset, program: program, seed: seed),
      streams: sweeps.map(RunPlan.Stream.init))
  }

  func sweep(_ stream: AnswerStream) -> StreamSweep {
    sweeps[stream == .plank ? 0 : 1]
  }

  /// Evaluates and stores the cells that a run lacks.
  ///
  /// - Parameters:
  ///   - length: the most cells of a chunk.
  ///   - chunks: after how many chunks to stop.
  ///   - order: shuffles the chunks of a stream.
  func run(
    _ writer: RunWriter, length: Int = 5, chunks: Int = .max,
    order: ([Range<Int>]) -> [Range<Int>] = { $0 }
  ) async throws {
    var rest = chunks
    for stream in AnswerStream.allCases {
      for range in order(try writer.missing(stream, atMost: length)) where rest > 0 {
        rest -= 1
        try writer.write(stream, await sweep(stream).evaluate(range), at: Moments.later)
      }
    }
  }

  private static func sequence(
    _ index: Int, source: String?, frames: Int, _ random: inout SplitMix64
  ) -> MeasuredSequence {
    let times = (0..<frames).map { Double($0) / 30 + random.uniform(0, 0.004) }
    var segments: [LabeledSegment] = []
    var start = 0.0
    while start < Double(frames) / 30 {
      let end = start + random.uniform(0.5, 3)
      let plank = random.pick(PlankClass.allCases)
      segments.append(
        LabeledSegment(
          start: Seconds(start), end: Seconds(end), plank: plank,
          form: plank == .none ? nil : random.pick(FormClass.allCases)))
      start = end + random.pick([0, 0.3])
    }
    let ranges: [Measurement: (Double, Double)] = [
      .verticalRatio: (0, 0.7), .shoulderRise: (-0.3, 0.3), .shoulderRiseFraction: (-0.2, 0.2),
      .wristHipCosine: (-1, 1), .elbowAngle: (80, 180), .hipDeviation: (-0.15, 0.15),
      .hipDeviationFraction: (-0.1, 0.1),
    ]
    var columns: [Measurement: [Float]] = [:]
    for measurement in Measurement.builtIn {
      guard let (low, high) = ranges[measurement] else { continue }
      var level = random.uniform(low, high)
      columns[measurement] = times.map { _ in
        if random.chance(0.05) { level = random.uniform(low, high) }
        return random.chance(0.01) ? .nan : Float(level)
      }
    }
    return MeasuredSequence(
      name: "q\(index)", subject: index == 0 ? nil : "s\(index / 2)", source: source,
      times: times,
      truth: (try? LabelTrack(segments))?.truth(at: times) ?? FrameTruth(count: frames),
      startsMid: false, frameWeight: Seconds(1.0 / 30),
      columns: MeasurementColumns(frameCount: frames, columns: columns))
  }
}

/// A run of a small experiment in a store of its own, which is removed with it.
struct StoredRun {
  let store: TemporaryStore
  let sweep: SweepCase
  let database: RunDatabase
  let writer: RunWriter

  /// Begins a run, and stores some chunks of its cells, or all.
  init(_ sweep: SweepCase? = nil, length: Int = 5, chunks: Int = .max) async throws {
    store = try TemporaryStore()
    self.sweep = try sweep ?? SweepCase()
    database = try RunDatabase(writing: store.path)
    writer = try database.begin(self.sweep.plan, at: Moments.start)
    try await self.sweep.run(writer, length: length, chunks: chunks)
  }

  func reader() throws -> RunReader { try database.run(writer.id) }
}

/// Moments of a story: nothing here reads a clock.
enum Moments {
  static let start = Date(timeIntervalSince1970: 1_767_225_600)
  static let later = start.addingTimeInterval(90)
  static let end = start.addingTimeInterval(600)
}

extension RunWriter {
  /// Encodes and stores cells in one transaction.
  func write(_ stream: AnswerStream, _ table: CellTable, at time: Date) throws {
    try write(encoded(stream, table), at: time)
  }
}
