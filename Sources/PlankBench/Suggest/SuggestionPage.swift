internal import Evaluation
internal import PoseModel
internal import Tuning

struct SuggestionPage {
  let result: SuggestionResult
  let origin: ResultOrigin

  private var screen: SuggestionScreen { SuggestionScreen(result) }

  var page: ResultPage {
    let line = result.commands.map { commands in
      (["planklab"] + commands.again).map(ShellWord.quoted).joined(separator: " ")
    }
    var page = ResultPage(
      title: "Changes of \(result.detector) for \(origin.datasetName)", command: origin.command,
      line: line)
    page.append(.init(body: verdict))
    for (index, edit) in result.edits.enumerated() {
      page.append(
        .init(
          index < result.made ? "Change \(index + 1)" : "Not suggested", id: "change-\(index + 1)",
          body: change(index, edit)))
    }
    page.append(.init("Scores", id: "scores", body: scores))
    page.append(.init(body: ProvenancePanel(origin: origin, line: line).html))
    return page
  }

  private var verdict: HTML {
    let (state, word): (VerdictPanel.State, String) =
      if result.made > 0 {
        (.good, result.made == 1 ? "A change helps" : "\(result.made) changes help")
      } else if result.edits.first?.verdict == .tooFewPeople {
        (.unsure, "Too few people")
      } else { (.good, "Keep it") }
    var lead = Document()
    if result.made == 1, let edit = result.edits.first {
      lead.list(SuggestionScreen.facts(edit, result))
    }
    return VerdictPanel(
      state: state, word: word, headline: .prose(screen.headline),
      lead: HTML(markup: HTMLRenderer().body(lead)), command: screen.commands,
      facts: [
        origin.datasetName, NumberText.people(result.people),
        NumberText.count(result.frames, "frame"), "\(result.stream.rawValue) rules",
        NumberText.count(result.folds, "group") + " held out in turn",
      ], changes: [number].compactMap(\.self)
    ).html
  }

  private var number: ChangeNumber? {
    let count = max(result.made, min(1, result.path.count - 1))
    guard let last = result.path.first(where: { $0.edits == count }),
      let before = result.path.first?.leftOut, let after = last.leftOut,
      let error = last.standardError
    else { return nil }
    let low = min(before, after - error)
    return ChangeNumber(
      title: "Score on held-out people", before: before, after: after,
      beforeText: NumberText.fixed(before, 3), afterText: NumberText.fixed(after, 3),
      range: max(0, low - 0.1)...1,
      verdict: result.made > 0 ? "▲ holds" : "? may be chance",
      tone: result.made > 0 ? .good : .plain,
      note: "standard error \(NumberText.fixed(error, 3))",
      interval: after - error...min(1, after + error), isKept: result.made == 0)
  }

  private func change(_ index: Int, _ edit: SuggestedEdit) -> HTML {
    var facts = Document()
    facts.list(SuggestionScreen.facts(edit, result))
    if !result.sources.isEmpty { facts.table(edit.table) }
    let name = index < result.made ? "Change \(index + 1)" : "Best change that is not suggested"
    return """
      <section class="panel"><h2>\(name)</h2>
      <p>\(prose: EditText(edit).summary + ".")</p>
      \(HTML(markup: HTMLRenderer().body(facts)))</section>

      """
  }

  private var scores: HTML {
    var remaining = Document()
    remaining.list(screen.remaining)
    remaining.table(result.scores)
    return """
      <section class="panel"><h2>What remains, and scores by number of changes</h2>
      \(HTML(markup: HTMLRenderer().body(remaining)))</section>

      """
  }
}
