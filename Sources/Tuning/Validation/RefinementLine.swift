internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseModel
internal import Synchronization

/// The objective at every breakpoint of an axis, for some people.
///
/// It is the sum of their walks: what a threshold changes in one sequence does not depend on the
/// others. The values are those of a sweep of all breakpoints, to the last digit.
struct RefinementLine {
  /// The thresholds that are tried, ascending.
  let tried: [Double]
  /// The observed values between which they lie, ascending.
  let observed: [Double]
  /// The gain at every threshold; nil where a constraint is broken or the objective is undefined.
  let gains: [Double?]
  private let goal: TuningGoal
  private let walks: [AxisWalk?]
  private let blank: SubjectTable
  private let people: [Int]

  /// Adds up walks.
  ///
  /// - Parameters:
  ///   - walks: by sequence; nil for those that may not be seen.
  ///   - blank: one cell without numbers, of all sequences.
  ///   - people: indices of the table's subjects.
  ///   - isAccepted: whether a threshold keeps the relations between parameters.
  /// - Complexity: O(tried + changes x (people + sequences of a person)).
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

  /// The paired standard error of the difference between two thresholds; nil with fewer than two
  /// people.
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

  /// Where numbers change along the thresholds, in their order; every walk's first are at 0.
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

/// The metrics of a goal, each computed again only if what it is computed from changed.
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

  /// The gain; nil if a constraint is broken or the objective is undefined.
  var gain: Double? {
    let isFeasible = zip(goal.constraints, values.dropFirst()).allSatisfy {
      $0.violation($1) == 0
    }
    return isFeasible ? values[0].map(goal.gain) : nil
  }
}

extension MetricKey {
  /// The numbers of a cell that the metric is computed from.
  fileprivate var parts: CellParts {
    switch metric.formula {
    case .classes: .confusion
    case .changes: .transitions
    case .detections: .latencies
    case .stability, .releases, .events, .holds: []
    }
  }
}

/// What refinement finds out about single sequences, kept for all axes and folds.
///
/// Folds see almost the same people and choose almost the same detector, so they need almost the
/// same walks. A walk says nothing about any other sequence: a fold never asks for what it may
/// not see.
final class RefinementWalks: Sendable {
  /// One cell of all sequences, without numbers.
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

  /// Prepares walks over data, every variant of it measured.
  ///
  /// - Complexity: O(frames).
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

  /// Whether each sequence shows one of some people.
  func sequences(of people: [Int]) -> [Bool] {
    var isSeen = Array(repeating: false, count: data.sequences.count)
    for sequence in people.flatMap({ blank.sequences[$0] }) { isSeen[sequence] = true }
    return isSeen
  }

  /// The values with which a variant compares a parameter.
  func observed(
    _ key: ParameterKey, of variant: Int, _ detector: DetectorVariant
  ) -> ObservedValues {
    let name = ObservationName(variant: variant, key: key)
    if let known = observations.withLock({ $0[name] }) { return known }
    let found = ObservedValues(key, detector, data.variants[variant])
    observations.withLock { $0[name] = found }
    return found
  }

  /// The walks of some people's sequences, by sequence.
  ///
  /// - Parameters:
  ///   - bounds: thresholds between which walks are shared, ascending; the first and the last are
  ///     the ends of the axis.
  ///   - detector: with the values of the other parameters.
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

/// The values that rules compare with a parameter, and the sequences that show them.
struct ObservedValues: Sendable {
  /// The values, ascending; once for every sequence.
  private let values: [Double]
  private let sequences: [Int]

  /// Collects values; with hysteresis, every value also as it is compared with the band's ends.
  ///
  /// - Complexity: O(frames log frames).
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

  /// The distinct values in a range that some sequences show, ascending.
  ///
  /// - Complexity: O(values in the range).
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
