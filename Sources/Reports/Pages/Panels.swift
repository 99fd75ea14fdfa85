internal import Evaluation
internal import PlankDetection
internal import PoseModel

struct Verdict: Hashable, Sendable {
  let state: VerdictPanel.State
  let word: String

  init(_ state: VerdictPanel.State, _ word: String) { (self.state, self.word) = (state, word) }

  var pill: HTML { "<p class=\"pill\"><b aria-hidden=\"true\">\(state.icon)</b> \(word)</p>" }
}

struct VerdictPanel: Hashable, Sendable {
  enum State: String, Hashable, Sendable {
    case good, warning, bad, unsure

    var icon: String {
      switch self {
      case .good: "✓"
      case .warning: "!"
      case .bad: "✕"
      case .unsure: "?"
      }
    }
  }

  var verdict: Verdict?
  let headline: HTML
  var lead: HTML = .empty
  var command: [String] = []
  var facts: [String] = []
  var numbers: [ScoreNumber] = []
  var changes: [ChangeNumber] = []

  var html: HTML {
    let lead: HTML = lead.isEmpty ? .empty : "<div class=\"lead\">\(lead)</div>\n"
    let pill: HTML = verdict.map { "\($0.pill)\n" } ?? .empty
    let facts: [HTML] = facts.map { "<span>\(prose: $0)</span>" }
    let list: HTML = facts.isEmpty ? .empty : "<p class=\"facts\">\(facts)</p>\n"
    let numbers: HTML =
      numbers.isEmpty && changes.isEmpty
      ? .empty : "<div class=\"numbers\">\n\(numbers.map(\.html))\(changes.map(\.html))</div>\n"
    return """
      <section class="panel verdict \(verdict?.state.rawValue ?? "")">
      <div>\(pill)<h1>\(headline)</h1>
      \(lead)\(command.isEmpty ? .empty : CopyLine(lines: command).html)\(list)</div>
      \(numbers)</section>

      """
  }
}

struct ProvenancePanel: Hashable, Sendable {
  let origin: ResultOrigin
  let line: String?

  var html: HTML {
    var facts: [(name: String, value: String)] = [("program", origin.program)]
    if let dataset = origin.dataset {
      facts += [
        ("dataset", dataset.name), ("dataset hash", dataset.hash),
        ("poses hash", dataset.posesHash), ("labels hash", dataset.labelsHash),
        ("manifest hash", dataset.manifestHash),
      ]
    }
    facts += origin.provenance.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let rows: [HTML] = facts.map { fact in
      "<div><dt>\(fact.name)</dt><dd title=\"\(fact.value)\">\(fact.value)</dd></div>\n"
    }
    return """
      <details class="panel fold provenance"><summary>Provenance <span>versions and hashes</span></summary>
      \(line.map { CopyLine(lines: [$0]).html } ?? .empty)<dl>
      \(rows)</dl></details>

      """
  }
}

struct Workbench: Hashable, Sendable {
  let title: String
  var note = ""
  var hasCells = true
  let hasViewer: Bool
  let matrices: [HTML]
  let stretches: HTML
  var below: HTML = .empty

  var html: HTML {
    let choose = hasCells ? "Select a cell, then a stretch of time. " : ""
    let hint: HTML =
      hasViewer
      ? """
      <p class="note hint">\(choose)<kbd>[</kbd> <kbd>]</kbd> step through the errors; \
      <kbd>?</kbd> lists all keys.</p>

      """ : .empty
    let cells: HTML = matrices.isEmpty ? .empty : "<div class=\"matrices\">\n\(matrices)</div>\n"
    let said: HTML = note.isEmpty ? .empty : "<p class=\"note\">\(prose: note)</p>\n"
    return """
      <section class="panel workbench"><h2>\(title)</h2>
      \(said)\(hint)<div class="desk\(hasViewer ? " viewer" : "")\(matrices.isEmpty ? " plain" : "")">
      \(cells)<section class="stretches" aria-label="Stretches">\(stretches)</section>
      </div>
      \(below)</section>

      """
  }
}

struct Fold: Hashable, Sendable {
  let title: String
  var note = ""
  let body: HTML

  var html: HTML {
    guard !body.isEmpty else { return .empty }
    return """
      <details class="panel fold"><summary>\(title) <span>\(note)</span></summary>
      \(body)</details>

      """
  }

  static func document(_ title: String, _ note: String = "", _ document: Document) -> HTML {
    Fold(title: title, note: note, body: document.html).html
  }
}

struct ActionList: Hashable, Sendable {
  struct Action: Hashable, Sendable {
    let title: String
    let text: String
    let command: String?
    var isBest = false
  }

  let note: String
  let actions: [Action]
  var remarks: HTML = .empty
  var isStacked = false

  var html: HTML {
    guard !actions.isEmpty || !remarks.isEmpty else { return .empty }
    let items: [HTML] = actions.map { action in
      let command: HTML = action.command.map { CopyLine(lines: [$0]).html } ?? .empty
      return """
        <li\(action.isBest ? HTML(markup: " class=\"best\"") : .empty)><h3>\(prose: action.title)</h3>
        <p>\(prose: action.text)</p>\(command)</li>

        """
    }
    let list: HTML =
      items.isEmpty ? .empty : "<ol class=\"next\(isStacked ? " stacked" : "")\">\n\(items)</ol>\n"
    return """
      <section class="panel"><h2>Do next</h2>
      \(note.isEmpty ? .empty : "<p class=\"note\">\(prose: note)</p>\n")\(list)\(remarks)</section>

      """
  }
}

struct FixCards: Hashable, Sendable {
  let next: NextSteps
  var pictures: [Int: PoseSketch] = [:]

  var html: HTML {
    let cards: [HTML] = next.fixes.indices.map { card($0) }
    guard !cards.isEmpty else { return .empty }
    return "<section class=\"fixes\" aria-label=\"What to change next\">\n"
      + "<h2 class=\"said\">What to change next</h2>\n\(cards)</section>\n"
  }

  var rules: HTML {
    let changes = next.ruleChanges
    guard let rules = next.rules, !changes.isEmpty else {
      return "<p class=\"note\">\(prose: next.ruleSentence)</p>\n"
    }
    let said: [HTML] = changes.map { found in
      let who = found.suggested.first.map { " It is \($0.who(isFirst: true))." } ?? ""
      return "<p>\(prose: SuggestionScreen(rules).headline(found) + who)</p>\n"
    }
    return """
      <section class="panel"><h2>Or change the rules</h2>
      \(said)\(CopyButton(lines: next.ruleCommand.lines, title: "Copy command").html)</section>

      """
  }

  private func card(_ place: Int) -> HTML {
    let fix = next.fixes[place]
    return """
      <article class="panel fix">\(shot(place))
      <div><h2>\(ClassChip.pair(fix.cell.truth, fix.cell.prediction)) \
      \(NumberText.fixed(fix.cell.seconds.before, 1)) s</h2>
      <p class="note">\(prose: why(fix))</p></div>
      <div class="change"><p><code>\(fix.parameter)</code><br>\(value(fix.from, fix)) → \
      <b>\(value(fix.to, fix))</b> <span class="note">\(asGood(fix))</span></p>
      <p><span class="gain">\(gain(fix))</span><br><span class="note">\(fix.stream.rawValue) right</span></p></div>
      <div><p class="note">\(prose: fix.advice.sentence)</p><p class="note">\(people(fix))</p></div>
      <div class="actions">\(show(fix))\(CopyButton(lines: fix.command.lines, title: "Copy command").html)</div>
      </article>

      """
  }

  private func shot(_ place: Int) -> HTML {
    guard let moment = next.fixes[place].moment else { return .empty }
    return """
      <div class="shot">\(pictures[place]?.svg(title: "The body in \(moment.sequence)") ?? .empty)\
      <span>\(moment.sequence) at \(NumberText.fixed(moment.time.value, 2)) s</span>\
      <b>\(place + 1)</b></div>
      """
  }

  private func show(_ fix: Fix) -> HTML {
    fix.moment.map {
      MomentLink(sequence: $0.sequence, time: $0.time, stream: fix.stream).html
    } ?? .empty
  }

  private func why(_ fix: Fix) -> String {
    guard let comparison = fix.moment?.comparison else { return fix.meaning }
    func text(_ value: Double) -> String { ParameterText.of(value, unit: fix.unit) }
    let digits = fix.unit == MeasurementUnit.degrees.rawValue ? 10.0 : 1000
    let measured = (comparison.measured * digits).rounded() / digits
    return "`\(comparison.measurement)` is \(text(measured)); the limit is "
      + "\(text(comparison.limit.before)): \(fix.meaning)."
  }

  private func value(_ value: Double, _ fix: Fix) -> String {
    ParameterText.of(value, unit: fix.unit)
  }

  private func asGood(_ fix: Fix) -> String {
    fix.asGood.lowerBound == fix.asGood.upperBound
      ? "" : "\(ParameterText.range(fix.asGood, unit: fix.unit)) as good"
  }

  private func gain(_ fix: Fix) -> String {
    guard let right = fix.right[fix.stream] else { return "" }
    return "\(NumberText.fixed(100 * right.before, 1)) → \(NumberText.percent(right.after))"
  }

  private func people(_ fix: Fix) -> String {
    let advice = fix.advice
    let hurt = advice.hurt == 0 ? "none" : "\(advice.hurt)"
    return "The change helps \(advice.helped) of \(advice.crowd) and hurts \(hurt)."
  }
}

struct Watchlist: Hashable, Sendable {
  struct Group: Hashable, Sendable {
    let title: String
    var rows: [Row] = []
    var note = ""
  }

  struct Row: Hashable, Sendable {
    let name: String
    var detail = ""
    let text: String
    var isBad = false
  }

  let groups: [Group]

  var html: HTML {
    let shown: [HTML] = groups.filter { !$0.rows.isEmpty || !$0.note.isEmpty }.map { group in
      let rows: [HTML] = group.rows.map { row in
        """
        <li><span>\(prose: row.name)</span><span class="dim">\(row.detail)</span>\
        <span class="n\(row.isBad ? " bad" : "")">\(row.text)</span></li>

        """
      }
      let list: HTML = rows.isEmpty ? .empty : "<ul>\n\(rows)</ul>\n"
      let note: HTML = group.note.isEmpty ? .empty : "<p class=\"note\">\(prose: group.note)</p>\n"
      return "<h3>\(group.title)</h3>\n\(list)\(note)"
    }
    return shown.isEmpty ? .empty : "<div class=\"watch\">\n\(shown)</div>\n"
  }
}

struct CopyButton: Hashable, Sendable {
  let lines: [String]
  var title = "Copy"

  var html: HTML {
    let text = HTML(markup: lines.map(SVGCanvas.escaped).joined(separator: "&#10;"))
    return "<button type=\"button\" class=\"copy\" data-copy=\"\(text)\" hidden>\(title)</button>"
  }
}

struct CopyLine: Hashable, Sendable {
  let lines: [String]

  var html: HTML {
    let text = HTML(markup: lines.map(SVGCanvas.escaped).joined(separator: "\n"))
    return """
      <div class="line"><pre tabindex="0">\(text)</pre>\(CopyButton(lines: lines).html)</div>

      """
  }
}
