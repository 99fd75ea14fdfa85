internal import ArgumentParser
internal import Evaluation
internal import FoundationEssentials
internal import Statistics

/// `planklab baseline`.
struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Write, show, list and compare the baselines that gates compare with.",
    subcommands: [BaselineUpdate.self, BaselineShow.self, BaselineList.self, BaselineDiff.self])
}

/// `planklab baseline show`.
struct BaselineShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what a baseline is about, and its numbers.")

  @Argument(help: "The baseline's file.")
  var file: String

  func run() async throws {
    try await Terminal.run { try ReadBaselines.show(file, usesColor: Terminal.usesColor) }
  }
}

/// `planklab baseline list`.
struct BaselineList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the baselines in a folder.")

  @Argument(help: "The folder.")
  var folder = "."

  func run() async throws {
    try await Terminal.run { try ReadBaselines.list(folder) }
  }
}

/// `planklab baseline diff`.
struct BaselineDiff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show the metrics that differ between two baselines.")

  @Argument(help: "The baseline before.")
  var before: String

  @Argument(help: "The baseline after.")
  var after: String

  func run() async throws {
    try await Terminal.run { try ReadBaselines.diff(before, after) }
  }
}

/// `planklab baseline update`.
struct BaselineUpdate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Make a gate's candidate the baseline, with a reason.",
    discussion: """
      Nothing else writes a baseline. A tree with changes is refused, because its commit would \
      name other numbers.
      """)

  @Argument(help: "The gate's file.")
  var gate: String

  @Option(help: ArgumentHelp("Why the numbers may move.", valueName: "TEXT"))
  var reason: String

  @Option(help: ArgumentHelp("The file instead of the gate's.", valueName: "FILE"))
  var baseline: String?

  @Option(help: ArgumentHelp("Thresholds instead of the gate's.", valueName: "THRESHOLDS.json"))
  var parameters: String?

  @Option(help: ArgumentHelp("Keep the answers in a folder.", valueName: "DIR"))
  var predictions: String?

  @Flag(help: "Write it even from a tree with changes.")
  var allowDirty = false

  func run() async throws {
    try await Terminal.run {
      let request = UpdateBaseline.Request(
        gate: gate, reason: reason, baseline: baseline, parameters: parameters,
        predictions: predictions, allowsDirty: allowDirty)
      let bar = ProgressBar()
      return try await UpdateBaseline.run(request, progress: bar.report)
    }
  }
}

/// Shows, lists and compares baselines.
enum ReadBaselines {
  /// One baseline: what it is about, and its numbers.
  static func show(
    _ path: String, usesColor: Bool = false
  ) throws(WorkflowFailure) -> Outcome {
    let baseline = try BaselineAccess.read(path)
    var document = Document()
    document.heading("Baseline \(path)", level: 1)
    document.paragraph(StyledText("Why: \(baseline.reason)"))
    document.list(
      [
        StyledText("dataset: \(baseline.dataset.name) \(baseline.dataset.hash)"),
        StyledText("labels: \(baseline.dataset.labelsHash)"),
        StyledText("\(baseline.sequences.count) sequences, \(baseline.subjects) subjects"),
      ] + baseline.facts.sorted { $0.key < $1.key }.map { StyledText("\($0.key): \($0.value)") })
    var table = Table([.words("metric"), .number("value"), .number("95 % interval")])
    for line in baseline.metrics {
      table.row([
        StyledText("\(line.key)"), StyledText(number(line.value)),
        StyledText(
          line.interval.map { "\(number($0.lower)) ... \(number($0.upper))" } ?? "none"),
      ])
    }
    document.table(table)
    return Outcome(TextRenderer(usesColor: usesColor).render(document))
  }

  /// The baselines in a folder.
  static func list(_ folder: String) throws(WorkflowFailure) -> Outcome {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw WorkflowFailure(.noInput, "\(folder): no such folder; give the one with baselines")
    }
    var table = Table([
      .words("baseline"), .words("date"), .words("dataset"), .words("detector"),
      .number("subjects"), .words("why"),
    ])
    for name in names.sorted() where name.hasSuffix(".json") {
      guard let baseline = try? BaselineAccess.read(folder + "/" + name) else { continue }
      table.row([
        StyledText(name), StyledText(baseline.facts["date"] ?? "unknown"),
        StyledText(baseline.dataset.name), StyledText(baseline.facts["detector"] ?? "unknown"),
        StyledText("\(baseline.subjects)"), StyledText(baseline.reason),
      ])
    }
    var document = Document()
    document.table(table)
    if table.rows.isEmpty { document.paragraph(StyledText("No baseline in \(folder).")) }
    return Outcome(TextRenderer().render(document))
  }

  /// What differs from one baseline to another.
  static func diff(_ left: String, _ right: String) throws(WorkflowFailure) -> Outcome {
    let before = try BaselineAccess.read(left)
    let after = try BaselineAccess.read(right)
    var document = Document()
    document.list(
      after.dataset == before.dataset
        ? [] : [StyledText("The datasets differ: no difference is the detector's alone.")])
    let values = Dictionary(before.metrics.map { ($0.key, $0.value) }) { first, _ in first }
    var table = Table([
      .words("metric"), .number("before"), .number("after"), .number("difference"),
    ])
    for line in after.metrics where values[line.key] != .some(line.value) {
      let old = values[line.key] ?? nil
      let difference = old.flatMap { old in line.value.map { $0 - old } }
      table.row([
        StyledText("\(line.key)"), StyledText(number(old)), StyledText(number(line.value)),
        StyledText(number(difference)),
      ])
    }
    document.table(table)
    if table.rows.isEmpty { document.paragraph("No metric differs.") }
    return Outcome(TextRenderer().render(document))
  }

  private static func number(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, 4) } ?? "n/a"
  }
}
