internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Statistics
internal import Tuning

extension TuningResult {
  var answer: String {
    let changed = streams.filter { $0.decision.verdict == .change }
    guard changed.isEmpty else {
      return "Change " + changed.flatMap(\.changes).joined(separator: ", ")
    }
    let kept = streams.filter { !followsAnother($0) }.flatMap(\.startingValues).reduce(
      into: [String]()
    ) {
      if !$0.contains($1) { $0.append($1) }
    }.joined(separator: ", ")
    let taken =
      streams.contains(where: \.decision.isTaken)
      ? "; --take uses the best found all the same" : ""
    let unsure = streams.filter { $0.decision.verdict == .tooFewPeople }.map(\.stream.rawValue)
    guard unsure.count < streams.count else {
      return "Too few people to tell: keep \(kept)\(taken)"
    }
    let doubt = unsure.isEmpty ? "" : "; too few people to tell about \(unsure.joined())"
    return "Keep \(kept)\(doubt)\(taken)"
  }

  var decisionSentences: [StyledText] {
    streams.map { $0.decisionSentence(followsAnother: followsAnother($0)) }
  }

  private func followsAnother(_ stream: StreamRecommendation) -> Bool {
    guard let first = streams.first else { return false }
    return stream.start.detector != first.start.detector
      || stream.start.smoothing != first.start.smoothing
  }
}

extension StreamRecommendation {
  func decisionSentence(followsAnother: Bool) -> StyledText {
    let name = stream.title + (followsAnother ? ", starting from \(startingSettings)" : "")
    let verdict =
      switch decision.verdict {
      case .keep: "keep"
      case .change: "change"
      case .tooFewPeople: "too few people to tell"
      }
    let taken = decision.isTaken ? " The values found are taken on request (--take)." : ""
    return StyledText(
      "\(name): \(verdict). \(reason)\(cost)\(taken)",
      decision.isTaken || decision.verdict == .tooFewPeople ? .warning : .strong)
  }

  var startingValues: [String] {
    let changed = found.detector != start.detector || found.smoothing != start.smoothing
    let values = start.parameters.filter { axes.contains($0.key) }.map(\.quoted)
    return (changed || values.isEmpty ? [startingSettings] : []) + values
  }

  private var startingSettings: String {
    let steady = start.smoothing.isNone ? "" : ", \(start.smoothing.text)"
    return "`\(start.detector)`\(steady)"
  }

  var changes: [String] {
    var changes: [String] = []
    if found.detector != start.detector {
      changes.append("`\(start.detector)` to `\(found.detector)`")
    }
    if found.smoothing != start.smoothing {
      changes.append("smoothing \(start.smoothing.text) to \(found.smoothing.text)")
    }
    return changes
      + found.parameters.compactMap { fact in
        let own = start.parameters.first { $0.key == fact.key }?.value ?? fact.defaultValue
        return own == fact.value ? nil : fact.change(from: own)
      }
  }

  var shortReason: String {
    switch decision.reason {
    case .noGain: "\(noGain)."
    case .same: "The search chose your values."
    case .noInterval: noInterval
    case .costsOther: "\(heldOutChange), but the other stream loses.\(cost)"
    default: reason + cost
    }
  }

  private var reason: String {
    switch decision.reason {
    case .gain: "\(heldOutChange): beyond chance."
    case .constraint: "\(brokenSentence) The values found keep every constraint."
    case .same: "The search chose the starting values."
    case .noGain: "\(bestFound): \(noGain)."
    case .infeasible: "No combination keeps every constraint."
    case .notValidated: "Nothing was held out (`validation: none`), so no gain can be shown."
    case .undefinedStart:
      "`\(objective.metric)` is undefined for the starting values, so no gain can be measured."
    case .noInterval: "\(bestFound): \(noInterval)"
    case .costsOther: "\(bestFound): \(heldOutChange), but the other stream loses:"
    }
  }

  private var cost: String {
    guard let other = decision.other else { return "" }
    let name = decision.reason == .costsOther ? "" : " With it,"
    return "\(name) `\(other.metric)` is \(NumberText.fixed(other.changed, 3)) instead of "
      + "\(NumberText.fixed(other.start, 3))."
  }

  private var bestFound: String { "The best found (\(changes.joined(separator: ", ")))" }

  private var brokenSentence: String {
    guard let broken = decision.broken else { return "" }
    guard let bound = broken.bound else {
      return broken.relation.map { "The starting values break `\($0)`." } ?? ""
    }
    let value = broken.value.map { NumberText.fixed($0, 3) } ?? "undefined"
    return "The starting values break `\(bound)`: it is \(value)."
  }

  private var heldOutChange: String {
    guard let heldOut = validation.heldOut else { return "`\(objective.metric)`" }
    let change = heldOut.change.text(within: heldOut.changeInterval)
    return "`\(objective.metric)` changes by \(change) on held-out \(heldOut.unit.rawValue)"
  }

  private var noGain: String {
    let isBetter: (Double) -> Bool = { [objective] in
      objective.metric.metric.higherIsBetter ? $0 > 0 : $0 < 0
    }
    guard let heldOut = validation.heldOut, let change = heldOut.change else {
      return heldOutChange
    }
    guard change != 0 else {
      return "`\(objective.metric)` is the same on held-out \(heldOut.unit.rawValue)"
    }
    guard let interval = heldOut.changeInterval else {
      return "`\(objective.metric)` changes by \(NumberText.fixed(change, 3)) for all alike, "
        + (isBetter(change) ? "within the tolerance" : "which is no gain")
    }
    guard interval.lower > 0 || interval.upper < 0 else {
      return heldOutChange + ", which may be chance"
    }
    guard isBetter(change) else { return heldOutChange + ", which is worse" }
    guard change.magnitude > objective.tolerance else {
      return heldOutChange + ", within the tolerance of \(NumberText.short(objective.tolerance))"
    }
    let probability = decision.probability.map { ", p \(NumberText.fixed($0, 2))" } ?? ""
    return heldOutChange
      + ", which may be chance for \(decision.goals) streams at once\(probability)"
  }

  private var noInterval: String {
    let (people, least) = (validation.subjects.count, TuningDecision.leastAlike(decision.goals))
    guard people > 1 else {
      return
        "`\(objective.metric)` is \(NumberText.fixed(objective.found, 3)) for the 1 person that it "
        + "was found on; intervals need two or more (`subject` in dataset.yaml)."
    }
    guard let heldOut = validation.heldOut, let change = heldOut.change else {
      return "the change on held-out data cannot be computed for \(people) people."
    }
    let found = "`\(objective.metric)` changes by \(NumberText.fixed(change, 3))"
    return decision.probability == nil
      ? "\(found), without an interval: record more people."
      : "\(found), the same for all \(people) \(heldOut.unit.rawValue): beyond chance from \(least) on."
  }
}

extension HeldOutEstimate {
  var changeMeaning: String {
    guard let interval = changeInterval else { return "on the same data, without an interval" }
    return interval.lower > 0 || interval.upper < 0
      ? "on the same data" : "on the same data; may be chance"
  }
}

extension Double? {
  /// With the decimals that its interval justifies, and the interval's ends; two without one.
  func text(within interval: Interval?, showsEnds: Bool = true) -> String {
    guard let value = self else { return "n/a" }
    guard let interval else { return NumberText.fixed(value, 2) }
    let decimals = NumberText.decimals(bearing: interval.width / 2)
    let number = NumberText.fixed(value, decimals)
    guard showsEnds else { return number }
    return number + " (\(NumberText.fixed(interval.lower, decimals)) to "
      + "\(NumberText.fixed(interval.upper, decimals)))"
  }
}

extension ParameterFact {
  var sentence: String { "\(key.rawValue) \(NumberText.short(value))\(unit.suffix)" }

  fileprivate var quoted: String { "`\(key.rawValue)` \(NumberText.short(value))\(unit.suffix)" }

  fileprivate func change(from start: Double) -> String {
    "`\(key.rawValue)` from \(NumberText.short(start)) to \(NumberText.short(value))\(unit.suffix)"
  }
}
