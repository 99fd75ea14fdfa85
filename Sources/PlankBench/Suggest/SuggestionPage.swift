internal import Evaluation
internal import PoseModel
internal import Tuning

struct SuggestionPage {
  let report: SuggestionReport
  let origin: ResultOrigin

  private var screen: SuggestionScreen { SuggestionScreen(report) }

  var page: ResultPage {
    let line = report.commands.map { commands in
      (["planklab"] + commands.again).map(ShellWord.quoted).joined(separator: " ")
    }
    var page = ResultPage(
      title: "Changes of \(report.detector) for \(origin.datasetName)", command: origin.command,
      line: line)
    page.append(.init(body: verdict))
    for found in report.streams {
      for (index, edit) in found.edits.enumerated() {
        page.append(
          .init(
            "\(found.stream.title): \(name(index, found))",
            id: "\(found.stream.rawValue)-\(index + 1)", body: change(index, edit, found)))
      }
      page.append(
        .init(
          "\(found.stream.title): scores", id: "\(found.stream.rawValue)-scores",
          body: scores(found)))
    }
    page.append(.init(body: ProvenancePanel(origin: origin, line: line).html))
    return page
  }

  private var verdict: HTML {
    var lead = Document()
    lead.list(
      report.streams.dropFirst().map { StyledText(screen.headline($0)) }
        + report.unsearched.map {
          StyledText("\($0.stream.title) rules: not searched; \($0.sentence).", .dim)
        })
    return VerdictPanel(
      state: .good,
      word: report.made == 0 ? "Keep it" : "Make \(NumberText.count(report.made, "change"))",
      headline: .prose(report.streams.first.map(screen.headline) ?? ""),
      lead: HTML(markup: HTMLRenderer().body(lead)), command: screen.commands,
      facts: [origin.datasetName]
        + report.streams.map { found in
          "\(found.stream.rawValue): \(NumberText.people(found.people)), "
            + "\(NumberText.count(found.frames, "frame")), "
            + "\(NumberText.count(found.folds, "group")) held out in turn"
        }
    ).html
  }

  private func name(_ index: Int, _ found: SuggestionResult) -> String {
    index < found.made ? "change \(index + 1)" : "not advised"
  }

  private func change(_ index: Int, _ edit: SuggestedEdit, _ found: SuggestionResult) -> HTML {
    var facts = Document()
    facts.list((edit.advice.map { [StyledText($0.sentence)] } ?? []) + found.facts(edit))
    if !found.sources.isEmpty { facts.table(edit.table) }
    return """
      <section class="panel"><h2>\(found.stream.title): \(name(index, found))</h2>
      <p>\(prose: EditText(edit).summary + ".")</p>
      \(HTML(markup: HTMLRenderer().body(facts)))</section>

      """
  }

  private func scores(_ found: SuggestionResult) -> HTML {
    var remaining = Document()
    remaining.list(found.remaining.map { StyledText(found.sentence($0), .dim) })
    remaining.table(found.scores)
    return """
      <section class="panel"><h2>\(found.stream.title): what remains, and scores frame by frame by \
      number of changes</h2>
      \(HTML(markup: HTMLRenderer().body(remaining)))</section>

      """
  }
}
