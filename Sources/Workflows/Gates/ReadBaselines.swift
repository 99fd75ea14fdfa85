internal import Evaluation
internal import FoundationEssentials
internal import Reporting
internal import Statistics

/// Shows, lists and compares baselines.
package enum ReadBaselines {
  /// One baseline: what it is about, and its numbers.
  package static func show(
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
  package static func list(_ folder: String) throws(WorkflowFailure) -> Outcome {
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
  package static func diff(_ left: String, _ right: String) throws(WorkflowFailure) -> Outcome {
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
