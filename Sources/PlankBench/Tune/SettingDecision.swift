internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

struct SettingDecision: Hashable, Sendable {
  let name: String
  let start: String
  let value: String
  let unit: String
  let why: String
  let isChanged: Bool
  var numbers: Numbers?
  var stream: StreamRecommendation?

  struct Numbers: Hashable, Sendable {
    let key: ParameterKey
    let start: Double
    let value: Double
  }

  var word: String { isChanged ? "change" : "keep" }
  var text: String { unit.isEmpty ? value : "\(value) \(unit)" }
  var startText: String { unit.isEmpty ? start : "\(start) \(unit)" }
}

extension TuningResult {
  /// Detector and smoothing if they are changed, then every parameter in the order of the
  /// detector's: the values of a thresholds file and of everything that is exported from it.
  var settings: [SettingDecision] { changedNames + parameters.map(setting) }

  var decided: [SettingDecision] { settings.filter { $0.stream != nil || $0.isChanged } }

  private var changedNames: [SettingDecision] {
    guard let first = streams.first else { return [] }
    let pairs = [
      ("detector", first.start.detector, first.detector),
      ("smoothing", first.start.smoothing.text, first.smoothing.text),
    ]
    return pairs.filter { $0.1 != $0.2 }.map { name, start, value in
      SettingDecision(
        name: name, start: start, value: value, unit: "", why: first.changeReason, isChanged: true,
        stream: first)
    }
  }

  private func setting(_ fact: ParameterFact) -> SettingDecision {
    let stream = streams.first { $0.axes.contains(fact.key) }
    let own =
      streams.lazy.compactMap { stream in
        stream.start.parameters.first { $0.key == fact.key }?.value
      }.first ?? fact.value
    let unit = fact.unit == .ratio || fact.unit == .frames ? "" : fact.unit.rawValue
    return SettingDecision(
      name: fact.key.rawValue, start: NumberText.short(own), value: NumberText.short(fact.value),
      unit: unit, why: stream?.why(fact, own: own) ?? "not tuned", isChanged: own != fact.value,
      numbers: SettingDecision.Numbers(key: fact.key, start: own, value: fact.value),
      stream: stream)
  }
}

extension StreamRecommendation {
  func plateau(of key: ParameterKey) -> Plateau.Extent? {
    plateau?.axes.first { $0.key == key }
  }

  fileprivate var changeReason: String {
    if decision.isTaken { return "on request (--take)" }
    return decision.reason == .constraint
      ? "yours breaks a constraint" : adviceWords
  }

  private var adviceWords: String {
    guard let advice = decision.advice else { return "the search chose yours" }
    return "\(advice.strength), \(advice.expectedText)"
  }

  fileprivate func why(_ fact: ParameterFact, own: Double) -> String {
    let isInside = plateau(of: fact.key).map { ($0.from...max($0.from, $0.to)).contains(own) }
    guard fact.value == own else {
      return isInside == true
        ? "\(changeReason); yours is as good, this is \(advantage(fact.key))" : changeReason
    }
    if diagnostics.inertAxes.contains(fact.key) { return "it changes nothing" }
    let found = self.found.parameters.first { $0.key == fact.key }?.value
    guard found != own else { return "the search chose yours" }
    return isInside == true ? "yours is as good" : keptReason
  }

  private func advantage(_ key: ParameterKey) -> String {
    guard let pair = placements?.first(where: { $0.key == key })?.pairs.first else {
      return "farther from the edges"
    }
    return "nearer to halfway between `\(pair.own.label)` and `\(pair.other.label)`"
  }

  private var keptReason: String {
    switch decision.reason {
    case .advice: adviceWords
    case .infeasible: "no combination keeps every constraint"
    case .nothingCounted: "nothing was counted"
    case .costsOther: "the other stream would lose"
    case .same, .constraint: "the search chose yours"
    }
  }
}
