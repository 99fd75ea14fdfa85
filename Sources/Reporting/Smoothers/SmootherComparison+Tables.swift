internal import Evaluation

extension SmootherComparison {
  /// Jitter, lag and noise gains, a row a smoother.
  func pointTable(_ points: [SmootherPoint]) -> Table {
    var table = Table([
      .words("smoother"), .number("jitter"), .number("spread"), .number("acceleration"),
      .number("lag ms"), .number("white gain"), .number("colored gain"), .number("cost"),
    ])
    for point in points {
      let tone: StyledText.Tone =
        point == recommended ? .good : point.isCausal ? .strong : .dim
      table.row([
        StyledText(point.name + (point.isTuned ? " (tuned)" : ""), tone),
        StyledText(point.calm.step.percentText), StyledText(point.calm.spread.percentText),
        StyledText(point.calm.acceleration.percentText),
        StyledText(milliseconds(point.delay.lag)),
        StyledText(point.delay.whiteGain.text(2)), StyledText(point.delay.coloredGain.text(2)),
        StyledText(
          Self.cost(point, lagCost: lagCost).map { NumberText.fixed($0, 3) } ?? "n/a", .dim),
      ])
    }
    return table
  }

  /// What the detector answers behind smoothers.
  func answerTable(_ points: [SmootherPoint]) -> Table {
    var table = Table([
      .words("smoother"), .number("lag ms"), .number("false/min"), .number("flickers/min"),
      .number("event F1"), .number("detected p50 s"), .number("p90 s"), .number("released s"),
      .number("form balanced"), .number("form false/min"), .number("timer error s"),
    ])
    for point in points {
      let answers = point.answers
      table.row([
        StyledText(point.name, .strong), StyledText(milliseconds(point.delay.lag)),
        StyledText(answers.text("plank.false_transitions_per_minute", 2)),
        StyledText(answers.text("plank.flickers_per_minute", 2)),
        StyledText(answers.text("plank.event_f1", 3)),
        StyledText(answers.text("plank.detection_latency_p50_s", 3)),
        StyledText(answers.text("plank.detection_latency_p90_s", 2)),
        StyledText(answers.text("plank.release_latency_p50_s", 3)),
        StyledText(answers.text("form.balanced_accuracy", 3)),
        StyledText(answers.text("form.false_transitions_per_minute", 2)),
        StyledText(answers.text("session.hold_error_s", 2)),
      ])
    }
    return table
  }

  /// How every smoother answers to signals that are known.
  var responseTable: Table {
    var table = Table([
      .words("smoother"), .number("movement ms"), .number("step t50 ms"), .number("t90 ms"),
      .number("overshoot"), .number("ramp 0.05 ms"), .number("ramp 0.3 ms"),
      .number("ramp 1.5 ms"), .number("group delay ms"),
    ])
    for point in points {
      let delay = point.delay
      table.row(
        [
          StyledText(point.name, point.isCausal ? .strong : .dim),
          StyledText(milliseconds(delay.movement)), StyledText(milliseconds(delay.halfTime)),
          StyledText(milliseconds(delay.ninetyTime)), StyledText(delay.overshoot.percentText),
        ] + delay.ramps.map { StyledText(milliseconds($0)) }
          + [StyledText(milliseconds(delay.groupDelay))])
    }
    return table
  }
}
