import ArgumentParser
import Foundation

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

  /// What the commands read beside the dataset: the grid of `SweepBenchmark.definition`, the
  /// experiment on elbows, and a gate.
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

  /// Compares a way's results with those of the current program; where both are one program, every
  /// number must be in both.
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
    let later = try ResultNumbers(
      Data(contentsOf: URL(fileURLWithPath: after)), leavingOut: except)
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
    let comparison = ResultComparison(
      earlier.numbers, later.numbers, requiresAll: requiresAll)
    let text = "other bytes, every hundredth of \(later.lines) lines compared: \(comparison)"
    return (comparison.isEqual, text + note(on: later.numbers))
  }

  private func note(on numbers: ResultNumbers) -> String {
    numbers.leftOut.isEmpty ? "" : "; left out: " + ResultComparison.list(numbers.leftOut)
  }
}

struct Way {
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

  func folder(in folder: String) -> String {
    folder + "/" + title.replacing(" ", with: "-")
  }

  func prepare(_ whole: String, _ data: String) throws {
    let own = folder(in: whole)
    try FileManager.default.createDirectory(
      atPath: own, withIntermediateDirectories: true)
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
    // Nothing from the round before, which a program might look at before it writes.
    let leftovers =
      [command.output(of: self, whole)] + (command == .sweep ? [own + "/runs.sqlite"] : [])
    for path in leftovers { try? FileManager.default.removeItem(atPath: path) }
    return try start(
      command.arguments(own, data) + (command.hasJobs ? ["--jobs", "\(jobs)"] : []), own,
      command.rawValue)
  }

  private func start(_ arguments: [String], _ own: String, _ name: String) throws -> Child {
    let errors = own + "/errors.txt"
    let child = try Child(
      [program] + arguments, output: own + "/\(name).out", errors: errors)
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
