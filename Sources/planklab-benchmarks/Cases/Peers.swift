import ArgumentParser
import Foundation
import PlankDetection
import PoseModel
import Tuning

struct Peers: AsyncParsableCommand {
  enum Work: String, CaseIterable, ExpressibleByArgument {
    case sweep
    case filters
  }

  static let configuration = CommandConfiguration(
    abstract: "Time the sweep beside loops in Swift, C++ and numba, and the filters beside scipy.",
    discussion: """
      The sweep counts every cell, and the others count every hundredth cell, over the same \
      columns, on one thread and in turn; the counts of those cells must have the same \
      checksum, or the exit code is 1. The columns are synthetic at first, then those of every \
      dataset named. A peer without its compiler or package is left out, and a line says \
      so.

      Every smoothing filter runs on the joints of all frames, 51 numbers each, beside the \
      same filter by scipy or numba. The largest difference between two results must be at most \
      1e-9 m, or the exit code is 1.

      Run it in the project's root, where it finds the scripts. Without `--keep`, columns \
      are in a folder `planklab-benchmarks-...` in the system's folder for temporary files. \
      It is removed at the end, but not after Ctrl-C.

      Examples:
        planklab-benchmarks peers
        planklab-benchmarks peers datasets/studio/generated --python .venv/bin/python
        planklab-benchmarks peers --only filters
      """)

  @Argument(help: ArgumentHelp("Datasets, such as the studio.", valueName: "dataset"))
  var datasets: [String] = []

  @Option(help: ArgumentHelp("Time only this: sweep or filters.", valueName: "NAME"))
  var only: Work?

  @Option(help: ArgumentHelp("A Python that has numpy, numba and scipy.", valueName: "PROGRAM"))
  var python = "python3"

  @Option(help: ArgumentHelp("How many times everything is timed.", valueName: "N"))
  var rounds = 5

  @Option(help: ArgumentHelp("Keep columns, cells and the compiled loop here.", valueName: "DIR"))
  var keep: String?

  @Option(help: ArgumentHelp("The folder of the scripts.", valueName: "DIR"))
  var scripts = "experiments/sweep-speed"

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds must be at least 1") }
    let loop = scripts + "/sweep_loop.cpp"
    guard FileManager.default.fileExists(atPath: loop) else {
      throw ValidationError("\(loop): no such file; run this in the project's root")
    }
  }

  func run() async throws {
    let loaded = try datasets.map { try StudioBenchmark(folder: $0) }
    let temporary = try TemporaryFolder()
    let folder = keep ?? temporary.path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if only != .filters { try await sweeps(loaded, folder) }
    if only != .sweep { try filters(loaded, folder) }
  }

  private func sweeps(_ loaded: [StudioBenchmark], _ folder: String) async throws {
    let peers = [Peer.loop(scripts, folder)] + ["numba", "numpy"].map { script($0, folder) }
    try await compare(
      "synthetic columns", PeerRounds(SweepBenchmark(frames: 200_000), folder), peers)
    for (dataset, benchmark) in zip(datasets, loaded) {
      try await compare(
        "columns of \(dataset)", PeerRounds(benchmark.sweepBenchmark(), folder), peers)
    }
  }

  private func filters(_ loaded: [StudioBenchmark], _ folder: String) throws {
    let peer = Peer.script("scipy, numba", python, scripts + "/filters.py", folder)
    guard case .ready(let script) = peer.way else {
      if case .missing(let reason) = peer.way { print("filters: left out, \(reason)") }
      return
    }
    let synthetic = try LoadBenchmark(frames: 20_000).read()
    try compare("synthetic joints", FilterPeers([synthetic], folder), script)
    for (dataset, benchmark) in zip(datasets, loaded) {
      try compare("joints of \(dataset)", FilterPeers(benchmark.recordings, folder), script)
    }
  }

  private func compare(_ title: String, _ filters: FilterPeers, _ script: [String]) throws {
    print(
      "\(title): \(filters.frames) frames in \(filters.recordings) recordings, processor time of "
        + "one thread, medians of \(rounds) rounds")
    let (rows, reading) = try filters.run(script, rounds: rounds)
    var lines = [["filter", "ns per number", "peer", "ns per number", "ratio", "difference, m"]]
    for row in rows {
      let (ours, theirs) = (median(row.ours), median(row.theirs))
      let isEqual = row.difference <= FilterPeers.tolerance
      lines.append([
        String(row.strategy.prefix { $0 != ":" }), significant(ours), row.package,
        significant(theirs), significant(theirs / ours),
        String(format: "%.0e", row.difference) + (isEqual ? "" : " DIFFERS"),
      ])
    }
    printTable(lines)
    print("of that, reading joints and writing results: \(significant(reading)) ns per number\n")
    guard rows.allSatisfy({ $0.difference <= FilterPeers.tolerance }) else {
      print("the filters differ by more than \(FilterPeers.tolerance) m")
      throw ExitCode(1)
    }
  }

  private func script(_ package: String, _ folder: String) -> Peer {
    Peer.script(package, python, "\(scripts)/sweep_\(package).py", folder)
  }

  private func compare(_ title: String, _ rounds: PeerRounds, _ peers: [Peer]) async throws {
    let frames = rounds.benchmark.frames
    print(
      "\(title): \(frames) frames in \(rounds.benchmark.data.sequences.count) sequences, "
        + "processor time of one thread, medians of \(self.rounds) rounds")
    let rows = try await rounds.run(peers, rounds: self.rounds)
    let sweep = rows[0]
    var lines = [["", "cells", "ns per cell and frame", "over the sweep", "checksum"]]
    for row in rows {
      let isEqual = row.checksum == sweep.checksum
      lines.append([
        row.name, "\(row.cells)", significant(row.nanoseconds),
        significant(row.nanoseconds / sweep.nanoseconds),
        String(row.checksum, radix: 16) + (isEqual ? "" : " DIFFERS"),
      ])
    }
    printTable(lines)
    for peer in peers {
      if case .missing(let reason) = peer.way { print("\(peer.name): left out, \(reason)") }
    }
    print("")
    guard rows.allSatisfy({ $0.checksum == sweep.checksum }) else {
      print("the counts differ from the sweep's")
      throw ExitCode(1)
    }
  }
}

struct Peer {
  enum Way {
    case ready([String])
    case missing(String)
  }

  let name: String
  let way: Way

  static func loop(_ scripts: String, _ folder: String) -> Peer {
    let program = folder + "/sweep_loop"
    let compile = [
      "c++", "-O3", "-march=native", "-std=c++17", scripts + "/sweep_loop.cpp", "-o", program,
    ]
    let reason = failure(of: compile, folder)
    return Peer(name: "C++", way: reason.map(Way.missing) ?? .ready([program, folder]))
  }

  static func script(
    _ package: String, _ python: String, _ script: String, _ folder: String
  ) -> Peer {
    let reason = failure(of: [python, "-I", "-c", "import numpy, \(package)"], folder)
    return Peer(
      name: package,
      way: reason.map { .missing("\($0); name a Python that has it with --python") }
        ?? .ready([python, "-E", "-s", script, folder]))  // scripts import their neighbors
  }

  private static func failure(of command: [String], _ folder: String) -> String? {
    let errors = folder + "/errors.txt"
    do {
      let child = try Child(command, output: "/dev/null", errors: errors)
      guard child.status != 0 else { return nil }
      let message = try String(contentsOfFile: errors, encoding: .utf8)
      return message.split(separator: "\n").last.map(String.init) ?? "exit code \(child.status)"
    } catch {
      return "\(error)"
    }
  }
}

/// The peers read `columns.f32`: four columns of little-endian floats one after another.
///
/// They also read the seconds in `times.f64`, every frame's class code in `truth.u8`, the frames of
/// every sequence in `lengths.csv`, and every hundredth configuration in `cells.csv`.
struct PeerRounds {
  struct Row {
    let name: String
    let cells: Int
    let nanoseconds: Double
    let checksum: UInt64
  }

  private static let measurements: [PlankDetection.Measurement] = [
    .verticalRatio, .shoulderRise, .wristHipCosine, .elbowAngle,
  ]
  private static let keys: [ParameterKey] = [
    .horizontalRatio, .reverseCosine, .sideRise, .elbowSplit, .plankFrames,
  ]

  let benchmark: SweepBenchmark
  private let folder: String
  private let sample: [Int]

  init(_ benchmark: SweepBenchmark, _ folder: String) throws {
    self.benchmark = benchmark
    self.folder = folder
    sample = Array(stride(from: 0, to: benchmark.grid.cellCount, by: 100))
    try writeColumns()
    let rows = try sample.map { id in
      let values = try benchmark.grid.parameters(of: id)
      return Self.keys.map { "\(values[$0] ?? 0)" }.joined(separator: ",") + "\n"
    }
    let header = Self.keys.map(\.rawValue).joined(separator: ",") + "\n"
    try write(Data((header + rows.joined()).utf8), "cells.csv")
  }

  private func writeColumns() throws {
    let sequences = benchmark.data.sequences
    var (columns, times) = (Data(), Data())
    for measurement in Self.measurements {
      for sequence in sequences {
        sequence.columns[measurement].withUnsafeBytes { columns.append(contentsOf: $0) }
      }
    }
    for sequence in sequences { sequence.times.withUnsafeBytes { times.append(contentsOf: $0) } }
    try write(columns, "columns.f32")
    try write(times, "times.f64")
    try write(Data(sequences.flatMap { $0.truth.codes(.plank) }), "truth.u8")
    let lengths = sequences.map { "\($0.times.count),\($0.startsMid ? 1 : 0)\n" }.joined()
    try write(Data(("frames,starts_mid\n" + lengths).utf8), "lengths.csv")
  }

  private func write(_ data: Data, _ name: String) throws {
    try data.write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  func run(_ peers: [Peer], rounds: Int) async throws -> [Row] {
    var names: [String] = []
    var times: [String: [Double]] = [:]
    var rows: [String: Row] = [:]
    func note(_ row: Row) {
      if let earlier = rows[row.name] {
        precondition(earlier.checksum == row.checksum, "equal runs must give equal answers")
      } else {
        names.append(row.name)
      }
      rows[row.name] = row
      times[row.name, default: []].append(row.nanoseconds)
    }
    for _ in 0..<rounds {
      note(try await sweep())
      note(try await productionLoop())
      for peer in peers {
        if case .ready(let command) = peer.way { note(try row(of: peer.name, command)) }
      }
    }
    return names.compactMap { name in
      rows[name].map {
        Row(
          name: name, cells: $0.cells, nanoseconds: median(times[name] ?? []),
          checksum: $0.checksum)
      }
    }
  }

  private func sweep() async throws -> Row {
    var counts: [[Int]] = []
    let time = try await benchmark.inChunks { cells in
      counts += sample.compactMap { cells.position(of: $0).map { cells.counts(at: $0) } }
    }
    let name = "sweep, \(SweepKernelPath.current)"
    return row(name, time, of: benchmark.grid.cellCount, counts)
  }

  private func productionLoop() async throws -> Row {
    let start = ProcessTime.seconds
    let sweep = StreamSweep(benchmark.grid, benchmark.data, engine: .streaming)
    var cells: [CellTable] = []
    for id in sample { cells.append(try await sweep.evaluate(id..<id + 1)) }
    let time = ProcessTime.seconds - start
    return row("Swift, production rules", time, of: sample.count, cells.map { $0.counts(at: 0) })
  }

  private func row(_ name: String, _ time: Double, of count: Int, _ found: [[Int]]) -> Row {
    Row(
      name: name, cells: count,
      nanoseconds: time * 1e9 / Double(count) / Double(benchmark.frames),
      checksum: Checksum(found.joined().map { UInt64($0) }).value)
  }

  private func row(of name: String, _ command: [String]) throws -> Row {
    let (output, errors) = (folder + "/output.txt", folder + "/errors.txt")
    let child = try Child(command, output: output, errors: errors)
    let text = try String(contentsOfFile: output, encoding: .utf8)
    let words = text.split(whereSeparator: \.isWhitespace)
    guard child.status == 0, words.count == 2, let nanoseconds = Double(words[0]),
      let checksum = UInt64(words[1], radix: 16)
    else {
      let message = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
      throw ValidationError("\(name) failed: \(message.debugDescription)")
    }
    return Row(name: name, cells: sample.count, nanoseconds: nanoseconds, checksum: checksum)
  }
}

extension CellTable {
  func counts(at position: Int) -> [Int] {
    let labels = layout.labelCount
    var counts = Array(repeating: 0, count: labels * labels + 1)
    for sequence in layout.facts.sequences.indices {
      for (index, count) in confusion(at: position, sequence: sequence).enumerated() {
        counts[index] += count
      }
      counts[labels * labels] += transitions(at: position, sequence: sequence)
    }
    return counts
  }
}

/// The peers read `joints.f64`, the numbers of one frame after another, and `pieces.csv`, the
/// number of frames of each recording.
///
/// The frames are assumed to be 1/30 s apart, because scipy's filters take no times.
struct FilterPeers {
  struct Row {
    let strategy: String
    let package: String
    fileprivate(set) var ours: [Double] = []
    fileprivate(set) var theirs: [Double] = []
    fileprivate(set) var difference = 0.0
  }

  static let tolerance = 1e-9

  private static let rate = 30.0
  private let joints = Skeleton.vision3d.joints
  private let folder: String
  private var pieces: [Recording] = []

  init(_ recordings: [Recording], _ folder: String) throws {
    self.folder = folder
    var numbers = Data()
    for recording in recordings {
      let piece = even(recording)
      guard piece.frameCount > 0 else { continue }
      pieces.append(piece)
      rows(piece.smoothedJoints(by: .none)) { row in
        row.withUnsafeBytes { numbers.append(contentsOf: $0) }
      }
    }
    try numbers.write(to: URL(fileURLWithPath: folder + "/joints.f64"))
    let lengths = pieces.map { "\($0.frameCount)\n" }.joined()
    try Data(lengths.utf8).write(to: URL(fileURLWithPath: folder + "/pieces.csv"))
  }

  var frames: Int { pieces.reduce(0) { $0 + $1.frameCount } }

  var recordings: Int { pieces.count }

  private func even(_ recording: Recording) -> Recording {
    var piece = Recording(
      header: RecordingHeader(skeleton: .vision3d, joints: joints, frame: .camera))
    rows(recording.smoothedJoints(by: .none)) { row in
      guard row.allSatisfy(\.isFinite) else { return }
      piece.append(
        time: Seconds(Double(piece.frameCount) / Self.rate), pose: row.map { Float($0) },
        extras: FrameExtras())
    }
    return piece
  }

  private func rows(_ numbers: [Double], _ body: ([Double]) -> Void) {
    let width = JointLayout.full.stride
    for start in stride(from: 0, to: numbers.count, by: width) {
      body(joints.flatMap { numbers[(start + 3 * $0.index)...].prefix(3) })
    }
  }

  func run(_ script: [String], rounds: Int) throws -> (rows: [Row], reading: Double) {
    var rows: [Row] = []
    var reading: [Double] = []
    for round in 0..<rounds {
      let lines = try peers(script + (round == 0 ? ["--write"] : []))
      if round == 0 { rows = lines.map { Row(strategy: $0.strategy, package: $0.package) } }
      reading.append(time(.none) { _, _ in })
      for index in rows.indices {
        rows[index].theirs.append(lines[index].nanoseconds)
        let strategy = try SmoothingStrategy(text: rows[index].strategy)
        let expected = round == 0 ? try results(of: index) : []
        var difference = 0.0
        let time = time(strategy) { start, numbers in
          guard !expected.isEmpty else { return }
          difference = max(difference, largestDifference(numbers, expected, from: start))
        }
        rows[index].ours.append(time)
        if round == 0 { rows[index].difference = difference }
      }
    }
    return (rows: rows, reading: median(reading))
  }

  private func peers(
    _ command: [String]
  ) throws -> [(strategy: String, package: String, nanoseconds: Double)] {
    let (output, errors) = (folder + "/output.txt", folder + "/errors.txt")
    let child = try Child(command, output: output, errors: errors)
    let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    let found = lines.compactMap { line -> (String, String, Double)? in
      let words = line.split(separator: "\t").map(String.init)
      guard words.count == 3, let time = Double(words[2]) else { return nil }
      return (words[0], words[1], time)
    }
    guard child.status == 0, found.count == lines.count, !found.isEmpty else {
      let message = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
      throw ValidationError("the filters of the peers failed: \(message.debugDescription)")
    }
    return found.map { (strategy: $0.0, package: $0.1, nanoseconds: $0.2) }
  }

  private func time(_ strategy: SmoothingStrategy, _ body: (Int, [Double]) -> Void) -> Double {
    var (total, frames) = (0.0, 0)
    for piece in pieces {
      let start = ProcessTime.seconds
      let numbers = piece.smoothedJoints(by: strategy)
      total += ProcessTime.seconds - start
      body(frames, numbers)
      frames += piece.frameCount
    }
    return total * 1e9 / Double(frames * joints.count * 3)
  }

  private func results(of index: Int) throws -> [Double] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(index).f64"))
    guard data.count == frames * joints.count * 3 * MemoryLayout<Double>.size else {
      throw ValidationError("\(index).f64 does not have the size of the joints")
    }
    return data.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
  }

  private func largestDifference(
    _ numbers: [Double], _ expected: [Double], from frame: Int
  ) -> Double {
    var (largest, place) = (0.0, frame * joints.count * 3)
    rows(numbers) { row in
      for value in row {
        let difference = abs(value - expected[place])
        if !(difference <= largest) { largest = difference.isNaN ? .infinity : difference }
        place += 1
      }
    }
    return largest
  }
}
