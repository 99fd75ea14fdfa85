internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

struct EditText {
  private let edit: RuleEdit
  private let thresholds: [SuggestedEdit.Threshold]
  private let rules: [String]

  init(_ edit: SuggestedEdit) {
    (self.edit, thresholds, rules) = (edit.edit, edit.thresholds, edit.rules)
  }

  init(_ alternative: AlternativeEdit, insteadOf edit: SuggestedEdit) {
    (self.edit, thresholds, rules) = (alternative.edit, alternative.thresholds, edit.rules)
  }

  var summary: String {
    switch edit {
    case .move(let parameter, let value):
      let threshold = thresholds.first
      let before =
        threshold?.before.map { " from " + number($0, threshold?.unit, decimals: 6) } ?? ""
      return "Set `\(parameter)`\(before) to \(number(value, threshold?.unit))"
    case .dropRule(let rule): return "Drop the rule `\(sentence(rule))`"
    case .dropCondition(let rule, let condition):
      return "Change `\(sentence(rule))` to `\(sentence(rule, without: condition))`"
    case .swap(let rule): return "Move `\(sentence(rule + 1))` before `\(sentence(rule))`"
    case .narrow(let rule, _):
      return "Change `\(sentence(rule))` to `\(sentence(rule)) and \(conditions)`"
    case .insert(let position, let label, _):
      return "Insert the rule `\(label) if \(conditions)` before `\(sentence(position))`"
    }
  }

  var ranges: String {
    let texts = thresholds.map { threshold in
      let decimals = NumberText.decimals(bearing: (threshold.upper - threshold.lower) / 4)
      return "`\(threshold.name)` from "
        + "\(number(threshold.lower, threshold.unit, decimals: decimals)) to "
        + number(threshold.upper, threshold.unit, decimals: decimals)
    }
    guard !texts.isEmpty else { return "" }
    return thresholds.contains(where: \.isNarrow)
      ? "Fragile: only limits of \(texts.joined(separator: ", and ")) do nearly as well."
      : "Any limit of \(texts.joined(separator: ", and of ")) does nearly as well."
  }

  private var conditions: String {
    zip(edit.newConditions, thresholds).map { condition, threshold in
      "\(condition.measurement) \(condition.isBelow ? "<" : ">") "
        + "\(number(condition.threshold, threshold.unit, inRule: true))"
    }.joined(separator: " and ")
  }

  private func sentence(_ rule: Int) -> String {
    rules.indices.contains(rule) ? rules[rule] : "rule \(rule + 1)"
  }

  private func sentence(_ rule: Int, without condition: Int) -> String {
    let parts = sentence(rule).split(separator: " if ")
    guard parts.count == 2 else { return sentence(rule) }
    let kept = parts[1].split(separator: " and ").enumerated()
      .filter { $0.offset != condition }.map(\.element)
    return "\(parts[0]) if \(kept.joined(separator: " and "))"
  }

  /// A number as people write it in sentences, or as rules have it: `127 deg` or `127deg`.
  private func number(
    _ value: Double, _ unit: String?, decimals: Int? = nil, inRule: Bool = false
  ) -> String {
    let text =
      decimals.map { NumberText.short(Self.rounded(value, $0)) }
      ?? NumberText.shortest(value)
    let space = inRule ? "" : " "
    switch unit.flatMap(MeasurementUnit.init(rawValue:)) {
    case .degrees: return text + space + "deg"
    case .meters: return text + space + "m"
    case .seconds: return text + space + "s"
    default: return text
    }
  }

  private static func rounded(_ value: Double, _ decimals: Int) -> Double {
    Double(NumberText.fixed(value, decimals)) ?? value
  }
}

extension SuggestedEdit.Threshold {
  /// Whether so few values do nearly as well that noise between sources may be larger.
  var isNarrow: Bool {
    let least =
      switch MeasurementUnit(rawValue: unit) {
      case .degrees: 3.0
      case .meters: 0.01
      default: 0.005
      }
    return upper - lower < least
  }
}
