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
      line: result.commands.map { Self.line($0.again) })
    page.append(.init(body: verdict))
    page.append(.init(takeTitle, id: "take", body: take + actions))
    for stream in result.streams {
      page.append(
        .init(
          stream.stream.title, id: "map-\(stream.stream.rawValue)",
          body: TuningMap(stream).html))
    }
    page.append(.init("People", id: "people", body: people))
    page.append(.init("All numbers", id: "numbers", body: folds))
    page.append(.init(body: ProvenancePanel(origin: origin, line: page.line).html))
    return page
  }

  private static func line(_ words: [String]) -> String {
    (["planklab"] + words).map(ShellWord.quoted).joined(separator: " ")
  }
}

extension TuningPage {
  private var verdict: HTML {
    let notes: [HTML] = result.noEvidenceNotes.map { "<li class=\"warning\">\($0)</li>" }
    let sentences: [HTML] = result.streams.map { TuningWords(stream: $0).sentence }
    let state = self.state
    return VerdictPanel(
      state: state.state, word: state.word, headline: HTML.prose(headline),
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

  private var state: (state: VerdictPanel.State, word: String) {
    let changed = result.decided.count(where: \.isChanged)
    let verdicts = result.streams.map(\.decision.verdict)
    if verdicts.contains(.change) {
      return (.good, "Change \(NumberText.count(changed, "setting"))")
    }
    if result.streams.contains(where: \.decision.isTaken) {
      return (.warning, "Taken on request, not advised")
    }
    return (.good, "Keep yours")
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
      NumberText.count(result.frames, "frame"),
      "\(WordText.list(tried)) tried",
      "held out: \(result.validation)",
    ]
      + Set(AnswerStream.allCases).subtracting(result.streams.map(\.stream)).map {
        "\($0.rawValue): not tuned"
      }
  }
}

extension TuningPage {
  private var take: HTML {
    let decided = result.decided
    let rest = result.settings.filter { setting in !decided.contains(setting) }
    let more: HTML =
      rest.isEmpty
      ? .empty
      : """
      <details><summary>\(NumberText.count(rest.count, "more parameter")), not tuned and kept\
      </summary>\(ThresholdList(rows: rest.map(row)).html)</details>

      """
    let empty: HTML = "<p>The experiment has no axis, so there is nothing to choose.</p>\n"
    return """
      <section class="panel"><h2>\(takeTitle)</h2>
      <p class="note">● what to use, ○ yours where it changes; the band does as well as the best \
      value found. A file of thresholds and every export hold these values.</p>
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
    let reach = extent.map { extent in
      extent.from == extent.to
        ? "\(NumberText.short(extent.from)) alone"
        : "\(NumberText.short(extent.from)) to \(NumberText.short(extent.to))"
    }
    let unit = setting.unit.isEmpty ? "" : " \(setting.unit)"
    return ThresholdList.Place(
      range: low...high, plateau: extent.map { $0.from...max($0.from, $0.to) },
      text: reach.map { $0 + unit } ?? "unknown", before: numbers.start, after: numbers.value)
  }

  private var actions: HTML {
    guard let commands = result.commands else { return numbers(inPanel: true) }
    let usesFound = result.streams.contains(where: \.decision.usesFound)
    let steps = [
      ActionList.Action(
        title: "1. Write the thresholds",
        text: usesFound
          ? "The changed and the kept values, with the evidence."
          : "Nothing changes: the file holds your values, with the evidence.",
        command: Self.line(commands.again + ["--thresholds", Self.file]), isBest: usesFound),
      ActionList.Action(
        title: "2. See what they do",
        text: "Every recording with these values, moment by moment.",
        command: Self.line(
          ["evaluate"] + commands.data + ["--parameters", Self.file, "--html", "tuned.html"])),
      ActionList.Action(
        title: "3. Put them into the app",
        text: "A Swift file with the same numbers; `json` and `plist` as well.",
        command: Self.line(
          ["export", Self.file, "--format", "swift", "--output", "PlankThresholds.swift"])),
      ActionList.Action(
        title: "Or change a rule",
        text: "A rule may be missing, wrong or superfluous: no threshold mends that.",
        command: Self.line(["suggest"] + commands.data + ["--parameters", Self.file])),
    ]
    return ActionList(
      note: advice, actions: steps, remarks: numbers(inPanel: false), isStacked: true
    ).html
  }

  private var advice: String {
    result.streams.contains { $0.decision.verdict == .keep && $0.decision.reason == .advice }
      ? "More people narrow the intervals. `--take` takes what was found, if a gain is expected."
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
}

extension TuningPage {
  private var people: HTML {
    let panels: [HTML] = result.streams.compactMap { stream in
      let panel = TuningWords(stream: stream).people.html
      return panel.isEmpty ? nil : panel
    }
    guard panels.isEmpty else { return "<div class=\"pair\">\n\(panels)</div>\n" }
    let count = result.streams.map(\.validation.subjects.count).max() ?? 0
    let why =
      count < 2
      ? "All recordings are of one person, so nobody could be held out. Record others."
      : result.streams.allSatisfy { $0.validation.heldOut == nil }
        ? "The experiment holds nobody out (`validation: none`)."
        : "The result was saved before people were kept; run the command again."
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
      "All numbers", "as text, with every fold and what accuracy costs", Document(blocks))
    return "<div class=\"text-columns\">\(fold)</div>\n"
  }
}
