package import FoundationEssentials
internal import ParameterTuning
internal import PoseModel
internal import Reporting
internal import RunStore

/// Shows one run: what it is of, how far it is, what it varies.
package enum ShowRun {
  /// Runs the command.
  ///
  /// - Parameters:
  ///   - run: the id, or the beginning of it; nil for the newest.
  ///   - now: the moment that tells running sweeps from interrupted ones.
  package static func run(
    _ run: String?, store: String, format: OutputFormat, usesColor: Bool, now: Date = Date()
  ) throws(WorkflowFailure) -> Outcome {
    let database = try RunAccess.read(store)
    let reader = try RunAccess.failing { () throws(RunStoreError) in try database.run(run) }
    return Outcome(
      format, usesColor: usesColor, width: 160, json: json(reader, now),
      document: document(reader, now))
  }

  private static func json(_ reader: RunReader, _ now: Date) -> JSONValue {
    var members = reader.facts.json(at: now)
    members["schema_version"] = .integer(1)
    members["grids"] = .array(reader.grids.map(\.json))
    return .object(members)
  }

  private static func document(_ reader: RunReader, _ now: Date) -> Document {
    var document = Document()
    document.heading("Run \(reader.facts.id)", level: 1)
    document.table(identity(reader.facts, now))
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

  private static func identity(_ facts: RunFacts, _ now: Date) -> Table {
    let dataset = facts.identity.dataset
    var table = Table([.words("fact"), .words("value")])
    table.row(["status", facts.statusText(at: now)])
    for (name, value) in [
      ("experiment", facts.identity.experiment), ("dataset", dataset.name),
      ("dataset hash", dataset.hash), ("split", dataset.split ?? "-"),
      ("program", facts.identity.program), ("seed", "\(facts.identity.seed)"),
      ("shard", facts.shardText), ("begun", facts.createdAt.formatted(.iso8601)),
      ("last written", facts.writtenAt.formatted(.iso8601)),
      ("finished", facts.finishedAt?.formatted(.iso8601) ?? "-"),
      ("continued", "\(facts.openedCount - 1) times"),
    ] {
      table.row([StyledText(name), StyledText(value)])
    }
    return table
  }

  private static func progress(_ facts: RunFacts) -> Table {
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

  private static func axes(_ grids: [GridDescription]) -> Table {
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

  private static func fixed(_ grids: [GridDescription]) -> Table {
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
  private static func list(_ values: [Double]) -> String {
    let texts = values.map(NumberText.shortest)
    guard texts.count > 8, let last = texts.last else { return texts.joined(separator: " ") }
    return texts.prefix(6).joined(separator: " ") + " ... " + last
  }
}
