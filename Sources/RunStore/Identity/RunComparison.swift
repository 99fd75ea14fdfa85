internal import GRDB
internal import ParameterTuning
internal import PoseModel

/// What differs between a run and a plan that is to continue it.
struct RunComparison {
  /// The differences; none where the run may be continued.
  let changes: [RunChange]

  /// Compares.
  init(_ db: Database, _ row: RunRow, _ plan: RunPlan) throws {
    let (stored, found) = (row.facts.identity, plan.identity)
    let statistics = try Row.fetchAll(
      db,
      sql: """
        SELECT stream, numbers_per_cell, keeps_determined FROM streams
        WHERE run = ? ORDER BY stream = 'form'
        """, arguments: [row.number]
    ).map { Self.statistics($0["stream"], $0["numbers_per_cell"], $0["keeps_determined"]) }
    let planned = plan.streams.map {
      Self.statistics(
        $0.grid.stream.rawValue, $0.layout.stride, $0.layout.keepsDetermined)
    }
    let grid = Self.firstDifference(
      row.grid.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
      plan.gridLines)
    changes = [
      RunChange(.dataset, stored: stored.dataset.text, found: found.dataset.text),
      grid.flatMap { RunChange(.grid, stored: $0.stored, found: $0.found) },
      RunChange(.program, stored: stored.program, found: found.program),
      RunChange(.seed, stored: "\(stored.seed)", found: "\(found.seed)"),
      grid == nil && stored.dataset.text == found.dataset.text
        ? RunChange(
          .statistics, stored: statistics.joined(separator: ", "),
          found: planned.joined(separator: ", ")) : nil,
    ].compactMap(\.self)
  }

  private static func statistics(_ stream: String, _ stride: Int, _ determined: Bool) -> String {
    "\(stream) \(stride) numbers a cell" + (determined ? ", determined frames apart" : "")
  }

  /// The first line in which two grids differ; `nothing` stands for a line that is not there.
  private static func firstDifference(
    _ stored: [String], _ found: [String]
  ) -> (stored: String, found: String)? {
    guard stored != found else { return nil }
    let same = zip(stored, found).prefix { $0 == $1 }.count
    return (
      stored: same < stored.count ? stored[same] : "nothing",
      found: same < found.count ? found[same] : "nothing"
    )
  }
}
