internal import Evaluation
internal import Statistics

/// A gate's numbers as github-action-benchmark takes them, one file a direction.
package enum BenchmarkFace {
  /// The numbers of one direction: `customBiggerIsBetter` or `customSmallerIsBetter`.
  ///
  /// Rules without a number are left out: the format has no null.
  package static func json(_ report: GateReport, biggerIsBetter: Bool) -> JSONValue {
    let findings = report.result.findings.filter { $0.rule.higherIsBetter == biggerIsBetter }
    return .array(
      findings.compactMap { finding in
        guard let value = finding.value else { return nil }
        var members: [String: JSONValue] = [
          "name": .string(finding.rule.name), "unit": .string(finding.unit),
          "value": .number(value), "extra": .string(finding.verdict.rawValue),
        ]
        if let interval = finding.interval {
          members["range"] = .string(NumberText.fixed(interval.width / 2, 6))
        }
        return .object(members)
      })
  }
}

extension GateFinding {
  fileprivate var unit: String {
    guard case .metric(let key) = rule.subject else { return "calibration loops" }
    return key.metric.unit
  }
}
