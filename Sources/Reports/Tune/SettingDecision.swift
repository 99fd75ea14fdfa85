internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Statistics
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

  var text: String { unit.isEmpty ? value : "\(value) \(unit)" }
  var startText: String { unit.isEmpty ? start : "\(start) \(unit)" }
}

extension TuningResult {
  /// The detector and the smoothing come first if they are changed, then every parameter in the
  /// detector's order.
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

  var answer: String {
    let changed = streams.filter { $0.decision.verdict == .change }
    let taken =
      streams.contains(where: \.decision.isTaken)
      ? "; --take uses the best values found anyway" : ""
    guard changed.isEmpty else {
      return "Change \(changed.flatMap(\.changes).joined(separator: ", "))\(taken)"
    }
    let kept = streams.filter { !followsAnother($0) }.flatMap(\.startingValues).distinct
      .joined(separator: ", ")
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
  func plateau(of key: ParameterKey) -> Plateau.Extent? { plateau?.axes.first { $0.key == key } }

  fileprivate var changeReason: String {
    if decision.isTaken { return "on request (--take)" }
    return decision.reason == .constraint ? "your value breaks a constraint" : adviceWords
  }

  private var adviceWords: String {
    guard let advice = decision.advice else { return "the search chose your value" }
    return "\(advice.strength), \(advice.expectedText)"
  }

  fileprivate func why(_ fact: ParameterFact, own: Double) -> String {
    let isInside = plateau(of: fact.key).map { ($0.from...max($0.from, $0.to)).contains(own) }
    guard fact.value == own else {
      return isInside == true
        ? "\(changeReason); your value is as good, but this one is \(advantage(fact.key))"
        : changeReason
    }
    if diagnostics.inertAxes.contains(fact.key) { return "has no effect" }
    let found = self.found.parameters.first { $0.key == fact.key }?.value
    guard found != own else { return "the search chose your value" }
    return isInside == true ? "your value is as good" : keptReason
  }

  private func advantage(_ key: ParameterKey) -> String {
    guard let pair = placements?.first(where: { $0.key == key })?.pairs.first else {
      return "farther from the edges"
    }
    return "closer to the midpoint between `\(pair.own.label)` and `\(pair.other.label)`"
  }

  private var keptReason: String {
    switch decision.reason {
    case .advice: adviceWords
    case .infeasible: "no combination meets every constraint"
    case .nothingCounted: "nothing was scored"
    case .costsOther: "the other stream would get worse"
    case .same, .constraint: "the search chose your value"
    }
  }

  func decisionSentence(followsAnother: Bool) -> StyledText {
    let name = stream.title + (followsAnother ? ", starting from \(startingSettings)" : "")
    let taken = decision.isTaken ? " The values found are used on request (--take)." : ""
    return StyledText("\(name): \(reason)\(cost)\(taken)", decision.isTaken ? .warning : .strong)
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
      changes.append("the detector from `\(start.detector)` to `\(found.detector)`")
    }
    if found.smoothing != start.smoothing {
      changes.append("smoothing from \(start.smoothing.text) to \(found.smoothing.text)")
    }
    return changes
      + found.parameters.compactMap { fact in
        let own = start.parameters.first { $0.key == fact.key }?.value ?? fact.defaultValue
        return own == fact.value ? nil : fact.change(from: own)
      }
  }

  var reason: String {
    switch decision.reason {
    case .advice:
      [
        decision.advice?.sentence, found(isNamed: !decision.usesFound),
        decision.falseTransitions.flatMap { $0.step == .same ? nil : "Also \($0.measured)." },
        decision.advice?.settling,
      ].joined
    case .constraint: "Take it: \(brokenSentence) The values found meet every constraint."
    case .same: "Keep yours: the search chose the starting values."
    case .infeasible: "Keep yours: no combination meets every constraint."
    case .nothingCounted: "Keep yours: nothing was scored, so no gain can be shown."
    case .costsOther:
      ["Keep yours: the values found make the other stream worse.", found(isNamed: true)].joined
    }
  }

  var cost: String {
    guard let other = decision.other else { return "" }
    return
      " With the change, `\(other.metric)` is \(NumberText.fixed(other.changed, 3)) instead of "
      + "\(NumberText.fixed(other.start, 3))."
  }

  private func found(isNamed: Bool) -> String? {
    isNamed ? "The search changed \(WordText.list(changes))." : nil
  }

  private var brokenSentence: String {
    guard let broken = decision.broken else { return "" }
    guard let bound = broken.bound else {
      return broken.relation.map { "your values break `\($0)`." } ?? ""
    }
    let value = broken.value.map { NumberText.fixed($0, 3) } ?? "undefined"
    return "your values break `\(bound)`: the value is \(value)."
  }
}

extension [String?] {
  fileprivate var joined: String { compactMap(\.self).joined(separator: " ") }
}

extension HeldOutEstimate {
  var changeMeaning: String {
    guard let interval = changeInterval else { return "on the same data, without an interval" }
    return interval.lower > 0 || interval.upper < 0
      ? "on the same data" : "on the same data, possibly by chance"
  }
}

extension Double? {
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

struct TuningWords {
  let stream: StreamRecommendation

  private var isTake: Bool { stream.decision.verdict == .change }
  private var isEither: Bool { stream.decision.advice?.step == .either }

  var verdict: String { isTake ? "Take it" : isEither ? "Either: yours stays" : "Keep yours" }

  private var icon: String { isTake ? "✓" : "=" }

  private var tone: StyledText.Tone { isTake ? .good : .plain }

  var sentence: HTML {
    let taken: HTML =
      stream.decision.isTaken
      ? " <span class=\"warning\">The values found are used on request (--take).</span>" : .empty
    return """
      <li><strong>\(stream.stream.title):</strong> \
      \(prose: stream.reason + stream.cost)\(most)\(taken)</li>
      """
  }

  private var most: HTML {
    let moved = changes.filter { $0.gain != 0 }
    guard stream.decision.reason != .same, changes.count > 1,
      let person = moved.max(by: { $0.gain.magnitude < $1.gain.magnitude })
    else { return .empty }
    let better = moved.count { $0.gain > 0 }
    let worse = moved.count - better
    let counts =
      "\(better) of \(NumberText.count(changes.count)) better"
      + (worse > 0 ? ", \(NumberText.count(worse)) worse" : "")
    return """
       \(counts); most for <b><bdi>\(person.name)</bdi></b>, \(NumberText.fixed(person.start, 2)) → \
      \(NumberText.fixed(person.value, 2)).
      """
  }

  private typealias Change = (name: String, start: Double, value: Double, gain: Double)

  private var changes: [Change] {
    let sign: Double = stream.objective.metric.metric.higherIsBetter ? 1 : -1
    return (stream.validation.people ?? []).compactMap { person in
      guard let start = person.start, let value = person.value else { return nil }
      let gain = sign * (value - start)
      return (
        name: person.subject, start: start, value: value,
        gain: gain.magnitude > SubjectDifference.tie ? gain : 0
      )
    }
  }

  var number: ChangeNumber {
    let (objective, heldOut) = (stream.objective, stream.validation.heldOut)
    let interval = heldOut?.interval
    let before = heldOut.map(\.start) ?? objective.startingPoint
    let after = heldOut.map(\.value) ?? objective.found
    func text(_ value: Double?) -> String {
      heldOut == nil ? NumberText.fixed(value, 3) : value.text(within: interval, showsEnds: false)
    }
    let bounds = interval.map { $0.lower...max($0.lower, $0.upper) }
    return ChangeNumber(
      title: "\(objective.metric)", before: before, after: after, beforeText: text(before),
      afterText: text(after),
      range: range([before, after, bounds?.lowerBound, bounds?.upperBound]),
      verdict: "\(icon) \(verdict)", tone: tone, note: note, interval: bounds,
      isKept: !stream.decision.usesFound)
  }

  private var note: String {
    let found =
      stream.decision.usesFound || stream.decision.reason == .same
      ? "" : "the best found, not used; "
    guard let heldOut = stream.validation.heldOut else {
      return found + "on the data used to choose it, so without an interval"
    }
    let ends = heldOut.interval.map { interval in
      let decimals = NumberText.decimals(bearing: interval.width / 2)
      return "\(NumberText.fixed(interval.lower, decimals)) to "
        + NumberText.fixed(interval.upper, decimals)
    }
    return "\(found)held-out \(heldOut.unit.rawValue): \(ends ?? "no interval"); change "
      + heldOut.change.text(within: heldOut.changeInterval)
  }

  private func range(_ numbers: [Double?]) -> ClosedRange<Double> {
    let known = numbers.compactMap(\.self).filter(\.isFinite)
    let whole = stream.objective.metric.metric.range
    let low = whole.lowerBound.isFinite ? whole.lowerBound : min(0, known.min() ?? 0)
    let high = whole.upperBound.isFinite ? whole.upperBound : BarScale.roundEnd(known.max() ?? 1)
    return low...max(low, high)
  }

  var people: Dumbbells {
    let sorted = (stream.validation.people ?? []).map(row).sorted {
      ($0.gain ?? .infinity) < ($1.gain ?? .infinity)
    }
    let areRecordings = stream.validation.heldOut?.unit == .recordings
    return Dumbbells(
      title: stream.stream.title, metric: "\(stream.objective.metric)", reference: "yours",
      candidate: "what the others chose, on held-out people",
      range: range(sorted.flatMap { [$0.before, $0.after] }), people: sorted,
      nouns: areRecordings ? ["recording", "recordings"] : ["person", "people"])
  }

  private func row(_ person: StreamRecommendation.HeldOutSubject) -> Dumbbells.Person {
    let known = changes.first { $0.name == person.subject }
    func text(_ value: Double?) -> String { NumberText.fixed(value, 3) }
    return Dumbbells.Person(
      name: person.subject, before: person.start, after: person.value,
      text: known == nil ? "not judged" : "\(text(person.start)) → \(text(person.value))",
      gain: known?.gain, isChanged: known.map { $0.gain != 0 } ?? false)
  }
}
