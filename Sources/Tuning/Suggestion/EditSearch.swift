package import Evaluation
package import PlankDetection
internal import PoseModel

package struct FoundEdit: Hashable, Sendable {
  package let edit: RuleEdit
  package let worth: Int64
  package let ranges: [ClosedRange<Double>]
}

/// The result is a function of the frames: ties are settled by the order of rules and measurements.
package struct EditSearch {
  package let found: [FoundEdit]
  package let tried: Int

  private static let anyThreshold = -1e6...1e6
  /// The share of the best worth that a simpler edit must have.
  private static let share = 0.9

  /// At most 63 rules; the detector's parameters have their defaults; the frames have every
  /// measurement.
  package init(
    _ detector: DetectorDefinition, _ frames: SuggestionFrames, harm: Double,
    kinds: [RuleEdit.Kind] = RuleEdit.Kind.allCases
  ) {
    let answers = ListAnswers(detector, frames, harm: harm)
    var found: [FoundEdit] = []
    if kinds.contains(.move) { found += Self.moves(detector, answers) }
    if kinds.contains(.rearrange) { found += Self.rearrangements(answers) }
    if kinds.contains(.narrow) || kinds.contains(.insert) {
      let walks = Self.walks(answers)
      if kinds.contains(.narrow), let best = walks.narrowing { found.append(best) }
      if kinds.contains(.insert), let best = walks.insertion { found.append(best) }
    }
    if kinds.contains(.insertPair), let pair = Self.pair(answers) { found.append(pair) }
    self.found = found
    tried = Self.count(answers, kinds)
  }

  /// The simplest edit that is worth nearly as much as the best one; nil if nothing is worth
  /// anything.
  package var choice: FoundEdit? {
    guard let most = found.map(\.worth).max(), most > 0 else { return nil }
    let good = found.filter { Double($0.worth) >= Self.share * Double(most) }
    guard let kind = good.map(\.edit.kind).min() else { return nil }
    return Self.best(good.filter { $0.edit.kind == kind })
  }

  package var others: [FoundEdit] {
    let chosen = choice
    var best: [RuleEdit.Kind: FoundEdit] = [:]
    for edit in found where edit != chosen && edit.worth > best[edit.edit.kind]?.worth ?? 0 {
      best[edit.edit.kind] = edit
    }
    return best.values.sorted { ($1.worth, $0.edit.kind) < ($0.worth, $1.edit.kind) }
  }

  private static func best(_ edits: [FoundEdit]) -> FoundEdit? {
    edits.reduce(nil) { best, edit in
      guard let best, edit.worth <= best.worth else { return edit }
      return best
    }
  }

  private static func moves(
    _ detector: DetectorDefinition, _ answers: ListAnswers
  ) -> [FoundEdit] {
    let other = detector.list(answers.frames.stream == .plank ? .form : .plank).parameterKeys
    let keys = detector.list(answers.frames.stream).parameterKeys
    return keys.filter { !other.contains($0) }.compactMap { key in
      guard let definition = detector.parameters.first(where: { $0.key == key }),
        let choice = ParameterWalk(answers, key).profile().choice(in: definition.range)
      else { return nil }
      return FoundEdit(
        edit: .move(parameter: key.rawValue, value: choice.threshold), worth: choice.worth,
        ranges: [choice.doubles])
    }
  }

  private static func rearrangements(_ answers: ListAnswers) -> [FoundEdit] {
    let list = answers.list
    var found: [FoundEdit] = []
    func add(_ edit: RuleEdit, _ worth: Int64) {
      if worth > 0 { found.append(FoundEdit(edit: edit, worth: worth, ranges: [])) }
    }
    for rule in 0..<answers.last {
      add(.dropRule(rule: rule), answers.worth(dropping: rule))
      let conditions = list.rules[rule].conditions
      for condition in conditions.indices where conditions.count > 1 {
        add(
          .dropCondition(rule: rule, condition: condition),
          answers.worth(dropping: condition, of: rule))
      }
      if rule + 1 < answers.last, list.rules[rule].label != list.rules[rule + 1].label {
        add(.swap(rule: rule), answers.worth(swapping: rule))
      }
    }
    return found
  }

  private typealias Walked = (
    worth: Int64, walk: MeasurementWalk, found: MeasurementWalk.Found, below: Bool, column: Int
  )

  private static func walks(
    _ answers: ListAnswers
  ) -> (narrowing: FoundEdit?, insertion: FoundEdit?) {
    let facts = FrameFacts.all(answers)
    var narrowing: Walked?
    var insertion: Walked?
    for column in answers.frames.columns.indices {
      let walk = MeasurementWalk(answers, column: column, facts: facts)
      let results = walk.results
      for (upward, result) in [(true, results.upward), (false, results.downward)] {
        if let found = result.insertion, found.worth > insertion?.worth ?? 0 {
          insertion = (found.worth, walk, found, upward, column)
        }
        if let found = result.narrowing, found.worth > narrowing?.worth ?? 0 {
          narrowing = (found.worth, walk, found, !upward, column)
        }
      }
    }
    return (
      narrowing: narrowing.flatMap { narrowed($0, answers) },
      insertion: insertion.flatMap { inserted($0, answers) }
    )
  }

  private static func narrowed(_ best: Walked, _ answers: ListAnswers) -> FoundEdit? {
    let profile = best.walk.profile(narrowing: best.found.rule, below: best.below)
    guard let choice = profile.choice(in: anyThreshold) else { return nil }
    let name = answers.frames.measurements[best.column].name
    return FoundEdit(
      edit: .narrow(
        rule: best.found.rule,
        condition: EditCondition(name, below: best.below, choice.threshold)),
      worth: choice.worth, ranges: [choice.doubles])
  }

  private static func inserted(_ best: Walked, _ answers: ListAnswers) -> FoundEdit? {
    let profile = best.walk.profile(of: best.found, below: best.below)
    guard let choice = profile.choice(in: anyThreshold) else { return nil }
    let frames = answers.frames
    return FoundEdit(
      edit: .insert(
        position: best.found.rule, label: frames.stream.labels[Int(best.found.label)],
        conditions: [
          EditCondition(
            frames.measurements[best.column].name, below: best.below, choice.threshold)
        ]),
      worth: choice.worth, ranges: [choice.doubles])
  }

  private static func pair(_ answers: ListAnswers) -> FoundEdit? {
    let frames = answers.frames
    let search = PairSearch(answers, columns: Array(frames.columns.indices))
    guard var best = search.best() else { return nil }
    let worth = best.worth
    guard let first = search.profile(best, ofSecond: false).choice(in: anyThreshold) else {
      return nil
    }
    best.thresholds.0 = Float(first.threshold)
    guard let second = search.profile(best, ofSecond: true).choice(in: anyThreshold) else {
      return nil
    }
    let names = (
      frames.measurements[best.columns.0].name, frames.measurements[best.columns.1].name
    )
    return FoundEdit(
      edit: .insert(
        position: best.position, label: frames.stream.labels[Int(best.label)],
        conditions: [
          EditCondition(names.0, below: best.isBelow.0, first.threshold),
          EditCondition(names.1, below: best.isBelow.1, second.threshold),
        ]),
      worth: worth, ranges: [first.doubles, second.doubles])
  }

  private static func count(_ answers: ListAnswers, _ kinds: [RuleEdit.Kind]) -> Int {
    let (rules, labels) = (answers.list.rules.count, answers.frames.stream.labels.count)
    let thresholds = 2 * answers.frames.orders.reduce(0) { $0 + $1.count }
    let columns = answers.frames.columns.count
    var count = 0
    if kinds.contains(.move) { count += answers.frames.count * (rules - 1) }
    if kinds.contains(.rearrange) { count += 2 * (rules - 1) }
    if kinds.contains(.narrow) { count += thresholds * (rules - 1) }
    if kinds.contains(.insert) { count += thresholds * rules * labels }
    if kinds.contains(.insertPair) {
      count += columns * (columns + 1) / 2 * 4 * 225 * rules * labels
    }
    return count
  }
}

extension StepProfile.Choice {
  fileprivate var doubles: ClosedRange<Double> {
    let (lower, upper) = (Double(range.lower), Double(range.upper))
    return min(lower, upper)...max(lower, upper)
  }
}
