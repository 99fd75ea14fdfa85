internal import GRDB
internal import Platform
internal import PoseModel

package struct RunIdentity: Hashable, Sendable {
  package struct Dataset: Codable, Hashable, Sendable {
    package let name: String
    package let hash: String
    package let split: String?
    /// How people were calibrated, which changes the numbers from the same files; nil without
    /// calibration.
    package let calibration: String?

    package init(name: String, hash: String, split: String?, calibration: String? = nil) {
      self.name = name
      self.hash = hash
      self.split = split
      self.calibration = calibration
    }

    var text: String {
      hash + (split.map { ", split \($0)" } ?? "")
        + (calibration.map { ", calibrated by \($0)" } ?? "")
    }
  }

  package let experiment: String
  package let dataset: Dataset
  package let program: String
  package let seed: UInt64

  package init(experiment: String, dataset: Dataset, program: String, seed: UInt64) {
    self.experiment = experiment
    self.dataset = dataset
    self.program = program
    self.seed = seed
  }
}

/// Names such as `20260301T174502Z-5f0c9a1e` sort by time and end with a hash of the run's
/// identity.
enum RunName {
  static func make(
    _ plan: RunPlan, at time: Date, isTaken: (String) throws -> Bool
  ) rethrows -> String {
    let moment = text(of: time).filter { $0 != "-" && $0 != ":" }
    let hash = String(fingerprint(plan), radix: 16)
    let name = moment + "-" + String(repeating: "0", count: 8 - hash.count) + hash
    var number = 1
    var candidate = name
    while try isTaken(candidate) {
      number += 1
      candidate = "\(name)-\(number)"
    }
    return candidate
  }

  static func text(of time: Date) -> String { time.formatted(.iso8601) }

  static func time(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }

  private static func fingerprint(_ plan: RunPlan) -> UInt32 {
    let identity = plan.identity
    let parts =
      [
        identity.experiment, identity.dataset.text, identity.program, "\(identity.seed)",
      ] + plan.gridLines
    let hash = parts.joined(separator: "\n").utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }
}

package struct RunPlan: Sendable {
  package struct Stream: Sendable {
    package let grid: StreamGrid
    package let layout: StatisticsLayout

    package init(_ sweep: StreamSweep) { self.init(grid: sweep.grid, layout: sweep.layout) }

    package init(grid: StreamGrid, layout: StatisticsLayout) {
      precondition(grid.stream == layout.facts.stream, "grid and layout of one stream")
      self.grid = grid
      self.layout = layout
    }
  }

  package let identity: RunIdentity
  package let streams: [Stream]

  package init(identity: RunIdentity, streams: [Stream]) {
    let order = AnswerStream.allCases
    precondition(Set(streams.map(\.grid.stream)).count == streams.count, "one grid per stream")
    precondition(!streams.isEmpty, "a run has cells")
    let names = streams.map { $0.layout.facts.sequences.map(\.name) }
    precondition(names.allSatisfy { $0 == names[0] }, "streams of the same sequences")
    self.identity = identity
    self.streams = order.flatMap { stream in streams.filter { $0.grid.stream == stream } }
  }

  package func check() throws {
    for stream in streams { try stream.layout.facts.checkLimits() }
  }

  var gridLines: [String] { streams.flatMap { GridDescription($0.grid).lines } }
}

package enum RunStatus: String, CaseIterable, Codable, Hashable, Sendable {
  case running
  case complete
  /// Configurations are missing, and no process has written for a while; `--resume` continues the
  /// run.
  case interrupted
}

/// What must be the same for a run to be continued or used.
struct RunTraits {
  private let identity: RunIdentity
  private let sources: [String?]
  private let grid: [String]
  private let statistics: [String]

  init(_ plan: RunPlan) {
    self.init(plan.identity, plan.gridLines, plan.streams.map(\.layout))
  }

  init(_ reader: RunReader) {
    self.init(
      reader.facts.identity, reader.grids.flatMap(\.lines),
      reader.facts.streams.compactMap { reader.layouts[$0.stream] })
  }

  private init(_ identity: RunIdentity, _ grid: [String], _ layouts: [StatisticsLayout]) {
    self.identity = identity
    self.grid = grid
    sources = layouts.first?.facts.sequences.map(\.source) ?? []
    statistics = layouts.map { Self.statistics($0.facts.stream.rawValue, $0.stride) }
  }

  init(_ db: Database, _ row: RunRow) throws {
    identity = row.facts.identity
    sources = try String?.fetchAll(
      db, sql: "SELECT source FROM sequences WHERE run = ? ORDER BY sequence",
      arguments: [row.number])
    grid = row.grid.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    statistics = try Row.fetchAll(
      db,
      sql: """
        SELECT stream, numbers_per_cell FROM streams WHERE run = ? ORDER BY stream = 'form'
        """, arguments: [row.number]
    ).map { Self.statistics($0["stream"], $0["numbers_per_cell"]) }
  }

  func changes(from stored: RunTraits) -> [RunChange] {
    let difference = Self.firstDifference(stored.grid, grid)
    let (old, new) = (stored.identity, identity)
    let hasOtherData = old.dataset.text != new.dataset.text
    return [
      RunChange(.dataset, stored: old.dataset.text, found: new.dataset.text),
      stored.sources == sources
        ? nil : RunChange(.sources, stored: Self.names(stored.sources), found: Self.names(sources)),
      difference.flatMap { RunChange(.grid, stored: $0.stored, found: $0.found) },
      RunChange(.program, stored: old.program, found: new.program),
      RunChange(.seed, stored: "\(old.seed)", found: "\(new.seed)"),
      difference != nil || hasOtherData
        ? nil
        : RunChange(
          .statistics, stored: stored.statistics.joined(separator: ", "),
          found: statistics.joined(separator: ", ")),
    ].compactMap(\.self)
  }

  private static func names(_ sources: [String?]) -> String {
    let names = Set(sources.compactMap(\.self)).sorted()
    return names.isEmpty ? "one" : names.joined(separator: ", ")
  }

  private static func statistics(_ stream: String, _ stride: Int) -> String {
    "\(stream) \(stride) numbers per cell"
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
    let difference = zip(stored, found).prefix { $0 == $1 }.count
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
