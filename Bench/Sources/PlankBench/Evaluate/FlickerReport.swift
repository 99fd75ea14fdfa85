internal import Evaluation
@_spi(Bench) internal import PoseModel

extension EvaluationVerdict {
  /// What can be said without labels.
  var unlabeledSentences: [StyledText] {
    let flicker = report.flicker
    let form = flicker.form.seconds > 0 ? "; " + changes(.form) : ""
    return [
      StyledText("Flicker: \(changes(.plank))\(form).", .strong), StyledText(answered),
      StyledText(dropouts), StyledText(jitter),
      StyledText(
        "To see how often answers are right, make labels: `planklab label RECORDING --html page.html`.",
        .warning),
    ]
  }

  private func changes(_ stream: AnswerStream) -> String {
    let part = report.flicker[stream]
    return "the \(stream.rawValue) answer changes \(part.changesPerMinute.text(1)) times per "
      + "minute, \(part.shortAnswersPerMinute.text(1)) answers per minute last less than 0.5 s"
  }

  private var answered: String {
    let seconds = report.flicker.plank.secondsByAnswer
    let order = seconds.indices.sorted { (seconds[$1], $0) < (seconds[$0], $1) }
    let parts = order.filter { seconds[$0] > 0 }.map {
      "`\(report.plank.labels[$0])` \(NumberText.fixed(seconds[$0], 1)) s"
    }
    return parts.isEmpty ? "" : "Answered: \(parts.joined(separator: ", "))."
  }

  private var dropouts: String {
    let dropouts = report.flicker.dropouts
    guard dropouts.count > 0 else { return "Dropouts: none." }
    return "Dropouts: \(report.flicker.dropoutsPerMinute.text(1)) per minute, "
      + "\(NumberText.fixed(dropouts.seconds, 1)) s in total, the longest "
      + "\(NumberText.fixed(dropouts.longest, 1)) s."
  }

  private var jitter: String {
    let rows = report.jitter.rows.filter {
      ["hipDeviation", "elbowAngle"].contains($0.signal.name) && $0.rmsStep.number != nil
    }
    let parts = rows.map { row in
      "`\(row.signal.name)` \(row.cell(row.rmsStep, row.isFine ? 4 : 1).text) "
        + (row.signal.unit == "m" ? "cm" : row.signal.unit)
    }
    return parts.isEmpty
      ? "" : "Jitter while the answer is a plank, per frame: \(parts.joined(separator: ", "))."
  }
}

extension AnswerFlicker {
  /// Changes of the answer over all frames, and stretches without a pose.
  var json: JSONValue {
    func part(_ stream: AnswerStream) -> JSONValue {
      let part = self[stream]
      var members = JSONValue.members([
        "transitions_per_minute": part.changesPerMinute,
        "short_answers_per_minute": part.shortAnswersPerMinute,
      ])
      members["transitions"] = .integer(part.changes)
      members["short_answers"] = .integer(part.shortAnswers)
      members["seconds"] = .number(part.seconds)
      members["seconds_by_answer"] = .object(
        Dictionary(
          uniqueKeysWithValues: zip(stream.labels, part.secondsByAnswer.map(JSONValue.number))))
      return .object(members)
    }
    var gaps = JSONValue.members(["per_minute": dropoutsPerMinute])
    gaps["count"] = .integer(dropouts.count)
    gaps["seconds"] = .number(dropouts.seconds)
    gaps["longest_s"] = .number(dropouts.longest)
    return .object([
      "what": .string(
        "all frames, labeled or not; the form while the answer is a plank; short is less than 0.5 s"
      ),
      "plank": part(.plank), "form": part(.form), "dropouts": .object(gaps),
      "restless_moments": .array(
        restlessMoments.map { moment in
          .object([
            "sequence": .string(moment.sequence), "start_s": .number(moment.start.value),
            "duration_s": .number(RestlessMoment.seconds), "changes": .integer(moment.changes),
          ])
        }),
    ])
  }
}
