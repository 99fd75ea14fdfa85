internal import ArgumentParser
internal import Evaluation
internal import FoundationEssentials
internal import PoseModel

extension RunGate.Format: ExpressibleByArgument {}

/// `planklab gate`.
struct Gate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judge a detector by rules and a baseline; the exit code is the verdict's.",
    discussion: """
      Exit codes: 0 pass or improved, 2 regressed, 3 not comparable or inconclusive. What cannot \
      be computed or compared is never a pass. docs/ci.md shows how to use it in five minutes.

      Examples:
        planklab gate planklab/gate.yaml
        planklab gate planklab/gate.yaml --predictions answers/ --format github \
      --write junit=gate.xml
      """,
    aliases: ["check"])

  @Argument(help: "The gate's file.")
  var gate: String

  @Option(help: ArgumentHelp("A baseline instead of the gate's.", valueName: "FILE"))
  var baseline: String?

  @Option(help: ArgumentHelp("A dataset instead of the gate's.", valueName: "DIR"))
  var dataset: String?

  @Option(help: ArgumentHelp("Thresholds instead of the gate's.", valueName: "THRESHOLDS.json"))
  var parameters: String?

  @Option(help: ArgumentHelp("Judge the answers in a folder.", valueName: "DIR"))
  var predictions: String?

  @Option(
    help:
      "text, json, markdown, junit, github, bigger-is-better or smaller-is-better.")
  var format: RunGate.Format = .text

  @Option(
    help: ArgumentHelp(
      "Write a face to a file, too, e.g. junit=gate.xml; may be repeated.",
      valueName: "FORMAT=FILE"))
  var write: [String] = []

  func run() async throws {
    try await Terminal.run {
      var request = RunGate.Request(gate: gate)
      request.baseline = baseline
      request.dataset = dataset
      request.parameters = parameters
      request.predictions = predictions
      request.format = format
      request.usesColor = Terminal.usesColor
      request.summary = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"]
      for text in write { request.files.append(try Self.file(text)) }
      let bar = ProgressBar()
      return try await RunGate.run(request, progress: bar.report)
    }
  }

  private static func file(_ text: String) throws -> (format: RunGate.Format, path: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let format = RunGate.Format(rawValue: parts[0]) else {
      throw WorkflowFailure(
        .usage, "--write \(text): is no FORMAT=FILE; write for example junit=gate.xml")
    }
    return (format, parts[1])
  }
}

/// Judges a candidate by a gate's rules.
enum RunGate {
  /// The faces in which a gate's result can be asked for.
  enum Format: String, CaseIterable, Sendable {
    /// For a terminal.
    case text
    /// The canonical one.
    case json
    /// For pull requests.
    case markdown
    /// For test viewers.
    case junit
    /// Annotations of GitHub Actions; the step summary is written, too, where its file is known.
    case github
    /// Numbers for github-action-benchmark where larger is better.
    case biggerIsBetter = "bigger-is-better"
    /// Numbers for github-action-benchmark where smaller is better.
    case smallerIsBetter = "smaller-is-better"
  }

  /// What `gate` is asked for.
  struct Request: Sendable {
    /// The gate's file.
    var gate: String
    /// A dataset instead of the file's.
    var dataset: String?
    /// Thresholds instead of the file's.
    var parameters: String?
    /// Answers instead of the file's.
    var predictions: String?
    /// A baseline instead of the file's.
    var baseline: String?
    /// The face on stdout.
    var format: Format = .text
    /// Further faces, each with a file.
    var files: [(format: Format, path: String)] = []
    /// Where GitHub reads a step's summary.
    var summary: String?
    /// Whether text may be colored.
    var usesColor = false

    /// Makes a request.
    init(gate: String) { self.gate = gate }
  }

  /// Judges; the exit code is that of the verdict line.
  static func run(
    _ request: Request, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> Outcome {
    try OutputFile.checkDistinct(request.files.map(\.path))
    let start = ContinuousClock.now
    var (report, remarks) = try await report(request, progress: progress)
    let elapsed = (ContinuousClock.now - start).components
    report.seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    for (format, path) in request.files {
      try OutputFile.writeReport(render(report, format, usesColor: false), to: path)
    }
    if request.format == .github, let summary = request.summary {
      try appendSummary(report, to: summary)
    }
    let status = ExitStatus(rawValue: Int32(report.exitCode)) ?? .unexpected
    let text = render(report, request.format, usesColor: request.usesColor)
    let isShown = request.format == .text || request.format == .markdown
    if !isShown { remarks.append(report.verdictLine) }
    return Outcome(text, remarks: remarks, status: status)
  }

  private static func report(
    _ request: Request, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> (report: GateReport, remarks: [String]) {
    let overrides = GateFile.Overrides(
      dataset: request.dataset, parameters: request.parameters,
      predictions: request.predictions, baseline: request.baseline)
    let gate = try GateFile.read(request.gate, overrides)
    let candidate = try await GateCandidate.evaluate(gate, progress: progress)
    let (baseline, obstacles) = try await baseline(gate, candidate, progress: progress)
    let result = judge(gate, candidate, baseline, obstacles, name: name(request.gate))
    let report = GateReport(
      result: result, exitCode: Int(status(result.verdict).rawValue),
      dataset: candidate.report.dataset.identity, candidate: GateFile.candidate(gate),
      baseline: gate.baseline)
    return (report: report, remarks: candidate.remarks)
  }

  /// The baseline's side, or why there is none to compare with.
  private static func baseline(
    _ gate: GateSettings, _ candidate: GateCandidate, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> (BaselineAccess.Scored?, [String]) {
    guard let path = gate.baseline else { return (nil, []) }
    guard FileManager.default.fileExists(atPath: path) else {
      return (nil, ["\(path): no such baseline; write it with `planklab baseline update`"])
    }
    let baseline = try BaselineAccess.read(path)
    let obstacles = baseline.obstacles(to: candidate.report.dataset.identity)
    guard obstacles.isEmpty else { return (nil, obstacles) }
    do {
      let scored = try await BaselineAccess.scored(
        baseline, against: candidate, gate.dataset, split: gate.split, progress: progress)
      return (scored, BaselineAccess.inconsistencies(baseline, scored.side))
    } catch {
      guard error.status == .notComparable else { throw error }
      return (nil, [error.message])
    }
  }

  private static func judge(
    _ gate: GateSettings, _ candidate: GateCandidate, _ baseline: BaselineAccess.Scored?,
    _ obstacles: [String], name: String
  ) -> GateResult {
    let known = obstacles.isEmpty ? baseline : nil
    var judge = GateJudge(candidate: candidate.side, baseline: known?.side)
    judge.resamples = gate.resamples
    judge.seed = gate.seed
    return GateResult(
      name: name, findings: judge.findings(gate.rules), obstacles: obstacles,
      worseSequences: known.map { SequenceDifference.lost(from: $0.side, to: judge.candidate) }
        ?? [],
      worseMoments: known?.lost ?? [])
  }

  private static func status(_ verdict: GateVerdict) -> ExitStatus {
    switch verdict {
    case .pass, .improved: .success
    case .regressed: .gateFailed
    case .inconclusive, .notComparable: .notComparable
    }
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func render(_ report: GateReport, _ format: Format, usesColor: Bool) -> String {
    switch format {
    case .text: TextRenderer(usesColor: usesColor).render(report.document)
    case .json: report.json.text
    case .markdown:
      GitHubFace.limited(
        MarkdownRenderer().render(report.document), to: GitHubFace.mostCommentBytes)
    case .junit: JUnitFace.render(report)
    case .github: GitHubFace.annotations(report)
    case .biggerIsBetter: BenchmarkFace.json(report, biggerIsBetter: true).text
    case .smallerIsBetter: BenchmarkFace.json(report, biggerIsBetter: false).text
    }
  }

  /// Adds Markdown to the step's summary, within what GitHub keeps of it.
  private static func appendSummary(
    _ report: GateReport, to path: String
  ) throws(WorkflowFailure) {
    let known = FileManager.default.contents(atPath: path) ?? Data()
    let room = max(0, GitHubFace.mostSummaryBytes - known.count)
    let markdown = MarkdownRenderer().render(report.document)
    let text = GitHubFace.limited(markdown, to: room)
    try OutputFile.write(Array(known) + Array(text.utf8), to: path)
  }
}
