internal import Evaluation
internal import PoseModel

extension EvaluationVerdict {
  var unlabeledSentences: [StyledText] {
    let flicker = report.flicker
    let form = flicker.form.seconds > 0 ? "; " + changes(.form) : ""
    return [
      StyledText("Flicker: \(changes(.plank))\(form).", .strong), StyledText(answered),
      StyledText(dropouts), StyledText(jitter),
    ]
  }

  private func changes(_ stream: AnswerStream) -> String {
    let part = report.flicker[stream]
    return "the \(stream.rawValue) answer changes \(part.changesPerMinute.text(1)) times per "
      + "minute, \(part.shortAnswersPerMinute.text(1)) answers per minute last less than 0.5 s"
  }

  private var answered: String {
    let labels = report.plank.labels
    let seconds = labels.map { report.flicker.plank.secondsByAnswer[$0] ?? 0 }
    let order = seconds.indices.sorted { (seconds[$1], $0) < (seconds[$0], $1) }
    let parts = order.filter { seconds[$0] > 0 }.map {
      "`\(labels[$0])` \(NumberText.fixed(seconds[$0], 1)) s"
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
