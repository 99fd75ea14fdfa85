internal import ArgumentParser
internal import Essentials
internal import ParameterTuning
internal import PoseModel
internal import RunStore

/// `planklab runs show`.
struct RunsShow: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one run: its experiment, progress and parameters.",
    discussion: """
      A run is running while its sweep writes, complete when the sweep has finished, and \
      interrupted when nothing was written for two minutes; `planklab sweep --resume` continues it.

      Examples:
        planklab runs show
        planklab runs show --format json
      """)

  @Argument(help: "The run's id, or the beginning of it (default: the newest run).")
  var run: String?

  @OptionGroup var store: StoreOptions
  @OptionGroup var result: ResultOptions

  func outcome() throws -> Outcome {
    let database = try RunAccess.read(store.store)
    let reader = try database.run(run)
    let now = Date()
    return try result.outcome(width: 160, json: json(reader, now), document: document(reader, now))
  }
}

extension RunsShow {
  private func json(_ reader: RunReader, _ now: Date) -> JSONValue {
    var members = reader.facts.json(at: now)
    members["schema_version"] = .integer(1)
    members["sources"] = .array(reader.sources.map(JSONValue.string))
    members["grids"] = .array(reader.grids.map(\.json))
    return .object(members)
  }

  private func document(_ reader: RunReader, _ now: Date) -> Document {
    var document = Document()
    document.heading("Run \(reader.facts.id)", level: 1)
    document.table(identity(reader, now))
    document.heading("Progress")
    document.table(progress(reader.facts))
    document.heading("Axes")
    document.table(axes(reader.grids))
    let fixed = fixed(reader.grids)
    if !fixed.rows.isEmpty { document.heading("Fixed parameters") }
    document.table(fixed)
    var constraints: [String] = []
    for text in reader.grids.flatMap(\.constraints) where !constraints.contains(text) {
      constraints.append(text)
    }
    if !constraints.isEmpty { document.heading("Constraints") }
    document.list(constraints.map { StyledText($0) })
    return document
  }

  private func identity(_ reader: RunReader, _ now: Date) -> Table {
    let facts = reader.facts
    let sources = reader.sources.isEmpty ? "-" : reader.sources.joined(separator: ", ")
    let dataset = facts.identity.dataset
    var table = Table([.words("fact"), .words("value")])
    table.row(["status", facts.statusText(at: now)])
    for (name, value) in [
      ("experiment", facts.identity.experiment), ("dataset", dataset.name),
      ("dataset hash", dataset.hash), ("split", dataset.split ?? "-"), ("sources", sources),
      ("program", facts.identity.program), ("seed", "\(facts.identity.seed)"),
      ("shard", facts.shardText), ("started", facts.createdAt.formatted(.iso8601)),
      ("last written", facts.writtenAt.formatted(.iso8601)),
      ("finished", facts.finishedAt?.formatted(.iso8601) ?? "-"),
      ("continued", NumberText.count(facts.openedCount - 1, "time")),
    ] {
      table.row([StyledText(name), StyledText(value)])
    }
    return table
  }

  private func progress(_ facts: RunFacts) -> Table {
    var table = Table([
      .words("stream"), .number("ids"), .number("degenerate"), .number("cells"),
      .number("stored"), .number("share"),
    ])
    for stream in facts.streams {
      table.row([
        StyledText(stream.stream.rawValue),
        StyledText(NumberText.count(stream.cells.count)),
        StyledText(NumberText.count(stream.rejectedCount)),
        StyledText(NumberText.count(stream.acceptedCount)),
        StyledText(NumberText.count(stream.storedCount)),
        StyledText(
          stream.acceptedCount == 0
            ? "n/a"
            : NumberText.percent(Double(stream.storedCount) / Double(stream.acceptedCount))),
      ])
    }
    return table
  }

  private func axes(_ grids: [GridDescription]) -> Table {
    var table = Table([
      .words("stream"), .words("detector"), .words("smoothing"), .words("axis"), .words("unit"),
      .number("values"), .words("which"),
    ])
    for grid in grids {
      for variant in grid.variants {
        for axis in variant.axes {
          table.row([
            StyledText(grid.stream.rawValue), StyledText(variant.detector),
            StyledText(variant.smoothing), StyledText(axis.name, .strong),
            StyledText(axis.unit), StyledText("\(axis.values.count)"),
            StyledText(list(axis.values)),
          ])
        }
      }
    }
    return table
  }

  private func fixed(_ grids: [GridDescription]) -> Table {
    var table = Table([
      .words("stream"), .words("detector"), .words("parameter"), .number("value"),
      .words("unit"),
    ])
    var seen: Set<[String]> = []
    for grid in grids {
      for variant in grid.variants {
        for parameter in variant.fixed
        where seen.insert([grid.stream.rawValue, variant.detector, parameter.name]).inserted {
          table.row([
            StyledText(grid.stream.rawValue), StyledText(variant.detector),
            StyledText(parameter.name), StyledText(NumberText.shortest(parameter.value)),
            StyledText(parameter.unit),
          ])
        }
      }
    }
    return table
  }

  /// All values, or the first ones and the last.
  private func list(_ values: [Double]) -> String {
    let texts = values.map(NumberText.shortest)
    guard texts.count > 8, let last = texts.last else { return texts.joined(separator: " ") }
    return texts.prefix(6).joined(separator: " ") + " ... " + last
  }
}

extension RunFacts {
  /// The run as JSON, without its grid.
  func json(at now: Date) -> [String: JSONValue] {
    [
      "id": .string(id), "experiment": .string(identity.experiment),
      "status": .string(status(at: now).rawValue),
      "dataset": .object([
        "name": .string(identity.dataset.name), "hash": .string(identity.dataset.hash),
        "split": .optional(identity.dataset.split),
      ]),
      "program": .string(identity.program), "seed": .string("\(identity.seed)"),
      "shard": .string(shardText), "created_at": .string(createdAt.formatted(.iso8601)),
      "written_at": .string(writtenAt.formatted(.iso8601)),
      "finished_at": .optional(finishedAt?.formatted(.iso8601)),
      "opened": .integer(openedCount),
      "streams": .array(
        streams.map { stream in
          .object([
            "stream": .string(stream.stream.rawValue),
            "grid_cells": .integer(stream.gridCellCount),
            "first_cell": .integer(stream.cells.lowerBound),
            "end_cell": .integer(stream.cells.upperBound),
            "rejected": .integer(stream.rejectedCount), "cells": .integer(stream.acceptedCount),
            "stored": .integer(stream.storedCount),
          ])
        }),
    ]
  }

  /// The shard in the form of `--shard`, counted from 1.
  var shardText: String { "\(identity.shard.index + 1)/\(identity.shard.count)" }

  /// The status with a tone.
  func statusText(at now: Date) -> StyledText {
    let status = status(at: now)
    let tone: StyledText.Tone =
      switch status {
      case .running: .strong
      case .complete: .good
      case .interrupted: .warning
      }
    return StyledText(status.rawValue, tone)
  }

  /// The progress: `1,200 of 4,800`.
  var progressText: String {
    NumberText.count(storedCount) + " of " + NumberText.count(acceptedCount)
  }
}

extension GridDescription {
  /// The grid as JSON.
  var json: JSONValue {
    .object([
      "stream": .string(stream.rawValue),
      "constraints": .array(constraints.map(JSONValue.string)),
      "variants": .array(variants.map(\.json)),
    ])
  }
}

extension GridDescription.Variant {
  fileprivate var json: JSONValue {
    .object([
      "detector": .string(detector), "vertical": .string(reading),
      "smoothing": .string(smoothing), "rules": .array(rules.map(JSONValue.string)),
      "cells": .integer(cellCount),
      "fixed": .array(
        fixed.map {
          .object([
            "parameter": .string($0.name), "unit": .string($0.unit), "value": .number($0.value),
          ])
        }),
      "axes": .array(
        axes.map {
          .object([
            "parameter": .string($0.name), "unit": .string($0.unit),
            "values": .array($0.values.map(JSONValue.number)),
          ])
        }),
    ])
  }
}
