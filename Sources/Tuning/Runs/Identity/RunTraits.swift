internal import GRDB
internal import PoseModel

struct RunTraits {
  private let dataset: String
  private let sources: [String?]
  private let grid: [String]
  private let program: String
  private let seed: String
  private let statistics: [String]

  init(_ plan: RunPlan) {
    self.init(
      plan.identity, plan.streams.flatMap { GridDescription($0.grid).lines },
      plan.streams.map { ($0.grid.stream, $0.layout) })
  }

  init(_ reader: RunReader) {
    self.init(
      reader.facts.identity, reader.grids.flatMap(\.lines),
      reader.facts.streams.compactMap { facts in
        reader.layouts[facts.stream].map { (facts.stream, $0) }
      })
  }

  private init(
    _ identity: RunIdentity, _ grid: [String], _ streams: [(AnswerStream, StatisticsLayout)]
  ) {
    dataset = identity.dataset.text
    sources = streams.first?.1.facts.sequences.map(\.source) ?? []
    self.grid = grid
    program = identity.program
    seed = "\(identity.seed)"
    statistics = streams.map { Self.statistics($0.rawValue, $1.stride, $1.keepsDetermined) }
  }

  init(_ db: Database, _ row: RunRow) throws {
    let identity = row.facts.identity
    dataset = identity.dataset.text
    sources = try String?.fetchAll(
      db, sql: "SELECT source FROM sequences WHERE run = ? ORDER BY sequence",
      arguments: [row.number])
    grid = row.grid.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    program = identity.program
    seed = "\(identity.seed)"
    statistics = try Row.fetchAll(
      db,
      sql: """
        SELECT stream, numbers_per_cell, keeps_determined FROM streams
        WHERE run = ? ORDER BY stream = 'form'
        """, arguments: [row.number]
    ).map { Self.statistics($0["stream"], $0["numbers_per_cell"], $0["keeps_determined"]) }
  }

  func changes(from stored: RunTraits) -> [RunChange] {
    let difference = Self.firstDifference(stored.grid, grid)
    return [
      RunChange(.dataset, stored: stored.dataset, found: dataset),
      stored.sources == sources
        ? nil
        : RunChange(
          .sources, stored: Self.names(stored.sources), found: Self.names(sources)),
      difference.flatMap { RunChange(.grid, stored: $0.stored, found: $0.found) },
      RunChange(.program, stored: stored.program, found: program),
      RunChange(.seed, stored: stored.seed, found: seed),
      difference == nil && stored.dataset == dataset
        ? RunChange(
          .statistics, stored: stored.statistics.joined(separator: ", "),
          found: statistics.joined(separator: ", ")) : nil,
    ].compactMap(\.self)
  }

  private static func names(_ sources: [String?]) -> String {
    let names = Set(sources.compactMap(\.self)).sorted()
    return names.isEmpty ? "one" : names.joined(separator: ", ")
  }

  private static func statistics(_ stream: String, _ stride: Int, _ determined: Bool) -> String {
    "\(stream) \(stride) numbers per cell" + (determined ? ", determined frames apart" : "")
  }

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

package struct RunChange: Hashable, Sendable, CustomStringConvertible {
  package enum Subject: String, CaseIterable, Hashable, Sendable {
    case dataset
    case sources
    case grid
    case program
    case seed
    case statistics
    case experiment
    case shards = "number of parts"
  }

  package let subject: Subject
  package let stored: String
  package let found: String

  init?(_ subject: Subject, stored: String, found: String) {
    guard stored != found else { return nil }
    self.subject = subject
    self.stored = stored
    self.found = found
  }

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
  fileprivate func commonPrefix(with other: String) -> [Character] {
    zip(self, other).prefix { $0 == $1 }.map(\.0)
  }
}
