@_spi(Bench) internal import PlankDetection
internal import PoseDatasets
@_spi(Bench) internal import PoseModel

extension SessionReplay {
  /// The sessions, first that of the labels if there are any.
  var runs: [SessionRun] { [truth, answers, graded].compactMap(\.self) }

  /// Notes on the detector and its evidence.
  var notes: [String] {
    FormEvidence.notes([evidence]) + [bench.caution].compactMap(\.self)
  }

  private static let explanation =
    "The score by frames is the article's; by time weights each frame by the time until the next; "
    + "late weights the last part of the time more. Pauses and frames without a plank or a grade "
    + "do not count. Labels and answers are good if the form is aligned."

  private static let holdExplanation =
    "As `evaluate` counts it: frames that labels leave out or ignore do not count, and gaps of up "
    + "to 0.5 s do not end the longest hold. Without labels every frame counts. A session's active "
    + "time and stretches, above, start once a plank has been held for session_enter and leave "
    + "pauses out."

  /// The replay for people.
  var document: Document {
    var document = Document()
    document.heading(timeline.title, level: 1)
    document.paragraph(StyledText(timeline.subtitle + "."))
    document.figure(.timeline(timeline))
    document.heading("Scores, 0 to 100")
    document.table(scores)
    document.paragraph(StyledText(Self.explanation))
    document.heading("Time held")
    document.table(holdTable)
    document.paragraph(StyledText(Self.holdExplanation))
    document.heading("Pauses")
    if runs.allSatisfy(\.summary.pauses.isEmpty) { document.paragraph("None.") }
    document.table(pauses)
    document.list(notes.map { StyledText($0) })
    return document
  }

  /// The replay on a page: the text, then where it comes from.
  var page: Document {
    var page = document
    page.heading("Provenance")
    let facts = [
      "program: planklab " + PlankLab.version, "command: replay",
      "detector: \(bench.detector.definition.name)", "smoothing: \(bench.smoothingText)",
      "debounce: \(bench.debounceText)",
    ]
    let numbers = bench.detector.parameters.entries.map { definition, value in
      let unit = definition.unit.rawValue
      return "\(definition.key.rawValue): \(NumberText.short(value))"
        + (unit == "-" || unit == "frames" ? "" : " \(unit)")
    }
    page.list((facts + numbers).map { StyledText($0, .dim) })
    return page
  }

  private var scores: Table {
    var table = Table([
      .words("session"), .number("by frames"), .number("by time"), .number("late"),
      .number("active s"), .number("longest stretch s"), .number("graded s"), .number("stretches"),
      .words("ended"),
    ])
    for run in runs {
      let (scores, summary) = (run.summary.scores, run.summary)
      table.row([
        StyledText(run.name, .strong), text(scores.frameCount), text(scores.timeWeighted),
        text(scores.lateWeighted), text(summary.activeTime.value),
        text(summary.longestStretch.value), text(scores.gradedTime.value),
        StyledText("\(summary.stretches)"), StyledText(run.endText),
      ])
    }
    return table
  }

  private var holdTable: Table {
    var table = Table([.words("by"), .number("held s"), .number("longest hold s")])
    if sequence.labels != nil {
      table.row(["labels", text(holds.truth?.total), text(holds.truth?.longest)])
    }
    table.row(["answers", text(holds.answers?.total), text(holds.answers?.longest)])
    return table
  }

  private var pauses: Table {
    var table = Table([
      .words("session"), .words("cause"), .number("since s"), .number("paused s"),
      .number("until s"), .words("outcome"),
    ])
    for run in runs {
      for record in run.summary.pauses {
        table.row([
          StyledText(run.name), StyledText(record.pause.reason.rawValue, .warning),
          text(record.pause.causeStart.value), text(record.pause.start.value),
          text(record.end.value), StyledText(record.isResumed ? "resumed" : "ended"),
        ])
      }
    }
    return table
  }

  private func text(_ value: Double?) -> StyledText {
    StyledText(value.map { NumberText.fixed($0, 2) } ?? "n/a")
  }
}

extension SessionRun {
  /// How the session ended, or why it never started.
  fileprivate var endText: String {
    guard summary.stretches > 0 else { return "never began" }
    guard case .ended(let end) = summary.end else { return "open" }
    let short = summary.isLongEnough ? "" : ", too short to count"
    return "\(end.reason.rawValue) at \(NumberText.fixed(end.time.value, 2)) s" + short
  }
}

extension SessionReplay {
  /// The replay for programs.
  var json: JSONValue {
    .object([
      "schema_version": .integer(1), "sequence": .string(timeline.title),
      "detector": .string(bench.detector.definition.name),
      "smoothing": .string(bench.smoothingText), "debounce": .string(bench.debounceText),
      "sessions": .object(
        Dictionary(uniqueKeysWithValues: runs.map { ($0.key, $0.json) })),
      "hold_s": holdJSON(\.total), "longest_hold_s": holdJSON(\.longest),
      "ribbons": .array(timeline.ribbons.map(\.json)),
      "notes": .array(notes.map(JSONValue.string)),
    ])
  }

  /// One number of the holds, or null with the reason.
  private func holdJSON(_ number: (ReplayHolds.Hold) -> Double) -> JSONValue {
    let reason =
      holds.answers == nil ? "no frame is scored" : holds.truth == nil ? "there are no labels" : nil
    return .object([
      "labels": .optional(holds.truth.map(number)),
      "answers": .optional(holds.answers.map(number)),
      "reason": reason.map(JSONValue.string) ?? .null,
    ])
  }
}

extension SessionRun {
  fileprivate var key: String { String(name.map { $0 == " " ? "_" : $0 }) }

  fileprivate var json: JSONValue {
    .object([
      "score_by_frames": score(summary.scores.frameCount),
      "score_by_time": score(summary.scores.timeWeighted),
      "score_late": score(summary.scores.lateWeighted),
      "active_s": .number(summary.activeTime.value),
      "longest_stretch_s": .number(summary.longestStretch.value),
      "graded_s": .number(summary.scores.gradedTime.value),
      "stretches": .integer(summary.stretches), "long_enough": .bool(summary.isLongEnough),
      "end": .string(summary.end.name),
      "pauses": .array(summary.pauses.map(\.json)),
      "segments": .array(summary.segments.map(\.json)),
    ])
  }

  /// A score, or null with the reason.
  private func score(_ value: Double?) -> JSONValue {
    .object([
      "value": .optional(value),
      "reason": value == nil ? .string("no frame of an active session is graded") : .null,
    ])
  }
}

extension PauseRecord {
  fileprivate var json: JSONValue {
    .object([
      "reason": .string(pause.reason.rawValue), "cause_start_s": .number(pause.causeStart.value),
      "start_s": .number(pause.start.value), "deadline_s": .number(pause.deadline.value),
      "end_s": .number(end.value), "resumed": .bool(isResumed),
    ])
  }
}

extension SessionSegment {
  fileprivate var json: JSONValue {
    .object([
      "plank": .string(plank.name), "start_s": .number(start.value), "end_s": .number(end.value),
    ])
  }
}

extension Timeline.Ribbon {
  fileprivate var json: JSONValue {
    .object([
      "name": .string(name),
      "spans": .array(
        spans.map {
          .object([
            "start_s": .number($0.start), "end_s": .number($0.end),
            "state": $0.state.isEmpty ? .null : .string($0.state),
          ])
        }),
    ])
  }
}
