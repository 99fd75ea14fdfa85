internal import Evaluation
internal import ParameterTuning
internal import PoseModel
internal import RunStore

extension SweepSummary {
  /// Sums up a run.
  ///
  /// - Parameters:
  ///   - reader: the run, for the cells around the best ones.
  ///   - rankings: the best cells of every sweep.
  static func make(
    _ reader: RunReader, _ sweeps: [StreamSweep], _ rankings: [SweepRanking],
    _ prepared: PreparedExperiment, shard: Shard
  ) throws -> SweepSummary {
    let dataset = try prepared.datasets.collection.identity()
    do {
      var streams: [(ranking: SweepRanking, rejectedCount: Int, views: ObjectiveViews?)] = []
      for (sweep, ranking) in zip(sweeps, rankings) {
        let count = shard.range(of: sweep.grid.cellCount).count
        let views = try ranking.views { cell in
          try reader.cells(sweep.grid.stream, after: cell - 1, count: 1).flatMap {
            $0.ids.first == cell ? $0 : nil
          }
        }
        streams.append(
          (ranking: ranking, rejectedCount: count - ranking.cellCount, views: views))
      }
      return SweepSummary(
        run: reader.facts.id, question: prepared.experiment.question, dataset: dataset,
        frames: prepared.frameCount, shard: "\(shard.index + 1)/\(shard.count)",
        configurationCount: try ConfigurationGrid(plank: sweeps[0].grid, form: sweeps[1].grid)
          .count,
        engine: prepared.engine, streams: streams)
    } catch let error as TuningError {
      throw prepared.experiment.failure(error)
    }
  }

  /// The experiment's goal for a stream, or else its balanced accuracy.
  static func goal(
    _ stream: AnswerStream, _ prepared: PreparedExperiment
  ) throws(TuningError) -> TuningGoal {
    if let goal = prepared.experiment.goals.first(where: { $0.stream == stream }) { return goal }
    return try TuningGoal(MetricKey(.balancedAccuracy, in: stream))
  }
}

extension SweepSummary {
  /// The version of the JSON format; it rises when a key changes its meaning or is removed.
  static let schemaVersion = 1

  /// The summary for people.
  var document: Document {
    var document = Document()
    document.heading(question ?? "Sweep over \(dataset.name)", level: 1)
    let part = shard == "1/1" ? "" : ", part \(shard)"
    document.paragraph(
      StyledText(
        "Run \(run): \(dataset.name), \(NumberText.count(frames)) frames, "
          + "\(NumberText.count(configurationCount, "configuration"))\(part). Engine: \(engine)."))
    for (ranking, rejected, views) in streams {
      append(ranking, rejected, to: &document)
      if let views { document.figure(.objective(ObjectiveFigure(ranking, views))) }
    }
    document.paragraph(
      "The best cell of a sweep looks too good; `planklab tune` says what to expect of new people."
    )
    return document
  }

  /// The summary on a page: the text, then where it comes from.
  ///
  /// - Parameter provenance: how the sweep was made, a line each.
  func page(_ provenance: [String]) -> Document {
    var page = document
    page.heading("Provenance")
    page.list(provenance.map { StyledText($0, .dim) } + dataset.facts)
    return page
  }

  private func append(_ ranking: SweepRanking, _ rejected: Int, to document: inout Document) {
    document.heading("The best \(ranking.stream.rawValue) cells")
    let bounds = ranking.constraints.map(\.description).joined(separator: "; ")
    document.paragraph(
      StyledText(
        NumberText.count(ranking.cellCount, "cell")
          + (rejected > 0 ? ", \(NumberText.count(rejected)) more rejected as degenerate" : "")
          + (bounds.isEmpty
            ? "." : "; \(NumberText.count(ranking.feasibleCount)) keep \(bounds).")))
    var columns: [Table.Column] = [.number("cell")]
    columns += ranking.metrics.map { .number($0.description) }
    columns.append(.words("settings"))
    var table = Table(columns)
    for row in ranking.rows {
      var cells = [StyledText("\(row.cell)", .dim)]
      cells += row.values.map { StyledText($0.map { NumberText.fixed($0, 4) } ?? "n/a") }
      let names = [row.detector] + (row.smoothing == "none" ? [] : [row.smoothing])
      let broken = row.isFeasible ? [] : ["constraints broken"]
      cells.append(
        StyledText(
          (names + row.parameters.map(\.sentence) + broken).joined(separator: ", "),
          row.isFeasible ? .dim : .bad))
      table.row(cells)
    }
    document.table(table)
  }

  /// The summary as JSON.
  var json: JSONValue {
    .object([
      "schema_version": .integer(Self.schemaVersion), "run": .string(run),
      "question": .optional(question),
      "dataset": .object([
        "name": .string(dataset.name), "hash": .string(dataset.hash),
        "split": .optional(dataset.split), "frames": .integer(frames),
      ]),
      "shard": .string(shard), "configurations": .integer(configurationCount),
      "engine": .string(engine),
      "streams": .array(
        streams.map { ranking, rejected, _ in
          .object([
            "stream": .string(ranking.stream.rawValue), "cells": .integer(ranking.cellCount),
            "rejected": .integer(rejected), "feasible": .integer(ranking.feasibleCount),
            "constraints": .array(ranking.constraints.map { .string($0.description) }),
            "metrics": .array(ranking.metrics.map { .string($0.description) }),
            "best": .array(ranking.rows.map(\.json)),
          ])
        }),
    ])
  }
}

extension ObjectiveFigure {
  /// The objective around the best cell of a sweep.
  fileprivate init(_ ranking: SweepRanking, _ views: ObjectiveViews) {
    let tolerance = NumberText.short(ranking.tolerance)
    self.init(
      stream: ranking.stream.rawValue, objective: ranking.metrics[0].description, views,
      parameters: ranking.rows.first?.parameters ?? [],
      names: Names(
        chosen: "best cell",
        plateau: ranking.tolerance > 0 ? "within \(tolerance) of it" : "as good as it"))
  }
}

extension SweepRanking.Row {
  fileprivate var json: JSONValue {
    .object([
      "cell": .integer(cell), "detector": .string(detector), "smoothing": .string(smoothing),
      "parameters": parameters.json, "values": .array(values.map { JSONValue.optional($0) }),
      "feasible": .bool(isFeasible),
    ])
  }
}
