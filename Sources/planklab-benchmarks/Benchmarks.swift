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

struct Timings: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Load, measure, classify, evaluate, and decode PoseNet's tensors.")

  func run() async throws {
    let load = LoadBenchmark(frames: 20_000)
    let recording = try load.read()
    let read = try await Timing.of { UInt64(try load.read().frameCount) }
    line("load", read, load.frames, load.checksum(recording))
    let expressions = [try ExpressionDetectors.gravity(), try ExpressionDetectors.windows()]
    let builtIn = DetectorDefinition.builtIn.filter { !$0.axes.isImage }
    for definition in builtIn + expressions { try await detection(recording, definition) }
    let poseNet = PoseNetBenchmark(seed: 1)
    for reading in PoseNetDecoding.Reading.allCases {
      line("PoseNet, \(reading.rawValue)", await Timing.of { poseNet.decode(reading) }, 1)
    }
  }

  private func detection(_ recording: Recording, _ definition: DetectorDefinition) async throws {
    let frames = recording.frameCount
    let detect = DetectBenchmark(recording: recording, detector: try BatchDetector(definition))
    let columns = detect.detector.measure(recording)
    let measured = await Timing.of { detect.measure() }
    let classified = await Timing.of { detect.classify(columns) }
    let streamed = try await Timing.of { try detect.stream() }
    precondition(classified.checksum == streamed.checksum, "streaming equals batch")
    line("measure, \(definition.name)", measured, frames)
    line("classify, \(definition.name)", classified, frames)
    line("stream, \(definition.name)", streamed, frames)
    let answers = detect.detector.detect(columns, times: recording.times, startsMid: false)
    let evaluate = try EvaluateBenchmark(recording, answers)
    line("evaluate, \(definition.name)", await Timing.of { evaluate.score() }, frames)
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
    let load = LoadBenchmark(frames: 20_000)
    let detect = DetectBenchmark(recording: try load.read(), detector: try BatchDetector(.gravity))
    let streamed = try await Timing.of { try detect.stream() }
    let nanoseconds = streamed.elapsed / Double(load.frames) * 1e9
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
    for (index, (size, timing)) in rows.enumerated() {
      let ratio =
        size.jobs == 1 ? "" : significant(rows[index - 1].timing.elapsed / timing.elapsed) + "x"
      let work = Double(size.cells) * Double(size.frames)
      lines.append([
        "\(size.cells)", "\(size.frames)", "\(size.jobs)",
        significant(timing.processor * 1e12 / work), ratio, timing.hexadecimalChecksum,
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
    let first = rows[0].timing
    var lines = [
      [
        "people", "folds", "frames", "cells", "threads", "processor ms", "over the first",
        "one thread over two", "checksum",
      ]
    ]
    for (size, timing) in rows {
      lines.append([
        "\(size.people)", "\(size.folds)", "\(size.frames)", "\(size.cells)", "\(size.jobs)",
        significant(timing.processor * 1e3), significant(timing.processor / first.processor) + "x",
        size.jobs == 2 ? significant(first.elapsed / timing.elapsed) + "x" : "",
        timing.hexadecimalChecksum,
      ])
    }
    printTable(lines)
    print("\"one thread over two\" compares the wall-clock times of the best rounds")
  }
}

struct Suggest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time the search for the best edit of a rule list in 300,000 frames.")

  @Option(help: "The number of frames.")
  var frames = 300_000

  @Option(help: "The number of measurements; at least the 20 that are built in.")
  var columns = 25

  func run() async throws {
    let benchmark = try SuggestBenchmark(frames: frames, columns: max(20, columns))
    print("sorting: \(significant(benchmark.preparation)) s")
    for (name, tried, timing) in await benchmark.run() {
      print(
        "\(name): \(significant(timing.processor)) s for \(tried) edits, checksum "
          + timing.hexadecimalChecksum)
    }
    print("peak memory: \(PeakMemory.bytes / 1_000_000) MB")
  }
}

struct Studio: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time the comparison of two detectors on recordings dealt out among 6 to 48 people.")

  @Argument(help: ArgumentHelp("The dataset's folder.", valueName: "dataset"))
  var dataset: String

  func run() async throws {
    let people = [6, 12, 16, 24, 48]
    let timings = try await StudioBenchmark(folder: dataset).comparisons(people: people)
    printTable(
      [["compare", "processor ms", "over the first", "checksum"]]
        + zip(people, timings).map { people, timing in
          [
            "\(people) people", significant(timing.processor * 1e3),
            significant(timing.processor / timings[0].processor) + "x", timing.hexadecimalChecksum,
          ]
        })
  }
}

extension Timing {
  fileprivate var hexadecimalChecksum: String { String(checksum, radix: 16) }
}

private func line(_ name: String, _ timing: Timing, _ frames: Int, _ checksum: UInt64? = nil) {
  let nanoseconds = timing.elapsed / Double(frames) * 1e9
  let padded = name + String(repeating: " ", count: max(1, 26 - name.count))
  let sum = String(checksum ?? timing.checksum, radix: 16)
  print("\(padded)\(rounded(nanoseconds)) ns per frame  checksum \(sum)")
}

private func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
