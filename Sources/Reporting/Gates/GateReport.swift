package import Evaluation

/// What a gate says, with what it was about: the value that every face is rendered from.
package struct GateReport: Hashable, Sendable {
  /// The verdicts.
  package var result: GateResult
  /// The exit code that goes with the verdict.
  package var exitCode: Int
  /// Which data.
  package var dataset: DatasetIdentity
  /// Who was judged.
  package var candidate: String
  /// The baseline's file; nil without one.
  package var baseline: String?
  /// How long judging took, in seconds; nil where nobody held a clock.
  package var seconds: Double?

  /// Makes a report.
  package init(
    result: GateResult, exitCode: Int, dataset: DatasetIdentity, candidate: String,
    baseline: String?, seconds: Double? = nil
  ) {
    self.result = result
    self.exitCode = exitCode
    self.dataset = dataset
    self.candidate = candidate
    self.baseline = baseline
    self.seconds = seconds
  }

  /// The one line that says the verdict and the exit code.
  package var verdictLine: String {
    let warnings = result.warnings.count
    let remark = warnings > 0 ? ", \(warnings) warning\(warnings == 1 ? "" : "s")" : ""
    return "verdict: \(result.verdict.rawValue) (exit code \(exitCode)\(remark))"
  }
}

extension GateFinding {
  /// Why, in one line.
  var reason: String { reasons.joined(separator: "; ") }
  /// The number and the baseline's in one line.
  var numbers: String {
    let own = value.map { NumberText.fixed($0, 4) } ?? "n/a"
    guard rule.needsBaseline else { return own }
    let before = baseline.map { NumberText.fixed($0, 4) } ?? "n/a"
    let ends = interval.map { ", difference \($0.text(4))" } ?? ""
    return "\(own), baseline \(before)\(ends)"
  }
  /// Who got worse, at most five.
  var people: String {
    let named = worse.prefix(5).map { person in
      "\(person.subject ?? "unknown subject") \(person.before.text()) -> \(person.after.text())"
    }
    let more = worse.count > 5 ? " and \(worse.count - 5) more" : ""
    return named.joined(separator: ", ") + more
  }
}
