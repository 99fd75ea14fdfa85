internal import PlankDetection
internal import PoseModel
internal import Reporting

extension SessionReplay {
  /// The replay for programs.
  var json: JSONValue {
    .object([
      "schema_version": .integer(1), "sequence": .string(timeline.title),
      "detector": .string(steady.detector.definition.name),
      "smoothing": .string(steady.smoothingText), "debounce": .string(steady.debounceText),
      "sessions": .object(
        Dictionary(uniqueKeysWithValues: runs.map { ($0.key, $0.json) })),
      "hold_s": holdJSON(\.total), "longest_hold_s": holdJSON(\.longest),
      "ribbons": .array(timeline.ribbons.map(\.json)),
      "notes": .array(notes.map(JSONValue.string)),
    ])
  }

  /// One number of the holds, or null with its reason.
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

  /// A score, or null with its reason.
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
