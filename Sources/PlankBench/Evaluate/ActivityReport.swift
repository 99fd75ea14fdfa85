internal import Evaluation
internal import PoseModel

struct ActivityFault: Hashable {
  let activity: String
  let truth: String
  let answer: String
  let seconds: Double
  let total: Double

  var text: String {
    let what = truth == PlankClass.none.name ? "`\(answer)`" : "`\(answer)` for `\(truth)`"
    return "\(what) while \(activity): \(NumberText.fixed(seconds, 1)) of "
      + "\(NumberText.fixed(total, 1)) s"
  }
}

extension EvaluationReport {
  var activityFaults: [ActivityFault] {
    let faults = (activities ?? []).flatMap { score -> [ActivityFault] in
      guard let activity = score.activity else { return [] }
      let labels = score.seconds.labels
      return labels.indices.flatMap { truth in
        labels.indices.compactMap { answer in
          let seconds = score.seconds[truth, answer]
          guard truth != answer, seconds > 0 else { return nil }
          return ActivityFault(
            activity: activity, truth: labels[truth], answer: labels[answer], seconds: seconds,
            total: score.seconds.truthTotal(truth))
        }
      }
    }
    return faults.sorted {
      ($1.seconds, $0.activity, $0.answer) < ($0.seconds, $1.activity, $1.answer)
    }
  }

  var falsePlankSentence: String {
    let time = plankTime
    guard time.none > 0, !plank.isUndecided else { return "" }
    guard let share = time.falseShare.number, time.falsePlank > 0 else {
      return "No plank is answered in the \(NumberText.fixed(time.none, 1)) s of `none`."
    }
    return "A plank is answered in \(NumberText.fixed(time.falsePlank, 1)) of "
      + "\(NumberText.fixed(time.none, 1)) s of `none` (\(NumberText.wholePercent(share)))."
  }

  var byActivity: Document {
    var document = Document()
    guard let activities else { return document }
    document.heading("By activity")
    if !falsePlankSentence.isEmpty { document.paragraph(StyledText(falsePlankSentence)) }
    var table = Table(
      [.words("activity"), .number("people")] + PlankTime.columns + [.words("wrong longest")])
    for score in activities {
      table.row(
        [StyledText(score.activity ?? "(no activity)", .strong), StyledText("\(score.people)")]
          + score.time.cells + [StyledText(score.worstText, .dim)])
    }
    document.table(table)
    document.paragraph("The most wrong seconds first.")
    return document
  }
}

extension PlankTime {
  static var columns: [Table.Column] {
    [
      .number("none s"), .number("false plank s"), .number("share"), .number("plank s"),
      .number("missed s"), .number("other plank s"),
    ]
  }

  var cells: [StyledText] {
    [
      Self.cell(none), Self.cell(falsePlank, .bad),
      StyledText(none > 0 ? falseShare.percentText : "."), Self.cell(plank),
      Self.cell(missed, .bad), Self.cell(mistaken, .bad),
    ]
  }

  private static func cell(_ seconds: Double, _ tone: StyledText.Tone = .plain) -> StyledText {
    seconds > 0 ? StyledText(NumberText.fixed(seconds, 1), tone) : StyledText(".", .dim)
  }
}

extension ActivityScore {
  fileprivate var worstText: String {
    guard let worst else { return "" }
    return "\(worst.truth) -> \(worst.answer), \(NumberText.fixed(worst.seconds, 1)) s"
  }
}
