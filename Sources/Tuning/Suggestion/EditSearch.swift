package import Evaluation
package import PlankDetection
internal import PoseModel

package struct FoundEdit: Hashable, Sendable {
  package let edit: RuleEdit
  package let worth: Int64
  package let ranges: [ClosedRange<Double>]
}

/// Searches for the best edit of one rule; the order of rules and measurements settles ties.
package struct EditSearch {
  package let found: [FoundEdit]
  package let tried: Int

  private static let anyThreshold = -1e6...1e6
  /// The share of the best edit's worth that a simpler edit must have.
  private static let share = 0.9

  /// The detector has at most 63 rules, its parameters have their defaults, and the frames have
  /// every measurement.
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

  /// The simplest edit that is worth nearly as much as the best one; nil if no edit is worth
  /// anything.
  package var choice: FoundEdit? {
    guard let most = found.map(\.worth).max(), most > 0 else { return nil }
    let good = found.filter { Double($0.worth) >= Self.share * Double(most) }
    guard let kind = good.map(\.edit.kind).min() else { return nil }
    return good.filter { $0.edit.kind == kind }.max { $0.worth < $1.worth }
  }

  package var others: [FoundEdit] {
    let chosen = choice
    var best: [RuleEdit.Kind: FoundEdit] = [:]
    for edit in found where edit != chosen && edit.worth > best[edit.edit.kind]?.worth ?? 0 {
      best[edit.edit.kind] = edit
    }
    return best.values.sorted { ($1.worth, $0.edit.kind) < ($0.worth, $1.edit.kind) }
  }

  private static func moves(_ detector: DetectorDefinition, _ answers: ListAnswers) -> [FoundEdit] {
    let other = detector.list(answers.frames.stream.other).parameterKeys
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
      narrowing: narrowing.flatMap { best in
        let profile = best.walk.profile(narrowing: best.found.rule, below: best.below)
        return edit(best, profile, answers) { .narrow(rule: best.found.rule, condition: $0) }
      },
      insertion: insertion.flatMap { best in
        let profile = best.walk.profile(of: best.found, below: best.below)
        let label = answers.frames.stream.labels[Int(best.found.label)]
        return edit(best, profile, answers) {
          .insert(position: best.found.rule, label: label, conditions: [$0])
        }
      }
    )
  }

  private static func edit(
    _ best: Walked, _ profile: StepProfile, _ answers: ListAnswers,
    _ edit: (EditCondition) -> RuleEdit
  ) -> FoundEdit? {
    guard let choice = profile.choice(in: anyThreshold) else { return nil }
    let name = answers.frames.measurements[best.column].name
    return FoundEdit(
      edit: edit(EditCondition(name, below: best.below, choice.threshold)), worth: choice.worth,
      ranges: [choice.doubles])
  }

  private static func pair(_ answers: ListAnswers) -> FoundEdit? {
    let frames = answers.frames
    let search = PairSearch(answers, columns: Array(frames.columns.indices))
    guard var best = search.best() else { return nil }
    let worth = best.worth
    guard let first = search.profile(best).choice(in: anyThreshold) else {
      return nil
    }
    best.thresholds.0 = Float(first.threshold)
    guard let second = search.profile(best.exchanged).choice(in: anyThreshold) else {
      return nil
    }
    let names = (frames.measurements[best.columns.0].name, frames.measurements[best.columns.1].name)
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

/// Tries thresholds between quantiles first, and then exact thresholds, one at a time.
///
/// The search can miss a pair whose best thresholds lie within one quantile.
struct PairSearch {
  struct Candidate: Sendable {
    var worth: Int64
    let columns: (Int, Int)
    let isBelow: (Bool, Bool)
    var thresholds: (Float, Float)
    let position: Int
    let label: UInt8

    /// The same rule with its conditions exchanged.
    var exchanged: Candidate {
      Candidate(
        worth: worth, columns: (columns.1, columns.0), isBelow: (isBelow.1, isBelow.0),
        thresholds: (thresholds.1, thresholds.0), position: position, label: label)
    }
  }

  private static let refined = 6
  private static let rounds = 4

  private let answers: ListAnswers
  private let bins: [QuantileBins]
  private let grid: PairGrid

  init(_ answers: ListAnswers, columns: [Int]) {
    self.answers = answers
    bins = columns.map { QuantileBins(answers, column: $0) }
    grid = PairGrid(answers)
  }

  /// Nil if no rule is worth anything; O(measurements^2 x (frames + rules x labels)).
  func best() -> Candidate? {
    var ranked: [Candidate] = []
    var scratch = PairGrid.Scratch(grid)
    for (index, first) in bins.enumerated() {
      for second in bins[index...] {
        // A pair is abandoned as soon as it cannot be among the best ones.
        let floor = ranked.count < Self.refined ? 0 : ranked[Self.refined - 1].worth
        guard let found = grid.best(first, second, above: floor, &scratch) else { continue }
        let place = ranked.firstIndex { $0.worth < found.worth } ?? ranked.count
        ranked.insert(found, at: place)
        if ranked.count > Self.refined { ranked.removeLast() }
      }
    }
    return ranked.map(refine).filter { $0.worth > 0 }.max { $0.worth < $1.worth }
  }

  /// The worth of the rule by the threshold of its first condition.
  func profile(_ candidate: Candidate) -> StepProfile {
    let columns = answers.frames.columns
    let (own, other) = candidate.columns
    let comparison: Comparison = candidate.isBelow.1 ? .less : .greater
    let order = answers.frames.orders[own].lazy.map { Int($0) }
    let changes = order.filter { answers.first[$0] != ListAnswers.noRule }.map { frame in
      let isTaken =
        Int(answers.first[frame]) >= candidate.position
        && comparison.holds(columns[other][frame], candidate.thresholds.1)
      return (
        value: columns[own][frame], worth: isTaken ? answers.worth(candidate.label, at: frame) : 0
      )
    }
    return StepProfile(
      Array(changes), base: answers.worthOfMissing([own, other]),
      side: candidate.isBelow.0 ? .below : .above)
  }

  private func refine(_ start: Candidate) -> Candidate {
    var best = start
    for _ in 0..<Self.rounds {
      let before = best.worth
      for _ in 0..<2 {
        let everything = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        if let choice = profile(best).choice(in: everything), choice.worth > best.worth,
          let middle = StepProfile.middle(choice.peak.lower, choice.peak.upper)
        {
          best.worth = choice.worth
          best.thresholds.0 = middle
        }
        best = best.exchanged
      }
      if best.worth == before { break }
    }
    return best
  }
}

private struct QuantileBins {
  static let most = 16
  static let inapplicable: UInt8 = 254
  static let missing: UInt8 = 255

  let column: Int
  let bins: [UInt8]
  let edges: [Float]

  init(_ answers: ListAnswers, column: Int) {
    self.column = column
    let values = answers.frames.columns[column]
    let isNew = !answers.list.mentioned.contains(column)
    var bins = values.map { value in
      isNew && MeasuredValue.isMissing(value) ? Self.missing : Self.inapplicable
    }
    let order = answers.frames.orders[column].map { Int($0) }
      .filter { answers.first[$0] != ListAnswers.noRule }
    var edges: [Float] = []
    var last: Float?
    for (place, frame) in order.enumerated() {
      let value = values[frame]
      if let last, value != last, edges.count < Self.most - 1,
        place * Self.most >= (edges.count + 1) * order.count,
        let middle = StepProfile.middle(last, value)
      {
        edges.append(middle)
      }
      last = value
      bins[frame] = UInt8(edges.count)
    }
    self.bins = bins
    self.edges = edges
  }
}

private struct PairGrid {
  private static let side = QuantileBins.most
  private static let cells = side * side

  private struct Entry {
    let frame: Int32
    let wins: Int32
    let costs: Int32
    let win: Int64
    let cost: Int64
    let emptied: Int64
  }

  private let entries: [Entry]
  private let isFirst: [Bool]
  private let rules: Int
  private let labels: Int

  init(_ answers: ListAnswers) {
    let labels = answers.frames.stream.labels.count
    rules = answers.list.rules.count
    self.labels = labels
    var isFirst = [Bool](repeating: false, count: rules)
    var entries: [Entry] = []
    for frame in answers.first.indices
    where answers.first[frame] != ListAnswers.noRule && answers.frames.weights[frame] > 0 {
      let start = Int(answers.first[frame]) * (labels + 1)
      isFirst[Int(answers.first[frame])] = true
      entries.append(
        Entry(
          frame: Int32(frame), wins: Int32((start + Int(answers.frames.truth[frame])) * Self.cells),
          costs: Int32((start + labels) * Self.cells),
          win: answers.gains[frame] + answers.losses[frame], cost: answers.losses[frame],
          emptied: answers.worth(0, at: frame)))
    }
    self.entries = entries
    self.isFirst = isFirst
  }

  struct Scratch {
    fileprivate var sums: [Int64]
    fileprivate var planes: [Int64]
    fileprivate var prefix = [Int64](repeating: 0, count: PairGrid.cells)

    init(_ grid: PairGrid) {
      sums = Array(repeating: 0, count: grid.rules * (grid.labels + 1) * PairGrid.cells)
      planes = Array(repeating: 0, count: grid.labels * PairGrid.cells)
    }
  }

  func best(
    _ first: QuantileBins, _ second: QuantileBins, above floor: Int64, _ scratch: inout Scratch
  ) -> PairSearch.Candidate? {
    guard !first.edges.isEmpty, !second.edges.isEmpty else { return nil }
    let missing = fill(&scratch.sums, first, second)
    scratch.planes.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    var best: PairSearch.Candidate?
    for position in stride(from: rules - 1, through: 0, by: -1) where isFirst[position] {
      for label in 0..<labels {
        let most = add(&scratch, position, label)
        let needed = (best?.worth ?? floor) - missing
        guard most > needed else { continue }
        Self.add(up: scratch.planes, from: label * Self.cells, into: &scratch.prefix)
        scan(scratch.prefix, first.edges.count, second.edges.count, above: needed) {
          worth, one, two, isBelow in
          best = PairSearch.Candidate(
            worth: worth + missing, columns: (first.column, second.column), isBelow: isBelow,
            thresholds: (first.edges[one], second.edges[two]), position: position,
            label: UInt8(label))
        }
      }
    }
    return best
  }

  private func add(_ scratch: inout Scratch, _ position: Int, _ label: Int) -> Int64 {
    let start = position * (labels + 1) * Self.cells
    var most: Int64 = 0
    scratch.sums.withUnsafeBufferPointer { sums in
      scratch.planes.withUnsafeMutableBufferPointer { planes in
        for cell in 0..<Self.cells {
          let value =
            planes[label * Self.cells + cell] &+ sums[start + label * Self.cells + cell]
            &- sums[start + labels * Self.cells + cell]
          planes[label * Self.cells + cell] = value
          most &+= max(0, value)
        }
      }
    }
    return most
  }

  private func fill(_ sums: inout [Int64], _ first: QuantileBins, _ second: QuantileBins) -> Int64 {
    var missing: Int64 = 0
    sums.withUnsafeMutableBufferPointer { sums in
      sums.update(repeating: 0)
      first.bins.withUnsafeBufferPointer { ones in
        second.bins.withUnsafeBufferPointer { twos in
          for entry in entries {
            let (one, two) = (ones[Int(entry.frame)], twos[Int(entry.frame)])
            guard one < QuantileBins.inapplicable, two < QuantileBins.inapplicable else {
              if one == QuantileBins.missing || two == QuantileBins.missing {
                missing += entry.emptied
              }
              continue
            }
            let cell = Int(one) * Self.side + Int(two)
            sums[Int(entry.wins) + cell] += entry.win
            if entry.cost > 0 { sums[Int(entry.costs) + cell] += entry.cost }
          }
        }
      }
    }
    return missing
  }

  private static func add(up planes: [Int64], from start: Int, into prefix: inout [Int64]) {
    planes.withUnsafeBufferPointer { planes in
      prefix.withUnsafeMutableBufferPointer { prefix in
        for row in 0..<side {
          var sum: Int64 = 0
          for column in 0..<side {
            sum += planes[start + row * side + column]
            prefix[row * side + column] = sum + (row > 0 ? prefix[(row - 1) * side + column] : 0)
          }
        }
      }
    }
  }

  private func scan(
    _ prefix: [Int64], _ rows: Int, _ columns: Int, above start: Int64,
    _ body: (Int64, Int, Int, (Bool, Bool)) -> Void
  ) {
    let (side, last) = (Self.side, Self.side - 1)
    let total = prefix[last * side + last]
    var most = start
    for row in 0..<rows {
      let left = prefix[row * side + last]
      for column in 0..<columns {
        let (both, top) = (prefix[row * side + column], prefix[last * side + column])
        let quadrants = (both, left - both, top - both, total - left - top + both)
        guard max(max(quadrants.0, quadrants.1), max(quadrants.2, quadrants.3)) > most else {
          continue
        }
        for (worth, isBelow) in [
          (quadrants.0, (true, true)), (quadrants.1, (true, false)),
          (quadrants.2, (false, true)), (quadrants.3, (false, false)),
        ] where worth > most {
          most = worth
          body(worth, row, column, isBelow)
        }
      }
    }
  }
}
