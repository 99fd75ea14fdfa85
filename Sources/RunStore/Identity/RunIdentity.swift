internal import FoundationEssentials
package import ParameterTuning
internal import PoseModel

/// What a run is of, as the caller knows it; the grid stands in the plan.
package struct RunIdentity: Hashable, Sendable {
  /// The data of a run.
  package struct Dataset: Hashable, Sendable {
    /// The name, for people.
    package let name: String
    /// The identity of all files, in hexadecimal.
    package let hash: String
    /// The split; nil for all sequences.
    package let split: String?

    /// States which data.
    package init(name: String, hash: String, split: String?) {
      self.name = name
      self.hash = hash
      self.split = split
    }

    /// Hash and split in one text, which resuming compares.
    var text: String { hash + (split.map { ", split \($0)" } ?? "") }
  }

  /// The experiment's name: runs of one name continue each other.
  package let experiment: String
  /// The data.
  package let dataset: Dataset
  /// The program, exact enough that two of the same text give the same numbers.
  package let program: String
  /// The seed.
  package let seed: UInt64
  /// Which part of the grid.
  package let shard: Shard

  /// States an identity.
  package init(
    experiment: String, dataset: Dataset, program: String, seed: UInt64, shard: Shard = .whole
  ) {
    self.experiment = experiment
    self.dataset = dataset
    self.program = program
    self.seed = seed
    self.shard = shard
  }
}

/// The ids of runs: when a run began, and what it is of, in a few characters.
///
/// `20260301T174502Z-5f0c9a1e` began at 17:45:02 UTC; the last part is a hash of its identity, so
/// that runs of one identity end alike. Ids sort by time.
enum RunName {
  /// The id of a run; a number is added where runs of the same identity began in the same second.
  static func make(
    _ outline: RunOutline, at time: Date, isTaken: (String) throws -> Bool
  ) rethrows -> String {
    let moment = text(of: time).filter { $0 != "-" && $0 != ":" }
    let hash = String(fingerprint(outline), radix: 16)
    let name = moment + "-" + String(repeating: "0", count: 8 - hash.count) + hash
    var number = 1
    var candidate = name
    while try isTaken(candidate) {
      number += 1
      candidate = "\(name)-\(number)"
    }
    return candidate
  }

  /// A moment in UTC to the second: `2026-03-01T17:45:02Z`.
  static func text(of time: Date) -> String { time.formatted(.iso8601) }

  /// The moment of a text that `text(of:)` made.
  static func time(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }

  /// FNV-1a over the identity, folded to 32 bits; it names, it does not protect.
  private static func fingerprint(_ outline: RunOutline) -> UInt32 {
    let identity = outline.identity
    let parts =
      [
        identity.experiment, identity.dataset.text, identity.program, "\(identity.seed)",
        "\(identity.shard.index)/\(identity.shard.count)",
      ] + outline.gridLines
    let hash = parts.joined(separator: "\n").utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }
}

/// All that a run will hold: its identity and the cells of every stream.
package struct RunPlan: Sendable {
  /// The cells of one stream.
  package struct Stream: Sendable {
    /// The cells.
    package let grid: StreamGrid
    /// Where the numbers of a cell stand.
    package let layout: StatisticsLayout

    /// Takes the cells of a sweep.
    package init(_ sweep: StreamSweep) {
      self.init(grid: sweep.grid, layout: sweep.layout)
    }

    /// Takes a grid and the layout of its cells.
    ///
    /// - Precondition: both are of one stream.
    package init(grid: StreamGrid, layout: StatisticsLayout) {
      precondition(grid.stream == layout.facts.stream, "grid and layout of one stream")
      self.grid = grid
      self.layout = layout
    }
  }

  /// What the run is of.
  package let identity: RunIdentity
  /// The streams, plank first.
  package let streams: [Stream]

  /// Makes a plan.
  ///
  /// - Precondition: one element a stream at most, at least one, all of the same sequences.
  package init(identity: RunIdentity, streams: [Stream]) {
    let order = AnswerStream.allCases
    precondition(Set(streams.map(\.grid.stream)).count == streams.count, "one grid per stream")
    precondition(!streams.isEmpty, "a run has cells")
    let names = streams.map { $0.layout.facts.sequences.map(\.name) }
    precondition(names.allSatisfy { $0 == names[0] }, "streams of the same sequences")
    self.identity = identity
    self.streams = order.flatMap { stream in streams.filter { $0.grid.stream == stream } }
  }

  /// The cells of a stream that this run evaluates, degenerate ones included.
  func range(of stream: Stream) -> Range<Int> {
    identity.shard.range(of: stream.grid.cellCount)
  }

  /// What is written of the run before its first cell.
  ///
  /// - Complexity: O(ids) with constraints.
  var outline: RunOutline {
    RunOutline(
      identity: identity,
      streams: streams.map { stream in
        let range = range(of: stream)
        return RunOutline.Stream(
          grid: GridDescription(stream.grid), layout: stream.layout, cells: range,
          acceptedCount: stream.grid.constraints.isEmpty
            ? range.count : range.count { stream.grid.isAccepted($0) })
      })
  }
}

/// All that is known of a run before its first cell.
struct RunOutline {
  /// One stream.
  struct Stream {
    /// The grid.
    let grid: GridDescription
    /// Where the numbers of a cell stand, with the truth of the data.
    let layout: StatisticsLayout
    /// The ids of this run, degenerate ones included.
    let cells: Range<Int>
    /// How many of them are evaluated.
    let acceptedCount: Int
  }

  /// What the run is of.
  let identity: RunIdentity
  /// The streams, plank first.
  let streams: [Stream]

  /// The grids as text, which resuming compares line by line.
  var gridLines: [String] { streams.flatMap(\.grid.lines) }
}

/// How far a run is.
package enum RunStatus: String, CaseIterable, Hashable, Sendable {
  /// Its sweep wrote a short while ago.
  case running
  /// All cells are there and its sweep said so.
  case complete
  /// Cells are missing and nobody wrote for a while; `--resume` continues it.
  case interrupted
}
