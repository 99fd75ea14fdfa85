import ArgumentParser
import PlankDetection
import PoseDatasets
import PoseModel
import Tuning

@main
struct Benchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "planklab-benchmarks",
    abstract: "Time the product's work, with a checksum of the answers for each timing.",
    discussion: """
      Examples:
        planklab-benchmarks
        planklab-benchmarks peers datasets/studio/generated
        planklab-benchmarks commands .build/release/planklab --dataset datasets/studio/generated
      """,
    subcommands: [
      Timings.self, Allocations.self, Sweep.self, Scaling.self, Tune.self,
      Suggest.self, Studio.self, Peers.self, Commands.self,
    ], defaultSubcommand: Timings.self)
}

struct Timings: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Load, measure, classify, evaluate, and decode PoseNet's tensors.")

  func run() throws {
    let frames = 20_000
    let load = LoadBenchmark(text: SyntheticText.recording(frames: frames, seed: 1), frames: frames)
    let watch = Stopwatch(runs: 5)
    let recording = try load.read()
    let read = try watch.best { UInt64(try load.read().frameCount) }
    line("load", read, frames, load.checksum(recording))
    let expressions = [try ExpressionDetectors.gravity(), try ExpressionDetectors.windows()]
    let builtIn = DetectorDefinition.builtIn.filter { !$0.axes.isImage }
    for definition in builtIn + expressions { try detection(recording, definition, watch) }
    let poseNet = PoseNetBenchmark(seed: 1)
    for reading in PoseNetDecoding.Reading.allCases {
      let decoded = watch.best { poseNet.decode(reading) }
      line("PoseNet, \(reading.rawValue)", decoded, 1, decoded.checksum)
    }
  }

  private func detection(
    _ recording: Recording, _ definition: DetectorDefinition, _ watch: Stopwatch
  ) throws {
    let frames = recording.frameCount
    let detect = DetectBenchmark(recording: recording, detector: try BatchDetector(definition))
    let columns = detect.detector.measure(recording)
    let measured = watch.best { detect.measure() }
    let classified = watch.best { detect.classify(columns) }
    let streamed = try watch.best { try detect.stream() }
    precondition(classified.checksum == streamed.checksum, "streaming equals batch")
    line("measure, \(definition.name)", measured, frames, measured.checksum)
    line("classify, \(definition.name)", classified, frames, classified.checksum)
    line("stream, \(definition.name)", streamed, frames, streamed.checksum)
    let answers = detect.detector.detect(columns, times: recording.times, startsMid: false)
    let evaluate = try EvaluateBenchmark(recording, answers)
    let scored = watch.best { evaluate.score() }
    line("evaluate, \(definition.name)", scored, frames, scored.checksum)
  }
}

struct Allocations: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count heap allocations per frame in what apps link; needs a preloaded counter.")

  @Argument(help: ArgumentHelp("The number of frames.", valueName: "frames"))
  var frames = 4000

  func run() throws {
    guard let counter = AllocationCounter() else {
      print("no counter: preload scripts/proofs/malloc_counter.c as its first lines describe")
      throw ExitCode(69)
    }
    var proof = try AllocationProof(counter, frames: max(200, frames))
    if try !proof.run() { throw ExitCode(1) }
  }
}

struct Sweep: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Evaluate 10,000 configurations over 200,000 frames exactly, by every kernel path.")

  func run() async throws {
    for path in SweepKernelPath.names where SweepKernelPath.use(path) {
      let result = try await SweepBenchmark(frames: 200_000).compare()
      print(
        "sweep, \(path): \(result.sweep) ns per cell and frame, production loop \(result.loop) ns: "
          + "\(rounded(result.ratio))x, checksum \(String(result.checksum, radix: 16))")
    }
    let recording = try LoadBenchmark(
      text: SyntheticText.recording(frames: 20_000, seed: 1), frames: 20_000
    ).read()
    let detect = DetectBenchmark(recording: recording, detector: try BatchDetector(.gravity))
    let streamed = try Stopwatch(runs: 5).best { try detect.stream() }
    let nanoseconds = streamed.seconds / 20_000 * 1e9
    let sweep = try await SweepBenchmark(frames: 200_000).compare(rounds: 3).sweep
    print(
      "the streaming detector from joints, both streams: \(rounded(nanoseconds)) ns per frame, "
        + "\(rounded(nanoseconds / sweep))x the sweep of one stream")
  }
}

struct Scaling: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep-scaling",
    abstract: "Time the sweep with up to 100 times the cells and frames, on one thread and on two.")

  func run() async throws {
    let rows = try await SweepScaling.run()
    var lines = [
      ["cells", "frames", "threads", "ps per cell and frame", "one thread over two", "checksum"]
    ]
    for (index, row) in rows.enumerated() {
      let ratio = row.jobs == 1 ? "" : significant(rows[index - 1].elapsed / row.elapsed) + "x"
      lines.append([
        "\(row.cells)", "\(row.frames)", "\(row.jobs)", significant(row.picoseconds),
        ratio, String(row.checksum, radix: 16),
      ])
    }
    printTable(lines)
    print("\"one thread over two\" compares the wall-clock times of the best rounds")
  }
}

struct Tune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time a whole choice as people, folds, frames and cells grow, on 1 and 2 threads.")

  func run() async throws {
    let rows = try await TuneBenchmark.run()
    let first = rows[0]
    var lines = [
      [
        "people", "folds", "frames", "cells", "threads", "processor ms", "over the first",
        "one thread over two", "checksum",
      ]
    ]
    for row in rows {
      let isPair = row.size.jobs == 2
      lines.append([
        "\(row.size.people)", "\(row.size.folds)", "\(row.size.frames)", "\(row.size.cells)",
        "\(row.size.jobs)", significant(row.processor * 1e3),
        significant(row.processor / first.processor) + "x",
        isPair ? significant(first.elapsed / row.elapsed) + "x" : "",
        String(row.checksum, radix: 16),
      ])
    }
    printTable(lines)
    print("\"one thread over two\" compares the wall-clock times of the best rounds")
  }
}

struct Suggest: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time the search for the best edit of a rule list in 300,000 frames.")

  @Option(help: "The number of frames.")
  var frames = 300_000

  @Option(help: "The number of measurements; at least the 20 that are built in.")
  var columns = 25

  func run() throws {
    let benchmark = try SuggestBenchmark(frames: frames, columns: max(20, columns))
    print("sorting: \(significant(benchmark.preparation)) s")
    for row in benchmark.run() {
      print(
        "\(row.name): \(significant(row.processor)) s for \(row.tried) edits, checksum "
          + String(row.checksum, radix: 16))
    }
    print("peak memory: \(PeakMemory.bytes / 1_000_000) MB")
  }
}

struct Studio: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time the comparison of two detectors on recordings dealt out among 6 to 48 people.")

  @Argument(help: ArgumentHelp("The dataset's folder.", valueName: "dataset"))
  var dataset: String

  func run() throws {
    let comparisons = try StudioBenchmark(folder: dataset).comparisons(people: [6, 12, 16, 24, 48])
    printTable(
      [["compare", "processor ms", "over the first", "checksum"]]
        + comparisons.map {
          [
            "\($0.people) people", significant($0.seconds * 1e3),
            significant($0.seconds / comparisons[0].seconds) + "x", String($0.checksum, radix: 16),
          ]
        })
  }
}

private func line(_ name: String, _ timing: Timing, _ frames: Int, _ checksum: UInt64) {
  let nanoseconds = timing.seconds / Double(frames) * 1e9
  let padded = name + String(repeating: " ", count: max(1, 26 - name.count))
  print("\(padded)\(rounded(nanoseconds)) ns per frame  checksum \(String(checksum, radix: 16))")
}

private func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
