package import ParameterTuning
internal import PoseModel

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
    precondition(Set(streams.map(\.grid.stream)).count == streams.count, "one grid a stream")
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

  /// The grids as text, which resuming compares line by line.
  var gridLines: [String] { streams.flatMap { GridDescription($0.grid).lines } }
}
