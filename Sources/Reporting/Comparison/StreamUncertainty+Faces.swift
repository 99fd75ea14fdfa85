internal import Evaluation

extension StreamUncertainty {
  /// The intervals by the metrics' names.
  var json: JSONValue {
    .object(Dictionary(uniqueKeysWithValues: intervals.map { ("\($0)", $1.json) }))
  }

  /// A row a metric: its number and its 95 % intervals.
  func table(_ view: ScoreView, _ stream: [MetricKey]) -> Table {
    var table = Table([
      .words("95 % by subject"), .number("value"), .number("cluster t"), .number("BCa bootstrap"),
      .number("subjects"),
    ])
    for key in stream {
      guard let found = intervals[key] else { continue }
      let showsBoth = found.subjects < MetricIntervals.fewSubjects
      table.row([
        StyledText("\(key)"), StyledText(key.value(in: view).text(), .strong),
        StyledText(showsBoth ? found.clusterT.text() : ""), StyledText(found.bca.text()),
        StyledText("\(found.subjects)"),
      ])
    }
    return table
  }
}
