package import Evaluation
package import PlankDetection
internal import PoseModel
package import Statistics
package import Tuning

extension SessionReplay {
  private static let explanation =
    "The score by frames is the one in the published article. The score by time weights each frame by the time until "
    + "the next; the late score gives more weight to the last part of the session. Pauses and "
    + "frames without a plank or a grade do not count. Labels and answers count as good if the "
    + "form is aligned."

  private static let holdExplanation =
    "As in `evaluate`, unlabeled and ignored frames do not count, and gaps of up to 0.5 s do not "
    + "interrupt the longest hold. Without labels, every frame counts. The active time and stretches "
    + "above start once a plank has been held for session_enter, and exclude pauses."

  package func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading(timeline.title, level: 1)
    document.paragraph(summary)
    document.paragraph(timeline.subtitle + ".", .dim)
    document.figure(.timeline(timeline))
    document.append(tables)
    document.list(notes.map { StyledText($0) })
    return document
  }

  var tables: Document {
    var document = Document()
    document.heading("Scores, 0 to 100")
    document.table(scores)
    document.paragraph(Self.explanation)
    document.heading("Time held")
    document.table(holdTable)
    document.paragraph(Self.holdExplanation)
    document.heading("Pauses")
    if sessions.named.allSatisfy(\.session.pauses.isEmpty) { document.paragraph("None.") }
    document.table(pauses)
    return document
  }

  var summary: String {
    let held = holds.answers.total.number.map { NumberText.fixed($0, 1) }
    let labels = holds.labels.total.number.map { " (labels: \(NumberText.fixed($0, 1)) s)" }
    let score = sessions.answers.scoreByTime.number.map { NumberText.fixed($0, 0) }
    let labeledScore = sessions.labels?.scoreByTime.number.map {
      " (labels: " + NumberText.fixed($0, 0) + ")"
    }
    return (held.map { "Total time in planks: \($0) s\(labels ?? ""). " } ?? "")
      + "By time, the session " + (score.map { "scores \($0) out of 100" } ?? "has no score")
      + (labeledScore ?? "") + "."
  }

  package func page(_ origin: ResultOrigin) -> ResultPage { page(origin, hasViewer: false) }

  package func page(_ origin: ResultOrigin, hasViewer: Bool) -> ResultPage {
    ReplayPage(replay: self, origin: origin, hasViewer: hasViewer).page
  }

  private var scores: Table {
    Table(sessions.named) { row, element in
      let (name, session) = element
      row.words("session", name, .strong)
      row.number("by frames", session.scoreByFrames.number, 2)
      row.number("by time", session.scoreByTime.number, 2)
      row.number("late", session.scoreLate.number, 2)
      row.number("active s", session.activeTime.value, 2)
      row.number("longest stretch s", session.longestStretch.value, 2)
      row.number("graded s", session.gradedTime.value, 2)
      row.number("stretches", "\(session.stretches)")
      row.words("ended", session.endText)
    }
  }

  private var holdTable: Table {
    let labels = holds.isLabeled ? [(by: "labels", hold: holds.labels)] : []
    return Table(labels + [(by: "answers", hold: holds.answers)]) { row, part in
      row.words("by", part.by)
      row.number("held s", part.hold.total.number, 2)
      row.number("longest hold s", part.hold.longest.number, 2)
    }
  }

  private var pauses: Table {
    var table = Table()
    for (name, session) in sessions.named {
      for pause in session.pauses {
        table.row {
          $0.words("session", name)
          $0.words("cause", pause.reason.rawValue, .warning)
          $0.number("since s", pause.causeStart.value, 2)
          $0.number("paused s", pause.start.value, 2)
          $0.number("until s", pause.end.value, 2)
          $0.words("outcome", pause.isResumed ? "resumed" : "ended")
        }
      }
    }
    return table
  }
}

extension ReplayedSession {
  fileprivate var endText: String {
    guard stretches > 0 else { return "never began" }
    guard let reason = end.reason, let time = end.time else { return "open" }
    let short = isLongEnough ? "" : ", too short to count"
    return "\(reason.rawValue) at \(NumberText.fixed(time.value, 2)) s" + short
  }
}

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
    return VerdictPanel(
      verdict: agreement, headline: HTML.prose(replay.summary), lead: lead.html,
      facts: [replay.timeline.subtitle], numbers: numbers
    ).html
  }

  private static func sentence(_ name: String, _ session: ReplayedSession) -> String {
    let start = WordText.capitalized(name) + ": "
    guard session.stretches > 0 else { return start + "no session began." }
    let words = session.pauses.map(\.reason.words)
    let causes = words.distinct.map { word in
      let count = words.count { $0 == word }
      return count > 1 ? "\(count) x \(word)" : word
    }
    let pauses =
      session.pauses.isEmpty
      ? "no pause" : NumberText.count(session.pauses.count, "pause") + " (\(WordText.list(causes)))"
    return start + "\(NumberText.fixed(session.activeTime.value, 1)) s active, \(pauses)."
  }

  private var agreement: Verdict? {
    guard let labels = replay.sessions.labels else { return nil }
    let answers = replay.sessions.answers
    let isSame =
      labels.pauses.map(\.reason) == answers.pauses.map(\.reason)
      && (labels.stretches > 0) == (answers.stretches > 0)
    return isSame
      ? Verdict(.good, "Pauses match the labels")
      : Verdict(.warning, "Pauses differ from the labels")
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
          ?? "no score for labels"),
    ]
  }

  private var session: HTML {
    let labels = replay.sessions.labels == nil ? 0 : 1
    let lists: [HTML] = replay.sessions.named.enumerated().map { place, named in
      pauses(named.name, named.session, isAnswered: place >= labels)
    }
    return """
      <section class="panel"><h2>The session</h2>
      <p class="note">Labels, answers and the resulting sessions; each pause shows its cause.</p>
      \(replay.timeline.html)
      <div class="bench thirds">
      \(lists)</div></section>

      """
  }

  private func pauses(_ name: String, _ session: ReplayedSession, isAnswered: Bool) -> HTML {
    let items: [HTML] = session.pauses.map { pause in
      let explain = isAnswered ? replay.explain : nil
      let lines = explain?.lines(sequence: replay.timeline.title, time: pause.causeStart) ?? []
      let command: HTML = lines.isEmpty ? .empty : CopyLine(lines: lines).html
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
      stretches: "<p class=\"note\">The viewer needs JavaScript.</p>\n"
    ).html
  }

  private static func seconds(_ time: Seconds) -> String { NumberText.fixed(time.value, 2) + " s" }

  private var folds: HTML {
    var notes = Document()
    notes.list(replay.notes.map { StyledText($0) })
    return Fold.document("Every number", "scores, times held, pauses", replay.tables)
      + Fold.document("Notes", "about the detector and its evidence", notes)
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

package struct SessionReplay: CommandResult {
  package static let command = "replay"
  package static let schemaVersion = 2

  package struct Sessions: Hashable, Sendable, Codable {
    let labels: ReplayedSession?
    let answers: ReplayedSession
    /// The form is graded by the body angle, as in the article.
    let graded: ReplayedSession

    package init(labels: ReplayedSession?, answers: ReplayedSession, graded: ReplayedSession) {
      self.labels = labels
      self.answers = answers
      self.graded = graded
    }

    private enum CodingKeys: String, CodingKey {
      case labels
      case answers = "predictions"
      case graded = "predictions_by_grade"
    }

    var named: [(name: String, session: ReplayedSession)] {
      [labels.map { ("labels", $0) }, ("answers", answers), ("answers by grade", graded)]
        .compactMap(\.self)
    }
  }

  package let detector: String
  package let parameters: [ParameterFact]
  package let sessions: Sessions
  package let holds: ReplayHolds
  package let timeline: Timeline
  package let notes: [String]
  package let explain: ExplainCommand?

  package init(
    detector: String, parameters: [ParameterFact], sessions: Sessions, holds: ReplayHolds,
    timeline: Timeline, notes: [String], explain: ExplainCommand?
  ) {
    self.detector = detector
    self.parameters = parameters
    self.sessions = sessions
    self.holds = holds
    self.timeline = timeline
    self.notes = notes
    self.explain = explain
  }
}

extension PauseReason {
  package var sentence: String {
    switch self {
    case .badForm: "paused: bad form"
    case .noPlank: "paused: no plank"
    case .lost: "paused: lost"
    }
  }
}

package struct ReplayedSession: Hashable, Sendable, Codable {
  package struct End: Hashable, Sendable, Codable {
    let state: String
    let reason: SessionEnd.Reason?
    let time: Seconds?

    private enum CodingKeys: String, CodingKey {
      case state, reason
      case time = "time_s"
    }

    fileprivate init(_ end: SessionState) {
      state = end.name
      if case .ended(let end) = end {
        (reason, time) = (end.reason, end.time)
      } else {
        (reason, time) = (nil, nil)
      }
    }
  }

  struct Pause: Hashable, Sendable, Codable {
    let reason: PauseReason
    let causeStart: Seconds
    let start: Seconds
    let deadline: Seconds
    let end: Seconds
    let isResumed: Bool

    private enum CodingKeys: String, CodingKey {
      case reason
      case causeStart = "cause_start_s"
      case start = "start_s"
      case deadline = "deadline_s"
      case end = "end_s"
      case isResumed = "resumed"
    }
  }

  package struct Segment: Hashable, Sendable, Codable {
    let plank: PlankClass
    let start: Seconds
    let end: Seconds

    private enum CodingKeys: String, CodingKey {
      case plank
      case start = "start_s"
      case end = "end_s"
    }
  }

  /// A mean over frames, 0...100.
  let scoreByFrames: MetricValue
  let scoreByTime: MetricValue
  /// A mean over time, with more weight on the last part, 0...100.
  let scoreLate: MetricValue
  let activeTime: Seconds
  let longestStretch: Seconds
  let gradedTime: Seconds
  let stretches: Int
  let isLongEnough: Bool
  let end: End
  let pauses: [Pause]
  let segments: [Segment]

  private enum CodingKeys: String, SnakeCaseKey {
    case scoreByFrames, scoreByTime, scoreLate
    case activeTime = "active_s"
    case longestStretch = "longest_stretch_s"
    case gradedTime = "graded_s"
    case stretches
    case isLongEnough = "long_enough"
    case end, pauses, segments
  }

  package init(_ summary: SessionSummary) {
    func score(_ value: Double?) -> MetricValue {
      value.map(MetricValue.value) ?? .undefined(.noGradedFrame)
    }
    scoreByFrames = score(summary.scores.frameCount)
    scoreByTime = score(summary.scores.timeWeighted)
    scoreLate = score(summary.scores.lateWeighted)
    activeTime = summary.activeTime
    longestStretch = summary.longestStretch
    gradedTime = summary.scores.gradedTime
    stretches = summary.stretches
    isLongEnough = summary.isLongEnough
    end = End(summary.end)
    pauses = summary.pauses.map { record in
      let pause = record.pause
      return Pause(
        reason: pause.reason, causeStart: pause.causeStart, start: pause.start,
        deadline: pause.deadline, end: record.end, isResumed: record.isResumed)
    }
    segments = summary.segments.map { Segment(plank: $0.plank, start: $0.start, end: $0.end) }
  }
}

/// The hold time and the longest hold of one sequence, as `evaluate` counts them.
///
/// Both cover spans of scored frames, with all planks as one class. Gaps of up to 0.5 s do not end
/// the longest hold and count as held. Without labels, every frame counts.
package struct ReplayHolds: Hashable, Sendable, Codable {
  package struct Hold: Hashable, Sendable, Codable {
    let total: MetricValue
    let longest: MetricValue

    private enum CodingKeys: String, CodingKey {
      case total = "total_s"
      case longest = "longest_s"
    }

    package init(_ total: Double, longest: Double) {
      self.total = .value(total)
      self.longest = .value(longest)
    }

    package init(undefined reason: UndefinedReason) {
      total = .undefined(reason)
      longest = .undefined(reason)
    }
  }

  package let isLabeled: Bool
  package let labels: Hold
  package let answers: Hold

  package init(isLabeled: Bool, labels: Hold, answers: Hold) {
    self.isLabeled = isLabeled
    self.labels = labels
    self.answers = answers
  }

  private enum CodingKeys: String, CodingKey {
    case isLabeled = "labeled"
    case labels
    case answers = "predictions"
  }
}

extension UndefinedReason {
  fileprivate static let noGradedFrame = UndefinedReason("no frame of an active session is graded")
}
