internal import ArgumentParser
internal import Evaluation
internal import Foundation
internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline", abstract: "Write, show, list and compare the baselines of gates.",
    subcommands: [BaselineUpdate.self, BaselineShow.self, BaselineList.self, BaselineDiff.self])
}

struct BaselineShow: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a baseline's dataset, detector and numbers.")

  @Argument(help: "The baseline's file.")
  var file: String

  func outcome() throws -> Outcome {
    let baseline = try BaselineAccess.read(file)
    let document = BaselineScreens.show(
      file, reason: baseline.reason, baseline.dataset, sequences: baseline.sequences.count,
      subjects: baseline.subjects, facts: baseline.facts, baseline.values)
    return Outcome(TextRenderer(usesColor: Terminal.usesColor).render(document))
  }
}

extension Baseline {
  fileprivate var values: [BaselineScreens.Metric] {
    metrics.map { ($0.key, $0.value, $0.interval) }
  }

  fileprivate var facts: [(name: String, value: String)] {
    let tree = origin.isDirty.map { $0 ? "dirty" : "clean" }
    let about = [
      (name: "commit", value: origin.commit ?? "none"), ("tree", tree ?? "none"),
      ("date", origin.date), ("program", origin.program), ("detector", detectorName),
    ]
    guard let thresholds else { return about }
    let values = thresholds.parameterTexts.sorted { $0.key < $1.key }
    let rules = AnswerStream.allCases.map { stream in
      let sentences = thresholds.definition.list(stream).sentences
      return (name: "\(stream.rawValue) rules", value: sentences.joined(separator: "; "))
    }
    return about + [
      (name: "smoothing", value: thresholds.smoothing.text), ("debounce", thresholds.debounceText),
      ("parameters", values.map { "\($0.key) \($0.value)" }.joined(separator: ", ")),
    ] + rules
  }
}

struct BaselineList: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the baselines in a folder.")

  @Argument(help: "The folder that contains the baselines.")
  var folder = "."

  func outcome() throws -> Outcome {
    try require(
      FileDescriptor.isFolder(folder), .noInput,
      "\(folder): no such folder; give the folder of the baselines")
    var rows: [BaselineScreens.Row] = []
    var remarks: [String] = []
    for name in try InputFiles.names(in: folder) where name.hasSuffix(".json") {
      let baseline: Baseline
      do {
        guard try OutputFile.isBaseline(folder + "/" + name) else { continue }
        baseline = try BaselineAccess.read(folder + "/" + name)
      } catch {
        remarks.append("not listed: \(error)")
        continue
      }
      rows.append(
        BaselineScreens.Row(
          name: name, date: baseline.origin.date, dataset: baseline.dataset.name,
          detector: baseline.detectorName, subjects: baseline.subjects, reason: baseline.reason))
    }
    return Outcome(
      TextRenderer().render(BaselineScreens.list(rows, in: folder)), remarks: remarks)
  }
}

struct BaselineDiff: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show the metrics that differ between two baselines.")

  @Argument(help: "The old baseline.")
  var before: String

  @Argument(help: "The new baseline.")
  var after: String

  func outcome() throws -> Outcome {
    let before = try BaselineAccess.read(self.before)
    let after = try BaselineAccess.read(self.after)
    let document = BaselineScreens.difference(
      from: before.values, to: after.values, isSameDataset: after.dataset == before.dataset)
    return Outcome(TextRenderer().render(document))
  }
}

struct BaselineUpdate: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Save a gate's current numbers as its baseline, with a reason.",
    discussion: """
      No other command writes a baseline. If the working tree has uncommitted changes, the command \
      writes nothing, because the commit would not reproduce the numbers.
      """)

  @OptionGroup var settings: GateOptions

  @Option(
    help: ArgumentHelp(
      "The reason for the change, which is kept in the baseline.", valueName: "TEXT"))
  var reason: String

  @Flag(help: "Update even if the working tree has uncommitted changes.")
  var allowDirty = false

  mutating func takeDefaults() throws { try settings.defaults.read() }

  func outcome() async throws -> Outcome {
    try require(
      reason.contains(where: { !$0.isWhitespace }), .usage,
      "--reason: empty; say why the numbers change")
    let gate = try GateSettings(settings)
    let path = try require(
      gate.baseline, .usage,
      "\(settings.gate): names no baseline; add `baseline:` to the file, or give --baseline")
    try OutputFile.checkBaseline(path)
    let tree = try cleanTree(path)
    let old = try Self.replaced(at: path)
    let again: [WorkProgress.Step] = old == nil ? [] : ["sequences of the baseline"]
    let work = LongWork(["files", "sequences"] + again + ["plank resamples", "form resamples"])
    let candidate = try await GateCandidate.evaluate(gate, progress: work.report)
    try require(
      candidate.report.dataset.counts.scored > 0, .notComparable,
      "\(gate.dataset): no frame is scored; label the recordings before you make a baseline")
    let (advice, obstacles) = await advice(on: candidate, old, path, work.report)
    let baseline = try baseline(candidate, tree, work.report)
    try OutputFile.write(baseline.text, to: path)
    let written =
      "wrote \(path): \(NumberText.count(baseline.metrics.count, "metric")), "
      + "\(NumberText.count(baseline.sequences.count, "sequence")), "
      + NumberText.count(baseline.subjects, "subject")
    return Outcome(
      ([written] + advice).map { PrintableText.line($0) + "\n" }.joined(),
      remarks: candidate.remarks + obstacles.map { "note: no advice: \($0)" })
  }

  /// Returns nil for an invalid file, because a file that is about to be replaced need not be
  /// valid.
  private static func replaced(at path: String) throws -> Baseline? {
    guard try OutputFile.isBaseline(path) else { return nil }
    return FilesRead.$current.withValue(nil) { try? BaselineAccess.read(path) }
  }

  private func advice(
    on candidate: GateCandidate, _ old: Baseline?, _ path: String,
    _ progress: @escaping ProgressReport
  ) async -> (sentences: [String], obstacles: [String]) {
    guard let old else { return ([], []) }
    let (scored, obstacles) = await BaselineAccess.compared(
      old, at: path, with: candidate, progress: progress)
    guard let scored, obstacles.isEmpty else { return ([], obstacles) }
    return (StreamAdvice(from: old, scored.side, to: candidate).sentences, [])
  }

  private func cleanTree(_ path: String) throws -> GitTree.State? {
    let folder = settings.gate.lastIndex(of: "/").map { String(settings.gate[...$0]) } ?? "."
    guard let tree = try GitTree.state(around: folder, ignoring: path) else { return nil }
    try require(
      tree.changed.isEmpty || allowDirty, .badData,
      "the working tree differs from its commit, which therefore would not reproduce these "
        + "numbers: \(WordText.first(5, of: tree.changed)); commit first, or give --allow-dirty")
    return tree
  }

  private func baseline(
    _ candidate: GateCandidate, _ tree: GitTree.State?, _ progress: @escaping ProgressReport
  ) throws -> Baseline {
    let scores = candidate.runs.map(\.evaluation.scores)
    return Baseline(
      reason: reason,
      origin: Baseline.Origin(
        date: Date().formatted(.iso8601), program: try ProgramIdentity.text(), commit: tree?.commit,
        isDirty: tree.map { !$0.changed.isEmpty }),
      thresholds: candidate.thresholds, dataset: candidate.dataset,
      subjects: SubjectPools(scores, .plank).subjects.count,
      frameCostRatio: candidate.frameCostRatio,
      metrics: BaselineAccess.lines(scores, intervals: progress),
      sequences: candidate.runs.map(\.answers))
  }
}

enum GitTree {
  struct State: Hashable, Sendable {
    var commit: String
    var changed: [String]
  }

  /// Throws if git's output cannot be read, because an unknown state must not pass for a clean
  /// tree.
  static func state(
    around folder: String, ignoring ignored: String,
    reading: @escaping ChildProcess.Reading = { read($0, $1.baseAddress, $1.count) }
  ) throws -> State? {
    func git(_ arguments: [String]) throws -> String? {
      do {
        return try output(of: arguments, folder, reading)
      } catch let error as ChildProcess.Failure {
        throw WorkflowFailure(
          .noInput,
          "git \(arguments[0]): its output cannot be read (\(error)); \(error.remedy)")
      }
    }
    guard let commit = try git(["rev-parse", "HEAD"]),
      let status = try git(["status", "--porcelain", "--untracked-files=all"]),
      let root = try git(["rev-parse", "--show-toplevel"])
    else { return nil }
    let place = OutputFile.place(of: ignored)
    let changed = status.split(separator: "\n").map { line in
      line.dropFirst(3).trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    }
    return State(
      commit: commit, changed: changed.filter { OutputFile.place(of: root + "/" + $0) != place })
  }

  private static func output(
    of arguments: [String], _ folder: String, _ reading: ChildProcess.Reading
  ) throws -> String? {
    let environment = ProcessInfo.processInfo.environment
    guard let program = Programs.path(of: "git", environment: environment) else { return nil }
    // The settings of a repository that came with data could name a program for this hook.
    let settings = ["-c", "core.fsmonitor=false"]
    let git = try ChildProcess(
      program, ["-C", folder] + settings + arguments, environment: environment)
    var bytes: [UInt8] = []
    do {
      try git.readOutput(reading) { bytes += $0 }
    } catch {
      _ = git.wait()
      throw error
    }
    let end = git.wait()
    if end == .unknown { throw ChildProcess.Failure(code: ECHILD) }
    guard end == .exit(0) else { return nil }
    var text = String(decoding: bytes, as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
