package import Evaluation
package import PlankDetection
package import PoseModel

package struct SweepSummary: Codable, Hashable, Sendable {
  package let run: String
  package let question: String?
  package let frames: Int
  package let configurationCount: Int
  package let engine: String
  package let streams: [Stream]

  private enum CodingKeys: String, CodingKey {
    case run, question, frames, engine, streams
    case configurationCount = "configurations"
  }

  package init(
    run: String, question: String?, frames: Int, configurationCount: Int, engine: String,
    streams: [Stream]
  ) {
    self.run = run
    self.question = question
    self.frames = frames
    self.configurationCount = configurationCount
    self.engine = engine
    self.streams = streams
  }
}

extension SweepSummary {
  package struct Stream: Codable, Hashable, Sendable {
    package let stream: AnswerStream
    package let cellCount: Int
    package let rejectedCount: Int
    package let feasibleCount: Int
    package let constraints: [MetricConstraint]
    package let metrics: [MetricKey]
    package let tolerance: Double
    package let best: [SweepRanking.Row]
    package let views: ObjectiveViews?

    private enum CodingKeys: String, CodingKey {
      case stream, constraints, metrics, tolerance, best, views
      case cellCount = "configurations"
      case rejectedCount = "rejected"
      case feasibleCount = "feasible"
    }

    package init(_ ranking: SweepRanking, rejectedCount: Int, views: ObjectiveViews?) {
      stream = ranking.goal.stream
      cellCount = ranking.cellCount
      self.rejectedCount = rejectedCount
      feasibleCount = ranking.feasibleCount
      constraints = ranking.goal.constraints
      metrics = ranking.metrics
      tolerance = ranking.goal.tolerance
      best = ranking.rows
      self.views = views
    }
  }
}

/// The best configurations of one stream, which may be added in any order.
package struct SweepRanking: Sendable {
  package struct Row: Codable, Hashable, Sendable {
    package let cell: Int
    package let detector: String
    package let smoothing: SmoothingChoice
    package let parameters: [ParameterFact]
    package let values: MetricTable
    package let isFeasible: Bool

    private enum CodingKeys: String, CodingKey {
      case detector, smoothing, parameters, values
      case cell = "configuration"
      case isFeasible = "feasible"
    }
  }

  package let metrics: [MetricKey]
  package private(set) var cellCount = 0
  package private(set) var feasibleCount = 0
  package private(set) var rows: [Row] = []
  private let grid: StreamGrid
  fileprivate let goal: TuningGoal
  private let count: Int
  private let order: PreferenceOrder
  private let subjects: SubjectLayout
  private var gains: [Double] = []

  /// `layout` must be the layout of all configurations.
  package init(
    _ grid: StreamGrid, _ layout: StatisticsLayout, _ goal: TuningGoal, count: Int
  ) throws {
    precondition(grid.stream == goal.stream, "a goal of the grid's stream")
    self.grid = grid
    self.goal = goal
    self.count = count
    order = PreferenceOrder(grid)
    subjects = try SubjectLayout(layout, allowsUngrouped: true)
    let others = [Metric.excessTransitionsPerMinute, .detectionLatencyMedian, .hitRate]
    metrics = ([goal.objective] + others.map { MetricKey($0, in: grid.stream) }).distinct
  }

  package struct Judged: Sendable {
    fileprivate let table: SubjectTable
    fileprivate let values: [Double?]
    fileprivate let isFeasible: [Bool]
  }

  package func judged(_ cells: CellTable) throws -> Judged {
    let table = SubjectTable(cells, subjects)
    try table.check(goal.constraints)
    let everyone = Array(table.subjects.indices)
    return Judged(
      table: table, values: cells.ids.indices.map { table.value(goal.objective, at: $0, everyone) },
      isFeasible: cells.ids.indices.map { goal.isKept(table, everyone, at: $0) })
  }

  package mutating func add(_ cells: CellTable) throws { try add(judged(cells)) }

  package mutating func add(_ judged: Judged) throws {
    let (table, cells) = (judged.table, judged.table.cells)
    let everyone = Array(table.subjects.indices)
    for position in cells.ids.indices {
      cellCount += 1
      let isFeasible = judged.isFeasible[position]
      if isFeasible { feasibleCount += 1 }
      guard let value = judged.values[position] else { continue }
      let gain = goal.gain(value)
      guard let place = place(cells.ids[position], gain, isFeasible) else { continue }
      let variant = grid.variant(of: cells.ids[position])
      let row = Row(
        cell: cells.ids[position], detector: variant.detectorName, smoothing: variant.smoothing,
        parameters: try grid.parameters(of: cells.ids[position]).facts(variant.axes.map(\.key)),
        values: MetricTable(metrics) { table.metric($0, at: position, everyone) },
        isFeasible: isFeasible)
      rows.insert(row, at: place)
      gains.insert(gain, at: place)
      if rows.count > count {
        rows.removeLast()
        gains.removeLast()
      }
    }
  }

  /// The plateau consists of the configurations whose objective is within the goal's tolerance of
  /// the best.
  package func views(_ read: ([Int]) throws -> CellTable?) throws -> ObjectiveViews? {
    guard let best = rows.first, let peak = best.values[goal.objective]?.number else { return nil }
    return try ObjectiveViews(
      grid, around: best.cell,
      isOnPlateau: { [goal] _, value in
        value.map { goal.gain(peak) - goal.gain($0) <= goal.tolerance } ?? false
      },
      values: { [goal, subjects] ids in
        guard let cells = try read(ids) else { return ids.map { _ in nil } }
        let table = SubjectTable(cells, subjects)
        let subjects = Array(table.subjects.indices)
        return ids.map { id in
          cells.position(of: id).flatMap { table.value(goal.objective, at: $0, subjects) }
        }
      })
  }

  private func place(_ cell: Int, _ gain: Double, _ isFeasible: Bool) -> Int? {
    func isBefore(_ index: Int) -> Bool {
      if rows[index].isFeasible != isFeasible { return isFeasible }
      if gains[index] != gain { return gain > gains[index] }
      return order.prefers(cell, to: rows[index].cell)
    }
    guard rows.count < count || (count > 0 && isBefore(count - 1)) else { return nil }
    return rows.indices.first(where: isBefore) ?? rows.count
  }
}

package struct TuningResult: Codable, Hashable, Sendable {
  package let question: String?
  package let sequences: Int
  package let frames: Int
  package let noEvidence: PerStream<[String]>
  package let parameters: [ParameterFact]
  package private(set) var streams: [StreamRecommendation]
  package let engine: String
  package let validation: String
  package let notes: [String]
  package let commands: ResultCommands?

  private enum CodingKeys: String, SnakeCaseKey {
    case question, sequences, frames, parameters, streams, engine, validation, notes, commands,
      noEvidence
  }

  package init(
    question: String?, sequences: Int, frames: Int, noEvidence: PerStream<[String]>,
    parameters: [ParameterFact], streams: [StreamRecommendation], engine: String,
    validation: String, notes: [String], commands: ResultCommands? = nil
  ) {
    self.question = question
    self.sequences = sequences
    self.frames = frames
    self.noEvidence = noEvidence
    self.parameters = parameters
    self.streams = streams
    self.engine = engine
    self.validation = validation
    self.notes = notes
    self.commands = commands
  }
}

extension TuningResult {
  /// The result without data that only figures draw, as a thresholds file keeps it.
  package var withoutViews: TuningResult {
    var result = self
    for index in result.streams.indices { result.streams[index].views = ObjectiveViews() }
    return result
  }
}

package struct ParameterFact: Codable, Hashable, Sendable {
  package let key: ParameterKey
  package private(set) var value: Double
  package let unit: MeasurementUnit
  package let defaultValue: Double

  private enum CodingKeys: String, CodingKey {
    case value, unit
    case key = "parameter"
    case defaultValue = "default"
  }

  package var atDefault: ParameterFact {
    var fact = self
    fact.value = defaultValue
    return fact
  }

  package var isChanged: Bool { value != defaultValue }
}

extension ParameterValues {
  package func facts(_ keys: [ParameterKey]? = nil) -> [ParameterFact] {
    entries.filter { entry in keys?.contains(entry.definition.key) ?? true }
      .map { definition, value in
        ParameterFact(
          key: definition.key, value: value, unit: definition.unit,
          defaultValue: definition.defaultValue)
      }
  }
}
