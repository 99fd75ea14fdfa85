import Evaluation
import PlankDetection
import PoseDatasets
import PoseModel
import Tuning

struct TuneBenchmark {
  struct Size {
    var people = 12
    var folds = 12
    var frames = 60_000
    var cells = 120
    var jobs = 1
  }

  static func run() async throws -> [(size: Size, timing: Timing)] {
    var sizes = [Size(), Size(jobs: 2)]
    sizes += [6, 24, 48].map { Size(people: $0, folds: min($0, 20)) }
    sizes += [3, 6].map { Size(folds: $0) }
    sizes += [Size(frames: 120_000), Size(frames: 240_000), Size(cells: 480), Size(cells: 1920)]
    let data = try sizes.map(data)
    let timings = try await Timing.ofCases(sizes.count, rounds: 5) { index in
      try await choose(sizes[index], data[index])
    } checksum: {
      checksum($0)
    }
    precondition(
      timings[0].checksum == timings[1].checksum, "two threads must give the answers of one")
    return zip(sizes, timings).map { (size: $0, timing: $1) }
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
      axes: [ParameterAxis(.elbowSplit, .list((0..<size.cells).map { 60 + Double($0) * step }))])
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

struct SuggestBenchmark {
  private let frames: SuggestionFrames
  private let detector = DetectorDefinition.trunk
  let preparation: Double

  init(frames count: Int, columns: Int, sequences: Int = 20) throws {
    var source = SweepData(seed: 11)
    var random = SplitMix64(seed: 12)
    let measurements = try Self.columns(columns)
    let measured = try (0..<sequences).map { index in
      let sequence = try source.sequence(index, frames: count / sequences, dropouts: 0.02)
      var all: [PlankDetection.Measurement: [Float]] = [:]
      for measurement in measurements {
        let own = sequence.columns[measurement]
        all[measurement] = own.isEmpty ? sequence.times.map { _ in Float(random.normal()) } : own
      }
      return MeasuredSequence(
        name: sequence.name, subject: sequence.subject, times: sequence.times,
        truth: sequence.truth, startsMid: false, frameWeight: sequence.frameWeight,
        columns: MeasurementColumns(frameCount: sequence.times.count, columns: all))
    }
    let start = ProcessTime.seconds
    frames = SuggestionFrames(measured, .plank, measurements)
    preparation = ProcessTime.seconds - start
  }

  func run() async -> [(name: String, tried: Int, timing: Timing)] {
    let cases: [(name: String, kinds: [RuleEdit.Kind])] = [
      ("single conditions", [.move, .rearrange, .narrow, .insert]),
      ("with pairs", RuleEdit.Kind.allCases),
    ]
    var tried = cases.map { _ in 0 }
    let timings = await Timing.ofCases(cases.count, rounds: 3) { index in
      let search = EditSearch(detector, frames, harm: 1, kinds: cases[index].kinds)
      tried[index] = search.tried
      return search
    } checksum: {
      Checksum($0.found.map { UInt64(bitPattern: $0.worth) }).value
    }
    return cases.indices.map { (name: cases[$0].name, tried: tried[$0], timing: timings[$0]) }
  }

  private static func columns(_ count: Int) throws -> [PlankDetection.Measurement] {
    var all = PlankDetection.Measurement.builtIn(for: .gravity)
    while all.count < count {
      all.append(try PlankDetection.Measurement("extra\(all.count)", "elbowAngle / 1deg"))
    }
    return Array(all.prefix(count))
  }
}

/// Recordings with people, such as the studio, reveal costs that synthetic columns hide.
struct StudioBenchmark {
  private let sequences: [DatasetSequence]

  init(folder: String) throws {
    let reader = try DatasetReader(path: folder)
    sequences = try reader.sequences().map { try reader.load($0) }
  }

  var recordings: [Recording] { sequences.map(\.recording) }

  func sweepBenchmark() throws -> SweepBenchmark {
    let definition = try SweepBenchmark.definition()
    let data = try MeasuredData(
      sequences.map {
        TuningSequence(
          name: $0.name, subject: $0.subject, recording: $0.recording, truth: $0.truth(),
          startsMid: $0.startsMid)
      }, for: definition)
    return try SweepBenchmark(data: data, grid: definition.grid(.plank, data))
  }

  func comparisons(people: [Int]) async throws -> [Timing] {
    let detectors = [try BatchDetector(.gravity), try BatchDetector(.scaled)]
    let sides = people.map { count in
      detectors.map { detector in
        sequences.enumerated().map { score($1, detector, subject: "p\($0 % count)") }
      }
    }
    return await Timing.ofCases(sides.count, rounds: 3) { index in
      PairedComparison(sides[index][0], sides[index][1], keys: MetricKey.headlines)
    } checksum: { comparison in
      var sum = Checksum()
      for metric in comparison.metrics {
        sum.add(metric.difference ?? .infinity)
        sum.add(metric.standardError ?? .infinity)
      }
      return sum.value
    }
  }

  private func score(
    _ sequence: DatasetSequence, _ detector: BatchDetector, subject: String
  ) -> SequenceScores {
    let recording = sequence.recording
    let answers = detector.detect(
      detector.measure(recording), times: recording.times, startsMid: sequence.startsMid)
    return SequenceScores(
      SequenceOutcome(
        name: sequence.name, subject: subject, times: recording.times,
        truth: sequence.truth(), plank: StreamOutcome(answers: answers.plank.answers),
        form: StreamOutcome(answers: answers.form.answers), frameWeight: recording.frameWeight))
  }
}
