package import Evaluation
internal import PoseModel

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
  /// A number in the digits of gates.
  static func text(_ value: Double?) -> String {
    value.map { NumberText.fixed($0, 4) } ?? "n/a"
  }
  /// The difference from the baseline, with its interval where there is one.
  var change: String {
    guard let difference else { return "n/a" }
    return Self.text(difference) + (interval.map { " (\($0.text(4)))" } ?? "")
  }
  /// The number, the baseline's and the difference in one line.
  var numbers: String {
    guard rule.needsBaseline || baseline != nil else { return Self.text(value) }
    return "\(Self.text(value)), baseline \(Self.text(baseline)), difference \(change)"
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

extension GateReport {
  /// Everything that a broken rule has to say, a line each: numbers, reasons, people, moments.
  func lines(_ finding: GateFinding) -> [String] {
    var lines = [finding.numbers, finding.reason]
    if !finding.worse.isEmpty { lines.append("worse: \(finding.people)") }
    lines += result.worseMoments(for: finding.rule).prefix(3).map { moment in
      "\(moment.sequence) at \(NumberText.fixed(moment.start.value, 2)) s, for "
        + "\(NumberText.fixed(moment.duration.value, 2)) s: \(moment.truth) -> \(moment.answer)"
    }
    return lines
  }
}
