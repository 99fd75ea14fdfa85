internal import ArgumentParser
internal import Essentials
internal import Evaluation
internal import LibC
internal import Parallelism
@_spi(Bench) internal import PoseModel

extension Gate.Format: ExpressibleByArgument {}

/// `planklab gate`.
struct Gate: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judge a detector by rules and a baseline; the exit code gives the verdict.",
    discussion: """
      Exit codes: 0 pass or improved, 2 regressed, 3 not comparable or inconclusive. What cannot \
      be computed or compared is never a pass. docs/ci.md shows how to use it in five minutes.

      Examples:
        planklab gate planklab/gate.yaml
        planklab gate planklab/gate.yaml --predictions answers/ --format github \
      --write junit=gate.xml
        planklab gate planklab/gate.yaml --html gate.html
      """,
    aliases: ["check"])

  @OptionGroup var settings: GateOptions

  @Option(help: ArgumentHelp("Use this dataset instead of the gate's.", valueName: "DIR"))
  var dataset: String?

  @Option(
    help:
      "text, json, markdown, junit, github, bigger-is-better or smaller-is-better.")
  var format: Format = .text

  @Option(
    help: ArgumentHelp(
      "Also write a format to a file, e.g. junit=gate.xml; may be repeated.",
      valueName: "FORMAT=FILE"))
  var write: [String] = []

  @OptionGroup var page: PageOptions

  /// The formats of a gate's result.
  enum Format: String, CaseIterable, Sendable {
    /// For a terminal.
    case text
    /// The canonical format.
    case json
    /// For pull requests.
    case markdown
    /// For test viewers.
    case junit
    /// Annotations of GitHub Actions; the step summary is written too if its file is known.
    case github
    /// Numbers for github-action-benchmark, larger is better.
    case biggerIsBetter = "bigger-is-better"
    /// Numbers for github-action-benchmark, smaller is better.
    case smallerIsBetter = "smaller-is-better"
  }

  /// Judges; the exit code is the one on the verdict line.
  func outcome() async throws(WorkflowFailure) -> Outcome {
    let files = try write.map(Self.file)
    try OutputFile.checkDistinct(files.map(\.path))
    for (_, path) in files { try OutputFile.checkReport(path) }
    try page.check(beside: files.map(\.path))
    let start = ContinuousClock.now
    var (report, remarks) = try await report()
    let elapsed = (ContinuousClock.now - start).components
    report.seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    for (format, path) in files {
      try OutputFile.writeReport(render(report, format, usesColor: false), to: path)
    }
    remarks += try page.write(report.result.name, report.page)
    if format == .github,
      let summary = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"]
    {
      remarks += [appendSummary(report, to: summary)].compactMap(\.self)
    }
    let isShown = format == .text || format == .markdown
    if !isShown { remarks.append(report.verdictLine) }
    return Outcome(
      render(report, format, usesColor: Terminal.usesColor), remarks: remarks,
      status: report.status)
  }

  private static func file(
    _ text: String
  ) throws(WorkflowFailure) -> (format: Format, path: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let format = Format(rawValue: parts[0]) else {
      throw WorkflowFailure(
        .usage, "--write \(text): not FORMAT=FILE; write for example junit=gate.xml")
    }
    return (format, parts[1])
  }

  private func report() async throws(WorkflowFailure) -> (report: GateReport, remarks: [String]) {
    let gate = try GateSettings(settings, dataset: dataset)
    let again: [WorkProgress.Step] = gate.baseline == nil ? [] : ["sequences of the baseline"]
    let progress = LongWork(["files", "sequences"] + again + ["rules"]).report
    let candidate = try await GateCandidate.evaluate(gate, progress: progress)
    let baseline = try gate.baseline.flatMap { path throws(WorkflowFailure) in
      FileManager.default.fileExists(atPath: path) ? try BaselineAccess.read(path) : nil
    }
    let (scored, obstacles) = try await scored(baseline, gate, candidate, progress: progress)
    let name = settings.gate.split(separator: "/").last.map(String.init) ?? settings.gate
    let report = GateReport(
      result: judge(gate, candidate, scored, obstacles, name: name, progress),
      dataset: candidate.dataset, candidate: gate.candidate,
      baseline: gate.baseline, changes: baseline?.changes(to: candidate.thresholds) ?? [],
      sides: [ScoredSide(name: "candidate", scores: candidate.side.sequences)]
        + [scored].compactMap(\.self).map {
          ScoredSide(name: "baseline", scores: $0.side.sequences)
        }, resamples: gate.resamples, seed: gate.seed)
    return (report: report, remarks: candidate.remarks)
  }

  /// The baseline's side, or why there is none to compare with.
  private func scored(
    _ baseline: Baseline?, _ gate: GateSettings, _ candidate: GateCandidate,
    progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> (BaselineAccess.Scored?, [String]) {
    guard let path = gate.baseline else { return (nil, []) }
    guard let baseline else {
      return (nil, ["\(path): no such baseline; write it with `planklab baseline update`"])
    }
    let obstacles = baseline.obstacles(to: candidate.dataset)
    guard obstacles.isEmpty else { return (nil, obstacles) }
    do {
      let scored = try await BaselineAccess.scored(
        baseline, against: candidate, progress: progress)
      return (scored, BaselineAccess.inconsistencies(baseline, scored.side))
    } catch {
      guard error.status == .notComparable else { throw error }
      return (nil, [error.message])
    }
  }

  private func judge(
    _ gate: GateSettings, _ candidate: GateCandidate, _ baseline: BaselineAccess.Scored?,
    _ obstacles: [String], name: String, _ progress: ProgressReport
  ) -> GateResult {
    let known = obstacles.isEmpty ? baseline : nil
    var judge = GateJudge(candidate: candidate.side, baseline: known?.side)
    judge.resamples = gate.resamples
    judge.seed = gate.seed
    return GateResult(
      name: name,
      findings: judge.findings(gate.rules) { progress($0, gate.rules.count, "rules") },
      obstacles: obstacles,
      worseSequences: known.map { SequenceDifference.lost(from: $0.side, to: judge.candidate) }
        ?? [],
      worseMoments: known?.lost ?? [])
  }

  private func render(_ report: GateReport, _ format: Format, usesColor: Bool) -> String {
    switch format {
    case .text: TextRenderer(usesColor: usesColor).render(report.document)
    case .json: report.json.carrying(report.page).text
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
  ///
  /// - Returns: a note if that fails, which changes no verdict.
  private func appendSummary(_ report: GateReport, to path: String) -> String? {
    do {
      try OutputFile.checkReport(path)
      let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o666)
      guard file >= 0 else { throw OutputFile.failure(path, errno) }
      defer { close(file) }
      var status = stat()
      let known = fstat(file, &status) == 0 ? Int(status.st_size) : 0
      let room = max(0, GitHubFace.mostSummaryBytes - known)
      let text = GitHubFace.limited(MarkdownRenderer().render(report.document), to: room)
      guard Terminal.write(text, to: file) else { throw OutputFile.failure(path, errno) }
      return nil
    } catch {
      return "note: the step summary was not written: \(error)"
    }
  }
}
