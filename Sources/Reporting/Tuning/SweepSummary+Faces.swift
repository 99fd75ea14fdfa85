internal import Evaluation
package import ParameterTuning
internal import PoseModel

extension SweepSummary {
  /// The version of the JSON face; a changed meaning or a removed key raises it.
  package static let schemaVersion = 1

  /// The summary for people.
  package var document: Document {
    var document = Document()
    document.heading(question ?? "Sweep over \(dataset.name)", level: 1)
    let part = shard == "1/1" ? "" : ", part \(shard)"
    document.paragraph(
      StyledText(
        "Run \(run): \(dataset.name), \(NumberText.count(frames)) frames, "
          + "\(NumberText.count(configurationCount)) configurations\(part). Engine: \(engine)."))
    for (ranking, rejected) in streams { append(ranking, rejected, to: &document) }
    document.paragraph(
      "The best cell of a sweep flatters itself; `planklab tune` says what to expect of new people."
    )
    return document
  }

  private func append(_ ranking: SweepRanking, _ rejected: Int, to document: inout Document) {
    document.heading("The best \(ranking.stream.rawValue) cells")
    let bounds = ranking.constraints.map(\.description).joined(separator: "; ")
    document.paragraph(
      StyledText(
        "\(NumberText.count(ranking.cellCount)) cells"
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
  package var json: JSONValue {
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
        streams.map { ranking, rejected in
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

extension SweepRanking.Row {
  fileprivate var json: JSONValue {
    .object([
      "cell": .integer(cell), "detector": .string(detector), "smoothing": .string(smoothing),
      "parameters": parameters.json, "values": .array(values.map { JSONValue.optional($0) }),
      "feasible": .bool(isFeasible),
    ])
  }
}
