internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Statistics
internal import Tuning

extension TuningResult {
  var answer: String {
    let changed = streams.filter { $0.decision.verdict == .change }
    let taken =
      streams.contains(where: \.decision.isTaken)
      ? "; --take uses the best found all the same" : ""
    guard changed.isEmpty else {
      return "Take \(changed.flatMap(\.changes).joined(separator: ", "))\(taken)"
    }
    let kept = streams.filter { !followsAnother($0) }.flatMap(\.startingValues).reduce(
      into: [String]()
    ) {
      if !$0.contains($1) { $0.append($1) }
    }.joined(separator: ", ")
    return "Keep \(kept)\(taken)"
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
    let taken = decision.isTaken ? " The values found are taken on request (--take)." : ""
    return StyledText(
      "\(name): \(reason)\(cost)\(taken)", decision.isTaken ? .warning : .strong)
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

  /// What is said of the decision: the advice's sentence, or why another rule decides.
  var reason: String {
    switch decision.reason {
    case .advice:
      [
        decision.advice?.sentence, found(isNamed: !decision.usesFound),
        decision.flicker.flatMap { $0.step == .same ? nil : "Flicker: \($0.measured)." },
        decision.advice?.settling,
      ].joined
    case .constraint: "Take it: \(brokenSentence) The values found keep every constraint."
    case .same: "Keep yours: the search chose the starting values."
    case .infeasible: "Keep yours: no combination keeps every constraint."
    case .nothingCounted: "Keep yours: nothing was counted, so no gain can be shown."
    case .costsOther:
      ["Keep yours: what is found costs the other stream.", found(isNamed: true)].joined
    }
  }

  /// The other stream's value with what this one found.
  var cost: String {
    guard let other = decision.other else { return "" }
    return " With it, `\(other.metric)` is \(NumberText.fixed(other.changed, 3)) instead of "
      + "\(NumberText.fixed(other.start, 3))."
  }

  private func found(isNamed: Bool) -> String? {
    isNamed ? "Found: \(changes.joined(separator: ", "))." : nil
  }

  private var brokenSentence: String {
    guard let broken = decision.broken else { return "" }
    guard let bound = broken.bound else {
      return broken.relation.map { "yours break `\($0)`." } ?? ""
    }
    let value = broken.value.map { NumberText.fixed($0, 3) } ?? "undefined"
    return "yours break `\(bound)`: it is \(value)."
  }
}

extension [String?] {
  fileprivate var joined: String { compactMap(\.self).joined(separator: " ") }
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
