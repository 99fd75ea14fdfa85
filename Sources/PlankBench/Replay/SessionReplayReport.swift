internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

extension SessionReplay {
  private static let explanation =
    "The score by frames is the article's; the one by time weights each frame by the time until the "
    + "next; the late one gives more weight to the last part of the time. Pauses and frames without "
    + "a plank or a grade do not count. Labels and answers are good if the form is aligned."

  private static let holdExplanation =
    "As `evaluate` counts it: frames that labels leave out or ignore do not count, and gaps of up "
    + "to 0.5 s do not end the longest hold. Without labels every frame counts. A session's active "
    + "time and stretches, above, start once a plank has been held for session_enter and leave "
    + "pauses out."

  func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading(timeline.title, level: 1)
    document.paragraph(StyledText(summary))
    document.paragraph(StyledText(timeline.subtitle + ".", .dim))
    document.figure(.timeline(timeline))
    document.append(tables)
    document.list(notes.map { StyledText($0) })
    return document
  }

  var tables: Document {
    var document = Document()
    document.heading("Scores, 0 to 100")
    document.table(scores)
    document.paragraph(StyledText(Self.explanation))
    document.heading("Time held")
    document.table(holdTable)
    document.paragraph(StyledText(Self.holdExplanation))
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
    return (held.map { "Planks are held for \($0) s\(labels ?? ""). " } ?? "")
      + "By time, the session " + (score.map { "scores \($0) of 100" } ?? "has no score")
      + (labeledScore ?? "") + "."
  }

  func page(_ origin: ResultOrigin) -> ResultPage {
    page(origin, hasViewer: false)
  }

  func page(_ origin: ResultOrigin, hasViewer: Bool) -> ResultPage {
    ReplayPage(replay: self, origin: origin, hasViewer: hasViewer).page
  }

  private var scores: Table {
    var table = Table([
      .words("session"), .number("by frames"), .number("by time"), .number("late"),
      .number("active s"), .number("longest stretch s"), .number("graded s"), .number("stretches"),
      .words("ended"),
    ])
    for (name, session) in sessions.named {
      table.row([
        StyledText(name, .strong), text(session.scoreByFrames), text(session.scoreByTime),
        text(session.scoreLate), text(session.activeTime.value),
        text(session.longestStretch.value), text(session.gradedTime.value),
        StyledText("\(session.stretches)"), StyledText(session.endText),
      ])
    }
    return table
  }

  private var holdTable: Table {
    var table = Table([.words("by"), .number("held s"), .number("longest hold s")])
    if holds.isLabeled {
      table.row(["labels", text(holds.labels.total), text(holds.labels.longest)])
    }
    table.row(["answers", text(holds.answers.total), text(holds.answers.longest)])
    return table
  }

  private var pauses: Table {
    var table = Table([
      .words("session"), .words("cause"), .number("since s"), .number("paused s"),
      .number("until s"), .words("outcome"),
    ])
    for (name, session) in sessions.named {
      for pause in session.pauses {
        table.row([
          StyledText(name), StyledText(pause.reason.rawValue, .warning),
          text(pause.causeStart.value), text(pause.start.value), text(pause.end.value),
          StyledText(pause.isResumed ? "resumed" : "ended"),
        ])
      }
    }
    return table
  }

  private func text(_ value: Double) -> StyledText { StyledText(NumberText.fixed(value, 2)) }

  private func text(_ value: MetricValue) -> StyledText {
    value.number.map(text) ?? "n/a"
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
