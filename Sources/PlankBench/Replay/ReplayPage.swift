internal import Evaluation
internal import PlankDetection
internal import PoseModel

struct ReplayPage {
  let replay: SessionReplay
  let origin: ResultOrigin
  var hasViewer = false

  var page: ResultPage {
    var page = ResultPage(title: replay.timeline.title, command: origin.command)
    page.append(.init(body: verdict))
    page.append(.init("Session", id: "session", body: session))
    if hasViewer { page.append(.init("Frame by frame", id: "frames", body: bench)) }
    page.append(.init("All numbers", id: "numbers", body: folds))
    page.append(.init(body: ProvenancePanel(origin: origin, line: nil).html))
    return page
  }

  private var verdict: HTML {
    var lead = Document()
    lead.list(replay.sessions.named.map { StyledText(Self.sentence($0.name, $0.session)) })
    let state = agreement
    return VerdictPanel(
      state: state?.state, word: state?.word ?? "",
      headline: HTML.prose(replay.summary), lead: HTML(markup: HTMLRenderer().body(lead)),
      facts: [replay.timeline.subtitle], numbers: numbers
    ).html
  }

  private static func sentence(_ name: String, _ session: ReplayedSession) -> String {
    let start = name.prefix(1).uppercased() + name.dropFirst() + ": "
    guard session.stretches > 0 else { return start + "no session began." }
    let causes = session.pauses.map { $0.reason.words }
      .reduce(into: [(word: String, count: Int)]()) { found, word in
        if let index = found.firstIndex(where: { $0.word == word }) {
          found[index].count += 1
        } else {
          found.append((word, 1))
        }
      }.map { $0.count > 1 ? "\($0.count) x \($0.word)" : $0.word }
    let pauses =
      session.pauses.isEmpty
      ? "no pause"
      : NumberText.count(session.pauses.count, "pause")
        + " (\(WordText.list(causes)))"
    return start + "\(NumberText.fixed(session.activeTime.value, 1)) s active, \(pauses)."
  }

  private var agreement: (state: VerdictPanel.State, word: String)? {
    guard let labels = replay.sessions.labels else { return nil }
    let answers = replay.sessions.answers
    let isSame =
      labels.pauses.map(\.reason) == answers.pauses.map(\.reason)
      && (labels.stretches > 0) == (answers.stretches > 0)
    return isSame ? (.good, "Pauses as the labels do") : (.warning, "Pauses differ from the labels")
  }

  private var numbers: [ScoreNumber] {
    let (labels, answers) = (replay.sessions.labels, replay.sessions.answers)
    let held = replay.holds.answers.total
    let longest = max(held.number ?? 0, replay.holds.labels.total.number ?? 0)
    return [
      ScoreNumber(
        title: "Held", value: held.number, text: held.text(1), unit: "s", interval: nil,
        range: 0...BarScale.roundEnd(max(longest, 1)),
        note: replay.holds.labels.total.number.map { "labels: \(NumberText.fixed($0, 1)) s" }
          ?? "no labels"),
      ScoreNumber(
        title: "Score by time", value: answers.scoreByTime.number,
        text: answers.scoreByTime.text(0), unit: "of 100", interval: nil, range: 0...100,
        note: labels?.scoreByTime.number.map { "labels: \(NumberText.fixed($0, 0))" }
          ?? "no score of labels"),
    ]
  }

  private var session: HTML {
    let labels = replay.sessions.labels == nil ? 0 : 1
    let lists: [HTML] = replay.sessions.named.enumerated().map { place, named in
      pauses(named.name, named.session, isAnswered: place >= labels)
    }
    return """
      <section class="panel"><h2>The session</h2>
      <p class="note">Labels, answers and the sessions that they make; a pause shows its cause.</p>
      \(SessionRibbons(timeline: replay.timeline).html)
      <div class="bench thirds">
      \(lists)</div></section>

      """
  }

  private func pauses(_ name: String, _ session: ReplayedSession, isAnswered: Bool) -> HTML {
    let items: [HTML] = session.pauses.map { pause in
      let explain = isAnswered ? replay.explain : nil
      let lines = explain?.lines(sequence: replay.timeline.title, time: pause.causeStart) ?? []
      let command: HTML =
        lines.isEmpty ? .empty : CopyLine(lines: lines).html
      return """
        <li><span><b>\(pause.reason.words)</b> since \(Self.seconds(pause.causeStart)), paused \
        \(Self.seconds(pause.start)) to \(Self.seconds(pause.end))</span>\
        <span class="n">\(pause.isResumed ? "resumed" : "ended")</span>\
        <p class="actions">\(show(pause))</p>\(command)</li>

        """
    }
    let body: HTML =
      items.isEmpty
      ? "<p class=\"dim\">\(session.stretches > 0 ? "No pause." : "No session began.")</p>\n"
      : "<ol class=\"moments\">\n\(items)</ol>\n"
    return "<div><h3>Pauses: \(name)</h3>\n\(body)</div>\n"
  }

  private func show(_ pause: ReplayedSession.Pause) -> HTML {
    MomentLink(
      sequence: replay.timeline.title, time: pause.causeStart,
      stream: pause.reason == .badForm ? .form : .plank
    ).html
  }

  private var bench: HTML {
    Workbench(
      title: "Frame by frame", hasCells: false, hasViewer: true, matrices: [],
      stretches: "<p class=\"note\">The viewer needs a script.</p>\n"
    ).html
  }

  private static func seconds(_ time: Seconds) -> String {
    NumberText.fixed(time.value, 2) + " s"
  }

  private var folds: HTML {
    var notes = Document()
    notes.list(replay.notes.map { StyledText($0) })
    return Fold.document("Every number", "scores, times held, pauses", replay.tables)
      + Fold.document("Notes", "on the detector and its evidence", notes)
  }
}

extension PauseReason {
  fileprivate var words: String {
    switch self {
    case .badForm: "bad form"
    case .noPlank: "no plank"
    case .lost: "no pose"
    }
  }
}
