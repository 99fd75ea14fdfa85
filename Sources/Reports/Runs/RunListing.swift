internal import Evaluation
package import Platform
internal import PoseModel
package import Tuning

package struct RunListing: Encodable {
  private let store: String
  private let runs: [RunSummary]
  private let damaged: [DamagedRun]

  package init(of store: String, _ runs: [RunFacts], damaged: [DamagedRun], at now: Date) {
    self.store = store
    self.runs = runs.map { RunSummary($0, at: now) }
    self.damaged = damaged
  }

  package var document: Document {
    var document = Document()
    document.table(runs) { row, run in
      row.words("run", run.facts.id, .strong)
      row.words("experiment", run.facts.identity.experiment)
      row.words("status", run.statusText)
      row.number("configurations", run.facts.streams.progressText)
      row.words("last written", run.facts.writtenAt.formatted(.iso8601))
      row.words("dataset", run.facts.identity.dataset.name, .dim)
    }
    if runs.isEmpty, damaged.isEmpty { document.paragraph("The store has no runs.") }
    for run in damaged { document.paragraph("Damaged: run \(run.id), \(run.reason).") }
    return document
  }
}

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
    document.heading("Run \(run.facts.id)", level: 1)
    document.table(overview)
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

  private var overview: Table {
    let (facts, identity) = (run.facts, run.facts.identity)
    let sources = sources.isEmpty ? "-" : sources.joined(separator: ", ")
    let calibration = identity.dataset.calibration.map { [("calibration", StyledText($0))] } ?? []
    let others = [
      ("experiment", identity.experiment), ("dataset", identity.dataset.name),
      ("dataset hash", identity.dataset.hash), ("split", identity.dataset.split ?? "-"),
      ("sources", sources), ("program", identity.program), ("seed", "\(identity.seed)"),
      ("started", facts.createdAt.formatted(.iso8601)),
      ("last written", facts.writtenAt.formatted(.iso8601)),
      ("finished", facts.finishedAt?.formatted(.iso8601) ?? "-"),
      ("continued", NumberText.count(facts.openedCount - 1, "time")),
    ].map { ($0, StyledText($1)) }
    return Table([("status", run.statusText)] + calibration + others) { row, fact in
      row.words("fact", fact.0)
      row.words("value", fact.1)
    }
  }

  private var progress: Table {
    Table(run.facts.streams) { row, stream in
      row.words("stream", stream.stream.rawValue)
      row.number("ids", NumberText.count(stream.gridCellCount))
      row.number("degenerate", NumberText.count(stream.rejectedCount))
      row.number("configurations", NumberText.count(stream.acceptedCount))
      row.number("stored", NumberText.count(stream.storedCount))
      row.number(
        "share",
        stream.acceptedCount == 0
          ? "n/a" : NumberText.percent(Double(stream.storedCount) / Double(stream.acceptedCount)))
    }
  }

  private var axes: Table {
    var table = Table()
    for grid in grids {
      for variant in grid.variants {
        for axis in variant.axes {
          table.row {
            $0.words("stream", grid.stream.rawValue)
            $0.words("detector", variant.detector)
            $0.words("smoothing", variant.smoothing)
            $0.words("axis", axis.parameter, .strong)
            $0.words("unit", axis.unit)
            $0.number("values", "\(axis.values.count)")
            $0.words("which", list(axis.values))
          }
        }
      }
    }
    return table
  }

  private var fixed: Table {
    var table = Table()
    var seen: Set<[String]> = []
    for grid in grids {
      for variant in grid.variants {
        for fixed in variant.fixed
        where seen.insert([grid.stream.rawValue, variant.detector, fixed.parameter]).inserted {
          table.row {
            $0.words("stream", grid.stream.rawValue)
            $0.words("detector", variant.detector)
            $0.words("parameter", fixed.parameter)
            $0.number("value", NumberText.shortest(fixed.value))
            $0.words("unit", fixed.unit)
          }
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

private struct RunSummary: JSONObject {
  let facts: RunFacts
  let status: RunStatus

  init(_ facts: RunFacts, at now: Date) {
    self.facts = facts
    status = facts.status(at: now)
  }

  var members: [String: (any Encodable)?] {
    let identity = facts.identity
    return [
      "id": facts.id, "experiment": identity.experiment, "status": status,
      "dataset": identity.dataset, "program": identity.program,
      // Text, because a seed may have more digits than JSON numbers keep.
      "seed": "\(identity.seed)", "created_at": facts.createdAt, "written_at": facts.writtenAt,
      "finished_at": facts.finishedAt, "opened": facts.openedCount, "streams": facts.streams,
    ]
  }

  var statusText: StyledText {
    let tone: StyledText.Tone =
      switch status {
      case .running: .strong
      case .complete: .good
      case .interrupted: .warning
      }
    return StyledText(status.rawValue, tone)
  }
}

extension [RunFacts.Stream] {
  package var progressText: String {
    NumberText.count(reduce(0) { $0 + $1.storedCount }) + " of "
      + NumberText.count(reduce(0) { $0 + $1.acceptedCount })
  }
}
