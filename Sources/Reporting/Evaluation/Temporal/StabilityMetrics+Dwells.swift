internal import Evaluation

extension StabilityMetrics {
  /// How long each class lasts at a time.
  func dwellTable(_ labels: [String]) -> Table {
    var table = Table([
      .words("dwell"), .words(""), .number("runs"), .number("p10 s"), .number("p50 s"),
      .number("p90 s"), .number("longest s"), .number("under 0.5 s"),
    ])
    for (code, label) in labels.enumerated() {
      for (name, durations) in [("true", counts.dwells.truth), ("answered", counts.dwells.answers)]
      where code < durations.count && !durations[code].isEmpty {
        let summary = DwellSummary(durations[code])
        table.row([
          StyledText(label, .strong), StyledText(name), StyledText("\(summary.runs)"),
          StyledText(summary.tenth.text(2)), StyledText(summary.median.text(2)),
          StyledText(summary.ninetieth.text(2)), StyledText(summary.longest.text(2)),
          StyledText(summary.shortShare.percentText),
        ])
      }
    }
    return table
  }

  /// The dwells of each class, true and answered.
  func dwellJSON(_ labels: [String]) -> JSONValue {
    func summary(_ durations: [[Double]], _ code: Int) -> JSONValue {
      let summary = DwellSummary(code < durations.count ? durations[code] : [])
      var members = JSONValue.members([
        "p10_s": summary.tenth, "p50_s": summary.median, "p90_s": summary.ninetieth,
        "longest_s": summary.longest, "share_under_500_ms": summary.shortShare,
      ])
      members["runs"] = .integer(summary.runs)
      return .object(members)
    }
    return .object(
      Dictionary(
        uniqueKeysWithValues: labels.enumerated().map { code, label in
          (
            label,
            .object([
              "true": summary(counts.dwells.truth, code),
              "answered": summary(counts.dwells.answers, code),
            ])
          )
        }))
  }
}
