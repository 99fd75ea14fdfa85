internal import FoundationEssentials
internal import ParameterTuning
internal import PoseModel
internal import Reporting
internal import RunStore

extension RunFacts {
  /// The run for programs, without its grid.
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

  /// The shard as `--shard` takes it, counted from 1.
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

  /// How much is there: `1 200 of 4 800`.
  var progressText: String {
    NumberText.count(storedCount) + " of " + NumberText.count(acceptedCount)
  }
}
