package import Platform
internal import PoseModel
package import Tuning

package struct RunDetails: Encodable {
  private let run: RunSummary
  private let sources: [String]
  private let grids: [GridDescription]

  package init(_ reader: RunReader, at now: Date) {
    run = RunSummary(reader.facts, at: now)
    sources = reader.sources
    grids = reader.grids
  }

  package var document: Document {
    var document = Document()
    document.heading("Run \(run.id)", level: 1)
    document.table(identity)
    document.heading("Progress")
    document.table(progress)
    document.heading("Axes")
    document.table(axes)
    let fixed = fixed
    if !fixed.rows.isEmpty { document.heading("Fixed parameters") }
    document.table(fixed)
    let constraints = grids.flatMap(\.constraints).distinct
    if !constraints.isEmpty { document.heading("Constraints") }
    document.list(constraints.map { StyledText($0) })
    return document
  }

  private var identity: Table {
    let sources = sources.isEmpty ? "-" : sources.joined(separator: ", ")
    var table = Table([.words("fact"), .words("value")])
    table.row(["status", run.statusText])
    if let calibration = run.dataset.calibration {
      table.row(["calibration", StyledText(calibration)])
    }
    for (name, value) in [
      ("experiment", run.experiment), ("dataset", run.dataset.name),
      ("dataset hash", run.dataset.hash), ("split", run.dataset.split ?? "-"),
      ("sources", sources), ("program", run.program), ("seed", run.seed),
      ("shard", run.shard.description), ("started", run.createdAt.formatted(.iso8601)),
      ("last written", run.writtenAt.formatted(.iso8601)),
      ("finished", run.finishedAt?.formatted(.iso8601) ?? "-"),
      ("continued", NumberText.count(run.openedCount - 1, "time")),
    ] { table.row([StyledText(name), StyledText(value)]) }
    return table
  }

  private var progress: Table {
    var table = Table([
      .words("stream"), .number("ids"), .number("degenerate"), .number("cells"),
      .number("stored"), .number("share"),
    ])
    for stream in run.streams {
      table.row([
        StyledText(stream.stream.rawValue),
        StyledText(NumberText.count(stream.endCell - stream.firstCell)),
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

  private var axes: Table {
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
            StyledText(axis.unit), "\(axis.values.count)",
            StyledText(list(axis.values)),
          ])
        }
      }
    }
    return table
  }

  private var fixed: Table {
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

  private func list(_ values: [Double]) -> String {
    let texts = values.map(NumberText.shortest)
    guard texts.count > 8, let last = texts.last else { return texts.joined(separator: " ") }
    return texts.prefix(6).joined(separator: " ") + " ... " + last
  }
}
