internal import Platform
internal import PoseModel

/// The identity of a run as the caller knows it; the grid is in the plan.
package struct RunIdentity: Hashable, Sendable {
  /// The data of a run.
  package struct Dataset: Codable, Hashable, Sendable {
    /// The name, for people.
    package let name: String
    /// The identity of all files, in hexadecimal.
    package let hash: String
    /// The split; nil for all sequences.
    package let split: String?

    /// States the data.
    package init(name: String, hash: String, split: String?) {
      self.name = name
      self.hash = hash
      self.split = split
    }

    /// Hash and split in one text, which is compared when a run is resumed.
    var text: String { hash + (split.map { ", split \($0)" } ?? "") }
  }

  /// The experiment's name: runs with the same name continue each other.
  package let experiment: String
  /// The data.
  package let dataset: Dataset
  /// The program, exact enough that two with the same text give the same numbers.
  package let program: String
  /// The seed.
  package let seed: UInt64
  /// The part of the grid.
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

/// The ids of runs: the start time and the identity, in a few characters.
///
/// `20260301T174502Z-5f0c9a1e` was started at 17:45:02 UTC; the last part is a hash of its
/// identity, so that runs with the same identity end alike. Ids sort by time.
enum RunName {
  /// The id of a run; a number is added if runs of the same identity were started in the same
  /// second.
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

  /// FNV-1a over the identity, folded to 32 bits; it identifies but does not protect.
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

/// The contents of a future run: its identity and the cells of every stream.
package struct RunPlan: Sendable {
  /// The cells of one stream.
  package struct Stream: Sendable {
    /// The cells.
    package let grid: StreamGrid
    /// The positions of a cell's numbers.
    package let layout: StatisticsLayout

    /// Takes the cells of a sweep.
    package init(_ sweep: StreamSweep) {
      self.init(grid: sweep.grid, layout: sweep.layout)
    }

    /// Takes a grid and the layout of its cells.
    ///
    /// - Precondition: both belong to the same stream.
    package init(grid: StreamGrid, layout: StatisticsLayout) {
      precondition(grid.stream == layout.facts.stream, "grid and layout of one stream")
      self.grid = grid
      self.layout = layout
    }
  }

  /// The identity of the run.
  package let identity: RunIdentity
  /// The streams, plank first.
  package let streams: [Stream]

  /// Makes a plan.
  ///
  /// - Precondition: at most one element per stream, at least one, all with the same sequences.
  package init(identity: RunIdentity, streams: [Stream]) {
    let order = AnswerStream.allCases
    precondition(Set(streams.map(\.grid.stream)).count == streams.count, "one grid per stream")
    precondition(!streams.isEmpty, "a run has cells")
    let names = streams.map { $0.layout.facts.sequences.map(\.name) }
    precondition(names.allSatisfy { $0 == names[0] }, "streams of the same sequences")
    self.identity = identity
    self.streams = order.flatMap { stream in streams.filter { $0.grid.stream == stream } }
  }

  /// Refuses a run that no reader of a store would take.
  ///
  /// - Throws: `RunStoreError.beyondLimits` with the sequence and the number.
  package func check() throws {
    for stream in streams { try stream.layout.facts.checkLimits() }
  }

  /// The cells of a stream that this run covers, including degenerate ones.
  func range(of stream: Stream) -> Range<Int> {
    identity.shard.range(of: stream.grid.cellCount)
  }

  /// The facts of the run that are written before its first cell.
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

/// All facts of a run that precede its cells.
struct RunOutline {
  /// One stream.
  struct Stream {
    /// The grid.
    let grid: GridDescription
    /// The positions of a cell's numbers, with the truth of the data.
    let layout: StatisticsLayout
    /// The ids of this run, including degenerate ones.
    let cells: Range<Int>
    /// How many of them are evaluated.
    let acceptedCount: Int
  }

  /// The identity of the run.
  let identity: RunIdentity
  /// The streams, plank first.
  let streams: [Stream]

  /// The grids as text, compared line by line when a run is resumed.
  var gridLines: [String] { streams.flatMap(\.grid.lines) }
}

/// The status of a run.
package enum RunStatus: String, CaseIterable, Codable, Hashable, Sendable {
  /// Its sweep wrote a short while ago.
  case running
  /// All cells are there and the sweep has finished.
  case complete
  /// Cells are missing and nobody has written for a while; `--resume` continues it.
  case interrupted
}
