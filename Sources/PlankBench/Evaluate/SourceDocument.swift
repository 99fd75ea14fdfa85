internal import Evaluation
internal import PoseModel

extension EvaluationReport {
  var bySource: Document {
    var document = Document()
    guard dataset.sources.count > 1 else { return document }
    document.heading("By source")
    var table = Table(
      [.words("source"), .number("sequences"), .number("scored")]
        + AnswerStream.allCases.flatMap { stream in
          ["accuracy", "balanced", "macro F1"].map { .number("\(stream.rawValue) \($0)") }
        })
    for slice in plank.slices.full where slice.key == .source {
      let form = form.slices.full.first { $0.key == .source && $0.value == slice.value }
      table.row(
        [
          StyledText(slice.value ?? ""), StyledText("\(slice.sequenceCount)"),
          StyledText(NumberText.count(slice.view.frameCounts.scored)),
        ] + Self.scores([slice.view, form?.view]))
    }
    table.row(
      [StyledText("mean of sources", .strong), "", ""] + Self.scores([plank.view, form.view]))
    document.table(table)
    document.paragraph(
      StyledText(
        "Each source counts once, whatever its size; sources in which a metric is undefined are "
          + "left out of its mean. Matrices, counts and latencies in tables are of all frames "
          + "together.", .dim))
    return document
  }

  private static func scores(_ streams: [ScoreView?]) -> [StyledText] {
    streams.flatMap { view in
      [Metric.accuracy, .balancedAccuracy, .f1Macro].map {
        StyledText(view?[$0].text() ?? "n/a")
      }
    }
  }
}
