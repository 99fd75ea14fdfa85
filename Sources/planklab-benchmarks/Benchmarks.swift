import Foundation
import ParameterTuning
import PlankDetection
import PoseDatasets
import PoseModel

/// Timings of the product's work, each with a checksum of its answers.
///
///     planklab-benchmarks                load, measure, classify, evaluate, PoseNet
///     planklab-benchmarks memory FRAMES  peak memory of one recording, above an empty run
///     planklab-benchmarks sweep          10,000 configurations over 200,000 frames, exactly
///     planklab-benchmarks sweep-scaling  the same with grid and frames 100x, and on two threads
///     planklab-benchmarks tune           a whole choice as people, folds, frames and cells grow
///     planklab-benchmarks studio DIR     sweep, resampling and smoothing on a dataset's recordings
///     planklab-benchmarks allocations [FRAMES]  heap allocations a frame; needs a preloaded counter
///     planklab-benchmarks sweep-columns DIR  its columns and counts for scripts in other languages
@main
enum Benchmarks {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let first = arguments.first else { return try timings() }
    switch first {
    case "sweep": return try await sweep()
    case "sweep-scaling": return try await scaling()
    case "tune": return try await tune()
    case "allocations":
      return try allocations(frames: arguments.dropFirst().first.flatMap { Int($0) } ?? 4000)
    case "studio":
      if let folder = arguments.dropFirst().first { return try await studio(folder) }
    case "sweep-columns":
      if let folder = arguments.dropFirst().first { return try await columns(to: folder) }
    default: break
    }
    guard first == "memory", let frames = arguments.dropFirst().first.flatMap({ Int($0) }) else {
      print(
        "usage: planklab-benchmarks [memory FRAMES | sweep | sweep-scaling | tune | studio DIR | allocations [FRAMES] | sweep-columns DIR]"
      )
      exit(64)
    }
    try memory(frames: frames)
  }

  private static func allocations(frames: Int) throws {
    guard let counter = AllocationCounter() else {
      print("no counter: preload scripts/proofs/malloc_counter.c as its first lines say")
      exit(69)
    }
    var proof = try AllocationProof(counter, frames: max(200, frames))
    if try !proof.run() { exit(1) }
  }

  private static func timings() throws {
    let frames = 20_000
    let load = LoadBenchmark(
      text: SyntheticText.recording(frames: frames, seed: 1), frames: frames)
    let watch = Stopwatch(runs: 5)
    let recording = try load.read()
    let read = try watch.best { UInt64(try load.read().frameCount) }
    let decoded = try Stopwatch(runs: 1).best { try load.decoderChecksum() }
    precondition(decoded.checksum == load.checksum(recording), "both parsers read the same")
    line("load", read, frames, load.checksum(recording))
    line("load with JSONDecoder", decoded, frames, decoded.checksum)
    print("  load is \(rounded(decoded.seconds / read.seconds))x JSONDecoder, equal checksums")
    let expressions = [try ExpressionDetectors.gravity(), try ExpressionDetectors.windows()]
    let builtIn = DetectorDefinition.builtIn.filter { !$0.axes.isImage }
    for definition in builtIn + expressions {
      try detection(recording, definition, watch)
    }
    let poseNet = PoseNetBenchmark(seed: 1)
    for reading in PoseNetDecoding.Reading.allCases {
      let decoded = watch.best { poseNet.decode(reading) }
      line("PoseNet, \(reading.rawValue)", decoded, 1, decoded.checksum)
    }
  }

  private static func detection(
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

  /// The exact sweep beside a loop of the production rules over the same columns.
  private static func sweep() async throws {
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
      "the streaming detector from joints, both streams: \(rounded(nanoseconds)) ns a frame, "
        + "\(rounded(nanoseconds / sweep))x the sweep of one stream")
  }

  /// The most frequent work of whole commands, on recordings of people.
  private static func studio(_ folder: String) async throws {
    let benchmark = try StudioBenchmark(folder: folder)
    let sweep = try await benchmark.sweep()
    print(
      "sweep: \(sweep.sweep) ns per cell and frame, production loop \(sweep.loop) ns: "
        + "\(rounded(sweep.ratio))x, checksum \(String(sweep.checksum, radix: 16))")
    let draws = try benchmark.multisets(2000)
    print(
      "headlines of 2,000 multisets of people: laid out \(rounded(draws.laidOut.seconds * 1e3)) ms, "
        + "pooled \(rounded(draws.pooled.seconds * 1e3)) ms: "
        + "\(rounded(draws.pooled.seconds / draws.laidOut.seconds))x, "
        + "checksum \(String(draws.laidOut.checksum, radix: 16))")
    for kind in SmoothingKind.allCases {
      let strategy = try SmoothingStrategy([SmoothingStep(kind, on: .joints)])
      let timing = try benchmark.smoothing(strategy)
      line("measure, \(kind.rawValue)", timing, benchmark.frames, timing.checksum)
    }
  }

  /// The cost per cell and frame as grid and frames grow.
  private static func scaling() async throws {
    for row in try await SweepScaling.run() {
      print(
        "sweep, \(row.cells) cells x \(row.frames) frames, \(row.jobs) thread"
          + "\(row.jobs == 1 ? "" : "s"): \(rounded(row.picoseconds)) ps per cell and frame, "
          + "checksum \(String(row.checksum, radix: 16))")
    }
  }

  /// The time of a choice as everything it depends on grows.
  private static func tune() async throws {
    for row in try await TuneBenchmark.run() {
      let size = row.size
      print(
        "tune, \(size.people) people in \(size.folds) folds, \(size.frames) frames, "
          + "\(size.cells) cells, \(size.jobs) thread\(size.jobs == 1 ? "" : "s"): "
          + "\(rounded(row.processor * 1e3)) ms of processor time, \(rounded(row.elapsed * 1e3)) ms, "
          + "checksum \(String(row.checksum, radix: 16))")
    }
  }

  /// The sweep's columns and counts as files.
  private static func columns(to folder: String) async throws {
    let benchmark = try SweepBenchmark(frames: 200_000)
    let result = try await SweepColumns(benchmark: benchmark).write(to: folder, step: 100)
    let work = Double(result.cells) * 200_000
    print(
      "sweep, \(SweepKernelPath.current): \(result.cells) cells in \(rounded(result.seconds)) s, "
        + "\(result.seconds / work * 1e9) ns per cell and frame; every 100th cell in \(folder)")
  }

  private static func memory(frames: Int) throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-memory-\(frames).poses.jsonl").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(frames: frames, to: path)
    let empty = PeakMemory.bytes
    let benchmark = MemoryBenchmark(path: path)
    let result = try benchmark.run(BatchDetector(.gravity))
    let bytes = PeakMemory.bytes - empty
    print(
      "memory: \(result.frames) frames, \(bytes) bytes above an empty run, "
        + "\(rounded(Double(bytes) / Double(max(result.frames, 1)))) bytes per frame, "
        + "checksum \(String(result.checksum, radix: 16))")
  }

  /// Writes a large recording in pieces, so that its text is never in memory as a whole.
  private static func write(frames: Int, to path: String) throws {
    var source = SyntheticText(seed: 2)
    let joints = Skeleton.vision3d.joints.map(\.name)
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    for start in stride(from: 0, to: frames, by: 1000) {
      let count = min(1000, frames - start)
      let text = source.recording(frames: count, joints: joints, firstFrame: start)
      try autoreleasing { try file.write(contentsOf: Data(text)) }
    }
  }

  private static func line(_ name: String, _ timing: Timing, _ frames: Int, _ checksum: UInt64) {
    let nanoseconds = timing.seconds / Double(frames) * 1e9
    let padded = name + String(repeating: " ", count: max(1, 26 - name.count))
    print("\(padded)\(rounded(nanoseconds)) ns a frame  checksum \(String(checksum, radix: 16))")
  }

  private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  private static func autoreleasing(_ body: () throws -> Void) rethrows {
    #if canImport(ObjectiveC)
      try autoreleasepool(invoking: body)
    #else
      try body()
    #endif
  }
}
