import ArgumentParser
import Foundation
import Tuning

struct Commands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time whole commands: two programs, two threads over one, command over counting "
      + "in memory.",
    discussion: """
      Every command runs in each way in turn, a process of its own each time. The numbers \
      that two results share must agree, or the exit code is 1; numbers that only one of \
      them has are counted. One program must find all the same numbers on one thread as on \
      two. What is measured, such as times, is left out. Exports that are not equal byte for \
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

  @Argument(help: ArgumentHelp("An older one to compare it with.", valueName: "older"))
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
      discussion: "For numbers whose definition changed between the programs.",
      valueName: "WORD"))
  var except: [String] = []

  @Option(help: ArgumentHelp("How often everything is timed.", valueName: "N"))
  var rounds = 3

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds must be at least 1") }
  }

  func run() async throws {
    let folder = try TemporaryFolder()
    let data = URL(fileURLWithPath: dataset).path
    let ways = Way.all(program, older)
    for way in ways { try way.prepare(folder.path, data) }
    let cases = CommandCase.allCases.filter {
      only.isEmpty ? $0 != .smoothers : only.contains($0)
    }
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
    /// The best round's: what else runs can only make it longer.
    let elapsed: Double
    let peakBytes: Int
  }

  private var runs: [CommandCase: [(way: Way, child: Child)]] = [:]

  mutating func note(_ command: CommandCase, _ way: Way, _ child: Child) {
    runs[command, default: []].append((way: way, child: child))
  }

  func ways(of command: CommandCase) -> [Way] {
    let found = runs[command] ?? []
    return found.enumerated().filter { index, run in
      !found[..<index].contains { $0.way.title == run.way.title }
    }.map(\.element.way)
  }

  func row(_ command: CommandCase, _ way: Way) -> Row {
    let children = (runs[command] ?? []).filter { $0.way.title == way.title }.map(\.child)
    return Row(
      processor: median(children.map(\.processor)), elapsed: children.map(\.elapsed).min() ?? .nan,
      peakBytes: Int(median(children.map { Double($0.peakBytes) })))
  }
}
