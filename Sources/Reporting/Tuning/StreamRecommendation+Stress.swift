internal import ParameterTuning
internal import PoseModel

extension StreamRecommendation {
  /// What worse frames cost.
  func appendStress(to document: inout Document) {
    guard !stress.isEmpty else { return }
    document.heading("On worse frames (\(stream.rawValue))", level: 3)
    var table = Table([.words("frames"), .number(evidence.objective), .number("change")])
    table.row([
      StyledText("as recorded"), StyledText(NumberText.fixed(evidence.recommendedObjective, 4)),
      StyledText(""),
    ])
    for row in stress {
      let change = row.objective.map { $0 - evidence.recommendedObjective }
      table.row([
        StyledText(row.condition),
        StyledText(row.objective.map { NumberText.fixed($0, 4) } ?? "n/a"),
        StyledText(change.map { ($0 > 0 ? "+" : "") + NumberText.fixed($0, 4) } ?? "", .dim),
      ])
    }
    document.table(table)
  }
}
