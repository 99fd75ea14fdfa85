internal import Evaluation
internal import PoseModel

struct ComparisonScreen {
  private static let mostNamed = 2
  private static let mostActivities = 3

  private let report: ComparisonReport

  init(_ report: ComparisonReport) { self.report = report }

  var document: Document {
    let cautions = ComparisonCautions(report)
    let all = [cautions.sentences, cautions.silences].map { (cautions: $0, most: Int.max) }
    let few = [4, 2, 1, 0].map { (cautions: cautions.silences, most: $0) }
    return TerminalScreen.first(
      fitting: (all + few).lazy.map { document($0.cautions, most: $0.most) })
  }

  private func document(_ cautions: [StyledText], most: Int) -> Document {
    var document = answer(cautions, most: most)
    document.code(["# everything: --verbose; write what is advised: --thresholds FILE.json"])
    return document
  }

  var answer: Document { answer(ComparisonCautions(report).sentences, most: .max) }

  private func answer(_ cautions: [StyledText], most: Int) -> Document {
    let answer = ComparisonAnswer(report)
    var document = Document()
    for sentence in answer.headline { document.paragraph(sentence) }
    document.list(answer.rest(most: most) + cautions)
    if report.pairs.count == 1 { document.list(lived(report.pairs[0]) + moved(report.pairs[0])) }
    document.paragraph(StyledText(method, .dim))
    return document
  }

  private var method: String {
    let other = report.pairs.count == 1 ? ", it is `\(report.pairs[0].name)`" : ""
    return "Yours is `\(report.reference)`\(other); points of balanced accuracy, with 90 % "
      + "intervals."
  }

  private func lived(_ pair: ComparisonReport.Pair) -> [StyledText] {
    let changes = (pair.activities ?? []).filter { $0.activity != nil && $0.change != 0 }
    guard !changes.isEmpty else { return [] }
    let named = changes.prefix(Self.mostActivities).map { part in
      "\(part.activity ?? "") \(NumberText.fixed(part.before.wrong, 1)) -> "
        + "\(NumberText.fixed(part.after.wrong, 1)) of "
        + "\(NumberText.fixed(part.before.none + part.before.plank, 1)) s"
    }
    let more = changes.count - named.count
    return [
      StyledText(
        "Wrong by activity: " + named.joined(separator: "; ")
          + (more > 0 ? "; and \(more) more." : "."))
    ]
  }

  /// What moved beside the right and wrong answers that the advice counts.
  private func moved(_ pair: ComparisonReport.Pair) -> [StyledText] {
    let shown = pair.comparison.metrics.filter { !$0.key.countsClasses }
    func named(_ metrics: [MetricComparison], _ word: String) -> [StyledText] {
      guard !metrics.isEmpty else { return [] }
      let texts = metrics.prefix(Self.mostNamed).map { metric in
        "`\(metric.key)` \(metric.before.text()) -> \(metric.after.text()) "
          + "(\(metric.losses) worse, \(metric.wins) better)"
      }
      let more = metrics.count - texts.count
      return [
        StyledText(
          "Not judged, \(word): " + texts.joined(separator: "; ")
            + (more > 0 ? "; and \(more) more." : "."), .dim)
      ]
    }
    return named(shown.filter { ($0.gain ?? 0) < 0 && $0.losses > 0 }, "got worse")
      + named(shown.filter { ($0.gain ?? 0) > 0 && $0.wins > 0 }, "got better")
  }
}
