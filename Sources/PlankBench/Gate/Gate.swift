internal import ArgumentParser
internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Reports

extension Gate.Format: ExpressibleByArgument {}

struct Gate: BenchCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check a detector against rules and a baseline; the exit code is the verdict.",
    discussion: """
      The exit code is 0 if the verdict is pass or improved, 2 if it is regressed, and 3 if it is \
      not comparable or inconclusive. A metric that cannot be computed or compared never passes, \
      except under a rule that waits for labels. docs/ci.md shows how to set up a gate in five \
      minutes.

      Examples:
        planklab gate planklab/gate.yaml
        planklab gate planklab/gate.yaml --predictions answers/ --format github \
      --write junit=gate.xml
        planklab gate planklab/gate.yaml --html gate.html
        planklab gate planklab/gate.yaml --set sag=3cm   # what if?
      """)

  @OptionGroup var settings: GateOptions

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a parameter for this run, e.g. plank_frames=5; may be repeated.", valueName: "key=value"),
    completion: .assignment)
  var assignments: [String] = []

  @OptionGroup var strategies: StrategyOptions

  @Option(help: ArgumentHelp("Use this dataset instead of the gate's.", valueName: "DIR"))
  var dataset: String?

  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "The format of the result.",
      discussion: """
        By default, the output file's extension selects the format: .json, .md, .html or .xml \
        (junit). Otherwise, the format is text.
        """))
  var chosenFormat: Format?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the result to a file instead of stdout.", valueName: "FILE"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Also write the result in this format, e.g. junit=gate.xml; may be repeated.",
      valueName: "FORMAT=FILE"))
  var write: [String] = []

  @OptionGroup var page: PageOptions

  @Flag(help: "Print all numbers and tables instead of one screen.")
  var verbose = false

  enum Format: String, CaseIterable, Sendable {
    case text
    case json
    case markdown
    case html
    case junit
    case github
  }

  mutating func takeDefaults() throws { try settings.defaults.read() }

  func outcome() async throws -> Outcome {
    let files = try write.map(Self.file)
    let paths = files.map(\.path) + [output].compactMap(\.self)
    try OutputFile.checkDistinct(paths)
    for path in paths { try OutputFile.checkReport(path) }
    try page.check(beside: paths)
    let start = ContinuousClock.now
    let settings = try GateSettings(settings, dataset: dataset).with(assignments, strategies)
    let again: [WorkProgress.Step] =
      settings.references.isEmpty ? [] : ["sequences of the baseline"]
    let shown: [WorkProgress.Step] = page.html == nil ? [] : ["sequences of the page"]
    let progress = LongWork(["files", "sequences"] + again + ["rules"] + shown).report
    let baseline = try Self.baseline(at: settings.baseline)
    let anchor = try Self.baseline(at: settings.anchor)
    let candidate = try await GateCandidate.evaluate(settings, progress: progress)
    let gate = try await judged(settings, candidate, (baseline, anchor), progress)
    let time = ContinuousClock.now - start
    let viewer = try page.html.flatMap { html in
      try viewerData(of: candidate, settings, beside: baseline, in: gate.result, html, progress)
    }
    return try delivered(gate, files, time, viewer, remarks: candidate.remarks)
  }

  private var name: String {
    settings.gate.split(separator: "/").last.map(String.init) ?? settings.gate
  }

  private func delivered(
    _ gate: ResultEnvelope<GateReport>, _ files: [(format: Format, path: String)],
    _ duration: Duration, _ viewer: ViewerData?, remarks: [String]
  ) throws -> Outcome {
    var remarks = remarks
    for (format, path) in files {
      try OutputFile.writeReport(
        format.text(gate, duration, usesColor: false, isFull: verbose), to: path)
    }
    let format = format
    remarks += try page.write(
      gate.result.result.name, gate.result.page(gate.origin, hasViewer: viewer != nil),
      viewer: viewer)
    if format == .github, let summary = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"] {
      remarks += [appendSummary(gate.document, to: summary)].compactMap(\.self)
    }
    let isShown = output == nil && (format == .text || format == .markdown)
    if !isShown { remarks.append(gate.result.verdictLine) }
    let usesColor = output == nil && Terminal.usesColor
    var text = try format.text(gate, duration, usesColor: usesColor, isFull: verbose)
    if let output {
      try OutputFile.writeReport(text, to: output)
      remarks.append("wrote \(output)")
      text = ""
    }
    return Outcome(text, remarks: remarks, status: gate.result.status)
  }

  private var format: Format {
    if let chosenFormat { return chosenFormat }
    guard let output else { return .text }
    if output.lowercased().hasSuffix(".xml") { return .junit }
    return OutputFormat(file: output).flatMap { Format(rawValue: $0.rawValue) } ?? .text
  }

  private static func file(_ text: String) throws -> (format: Format, path: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let format = Format(rawValue: parts[0]) else {
      throw WorkflowFailure(
        .usage, "--write \(text): is not FORMAT=FILE; give, for example, junit=gate.xml")
    }
    return (format, parts[1])
  }

  private func viewerData(
    of candidate: GateCandidate, _ settings: GateSettings, beside baseline: Baseline?,
    in report: GateReport, _ html: String, _ progress: @escaping ProgressReport
  ) throws -> ViewerData? {
    let runs = candidate.runs
    guard let bench = candidate.bench, let explain = settings.explain(runs.map(\.outcome.name))
    else { return nil }
    let isCompared = report.sides.contains { $0.name == GateReport.baselineSide }
    let kept = isCompared ? baseline?.answers ?? [:] : [:]
    let shown = try zip(runs, candidate.datasets.entries).map { run, entry in
      try kept[run.outcome.name]?.outcome(of: run.outcome).map {
        try ViewedSequence(run.outcome, beside: $0, entry, of: candidate.datasets)
      } ?? ViewedSequence(run, entry, of: candidate.datasets)
    }
    return try ViewerData(
      shown, bench, sides: isCompared ? (GateReport.candidateSide, GateReport.baselineSide) : nil,
      explain: explain, page: html, progress: progress)
  }

  private var arguments: [String] {
    let inputs = OptionWords.of([
      ("--dataset", dataset), ("--baseline", settings.baseline),
      ("--parameters", settings.parameters), ("--predictions", settings.predictions),
    ])
    let changes = AnswerSettings(
      assignments: assignments, smoothing: strategies.smoothing, debounce: strategies.debounce,
      ignoresDefaults: settings.defaults.isOff)
    return ["gate", settings.gate] + inputs + changes.options.flatMap(\.self)
  }

  private func judged(
    _ gate: GateSettings, _ candidate: GateCandidate,
    _ references: (baseline: Baseline?, anchor: Baseline?), _ progress: @escaping ProgressReport
  ) async throws -> ResultEnvelope<GateReport> {
    let before = await scored(
      references.baseline, gate, gate.baseline,
      "no such baseline; write it with `planklab baseline update --reason TEXT`", candidate,
      progress: progress)
    let anchor = await scored(
      references.anchor, gate, gate.anchor,
      "no such anchor; copy the last release's baseline to this "
        + "path", candidate, progress: progress)
    let sides = [
      (GateReport.candidateSide, candidate.side), (GateReport.baselineSide, before.scored?.side),
    ]
    let judge = Self.judge(gate, candidate, (before, anchor))
    let result = result(gate, judge, (before, anchor), progress)
    let report = GateReport(
      result: result, candidate: gate.candidate, baseline: gate.baseline, anchor: gate.anchor,
      arguments: arguments, changes: references.baseline?.changes(to: candidate.thresholds) ?? [],
      sides: sides.compactMap { name, side in
        side.map { ScoredSide(name: name, scores: $0.sequences) }
      }.compared(with: "baseline"),
      people: judge.baseline.map { PersonChange.all(from: $0, to: judge.candidate) } ?? [],
      advice: references.baseline.flatMap { baseline in
        judge.baseline.map { StreamAdvice(from: baseline, $0, to: candidate) }
      },
      diagnosis: try await diagnosis(
        gate, candidate, references.baseline, judge, result.findings, progress))
    return ResultEnvelope(
      report, on: candidate.dataset,
      provenance: [
        "candidate": gate.candidate, "baseline": gate.baseline ?? "none", "anchor": gate.anchor,
        "resamples": "\(gate.resamples)", "seed": "\(gate.seed)", "defaults": gate.defaults,
      ])
  }

  /// Not inlined, because Swift 6.3.1 crashes when it inlines this into an asynchronous caller.
  @inline(never)
  private static func baseline(at path: String?) throws -> Baseline? {
    guard let path, try FileDescriptor.exists(path) else { return nil }
    return try BaselineAccess.read(path)
  }

  private typealias References = (
    baseline: BaselineAccess.Comparison, anchor: BaselineAccess.Comparison
  )

  private func scored(
    _ baseline: Baseline?, _ gate: GateSettings, _ path: String?, _ absence: String,
    _ candidate: GateCandidate, progress: @escaping ProgressReport
  ) async -> BaselineAccess.Comparison {
    guard let path else { return (nil, []) }
    guard let baseline else { return (nil, ["\(path): \(absence)"]) }
    return await BaselineAccess.compared(
      baseline, at: path, with: candidate,
      known: [gate.unnamedDetector(beside: baseline)].compactMap(\.self), progress: progress)
  }

  @inline(never)
  private func diagnosis(
    _ gate: GateSettings, _ candidate: GateCandidate, _ baseline: Baseline?, _ judge: GateJudge,
    _ findings: [GateFinding], _ progress: @escaping ProgressReport
  ) async throws -> GateDiagnosis? {
    guard let baseline, judge.baseline != nil,
      findings.contains(where: { $0.isBroken && $0.verdict == .regressed })
    else {
      return nil
    }
    return try await PutBackTrials(
      gate: gate, candidate: candidate, baseline: baseline, judge: judge, findings: findings,
      progress: progress
    ).diagnosis()
  }

  private static func judge(
    _ gate: GateSettings, _ candidate: GateCandidate, _ references: References
  ) -> GateJudge {
    let isKnown = references.baseline.obstacles.isEmpty
    let isAnchored = isKnown && references.anchor.obstacles.isEmpty
    var judge = GateJudge(
      candidate: candidate.side, baseline: isKnown ? references.baseline.scored?.side : nil,
      anchor: isAnchored ? references.anchor.scored?.side : nil)
    judge.resamples = gate.resamples
    judge.seed = gate.seed
    return judge
  }

  private func result(
    _ gate: GateSettings, _ judge: GateJudge, _ references: References, _ progress: ProgressReport
  ) -> GateResult {
    let obstacles = references.baseline.obstacles + references.anchor.obstacles
    // If the anchor cannot be compared, the findings against the baseline still stand, but nothing
    // passes.
    let known = references.baseline.obstacles.isEmpty ? references.baseline.scored : nil
    let count = judge.count(of: gate.rules)
    return GateResult(
      name: name, findings: judge.findings(gate.rules) { progress($0, count, "rules") },
      obstacles: obstacles,
      worseSequences: known.map { SequenceDifference.lost(from: $0.side, to: judge.candidate) }
        ?? [], worseMoments: known?.lost ?? [])
  }

  private func appendSummary(_ document: Document, to path: String) -> String? {
    do {
      try OutputFile.checkReport(path)
      let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o666)
      guard file >= 0 else { throw OutputFile.failure(path, errno) }
      defer { close(file) }
      var status = stat()
      let known = fstat(file, &status) == 0 ? Int(status.st_size) : 0
      let room = max(0, GitHubSummary.mostSummaryBytes - known)
      let text = GitHubSummary.limited(MarkdownRenderer().render(document), to: room)
      guard Terminal.write(text, to: file) else { throw OutputFile.failure(path, errno) }
      return nil
    } catch { return "note: the step summary could not be written: \(error)" }
  }
}

extension Gate.Format {
  fileprivate func text(
    _ gate: ResultEnvelope<GateReport>, _ duration: Duration, usesColor: Bool, isFull: Bool
  ) throws -> String {
    switch self {
    case .text where !isFull:
      TextRenderer(usesColor: usesColor)
        .render(gate.document.screen(closing: ["# everything: --verbose"]))
    case .text, .json, .html:
      try gate.formats().text(in: OutputFormat(rawValue: rawValue) ?? .text, usesColor: usesColor)
    case .markdown:
      GitHubSummary.limited(
        MarkdownRenderer().render(gate.document), to: GitHubSummary.mostCommentBytes)
    case .junit: JUnitReport.render(gate, duration: duration)
    case .github: GitHubSummary.annotations(gate.result)
    }
  }
}

struct GateCandidate: Sendable {
  let dataset: Evaluation.DatasetIdentity
  let datasets: DatasetCollection
  let report: EvaluationReport
  let bench: BenchDetector?
  let runs: [SequenceRun]
  let frameCostRatio: Double?
  let remarks: [String]

  static func evaluate(
    _ gate: GateSettings, progress: @escaping ProgressReport
  ) async throws -> GateCandidate {
    let detector =
      gate.predictions == nil
      ? try BenchDetector(gate.answers, source: .file(gate.places)) : try BenchDetector()
    let datasets = try DatasetCollection(opening: [gate.dataset], split: gate.split)
    let identity = try datasets.identity(progress: progress)
    let found = try await DatasetEvaluation(
      of: datasets, detector: detector, predictions: gate.predictions, progress: progress)
    let cost = gate.predictions == nil ? found.report.timing?.frameCost?.p50.value : nil
    let ratio = cost.map { $0 / CalibrationLoop.seconds() }
    return GateCandidate(
      dataset: identity, datasets: datasets, report: found.report,
      bench: gate.predictions == nil ? detector : nil, runs: found.runs,
      frameCostRatio: ratio, remarks: found.remarks)
  }

  var thresholds: Thresholds? { bench?.thresholds }

  var side: GateSide {
    GateSide(sequences: runs.map(\.evaluation.scores), frameCostRatio: frameCostRatio)
  }
}

/// A loop whose time is the unit of costs, so that a gate on cost does not depend on the machine.
enum CalibrationLoop {
  static func seconds(repeats: Int = 15) -> Double {
    let clock = ContinuousClock()
    var least = Double.infinity
    var sum = 0.0
    for _ in 0..<repeats {
      let start = clock.now
      sum += run()
      least = min(least, (clock.now - start) / .seconds(1))
    }
    // The sum is used so that no compiler can optimize the work away.
    return sum.isFinite ? least : .nan
  }

  private static func run() -> Double {
    var value = 0.4
    for _ in 0..<10_000 { value = 3.9 * value * (1 - value) }
    return value
  }
}
