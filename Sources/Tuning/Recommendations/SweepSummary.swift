package import Evaluation
internal import PlankDetection
package import PoseModel

/// The result of a sweep, before anything is chosen.
package struct SweepSummary: Codable, Hashable, Sendable {
  /// The run's id in its store.
  package let run: String
  /// The question, if the experiment states one.
  package let question: String?
  /// How many frames there are.
  package let frames: Int
  /// The part of the grid.
  package let shard: Shard
  /// How many configurations the streams' cells form, including degenerate ones.
  package let configurationCount: Int
  /// The engine that evaluated the cells.
  package let engine: String
  /// The best cells of every stream.
  package let streams: [Stream]

  private enum CodingKeys: String, CodingKey {
    case run, question, frames, shard, engine, streams
    case configurationCount = "configurations"
  }

  /// Makes a summary.
  package init(
    run: String, question: String?, frames: Int, shard: Shard, configurationCount: Int,
    engine: String, streams: [Stream]
  ) {
    self.run = run
    self.question = question
    self.frames = frames
    self.shard = shard
    self.configurationCount = configurationCount
    self.engine = engine
    self.streams = streams
  }
}

extension SweepSummary {
  /// The best cells of one stream.
  package struct Stream: Codable, Hashable, Sendable {
    /// The stream.
    package let stream: AnswerStream
    /// How many cells were evaluated.
    package let cellCount: Int
    /// How many were rejected as degenerate.
    package let rejectedCount: Int
    /// How many keep the constraints.
    package let feasibleCount: Int
    /// The constraints.
    package let constraints: [MetricConstraint]
    /// The metrics of the cells, the objective first.
    package let metrics: [MetricKey]
    /// Differences of the objective that count as zero.
    package let tolerance: Double
    /// The best cells, best first.
    package let best: [SweepRanking.Row]
    /// The objective around the best cell; nil where none has one.
    package let views: ObjectiveViews?

    private enum CodingKeys: String, CodingKey {
      case stream, constraints, metrics, tolerance, best, views
      case cellCount = "cells"
      case rejectedCount = "rejected"
      case feasibleCount = "feasible"
    }

    /// Takes a ranking of all cells.
    package init(_ ranking: SweepRanking, rejectedCount: Int, views: ObjectiveViews?) {
      stream = ranking.stream
      cellCount = ranking.cellCount
      self.rejectedCount = rejectedCount
      feasibleCount = ranking.feasibleCount
      constraints = ranking.constraints
      metrics = ranking.metrics
      tolerance = ranking.tolerance
      best = ranking.rows
      self.views = views
    }
  }
}

/// The best cells of one stream, kept while all cells are read, in any order.
package struct SweepRanking: Sendable {
  /// A cell.
  package struct Row: Codable, Hashable, Sendable {
    /// The cell.
    package let cell: Int
    /// Its detector.
    package let detector: String
    /// Its smoothing.
    package let smoothing: SmoothingChoice
    /// The parameters that axes vary.
    package let parameters: [ParameterFact]
    /// The values of the metrics.
    package let values: MetricTable
    /// Whether it keeps the constraints.
    package let isFeasible: Bool

    private enum CodingKeys: String, CodingKey {
      case cell, detector, smoothing, parameters, values
      case isFeasible = "feasible"
    }
  }

  /// The stream.
  package let stream: AnswerStream
  /// The metrics of the rows, the objective first.
  package let metrics: [MetricKey]
  /// The constraints.
  package let constraints: [MetricConstraint]
  /// How many cells were read.
  package private(set) var cellCount = 0
  /// How many of them keep the constraints.
  package private(set) var feasibleCount = 0
  /// The best cells, best first.
  package private(set) var rows: [Row] = []

  private let grid: StreamGrid
  private let goal: TuningGoal
  private let count: Int
  private let order: PreferenceOrder
  private var gains: [Double] = []

  /// Prepares a ranking.
  ///
  /// - Parameter count: how many cells are kept.
  package init(_ grid: StreamGrid, _ goal: TuningGoal, count: Int) throws {
    precondition(grid.stream == goal.stream, "a goal of the grid's stream")
    self.grid = grid
    self.goal = goal
    self.count = count
    stream = grid.stream
    constraints = goal.constraints
    order = PreferenceOrder(grid)
    let others = [Metric.excessTransitionsPerMinute, .detectionLatencyMedian, .hitRate]
    metrics = others.map { MetricKey($0, in: grid.stream) }.reduce(into: [goal.objective]) {
      if !$0.contains($1) { $0.append($1) }
    }
  }

  /// Cells with what decides their rank.
  package struct Judged: Sendable {
    fileprivate let table: SubjectTable
    /// The objective of every cell; nil where it is undefined.
    fileprivate let values: [Double?]
    /// Whether every cell keeps the constraints.
    fileprivate let isFeasible: [Bool]
  }

  /// Judges cells without ranking them; any thread may.
  ///
  /// - Complexity: O(cells x rows of the confusion).
  package func judged(_ cells: CellTable) throws -> Judged {
    let table = try SubjectTable(cells, allowsUngrouped: true)
    try table.check(constraints)
    let everyone = Array(table.subjects.indices)
    return Judged(
      table: table,
      values: cells.ids.indices.map { table.value(goal.objective, at: $0, everyone) },
      isFeasible: cells.ids.indices.map { position in
        constraints.allSatisfy {
          $0.violation(table.value($0.metric, at: position, everyone)) == 0
        }
      })
  }

  /// Takes cells.
  ///
  /// - Complexity: O(cells x rows of the confusion).
  package mutating func add(_ cells: CellTable) throws { try add(judged(cells)) }

  /// Takes cells that were judged by a ranking of the same grid and goal.
  ///
  /// - Complexity: O(cells).
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
      let (variant, _) = grid.locate(cells.ids[position])
      let row = Row(
        cell: cells.ids[position], detector: grid.variants[variant].detectorName,
        smoothing: grid.variants[variant].smoothing,
        parameters: try grid.parameters(of: cells.ids[position])
          .facts(grid.variants[variant].axes.map(\.key)),
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

  /// The objective around the best cell; nil where none has one.
  ///
  /// The plateau is made of the cells whose objective is within the goal's tolerance of the best.
  ///
  /// - Parameter read: gives the cells among some ids that were evaluated, in order; nil for none.
  /// - Complexity: O(values of all axes, and of the two that matter most by each other) cells.
  package func views(_ read: ([Int]) throws -> CellTable?) throws -> ObjectiveViews? {
    guard let best = rows.first, let peak = best.values[goal.objective]?.number else { return nil }
    return try ObjectiveViews(
      grid, around: best.cell,
      isOnPlateau: { [goal] _, value in
        value.map { goal.gain(peak) - goal.gain($0) <= goal.tolerance } ?? false
      },
      values: { [goal] ids in
        guard let cells = try read(ids) else { return ids.map { _ in nil } }
        let table = try SubjectTable(cells, allowsUngrouped: true)
        let subjects = Array(table.subjects.indices)
        return ids.map { id in
          cells.position(of: id).flatMap { table.value(goal.objective, at: $0, subjects) }
        }
      })
  }

  /// The difference of the objective up to which cells count as equally good, in its unit.
  package var tolerance: Double { goal.tolerance }

  /// Where a cell belongs among the best, or nil behind them.
  ///
  /// Most cells rank behind the last one, so they are compared with it first.
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
