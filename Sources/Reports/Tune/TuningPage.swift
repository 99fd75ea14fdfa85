internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

struct TuningPage {
  let result: TuningResult
  let origin: ResultOrigin

  private static let file = "thresholds.json"

  var page: ResultPage {
    var page = ResultPage(
      title: result.question ?? "Tuned on \(origin.datasetName)", command: origin.command,
      line: result.commands.map { ShellWord.planklab($0.again) })
    page.append(.init(body: verdict))
    page.append(.init(takeTitle, id: "take", body: take + actions))
    for stream in result.streams {
      page.append(
        .init(
          stream.stream.title, id: "map-\(stream.stream.rawValue)", body: TuningMap(stream).html))
    }
    page.append(.init("People", id: "people", body: people))
    page.append(.init("All numbers", id: "numbers", body: folds))
    page.append(.init(body: ProvenancePanel(origin: origin, line: page.line).html))
    return page
  }

  private var verdict: HTML {
    let notes: [HTML] = result.noEvidenceNotes.map { "<li class=\"warning\">\($0)</li>" }
    let sentences: [HTML] = result.streams.map { TuningWords(stream: $0).sentence }
    return VerdictPanel(
      verdict: judgement, headline: HTML.prose(headline),
      lead: "<ul>\(sentences)\(notes)</ul>", facts: facts,
      changes: result.streams.map { TuningWords(stream: $0).number }
    ).html
  }

  private var headline: String {
    let kept = result.decided.filter { !$0.isChanged }.map { "`\($0.name)`" }
    guard result.streams.contains(where: { $0.decision.verdict == .change }), !kept.isEmpty else {
      return result.answer + "."
    }
    return result.answer + "; keep " + kept.joined(separator: ", ") + "."
  }

  private var judgement: Verdict {
    let changed = result.decided.count(where: \.isChanged)
    let verdicts = result.streams.map(\.decision.verdict)
    if verdicts.contains(.change) {
      return Verdict(.good, "Change \(NumberText.count(changed, "setting"))")
    }
    if result.streams.contains(where: \.decision.isTaken) {
      return Verdict(.warning, "Used on request, not advised")
    }
    return Verdict(.good, "Keep yours")
  }

  private var facts: [String] {
    let tried = result.streams.map { stream in
      NumberText.count(stream.cells.evaluated, "\(stream.stream.rawValue) combination")
    }
    let split = origin.split.map { ", split \($0)" } ?? ""
    let subjects = result.streams.map(\.validation.subjects.count).max() ?? 0
    return [
      "\(origin.datasetName)\(split)", NumberText.people(subjects),
      "\(NumberText.count(result.sequences, "labeled sequence"))",
      NumberText.count(result.frames, "frame"), "\(WordText.list(tried)) tried",
      "held out: \(result.validation)",
    ]
      + Set(AnswerStream.allCases).subtracting(result.streams.map(\.stream)).map {
        "\($0.rawValue): not tuned"
      }
  }

  private var take: HTML {
    let decided = result.decided
    let rest = result.settings.filter { setting in !decided.contains(setting) }
    let more: HTML =
      rest.isEmpty
      ? .empty
      : """
      <details><summary>\(NumberText.count(rest.count, "more parameter")), not tuned, so \
      unchanged\
      </summary>\(ThresholdList(rows: rest.map(row)).html)</details>

      """
    let empty: HTML = "<p>The experiment has no axes, so there is nothing to choose.</p>\n"
    return """
      <section class="panel"><h2>\(takeTitle)</h2>
      <p class="note">● the value to use, ○ your value if it changes; values in the band do as \
      well as the best found. A thresholds file and every export contain these values.</p>
      \(decided.isEmpty ? empty : ThresholdList(rows: decided.map(row)).html)\(more)</section>

      """
  }

  private var takeTitle: String {
    result.decided.contains(where: \.isChanged) ? "Take it" : "What to use"
  }

  private func row(_ setting: SettingDecision) -> ThresholdList.Row {
    ThresholdList.Row(
      name: setting.name, before: setting.startText, after: setting.text,
      isChanged: setting.isChanged, why: setting.why, place: place(setting))
  }

  private func place(_ setting: SettingDecision) -> ThresholdList.Place? {
    guard let numbers = setting.numbers, let stream = setting.stream,
      let line = stream.views.profiles.first(where: { $0.parameter == numbers.key })
    else { return nil }
    let all = line.values + [numbers.start, numbers.value]
    guard let low = all.min(), let high = all.max() else { return nil }
    let extent = stream.plateau(of: numbers.key)
    let unit = setting.unit.isEmpty ? "" : " \(setting.unit)"
    let reach = extent.map { extent in
      extent.from == extent.to
        ? "\(NumberText.short(extent.from))\(unit) alone"
        : "\(NumberText.short(extent.from)) to \(NumberText.short(extent.to))\(unit)"
    }
    return ThresholdList.Place(
      range: low...high, plateau: extent.map { $0.from...max($0.from, $0.to) },
      text: reach ?? "unknown", before: numbers.start, after: numbers.value)
  }

  private var actions: HTML {
    guard let commands = result.commands else { return numbers(inPanel: true) }
    let usesFound = result.streams.contains(where: \.decision.usesFound)
    let steps = [
      ActionList.Action(
        title: "1. Write the thresholds",
        text: usesFound
          ? "The file contains all values, changed and unchanged, with the evidence."
          : "No value changes; the file contains your values, with the evidence.",
        command: ShellWord.planklab(commands.again + ["--thresholds", Self.file]), isBest: usesFound
      ),
      ActionList.Action(
        title: "2. See their effect",
        text: "The command writes a page with the recordings that have the most error time under "
          + "these values.",
        command: ShellWord.planklab(
          ["evaluate"] + commands.data + ["--parameters", Self.file, "--html", "tuned.html"])),
      ActionList.Action(
        title: "3. Use them in the app",
        text:
          "The command writes a Swift file with the same values; the formats `json` and `plist` also work.",
        command: ShellWord.planklab(
          ["export", Self.file, "--format", "swift", "--output", "PlankThresholds.swift"])),
      ActionList.Action(
        title: "Or change a rule",
        text: "A threshold cannot fix a rule that is missing, wrong or unnecessary.",
        command: ShellWord.planklab(
          ["suggest"] + commands.uncalibrated + ["--parameters", Self.file])),
    ]
    return ActionList(
      note: advice, actions: steps, remarks: numbers(inPanel: false), isStacked: true
    ).html
  }

  private var advice: String {
    result.streams.contains { $0.decision.verdict == .keep && $0.decision.reason == .advice }
      ? "More people narrow the intervals. `--take` uses the values found, unless a loss is expected."
      : ""
  }

  private func numbers(inPanel: Bool) -> HTML {
    let values = result.parameters.map { ($0.key.rawValue, $0.value) }
    guard !values.isEmpty else { return .empty }
    let text = JSONText.of(Dictionary(values, uniquingKeysWith: { first, _ in first }))
    let lines = text.split(separator: "\n").map(String.init)
    let body: HTML = """
      <details class="values"><summary>Or copy the \(NumberText.count(values.count, "number")) \
      </summary>\(CopyLine(lines: lines).html)</details>

      """
    return inPanel ? "<section class=\"panel\">\(body)</section>\n" : body
  }

  private var people: HTML {
    let panels: [HTML] = result.streams.compactMap { stream in
      let panel = TuningWords(stream: stream).people.html
      return panel.isEmpty ? nil : panel
    }
    guard panels.isEmpty else { return "<div class=\"pair\">\n\(panels)</div>\n" }
    let count = result.streams.map(\.validation.subjects.count).max() ?? 0
    let why =
      count < 2
      ? "All recordings are of one person, so nobody could be held out. Record more people."
      : result.streams.allSatisfy { $0.validation.heldOut == nil }
        ? "The experiment does not hold anyone out (`validation: none`)."
        : "The result was saved by an older version that did not save people; run the command "
          + "again."
    return """
      <section class="panel"><h2>People</h2><p>\(prose: why)</p></section>

      """
  }

  private var folds: HTML {
    let blocks = result.body(origin).blocks.filter { block in
      switch block {
      case .figure, .heading(_, level: 1): false
      default: true
      }
    }
    let fold = Fold.document(
      "All numbers", "as text, with every fold and the cost of accuracy", Document(blocks))
    return "<div class=\"text-columns\">\(fold)</div>\n"
  }
}

struct TuningMap {
  private let stream: StreamRecommendation
  private let views: ObjectiveViews

  init(_ stream: StreamRecommendation) {
    self.stream = stream
    views = stream.views
  }

  var html: HTML {
    let picture: HTML = main.isEmpty ? nothing : main
    let curves: HTML =
      views.slice == nil && views.profiles.count < 2
      ? .empty
      : """
      <h3>One parameter at a time</h3>
      <p class="note">The curves pass through the best values found; values in the band do as \
      well. Hover over a value to see its number.</p>
      <div class="profiles">\(plots.profiles.map(\.html))</div>

      """
    return """
      <section class="panel"><h2>\(stream.stream.title): robustness</h2>
      <div class="holds"><div>\(picture)</div>\
      \(Watchlist(groups: [warnings, edges, stress, folds]).html)</div>
      \(curves)</section>

      """
  }

  private var nothing: HTML {
    stream.axes.isEmpty
      ? "<p>The experiment has no axis for this stream, so there is no map.</p>\n"
      : "<p>No axis has two values with a defined metric, so there is no map.</p>\n"
  }

  private var main: HTML {
    let plots = plots
    if let map = plots.map { return map.html }
    guard plots.profiles.count == 1 else { return .empty }
    var curve = plots.profiles[0]
    curve.height = 300
    let keys = plots.keys.map(\.html)
    return curve.html.isEmpty ? .empty : "\(curve.html)<p class=\"legend\">\(keys)</p>\n"
  }

  var plots: ObjectivePlots {
    ObjectivePlots(
      metric: stream.objective.metric, views: views, settings: settings,
      extents: stream.plateau?.axes ?? [], axis: ObjectiveFigure(stream).axis)
  }

  private typealias Setting = ObjectivePlots.Setting

  private var settings: [Setting] {
    let isUsed = stream.decision.usesFound
    let found = Setting(
      kind: isUsed ? .use : .found, name: isUsed ? "to use" : "best found, not used",
      values: stream.found.parameters, objective: stream.objective.found)
    guard stream.start.detector == stream.found.detector else { return isUsed ? [found] : [] }
    let own = Setting(
      kind: isUsed ? .own : .use, name: isUsed ? "yours" : "yours, kept",
      values: stream.start.parameters,
      objective: isUsed ? nil : stream.objective.startingPoint)
    let usual = Setting(
      kind: .usual, name: "the detector's default",
      values: stream.start.parameters.map(\.atDefault), objective: nil)
    var settings = isUsed ? [found] : [own]
    for other in [own, found, usual] where !settings.contains(where: { isSame($0, other) }) {
      settings.append(other)
    }
    return settings
  }

  private func isSame(_ first: Setting, _ second: Setting) -> Bool {
    views.profiles.allSatisfy { first.value($0) == second.value($0) }
  }

  private var warnings: Watchlist.Group {
    Watchlist.Group(
      title: "Watch for",
      rows: stream.warnings.map { Watchlist.Row(name: $0, text: "!", isBad: true) })
  }

  private var edges: Watchlist.Group {
    guard let plateau = stream.plateau else { return Watchlist.Group(title: "") }
    let sides = plateau.axes.flatMap { extent in
      [extent.below, extent.above].map { (extent: extent, side: $0) }
    }
    let rows = sides.sorted { $0.side.steps < $1.side.steps }.compactMap { extent, side in
      side.cliff.map { row(extent, at: $0, steps: side.steps) }
    }
    let note =
      (rows.isEmpty ? "No cliff was found. " : "")
      + (plateau.isLimitedByEdge
        ? "The grid ends after \(NumberText.count(plateau.margin, "step")), so the plateau "
          + "may be larger." : "")
    return Watchlist.Group(
      title: stream.decision.usesFound || stream.decision.reason == .same
        ? "Distance to the edge" : "Distance to the edge, from the best found",
      rows: rows, note: note)
  }

  private func row(_ extent: Plateau.Extent, at cliff: Double, steps: Int) -> Watchlist.Row {
    let line = views.profiles.first { $0.parameter == extent.key }
    let there = line.flatMap { line in
      line.values.firstIndex(of: cliff).flatMap { line.objective[$0] }
    }
    let change = there.map { $0 - stream.objective.foundOnGrid }
    let unit = line?.shownUnit ?? ""
    return Watchlist.Row(
      name:
        "`\(extent.key.rawValue)` at \(NumberText.short(cliff))\(unit.isEmpty ? "" : " " + unit)",
      detail: NumberText.count(steps, "step"),
      text: change.map { NumberText.signed($0, 3) } ?? "undefined", isBad: isLoss(change))
  }

  private func isLoss(_ change: Double?) -> Bool {
    guard let change else { return false }
    let gain = stream.objective.metric.metric.higherIsBetter ? change : -change
    return gain < -max(stream.objective.tolerance, 1e-12)
  }

  private var stress: Watchlist.Group {
    let rows = stream.worseFrames.map { row in
      let change = row.objective.flatMap { worse in
        stream.objective.recommended.map { worse - $0 }
      }
      return Watchlist.Row(
        name: row.condition.rawValue, text: change.map { NumberText.signed($0, 3) } ?? "undefined",
        isBad: isLoss(change))
    }
    return Watchlist.Group(
      title: "On degraded frames", rows: rows,
      note: rows.isEmpty ? "" : "Change in `\(stream.objective.metric)` with the values to use.")
  }

  private var folds: Watchlist.Group {
    let folds = stream.validation.folds
    guard !folds.isEmpty else {
      return Watchlist.Group(title: "Without each person", note: "Nobody was held out.")
    }
    let same = folds.count { fold in
      fold.detector == stream.found.detector && fold.smoothing == stream.found.smoothing
        && fold.parameters == stream.found.parameters
    }
    let unit = stream.validation.heldOut?.unit ?? .people
    let share = stream.validation.samePlateauShare.map {
      "\(NumberText.percent($0)) of the resamples of people choose the same plateau."
    }
    return Watchlist.Group(
      title: "Without some \(unit.rawValue)",
      rows: [
        Watchlist.Row(
          name: "the others choose the same values", text: "\(same) of \(folds.count) times")
      ], note: share ?? "")
  }
}
