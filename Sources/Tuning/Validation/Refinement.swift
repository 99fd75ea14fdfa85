internal import Evaluation
package import PlankDetection
internal import Platform
internal import PoseModel
internal import Synchronization

/// The exact best value of each continuous parameter inside a plateau.
///
/// Answers change only at observed values, so all values halfway between these are tried. With
/// hysteresis, an observed value counts three times, because it is also compared with both ends of
/// the band. A gain that chance or the goal's tolerance explains is reported but not taken. A gain
/// that holds only in a narrow interval is not taken either, because the value on the grid is
/// safer.
package struct Refinement: Hashable, Sendable {
  package enum Obstacle: String, CaseIterable, Codable, Hashable, Sendable {
    case chance
    /// The interval is narrower than `Refiner.leastWidth` steps of the axis, so the next recording
    /// would miss it.
    case knifeEdge = "knife_edge"
  }

  package struct Step: Codable, Hashable, Sendable {
    package let key: ParameterKey
    package let unit: MeasurementUnit
    package let from: Double
    /// The tried value of the best interval that is nearest to the middle between the classes, or
    /// to the middle of the interval if the parameter separates no classes.
    package let to: Double
    package let interval: ClosedRange<Double>
    package let gain: Double
    package let standardError: Double?
    package let obstacle: Obstacle?

    private enum CodingKeys: String, SnakeCaseKey {
      case unit, from, to, interval, gain, obstacle
      case key = "parameter"
      case standardError
    }

    package var isTaken: Bool { obstacle == nil }
  }

  package let parameters: ParameterValues
  package let steps: [Step]
  package let objective: Double
}

struct Refiner {
  static let leastWidth = 0.1

  let constraints: [AxisConstraint]
  let grid: StreamGrid
  let walks: RefinementWalks
  let goal: TuningGoal
  let people: [Int]
  let jobs: Int

  func refine(_ choice: Choice) async throws -> Refinement {
    let (variant, _) = grid.locate(choice.cell)
    var current = try grid.parameters(of: choice.cell)
    var objective = choice.objective
    var steps: [Refinement.Step] = []
    for extent in choice.plateau?.axes ?? [] where extent.width > 0 {
      let axis = grid.variants[variant].axes.first { $0.key == extent.key }
      guard let axis, axis.definition.unit != .frames, axis.key != .holdSeconds else { continue }
      let target = choice.placements.first { $0.key == extent.key }?.middle
      guard let step = try await best(axis, extent.from...extent.to, current, variant, target)
      else { continue }
      steps.append(step)
      guard step.isTaken else { continue }
      try current.set(step.key, to: step.to)
      objective = goal.gain(goal.gain(objective) + step.gain)
    }
    return Refinement(parameters: current, steps: steps, objective: objective)
  }

  private func best(
    _ axis: ResolvedAxis, _ range: ClosedRange<Double>, _ current: ParameterValues, _ variant: Int,
    _ target: Double?
  ) async throws -> Refinement.Step? {
    guard let own = current[axis.key], let line = try await line(axis, range, current, variant)
    else { return nil }
    let (tried, observed) = (line.tried, line.observed)
    guard let start = tried.firstIndex(of: own), let before = line.gains[start],
      let top = line.gains.compactMap(\.self).max(), top > before
    else { return nil }
    func width(_ run: Range<Int>) -> Double { tried[run.upperBound - 1] - tried[run.lowerBound] }
    // Of equally wide runs, `max` returns the first.
    let runs = line.gains.indices(of: top).ranges
    guard let run = runs.max(by: { width($0) < width($1) }) else { return nil }
    let (low, high) = (tried[run.lowerBound], tried[run.upperBound - 1])
    let interval = (observed.last { $0 < low } ?? low)...(observed.first { $0 > high } ?? high)
    let wanted = target ?? interval.lowerBound + (interval.upperBound - interval.lowerBound) / 2
    let place = run.min { abs(tried[$0] - wanted) < abs(tried[$1] - wanted) } ?? run.lowerBound
    let error = try line.standardError(from: own, to: tried[place])
    var obstacle: Refinement.Obstacle?
    if interval.upperBound - interval.lowerBound < Self.leastWidth * Self.step(of: axis, at: own) {
      obstacle = .knifeEdge
    }
    if top - before <= max(goal.tolerance, error ?? 0) { obstacle = .chance }
    return Refinement.Step(
      key: axis.key, unit: axis.definition.unit, from: own, to: tried[place],
      interval: interval, gain: top - before, standardError: error, obstacle: obstacle)
  }

  func line(
    _ axis: ResolvedAxis, _ range: ClosedRange<Double>, _ current: ParameterValues, _ variant: Int
  ) async throws -> RefinementLine? {
    let key = axis.key
    let observed = walks.observed(key, of: variant, grid.variants[variant].variant)
      .distinct(in: range, of: walks.sequences(of: people))
    guard let own = current[key], observed.count > 1 else { return nil }
    var tried: [Double] = []
    for (left, right) in zip(observed, observed.dropFirst()) {
      let middle = left + (right - left) / 2
      if tried.last != middle { tried.append(middle) }
    }
    let place = tried.partitioningIndex { $0 >= own }
    if place == tried.count || tried[place] != own { tried.insert(own, at: place) }
    let found = try await walks.walks(
      key, axis.values.filter(range.contains), of: people, variant,
      grid.variants[variant].variant.with(current), jobs: jobs)
    return RefinementLine(goal, found, walks.blank, of: people, tried: tried, observed: observed) {
      value in constraints.allSatisfy { $0.holds { $0 == key ? value : current[$0] } }
    }
  }

  private static func step(of axis: ResolvedAxis, at value: Double) -> Double {
    axis.values.filter { $0 != value }.map { abs($0 - value) }.min() ?? 0
  }
}

/// The values equal those of a sweep of all breakpoints, to the last digit.
struct RefinementLine {
  let tried: [Double]
  let observed: [Double]
  let gains: [Double?]
  private let goal: TuningGoal
  private let walks: [AxisWalk?]
  private let blank: SubjectTable
  private let people: [Int]

  init(
    _ goal: TuningGoal, _ walks: [AxisWalk?], _ blank: SubjectTable, of people: [Int],
    tried: [Double], observed: [Double], isAccepted: (Double) -> Bool
  ) {
    self.goal = goal
    self.walks = walks
    self.blank = blank
    self.people = people
    self.tried = tried
    self.observed = observed
    let changes = Self.changes(of: walks, along: tried)
    var gains = [Double?](repeating: nil, count: tried.count)
    var table = blank
    var values = GoalValues(goal)
    var next = 0
    while next < changes.count {
      let index = changes[next].index
      var parts: CellParts = next == 0 ? .all : []
      while next < changes.count, changes[next].index == index {
        let change = changes[next]
        if let walk = walks[change.sequence] {
          parts.formUnion(
            table.replace(change.sequence, at: 0, with: walk.numbers(at: change.place)))
        }
        next += 1
      }
      values.update(parts, table, people)
      let end = next < changes.count ? changes[next].index : tried.count
      for place in index..<end where isAccepted(tried[place]) { gains[place] = values.gain }
    }
    self.gains = gains
  }

  func standardError(from start: Double, to end: Double) throws -> Double? {
    var cells = blank.cells
    cells.append(CellTable(layout: cells.layout, ids: [1], storage: cells.storage))
    for (sequence, walk) in walks.enumerated() {
      guard let walk else { continue }
      cells.replace(sequence, at: 0, with: walk.numbers(atThreshold: start))
      cells.replace(sequence, at: 1, with: walk.numbers(atThreshold: end))
    }
    let table = try SubjectTable(cells, allowsUngrouped: true)
    return PairedErrors(table, goal.objective, best: 1, people).standardError(of: 0)
  }

  private struct Change {
    let index: Int
    let sequence: Int
    let place: Int
  }

  private static func changes(of walks: [AxisWalk?], along tried: [Double]) -> [Change] {
    var changes: [Change] = []
    for (sequence, walk) in walks.enumerated() {
      guard let walk else { continue }
      let start = changes.count
      for (place, threshold) in walk.thresholds.enumerated() {
        let index = place == 0 ? 0 : tried.partitioningIndex { $0 >= threshold }
        guard index < tried.count else { break }
        if changes.count > start, changes[changes.count - 1].index == index { changes.removeLast() }
        changes.append(Change(index: index, sequence: sequence, place: place))
      }
    }
    return changes.sorted { ($0.index, $0.sequence) < ($1.index, $1.sequence) }
  }
}

private struct GoalValues {
  private let goal: TuningGoal
  private let metrics: [MetricKey]
  private var values: [Double?]

  init(_ goal: TuningGoal) {
    self.goal = goal
    metrics = [goal.objective] + goal.constraints.map(\.metric)
    values = metrics.map { _ in nil }
  }

  mutating func update(_ parts: CellParts, _ table: SubjectTable, _ people: [Int]) {
    for (index, metric) in metrics.enumerated() where !parts.isDisjoint(with: metric.parts) {
      values[index] = table.value(metric, at: 0, people)
    }
  }

  var gain: Double? {
    let isFeasible = zip(goal.constraints, values.dropFirst()).allSatisfy { $0.violation($1) == 0 }
    return isFeasible ? values[0].map(goal.gain) : nil
  }
}

extension MetricKey {
  fileprivate var parts: CellParts {
    switch metric.formula {
    case .classes: .confusion
    case .changes: .transitions
    case .detections: .latencies
    case .stability, .releases, .events, .holds: []
    }
  }
}

/// Axes and folds need almost the same walks, so walks are stored.
final class RefinementWalks: Sendable {
  let blank: SubjectTable
  private let stream: AnswerStream
  private let data: MeasuredData
  private let engine: SweepEngine
  private let walks = Mutex<[WalkName: AxisWalk]>([:])
  private let observations = Mutex<[ObservationName: ObservedValues]>([:])

  private struct WalkName: Hashable {
    let variant: Int
    let sequence: Int
    let key: ParameterKey
    let range: ClosedRange<Double>
    let signature: [Int]
  }

  private struct ObservationName: Hashable {
    let variant: Int
    let key: ParameterKey
  }

  init(_ stream: AnswerStream, _ data: MeasuredData, _ options: TuningOptions) throws {
    self.stream = stream
    self.data = data
    engine = options.engine
    let layout = StatisticsLayout(StreamFacts(stream, data.sequences))
    let numbers = [UInt32](repeating: 0, count: layout.stride)
    blank = try SubjectTable(
      CellTable(layout: layout, ids: [0], storage: numbers),
      allowsUngrouped: options.allowsUngrouped)
  }

  func sequences(of people: [Int]) -> [Bool] {
    var isSeen = Array(repeating: false, count: data.sequences.count)
    for sequence in people.flatMap({ blank.sequences[$0] }) { isSeen[sequence] = true }
    return isSeen
  }

  func observed(
    _ key: ParameterKey, of variant: Int, _ detector: DetectorVariant
  ) -> ObservedValues {
    let name = ObservationName(variant: variant, key: key)
    if let known = observations.withLock({ $0[name] }) { return known }
    let found = ObservedValues(key, detector, data.variants[variant])
    observations.withLock { $0[name] = found }
    return found
  }

  func walks(
    _ key: ParameterKey, _ bounds: [Double], of people: [Int], _ variant: Int,
    _ detector: DetectorVariant, jobs: Int
  ) async throws -> [AxisWalk?] {
    let isSeen = sequences(of: people)
    return try await ConcurrentMap.run(isSeen.count, jobs: jobs) {
      (sequence) async throws -> AxisWalk? in
      guard isSeen[sequence] else { return nil }
      let walked = WalkedSequence(
        sequence: self.data.variants[variant][sequence], stream: self.stream, detector: detector,
        key: key, engine: self.engine)
      let signature = walked.signature
      var whole: AxisWalk?
      for (lower, upper) in zip(bounds, bounds.dropFirst()) {
        let name = WalkName(
          variant: variant, sequence: sequence, key: key, range: lower...upper,
          signature: signature)
        let part = try await self.walk(name, walked)
        if whole == nil { whole = part } else { whole?.append(part) }
      }
      return whole
    }
  }

  private func walk(_ name: WalkName, _ walked: WalkedSequence) async throws -> AxisWalk {
    if let known = walks.withLock({ $0[name] }) { return known }
    let found = try await walked.walk(name.range)
    walks.withLock { $0[name] = found }
    return found
  }
}

struct ObservedValues: Sendable {
  /// In ascending order of values.
  private let values: [(value: Double, sequence: Int)]

  init(_ key: ParameterKey, _ detector: DetectorVariant, _ all: [MeasuredSequence]) {
    let shifts = [0] + detector.shifts(of: key)
    values = all.enumerated().flatMap { index, sequence in
      let own = ObservedQuantiles.observations(of: key, detector.definition, [sequence]) ?? []
      return Set(own).flatMap { value in shifts.map { (value: value - $0, sequence: index) } }
    }.sorted { $0.value < $1.value }
  }

  func distinct(in range: ClosedRange<Double>, of isSeen: [Bool]) -> [Double] {
    let start = values.partitioningIndex { $0.value >= range.lowerBound }
    let end = values.partitioningIndex { $0.value > range.upperBound }
    var distinct: [Double] = []
    for (value, sequence) in values[start..<end] where isSeen[sequence] && distinct.last != value {
      distinct.append(value)
    }
    return distinct
  }
}

struct AxisWalk: Sendable {
  private(set) var thresholds: [Double] = []
  private let width: Int
  private var storage: [UInt32] = []

  init(width: Int) { self.width = width }

  func numbers(at index: Int) -> ArraySlice<UInt32> { storage[index * width..<(index + 1) * width] }

  func numbers(atThreshold threshold: Double) -> ArraySlice<UInt32> {
    numbers(at: max(0, thresholds.partitioningIndex { $0 > threshold } - 1))
  }

  mutating func add(_ threshold: Double, _ numbers: ArraySlice<UInt32>) {
    guard thresholds.isEmpty || self.numbers(at: thresholds.count - 1) != numbers else { return }
    thresholds.append(threshold)
    storage += numbers
  }

  mutating func append(_ next: AxisWalk) {
    for index in next.thresholds.indices { add(next.thresholds[index], next.numbers(at: index)) }
  }
}

/// Only deciding frames count, that is, frames whose label changes with the comparison.
///
/// The sequence is scored once for each threshold at which the comparison of such a frame changes.
struct WalkedSequence {
  let sequence: MeasuredSequence
  let stream: AnswerStream
  let detector: DetectorVariant
  let key: ParameterKey
  let engine: SweepEngine

  private static let thresholdsPerPass = 1024

  /// Detectors with equal signatures give the same walk.
  ///
  /// As its threshold grows, a comparison only gains or only loses frames, so their number
  /// identifies them.
  var signature: [Int] {
    var signature = [stream.framesKey, .holdSeconds].map {
      Int(bitPattern: UInt((detector.base[$0] ?? 0).bitPattern))
    }
    for comparison in comparisons(where: { $0 != key }) {
      let threshold = comparison.threshold(detector.base[comparison.parameter] ?? .nan)
      let column = sequence.columns[comparison.measurement]
      signature.append(column.count { comparison.order.holds($0, threshold) })
    }
    return signature
  }

  func walk(_ range: ClosedRange<Double>) async throws -> AxisWalk {
    let thresholds = try [range.lowerBound] + turningPoints(range)
    let data = try MeasuredData(variants: [[sequence]])
    var walk: AxisWalk?
    for start in stride(from: 0, to: thresholds.count, by: Self.thresholdsPerPass) {
      let part = Array(thresholds[start..<min(start + Self.thresholdsPerPass, thresholds.count)])
      let line = try GridDefinition([detector], axes: [ParameterAxis(key, .list(part))])
      let grid = try line.grid(stream, data)
      let cells = try await StreamSweep(grid, data, engine: engine).evaluate(0..<grid.cellCount)
      var longer = walk ?? AxisWalk(width: cells.layout.stride)
      for position in cells.ids.indices { longer.add(part[position], cells.numbers(at: position)) }
      walk = longer
    }
    return walk ?? AxisWalk(width: 0)
  }

  private func turningPoints(_ range: ClosedRange<Double>) throws -> [Double] {
    let comparisons = comparisons { $0 == key }
    var turns: [(frame: Int, comparison: Int)] = []
    for (index, comparison) in comparisons.enumerated() {
      let (low, high) = (
        comparison.threshold(range.lowerBound), comparison.threshold(range.upperBound)
      )
      for (frame, value) in sequence.columns[comparison.measurement].enumerated()
      where comparison.order.holds(value, low) != comparison.order.holds(value, high) {
        turns.append((frame: frame, comparison: index))
      }
    }
    guard !turns.isEmpty else { return [] }
    let isDeciding = try decidingFrames(range, turns.map(\.frame))
    let points = turns.compactMap { frame, index -> Double? in
      guard isDeciding[frame] else { return nil }
      let comparison = comparisons[index]
      let value = sequence.columns[comparison.measurement][frame]
      return range.firstChange { comparison.order.holds(value, comparison.threshold($0)) }
    }
    return Set(points).sorted()
  }

  /// `turning` has a frame once for each comparison that changes in the range.
  ///
  /// If several comparisons change, the labels at both ends say nothing about those between; with
  /// hysteresis, a frame's own label says nothing either.
  private func decidingFrames(_ range: ClosedRange<Double>, _ turning: [Int]) throws -> [Bool] {
    let (low, high) = (try labels(range.lowerBound), try labels(range.upperBound))
    guard !hasHysteresis else { return low.map { $0 != Debouncer.undetermined } }
    var isDeciding = zip(low, high).map { $0 != $1 }
    var turned = Array(repeating: false, count: low.count)
    for frame in turning {
      if turned[frame] { isDeciding[frame] = low[frame] != Debouncer.undetermined }
      turned[frame] = true
    }
    return isDeciding
  }

  private func labels(_ threshold: Double) throws -> [UInt8] {
    var parameters = detector.base
    try parameters.set(key, to: threshold)
    return try BatchDetector(
      detector.definition, parameters: parameters, debounce: detector.debounce
    ).run(stream, sequence.columns, times: sequence.times, startsMid: sequence.startsMid).raw
  }

  private var hasHysteresis: Bool {
    let keys = detector.definition.list(stream).parameterKeys
    return keys.contains { detector.debounce.bands.band(of: $0) != nil }
  }

  private func comparisons(where isMeant: (ParameterKey) -> Bool) -> [ThresholdComparison] {
    detector.definition.list(stream).rules.flatMap(\.predicates).filter { isMeant($0.parameter) }
      .flatMap { predicate in
        ([0] + detector.shifts(of: predicate.parameter)).map {
          ThresholdComparison(
            measurement: predicate.measurement, order: predicate.comparison,
            parameter: predicate.parameter, isNegated: predicate.isNegated, shift: $0)
        }
      }
  }
}

private struct ThresholdComparison {
  let measurement: Measurement
  let order: Comparison
  let parameter: ParameterKey
  let isNegated: Bool
  let shift: Double

  func threshold(_ parameter: Double) -> Float {
    Float((isNegated ? -parameter : parameter) + shift)
  }
}

extension DetectorVariant {
  func shifts(of key: ParameterKey) -> [Double] {
    debounce.bands.band(of: key).map { [$0.halfWidth, -$0.halfWidth] } ?? []
  }
}

extension ClosedRange<Double> {
  /// The condition must change exactly once in the range; the search takes about 60 calls.
  func firstChange(_ condition: (Double) -> Bool) -> Double {
    let first = condition(lowerBound)
    var (same, changed) = (lowerBound.rank, upperBound.rank)
    while true {
      let middle = (same & changed) + ((same ^ changed) >> 1)
      guard middle != same else { return Double(rank: changed) }
      if condition(Double(rank: middle)) == first { same = middle } else { changed = middle }
    }
  }
}

extension Double {
  fileprivate var rank: Int64 {
    let bits = Int64(bitPattern: bitPattern)
    return bits < 0 ? Int64.min - bits - 1 : bits
  }

  fileprivate init(rank: Int64) {
    self.init(bitPattern: UInt64(bitPattern: rank < 0 ? Int64.min - rank - 1 : rank))
  }
}
