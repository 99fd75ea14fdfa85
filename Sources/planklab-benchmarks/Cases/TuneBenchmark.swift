import Evaluation
import PlankDetection
import PoseModel
import Tuning

struct TuneBenchmark {
  struct Row {
    let size: Size
    let processor: Double
    let elapsed: Double
    let checksum: UInt64
  }

  struct Size {
    var people = 12
    var folds = 12
    var frames = 60_000
    var cells = 120
    var jobs = 1
  }

  static func run(rounds: Int = 5) async throws -> [Row] {
    var sizes = [Size(), Size(jobs: 2)]
    sizes += [6, 24, 48].map { Size(people: $0, folds: min($0, 20)) }
    sizes += [3, 6].map { Size(folds: $0) }
    sizes += [Size(frames: 120_000), Size(frames: 240_000), Size(cells: 480), Size(cells: 1920)]
    let data = try sizes.map(data)
    var times = sizes.map { _ in [(processor: Double, elapsed: Double)]() }
    var checksums = sizes.map { _ in Set<UInt64>() }
    for _ in 0..<rounds {
      for (index, size) in sizes.enumerated() {
        let clock = ContinuousClock()
        let (start, began) = (ProcessTime.seconds, clock.now)
        let report = try await choose(size, data[index])
        times[index].append(
          (processor: ProcessTime.seconds - start, elapsed: seconds(clock.now - began)))
        checksums[index].insert(checksum(report))
      }
    }
    precondition(checksums.allSatisfy { $0.count == 1 }, "equal runs must give equal answers")
    precondition(checksums[0] == checksums[1], "two threads must give the answers of one")
    return sizes.enumerated().map { index, size in
      Row(
        size: size, processor: median(times[index].map(\.processor)),
        elapsed: times[index].map(\.elapsed).min() ?? .nan,
        checksum: checksums[index].first ?? 0)
    }
  }

  private static func data(_ size: Size) throws -> MeasuredData {
    var source = SweepData(seed: 11)
    let count = size.frames / 600
    return try MeasuredData(variants: [
      try (0..<count).map {
        try source.sequence($0, frames: 600, dropouts: 0.02, people: size.people)
      }
    ])
  }

  private static func choose(_ size: Size, _ data: MeasuredData) async throws -> TuningReport {
    let step = 120 / Double(size.cells)
    let grid = try GridDefinition(
      [DetectorVariant(.gravity)],
      axes: [
        ParameterAxis(.elbowSplit, .list((0..<size.cells).map { 60 + Double($0) * step }))
      ])
    return try await StreamTuner(
      grid, data, TuningGoal(MetricKey(tunable: "plank.balanced_accuracy"), tolerance: 0.002),
      TuningOptions(validation: .subjectFolds(size.folds), jobs: size.jobs)
    ).tune()
  }

  private static func checksum(_ report: TuningReport) -> UInt64 {
    var sum = Checksum()
    for parameters in [report.parameters] + report.folds.map(\.parameters) {
      for entry in parameters.entries { sum.add(entry.value) }
    }
    for step in report.refinement?.steps ?? [] { sum.add(step.to) }
    sum.add(report.heldOut?.value ?? .infinity)
    sum.add(report.samePlateauShare ?? .infinity)
    return sum.value
  }
}
