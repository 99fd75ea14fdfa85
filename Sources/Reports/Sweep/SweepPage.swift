internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

struct SweepPage {
  let summary: SweepSummary
  let origin: ResultOrigin

  var page: ResultPage {
    var page = ResultPage(
      title: summary.question ?? "Sweep over \(origin.datasetName)", command: origin.command)
    page.append(.init(body: verdict))
    for stream in summary.streams {
      let name = stream.stream == .plank ? "Plank" : "Form"
      page.append(
        .init(name, id: stream.stream.rawValue, body: SweepStreamPanel(stream: stream).html))
    }
    page.append(.init("All numbers", id: "numbers", body: folds))
    page.append(.init(body: ProvenancePanel(origin: origin, line: nil).html))
    return page
  }

  private var verdict: HTML {
    let panels = summary.streams.map { SweepStreamPanel(stream: $0) }
    let isKnown = panels.contains { $0.stream.best.first != nil }
    var lead = Document()
    lead.list(panels.map { StyledText($0.sentence) })
    lead.paragraph(
      "The best configuration of a sweep looks better than it is; `planklab tune` estimates its score on "
        + "new people."
    )
    return VerdictPanel(
      verdict: Verdict(
        .unsure, isKnown ? "Best on this data, not yet tested on new people" : "No configuration"),
      headline: HTML.prose(headline(panels)), lead: lead.html,
      facts: [
        "run \(summary.run)", origin.datasetName, NumberText.count(summary.frames, "frame"),
        summary.counts, "engine \(summary.engine)",
      ],
      numbers: panels.compactMap(\.number)
    ).html
  }

  private func headline(_ panels: [SweepStreamPanel]) -> String {
    let parts = panels.compactMap { panel in
      panel.pick.map { "\(panel.settings($0)) for \(panel.stream.stream.rawValue)" }
    }
    guard !parts.isEmpty else { return "No configuration has a score; label the recordings first." }
    return "Best on this data: " + parts.joined(separator: "; ") + "."
  }

  private var folds: HTML {
    var all = Document()
    for stream in summary.streams {
      all.heading("The best \(stream.stream.rawValue) configurations", level: 3)
      all.table(stream.table)
    }
    return Fold.document("Every number", "of the configurations listed above", all)
  }
}

private struct SweepStreamPanel {
  let stream: SweepSummary.Stream

  var html: HTML {
    let name = stream.stream.rawValue
    let objective = stream.metrics.first?.description ?? ""
    let list = TradeList(metric: objective, rows: rows).html
    return """
      <section class="panel"><h2>\(name): the best configurations and their trade-offs</h2>
      <p class="note">\(counts)</p>
      \(list.isEmpty ? "<p>No configuration has a score.</p>\n" : list)\(map)\(curves)</section>

      """
  }

  private var settings: [ObjectivePlots.Setting] {
    guard let pick, let key = stream.metrics.first, pick.detector == stream.best.first?.detector
    else { return [] }
    let best = ObjectivePlots.Setting(
      kind: .use, name: "the best listed", values: pick.parameters,
      objective: pick.values[key]?.number)
    let usual = ObjectivePlots.Setting(
      kind: .usual, name: "the detector's default", values: pick.parameters.map(\.atDefault),
      objective: nil)
    return pick.parameters.contains(where: \.isChanged) ? [best, usual] : [best]
  }

  private var plots: ObjectivePlots? {
    guard let views = stream.views, let figure = stream.figure, let key = stream.metrics.first
    else { return nil }
    return ObjectivePlots(metric: key, views: views, settings: settings, axis: figure.axis)
  }

  private var map: HTML {
    guard let map = plots?.map else { return .empty }
    let within = NumberText.short(stream.tolerance)
    return """
      <h3>The map around the best</h3>
      <p class="note">Outlined values are within \(within) of the best.</p>
      \(map.html)
      """
  }

  private var curves: HTML {
    guard let plots, !plots.profiles.isEmpty else { return .empty }
    return """
      <h3>One parameter at a time</h3>
      <p class="note">The curves pass through the best configuration. Hover over a value to see its number.</p>
      <div class="profiles">\(plots.profiles.map(\.html))</div>

      """
  }

  private var counts: String {
    let bounds = stream.constraints.map(\.description).joined(separator: "; ")
    return NumberText.count(stream.cellCount, "configuration")
      + (stream.rejectedCount > 0
        ? ", \(NumberText.count(stream.rejectedCount)) more rejected as degenerate" : "")
      + (bounds.isEmpty ? "." : "; \(NumberText.count(stream.feasibleCount)) within \(bounds).")
  }

  var pick: SweepRanking.Row? {
    guard let best = stream.best.first else { return nil }
    return stream.best.filter { $0.isFeasible == best.isFeasible }.reduce(best) { pick, row in
      let (gained, lost) = trades(row.values, pick.values)
      return lost.isEmpty && !gained.isEmpty ? row : pick
    }
  }

  func settings(_ row: SweepRanking.Row) -> String {
    row.parameters.settings(of: row.detector, row.smoothing)
  }

  var sentence: String {
    let name = stream.stream.rawValue
    guard let best = pick else { return "\(name): no configuration has a score." }
    let ties = stream.best.count { $0.values == best.values } - 1
    let alike =
      ties > 0
      ? " The numbers are the same for \(NumberText.count(ties, "more listed configuration"))." : ""
    guard best.isFeasible else {
      let bounds = stream.constraints.map(\.description).joined(separator: "; ")
      return "\(name): no configuration meets \(bounds)."
    }
    let moved = best.parameters.filter(\.isChanged)
    return moved.isEmpty
      ? "\(name): no listed configuration beats the defaults.\(alike)"
      : "\(name): moved from the default: "
        + moved.map { "`\($0.key.rawValue)`" }.joined(separator: ", ") + ".\(alike)"
  }

  var number: ScoreNumber? {
    guard let key = stream.metrics.first, let best = pick, let value = best.values[key]?.number
    else { return nil }
    let range = key.metric.range
    let upper = range.upperBound.isFinite ? range.upperBound : BarScale.roundEnd(value)
    return ScoreNumber(
      title: key.description, value: value, text: NumberText.fixed(value, 3),
      unit: key.metric.unit == "-" ? "" : key.metric.unit, interval: nil,
      range: min(range.lowerBound, value)...max(upper, value, range.lowerBound + 1e-9),
      note: "on the data used to choose it, so without an interval")
  }

  private var rows: [TradeList.Row] {
    guard let key = stream.metrics.first, let best = pick else { return [] }
    var groups: [[SweepRanking.Row]] = []
    for row in stream.best {
      if let index = groups.firstIndex(where: {
        $0[0].values == row.values && $0[0].isFeasible == row.isFeasible
      }) {
        groups[index].append(row)
      } else {
        groups.append([row])
      }
    }
    let picked = groups.filter { $0[0].values == best.values }
    return (picked + groups.filter { $0[0].values != best.values }).map { group in
      let (gained, lost) = trades(group[0].values, best.values)
      return TradeList.Row(
        settings: settings(group[0]), alike: group.dropFirst().map(settings),
        value: group[0].values[key]?.number, text: group[0].values[key]?.text(4) ?? "n/a",
        gained: gained, lost: lost, obstacle: group[0].isFeasible ? "" : "constraints broken",
        isPicked: group[0].values == pick?.values)
    }
  }

  private func trades(
    _ values: MetricTable, _ best: MetricTable
  ) -> (gained: [String], lost: [String]) {
    var (gained, lost): ([String], [String]) = ([], [])
    for key in stream.metrics {
      guard let value = values[key]?.number, let other = best[key]?.number, value != other
      else { continue }
      let unit = key.metric.unit == "-" ? "" : " " + key.metric.unit
      let decimals = (value - other).magnitude < 0.001 ? 5 : 3
      let ends = [other, value].map { NumberText.fixed($0, decimals) }.joined(separator: " → ")
      let words = "`\(key.metric.name)` \(ends)\(unit)"
      if (value > other) == key.metric.higherIsBetter {
        gained.append(words)
      } else {
        lost.append(words)
      }
    }
    return (gained, lost)
  }
}

extension SweepSummary: CommandResult {
  static let command = "sweep"
  static let schemaVersion = 2

  func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading(question ?? "Sweep over \(origin.datasetName)", level: 1)
    document.paragraph(
      "Run \(run): \(origin.datasetName), \(NumberText.count(frames, "frame")), "
        + "\(counts). Engine: \(engine).")
    for stream in streams { document.append(stream.document) }
    document.paragraph(
      "The best configuration of a sweep looks better than it is; `planklab tune` estimates its score on "
        + "new people."
    )
    return document
  }

  func page(_ origin: ResultOrigin) -> ResultPage { SweepPage(summary: self, origin: origin).page }

  var counts: String {
    WordText.list(
      streams.map { NumberText.count($0.cellCount, "\($0.stream.rawValue) configuration") })
  }
}

extension SweepSummary.Stream {
  fileprivate var document: Document {
    var document = Document()
    document.heading("The best \(stream.rawValue) configurations")
    let bounds = constraints.map(\.description).joined(separator: "; ")
    document.paragraph(
      NumberText.count(cellCount, "configuration")
        + (rejectedCount > 0
          ? ", \(NumberText.count(rejectedCount)) more rejected as degenerate" : "")
        + (bounds.isEmpty ? "." : "; \(NumberText.count(feasibleCount)) within \(bounds)."))
    document.table(table)
    let fixed = facts.filter { values(of: $0.key).count == 1 }.map(\.sentence)
    document.paragraph(
      fixed.isEmpty ? "" : "The same in all configurations: \(fixed.joined(separator: ", ")).", .dim
    )
    if let figure { document.figure(.objective(figure)) }
    return document
  }

  private var facts: [ParameterFact] {
    var seen: Set<ParameterKey> = []
    return best.flatMap(\.parameters).filter { seen.insert($0.key).inserted }
  }

  private func values(of key: ParameterKey) -> Set<Double?> {
    Set(best.map { row in row.parameters.first { $0.key == key }?.value })
  }

  var table: Table {
    let varying = facts.filter { values(of: $0.key).count > 1 }
    let names = best.map { [ParameterFact]().settings(of: $0.detector, $0.smoothing) }
    let hasNames = Set(names).count > 1
    return Table(best.indices) { row, place in
      let listed = best[place]
      let tone: StyledText.Tone = listed.isFeasible ? .plain : .bad
      row.number("cell", "\(listed.cell)", .dim)
      for fact in varying {
        let isPlain = [.ratio, .frames].contains(fact.unit)
        let unit = isPlain ? "" : ", \(fact.unit.rawValue)"
        let value = listed.parameters.first { $0.key == fact.key }?.value
        row.number(fact.key.rawValue + unit, value.map(NumberText.short) ?? "", tone)
      }
      if hasNames { row.words("detector", names[place], tone) }
      for key in metrics { row.number(key.metric.shortTitle, listed.values[key]?.number, 4) }
    }
  }

  var figure: ObjectiveFigure? {
    guard let views, let objective = metrics.first else { return nil }
    return ObjectiveFigure(objective, views, chosen: "first in the ranking")
  }
}
