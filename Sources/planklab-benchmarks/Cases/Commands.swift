import ArgumentParser
import Foundation
import PoseModel
import Tuning

struct Commands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time whole commands: two programs, two threads over one, command over counting "
      + "in memory.",
    discussion: """
      Every command runs in each way in turn, in a new process each time. The numbers \
      that two results share must agree, or the exit code is 1; numbers that only one of \
      them has are counted. A program must find exactly the same numbers on one thread as on \
      two. Measured values, such as times, are left out. Exports that are not equal byte for \
      byte are compared on every hundredth line.

      Processor times are medians, wall-clock times are those of the best round, and ratios \
      are to the first row. `smoothers` takes minutes and runs only with `--only smoothers`.

      Results are in a folder `planklab-benchmarks-...` in the system's folder for temporary \
      files. It is removed at the end, but not after Ctrl-C.

      Examples:
        planklab-benchmarks commands .build/release/planklab --dataset datasets/studio/generated
        planklab-benchmarks commands new/planklab old/planklab --dataset DIR --except refinement
        planklab-benchmarks commands new/planklab --dataset DIR --only sweep --only export
      """)

  @Argument(help: ArgumentHelp("The program to time.", valueName: "program"))
  var program: String

  @Argument(help: ArgumentHelp("An older program to compare with it.", valueName: "older"))
  var older: String?

  @Option(help: ArgumentHelp("The dataset.", valueName: "DIR"))
  var dataset: String

  @Option(
    help: ArgumentHelp(
      "Run only this command; may be repeated: \(CommandCase.names).", valueName: "NAME"))
  var only: [CommandCase] = []

  @Option(
    help: ArgumentHelp(
      "Leave out numbers whose key contains this; may be repeated.",
      discussion: "For numbers whose definition changed between the programs.", valueName: "WORD"))
  var except: [String] = []

  @Option(help: ArgumentHelp("How many times everything is timed.", valueName: "N"))
  var rounds = 3

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds must be at least 1") }
  }

  func run() async throws {
    let folder = try TemporaryFolder()
    let data = URL(fileURLWithPath: dataset).path
    let ways = Way.all(program, older)
    for way in ways { try way.prepare(folder.path, data) }
    let cases = CommandCase.allCases.filter { only.isEmpty ? $0 != .smoothers : only.contains($0) }
    let runs = try timed(cases, ways, folder.path, data)
    var agrees = true
    for command in cases { agrees = try report(command, runs, folder.path) && agrees }
    if cases.contains(.sweep) {
      agrees = try await compareKernel(runs, cases, folder.path, data) && agrees
    }
    if !agrees { throw ExitCode(1) }
  }

  private func timed(
    _ cases: [CommandCase], _ ways: [Way], _ folder: String, _ data: String
  ) throws -> CommandRuns {
    var runs = CommandRuns()
    for round in 0..<rounds {
      for command in cases {
        let own = ways.filter { !$0.isOneThread || command.hasJobs }
        for way in round.isMultiple(of: 2) ? own : own.reversed() {
          if command == .export, !cases.contains(.sweep), round == 0 {
            _ = try way.run(.sweep, folder, data)
          }
          runs.note(command, way, try way.run(command, folder, data))
        }
      }
    }
    return runs
  }

  private func report(
    _ command: CommandCase, _ runs: CommandRuns, _ folder: String
  ) throws -> Bool {
    let ways = runs.ways(of: command)
    let first = runs.row(command, ways[0])
    var lines = [
      [command.rawValue, "processor s", "clock s", "peak MB", "processor ratio", "clock ratio"]
    ]
    for way in ways {
      let row = runs.row(command, way)
      lines.append([
        way.title, significant(row.processor), significant(row.elapsed),
        "\(row.peakBytes / 1_000_000)", significant(row.processor / first.processor) + "x",
        significant(row.elapsed / first.elapsed) + "x",
      ])
    }
    printTable(lines)
    var agrees = true
    for way in ways.dropFirst() {
      let comparison = try command.compare(way, ways[0], folder, except)
      agrees = agrees && comparison.isEqual
      print("\(way.title): \(comparison.text)")
      if command == .export {
        try FileManager.default.removeItem(atPath: command.output(of: way, folder))
      }
    }
    print("")
    return agrees
  }

  private func compareKernel(
    _ runs: CommandRuns, _ cases: [CommandCase], _ folder: String, _ data: String
  ) async throws -> Bool {
    let benchmark = try StudioBenchmark(folder: data).sweepBenchmark()
    var (times, counts) = ([Double](), [Int: [Int]]())
    for _ in 0..<rounds {
      times.append(
        try await benchmark.inChunks { cells in
          for (position, id) in cells.ids.enumerated() where id.isMultiple(of: 100) {
            counts[id] = cells.counts(at: position)
          }
        })
    }
    let ways = runs.ways(of: .sweep)
    var lines = [["the same cells in memory", significant(median(times)), ""]]
    for way in ways {
      let whole = runs.row(.sweep, way).processor
      lines.append([way.title, significant(whole), significant(whole / median(times)) + "x"])
    }
    printTable(
      [["\(benchmark.grid.cellCount) cells, \(benchmark.frames) frames", "processor s", "ratio"]]
        + lines)
    guard cases.contains(.export) else { return true }
    let path = CommandCase.export.output(of: ways[0], folder)
    let comparison = try ExportedLines(path: path).compare(with: counts)
    print("every 100th exported cell: \(comparison)")
    return comparison.isEqual
  }
}

struct CommandRuns {
  struct Row {
    let processor: Double
    /// Wall-clock time of the best round; other programs can only make a round longer.
    let elapsed: Double
    let peakBytes: Int
  }

  private var runs: [CommandCase: [(way: Way, child: Child)]] = [:]

  mutating func note(_ command: CommandCase, _ way: Way, _ child: Child) {
    runs[command, default: []].append((way: way, child: child))
  }

  func ways(of command: CommandCase) -> [Way] { (runs[command] ?? []).map(\.way).distinct }

  func row(_ command: CommandCase, _ way: Way) -> Row {
    let children = (runs[command] ?? []).filter { $0.way == way }.map(\.child)
    return Row(
      processor: median(children.map(\.processor)), elapsed: children.map(\.elapsed).min() ?? .nan,
      peakBytes: Int(median(children.map { Double($0.peakBytes) })))
  }
}

enum CommandCase: String, CaseIterable, ExpressibleByArgument {
  case evaluate
  case verbose = "evaluate-verbose"
  case compare
  case gate
  case tune
  case sweep
  case export
  case smoothers

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  static let settings = [
    (
      name: "sweep.yaml",
      text: """
      question: How long do 10,000 cells take?
      detector: gravity
      axes:
        horizontal_ratio: {from: 0.4, to: 0.7, step: 0.075}
        reverse_cosine: {from: 0.3, to: 0.6, step: 0.1}
        side_rise: {from: 0.05, to: 0.275, step: 0.025}
        elbow_split: {from: 100, to: 145, step: 5}
        plank_frames: [1, 3, 5, 9, 15]
      objective: plank.balanced_accuracy
      """
    ),
    (
      name: "tune.yaml",
      text: """
      question: Beyond which elbow angle is a plank a high plank?
      detector: gravity
      parameters: {plank_frames: 8}
      axes:
        elbow_split: {from: 60, to: 179, step: 1}
      objective: plank.balanced_accuracy
      tolerance: 0.002
      validation: {subject_folds: 20}
      """
    ),
    (
      name: "gate.yaml",
      text: """
      detector: gravity
      baseline: baseline.json
      rules:
        - metric: plank.f1_macro
          margin: 0.02
          largest_drop: 0.05
        - metric: form.f1_macro
          margin: 0.02
      """
    ),
  ]

  var hasJobs: Bool { self == .tune || self == .sweep }

  func output(of way: Way, _ whole: String) -> String { output(in: way.folder(in: whole)) }

  private func output(in own: String) -> String {
    switch self {
    case .gate, .tune, .smoothers: "\(own)/\(rawValue).out"
    default: "\(own)/\(rawValue).json"
    }
  }

  func arguments(_ own: String, _ data: String) -> [String] {
    let json = ["--format", "json"]
    let file = ["--output", output(in: own)]
    let store = ["--store", own + "/runs.sqlite"]
    return switch self {
    case .evaluate: ["evaluate", data] + json + file
    case .verbose: ["evaluate", data, "--verbose"] + json + file
    case .compare: ["compare", data, "gravity", "scaled", "article"] + json + file
    case .gate: ["gate", own + "/gate.yaml"] + json
    case .tune: ["tune", own + "/tune.yaml"] + json
    case .sweep: ["sweep", own + "/sweep.yaml"] + store + json + file
    case .export: ["runs", "export", "--format", "jsonl"] + store + file
    case .smoothers: ["smoothers", "compare", data] + json
    }
  }

  /// If both are the same program, every number must be in both results.
  func compare(
    _ way: Way, _ current: Way, _ whole: String, _ except: [String]
  ) throws -> (isEqual: Bool, text: String) {
    let (before, after) = (output(of: way, whole), output(of: current, whole))
    let isOneProgram = way.program == current.program
    guard self != .export else {
      return try compareExports(before, after, except, requiresAll: isOneProgram)
    }
    let earlier = try ResultNumbers(
      Data(contentsOf: URL(fileURLWithPath: before)), leavingOut: except)
    let later = try ResultNumbers(Data(contentsOf: URL(fileURLWithPath: after)), leavingOut: except)
    let comparison = ResultComparison(earlier, later, requiresAll: isOneProgram)
    return (comparison.isEqual, "\(comparison)\(note(on: later))")
  }

  private func compareExports(
    _ before: String, _ after: String, _ except: [String], requiresAll: Bool
  ) throws -> (isEqual: Bool, text: String) {
    let exports = (try ExportedLines(path: before), try ExportedLines(path: after))
    guard exports.0 != exports.1 else {
      return (true, "equal byte for byte, checksum \(String(exports.1.checksum, radix: 16))")
    }
    let (earlier, later) = (try exports.0.numbers(except), try exports.1.numbers(except))
    guard earlier.lines == later.lines else {
      return (false, "DIFFERENT, \(earlier.lines) lines, the program's result has \(later.lines)")
    }
    let comparison = ResultComparison(earlier.numbers, later.numbers, requiresAll: requiresAll)
    let text = "other bytes, every hundredth of \(later.lines) lines compared: \(comparison)"
    return (comparison.isEqual, text + note(on: later.numbers))
  }

  private func note(on numbers: ResultNumbers) -> String {
    numbers.leftOut.isEmpty ? "" : "; left out: " + ResultComparison.list(numbers.leftOut)
  }
}

struct Way: Hashable {
  let program: String
  let title: String
  let jobs: Int
  var isOneThread: Bool { jobs == 1 }

  static func all(_ program: String, _ older: String?) -> [Way] {
    [
      Way(program: program, title: "program", jobs: 2),
      Way(program: program, title: "one thread", jobs: 1),
    ] + (older.map { [Way(program: $0, title: "older program", jobs: 2)] } ?? [])
  }

  func folder(in folder: String) -> String { folder + "/" + title.replacing(" ", with: "-") }

  func prepare(_ whole: String, _ data: String) throws {
    let own = folder(in: whole)
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let quoted = String(decoding: try encoder.encode(data), as: UTF8.self)
    for (name, text) in CommandCase.settings {
      try Data("dataset: \(quoted)\n\(text)\n".utf8)
        .write(to: URL(fileURLWithPath: own + "/" + name))
    }
  }

  func run(_ command: CommandCase, _ whole: String, _ data: String) throws -> Child {
    let own = folder(in: whole)
    let baseline = own + "/baseline.json"
    if command == .gate, !FileManager.default.fileExists(atPath: baseline) {
      _ = try start(["baseline", "update", own + "/gate.yaml", "--reason", "first"], own, "gate")
    }
    // A program might look at the previous files before it writes.
    let leftovers =
      [command.output(of: self, whole)] + (command == .sweep ? [own + "/runs.sqlite"] : [])
    for path in leftovers { try? FileManager.default.removeItem(atPath: path) }
    return try start(
      command.arguments(own, data) + (command.hasJobs ? ["--jobs", "\(jobs)"] : []), own,
      command.rawValue)
  }

  private func start(_ arguments: [String], _ own: String, _ name: String) throws -> Child {
    let errors = own + "/errors.txt"
    let child = try Child([program] + arguments, output: own + "/\(name).out", errors: errors)
    let verdicts: Set<Int32> = arguments[0] == "gate" ? [0, 2, 3] : [0]
    guard verdicts.contains(child.status) else {
      let message = try String(contentsOfFile: errors, encoding: .utf8)
      throw CommandFailure(
        description: "\(title), \(arguments[0]): exit code \(child.status): "
          + message.debugDescription)
    }
    return child
  }
}

struct CommandFailure: Error, CustomStringConvertible {
  let description: String
}
