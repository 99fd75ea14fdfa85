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
    let storedSources = try String?.fetchAll(
      db, sql: "SELECT source FROM sequences WHERE run = ? ORDER BY sequence",
      arguments: [row.number])
    let sources = plan.streams[0].layout.facts.sequences.map(\.source)
    changes = [
      RunChange(.dataset, stored: stored.dataset.text, found: found.dataset.text),
      storedSources == sources
        ? nil
        : RunChange(.sources, stored: Self.names(storedSources), found: Self.names(sources)),
      grid.flatMap { RunChange(.grid, stored: $0.stored, found: $0.found) },
      RunChange(.program, stored: stored.program, found: found.program),
      RunChange(.seed, stored: "\(stored.seed)", found: "\(found.seed)"),
      grid == nil && stored.dataset.text == found.dataset.text
        ? RunChange(
          .statistics, stored: statistics.joined(separator: ", "),
          found: planned.joined(separator: ", ")) : nil,
    ].compactMap(\.self)
  }

  private static func names(_ sources: [String?]) -> String {
    let names = Set(sources.compactMap(\.self)).sorted()
    return names.isEmpty ? "one" : names.joined(separator: ", ")
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

/// One thing on which a run depends that is not what it was.
package struct RunChange: Hashable, Sendable, CustomStringConvertible {
  /// What a run depends on.
  package enum Subject: String, CaseIterable, Hashable, Sendable {
    /// The recordings, labels or manifest, or the split of them.
    case dataset
    /// Which sources the recordings are of.
    case sources
    /// Detectors, rules, smoothings, axes, constraints or streams.
    case grid
    /// The program, by version or build.
    case program
    /// The seed.
    case seed
    /// Which numbers a cell has.
    case statistics
  }

  /// What changed.
  package let subject: Subject
  /// What the run was begun with.
  package let stored: String
  /// What is at hand now.
  package let found: String

  /// Compares; nil where nothing changed.
  init?(_ subject: Subject, stored: String, found: String) {
    guard stored != found else { return nil }
    self.subject = subject
    self.stored = stored
    self.found = found
  }

  /// What changed, in words; long texts are cut around the first difference.
  package var description: String {
    let difference = stored.commonPrefix(with: found).count
    return "the \(subject.rawValue) changed from `\(Self.cut(stored, at: difference))` "
      + "to `\(Self.cut(found, at: difference))`"
  }

  private static let longest = 100

  private static func cut(_ text: String, at difference: Int) -> String {
    guard text.count > longest else { return text }
    let name = text.prefix { $0 != ":" }.prefix(40)
    let start = max(name.count, difference - 20)
    let rest = text.dropFirst(start)
    return "\(name)...\(rest.prefix(longest / 2))" + (rest.count > longest / 2 ? "..." : "")
  }
}

extension String {
  /// The characters with which two texts begin.
  fileprivate func commonPrefix(with other: String) -> [Character] {
    zip(self, other).prefix { $0 == $1 }.map(\.0)
  }
}
