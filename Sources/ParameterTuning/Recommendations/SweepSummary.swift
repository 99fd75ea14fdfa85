package import Evaluation

/// What a sweep found, before anything is chosen.
package struct SweepSummary: Sendable {
  /// The run's id in its store.
  package let run: String
  /// The question, where the experiment states one.
  package let question: String?
  /// The data.
  package let dataset: DatasetIdentity
  /// How many frames.
  package let frames: Int
  /// The part of the grid, such as `1/1`.
  package let shard: String
  /// How many configurations the streams' cells stand for, degenerate ones included.
  package let configurationCount: Int
  /// What evaluated the cells.
  package let engine: String
  /// The streams with how many of their cells are degenerate.
  package let streams: [(ranking: SweepRanking, rejectedCount: Int)]

  /// Puts a summary together.
  package init(
    run: String, question: String?, dataset: DatasetIdentity, frames: Int, shard: String,
    configurationCount: Int, engine: String,
    streams: [(ranking: SweepRanking, rejectedCount: Int)]
  ) {
    self.run = run
    self.question = question
    self.dataset = dataset
    self.frames = frames
    self.shard = shard
    self.configurationCount = configurationCount
    self.engine = engine
    self.streams = streams
  }
}
