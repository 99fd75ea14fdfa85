internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Statistics
internal import Tuning

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
      ? " <span class=\"warning\">The values found are taken on request (--take).</span>" : .empty
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
      heldOut == nil
        ? value.map { NumberText.fixed($0, 3) } ?? "n/a"
        : value.text(within: interval, showsEnds: false)
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
      return found + "on the data that chose it, so without an interval"
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
    let high =
      whole.upperBound.isFinite ? whole.upperBound : BarScale.roundEnd(known.max() ?? 1)
    return low...max(low, high)
  }

  var people: Dumbbells {
    let rows = (stream.validation.people ?? []).enumerated().map { index, person in
      (person: row(person), index: index)
    }
    let sorted = rows.sorted {
      ($0.person.gain ?? .infinity, $0.index) < ($1.person.gain ?? .infinity, $1.index)
    }.map(\.person)
    let areRecordings = stream.validation.heldOut?.unit == .recordings
    return Dumbbells(
      title: stream.stream.title, metric: "\(stream.objective.metric)", reference: "yours",
      candidate: "what the others chose, while held out",
      range: range(sorted.flatMap { [$0.before, $0.after] }), people: sorted,
      nouns: areRecordings ? ["recording", "recordings"] : ["person", "people"])
  }

  private func row(_ person: StreamRecommendation.HeldOutSubject) -> Dumbbells.Person {
    let known = changes.first { $0.name == person.subject }
    func text(_ value: Double?) -> String { value.map { NumberText.fixed($0, 3) } ?? "n/a" }
    return Dumbbells.Person(
      name: person.subject, before: person.start, after: person.value,
      text: known == nil ? "not judged" : "\(text(person.start)) → \(text(person.value))",
      gain: known?.gain, isChanged: known.map { $0.gain != 0 } ?? false)
  }
}
