internal import Evaluation
internal import Statistics

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
        StyledText(showsBoth ? found.clusterT.shortText : ""), StyledText(found.bca.shortText),
        StyledText("\(found.subjects)"),
      ])
    }
    return table
  }

  /// Why some metrics have no interval; empty where all have.
  func gapSentence(_ stream: [MetricKey]) -> String {
    var names: [String: [String]] = [:]
    for key in stream {
      guard let found = intervals[key], let gap = found.bca.gap ?? found.clusterT.gap else {
        continue
      }
      names[gap.rawValue, default: []].append("\(key)")
    }
    return names.sorted { $0.key < $1.key }.map { reason, names in
      "No interval for \(names.joined(separator: ", ")): \(reason)."
    }.joined(separator: " ")
  }
}
