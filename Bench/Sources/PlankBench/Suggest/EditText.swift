internal import ParameterTuning
internal import PlankDetection
internal import PoseModel

/// One edit in words.
struct EditText {
  private let edit: SuggestedEdit

  init(_ edit: SuggestedEdit) { self.edit = edit }

  /// What to do, in one sentence without its end.
  var summary: String {
    switch edit.edit {
    case .move(let parameter, let value):
      let threshold = edit.thresholds.first
      let before = threshold?.before.map { " from " + number($0, threshold?.unit) } ?? ""
      return "Set `\(parameter)`\(before) to \(number(value, threshold?.unit))"
    case .dropRule(let rule): return "Drop the rule `\(sentence(rule))`"
    case .dropCondition(let rule, let condition):
      return "Drop condition \(condition + 1) of `\(sentence(rule))`"
    case .swap(let rule): return "Move `\(sentence(rule + 1))` before `\(sentence(rule))`"
    case .narrow(let rule, _): return "Add to `\(sentence(rule))` the condition \(conditions)"
    case .insert(let position, let label, _):
      return "Add before `\(sentence(position))` the rule `\(label)` if \(conditions)"
    }
  }

  /// The range of thresholds that do nearly as well; empty if there is none.
  var ranges: String {
    let texts = edit.thresholds.map { threshold in
      let decimals = NumberText.decimals(bearing: (threshold.upper - threshold.lower) / 4)
      return "`\(threshold.name)` from "
        + "\(number(threshold.lower, threshold.unit, decimals: decimals)) to "
        + number(threshold.upper, threshold.unit, decimals: decimals)
    }
    guard !texts.isEmpty else { return "" }
    return "Any limit of \(texts.joined(separator: ", or ")) does nearly as well."
  }

  /// The score before and after.
  var evidence: String {
    let tried = EditText.large(edit.tried)
    guard let others = edit.leftOut, let error = edit.standardError else {
      return
        "Score \(share(edit.seen.before)) -> \(share(edit.seen.after)) on the people who chose "
        + "it, which is too good: \(tried) changes were tried."
    }
    return "Score \(share(others.before)) -> \(share(others.after)) on people left out (gain "
      + "\(share(others.gain)), standard error \(share(error))). On all people the gain is "
      + "\(share(edit.seen.gain)), which is too good: \(tried) changes were tried."
  }

  /// A large number in words.
  static func large(_ count: Int) -> String {
    count >= 2_000_000
      ? NumberText.count(Int((Double(count) / 1e6).rounded())) + " million"
      : NumberText.count(count)
  }

  private var conditions: String {
    zip(edit.edit.newConditions, edit.thresholds).map { condition, threshold in
      "`\(condition.measurement) \(condition.isBelow ? "<" : ">") "
        + "\(number(condition.threshold, threshold.unit))`"
    }.joined(separator: " and ")
  }

  private func sentence(_ rule: Int) -> String {
    edit.rules.indices.contains(rule) ? edit.rules[rule] : "rule \(rule + 1)"
  }

  private func share(_ value: Double) -> String { NumberText.fixed(value, 3) }

  private func number(_ value: Double, _ unit: String?, decimals: Int? = nil) -> String {
    let text =
      decimals.map { NumberText.short(Self.rounded(value, $0)) }
      ?? NumberText.shortest(value)
    switch unit.flatMap(MeasurementUnit.init(rawValue:)) {
    case .degrees: return text + "deg"
    case .meters: return text + "m"
    case .seconds: return text + "s"
    default: return text
    }
  }

  private static func rounded(_ value: Double, _ decimals: Int) -> Double {
    Double(NumberText.fixed(value, decimals)) ?? value
  }
}
