internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseModel
internal import Synchronization

/// The sum of the walks: what a threshold changes in one sequence does not depend on the others;
/// the values are those of a sweep of all breakpoints, to the last digit.
struct RefinementLine {
  let tried: [Double]
  let observed: [Double]
  let gains: [Double?]
  private let goal: TuningGoal
  private let walks: [AxisWalk?]
  private let blank: SubjectTable
  private let people: [Int]

  /// `walks` are by sequence, nil for those that may not be seen; O(tried + changes x (people +
  /// sequences of a person)).
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
        if changes.count > start, changes[changes.count - 1].index == index {
          changes.removeLast()
        }
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
    let isFeasible = zip(goal.constraints, values.dropFirst()).allSatisfy {
      $0.violation($1) == 0
    }
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

/// Kept for all axes and folds, which need almost the same walks; a fold never asks for a sequence
/// that it may not see.
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
    let layout = StatisticsLayout(StreamFacts(stream, data.sequences), keepsDetermined: false)
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
  private let values: [Double]
  private let sequences: [Int]

  init(_ key: ParameterKey, _ detector: DetectorVariant, _ all: [MeasuredSequence]) {
    let shifts = [0] + detector.shifts(of: key)
    var pairs: [(value: Double, sequence: Int)] = []
    for (index, sequence) in all.enumerated() {
      let own = ObservedQuantiles.observations(of: key, detector.definition, [sequence]) ?? []
      for value in Set(own) {
        pairs += shifts.map { (value: value - $0, sequence: index) }
      }
    }
    pairs.sort { $0.value < $1.value }
    values = pairs.map(\.value)
    sequences = pairs.map(\.sequence)
  }

  func distinct(in range: ClosedRange<Double>, of isSeen: [Bool]) -> [Double] {
    let start = values.partitioningIndex { $0 >= range.lowerBound }
    let end = values.partitioningIndex { $0 > range.upperBound }
    var distinct: [Double] = []
    for index in start..<end where isSeen[sequences[index]] && distinct.last != values[index] {
      distinct.append(values[index])
    }
    return distinct
  }
}
