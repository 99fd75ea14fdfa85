internal import ParameterTuning
internal import PoseModel
internal import RunStore
internal import Specifications

extension SweepSummary {
  /// Reads the cells of a run and ranks them.
  static func make(
    _ reader: RunReader, _ sweeps: [StreamSweep], _ prepared: PreparedExperiment, shard: Shard,
    top: Int
  ) throws(WorkflowFailure) -> SweepSummary {
    do {
      var streams: [(ranking: SweepRanking, rejectedCount: Int)] = []
      for sweep in sweeps {
        let goal = try goal(sweep.grid.stream, prepared)
        var ranking = try SweepRanking(sweep.grid, goal, count: top)
        var last: Int?
        while let cells = try reader.cells(sweep.grid.stream, after: last, count: 512) {
          try ranking.add(cells)
          last = cells.ids.last
        }
        let count = shard.range(of: sweep.grid.cellCount).count
        streams.append((ranking: ranking, rejectedCount: count - ranking.cellCount))
      }
      return SweepSummary(
        run: reader.facts.id, question: prepared.experiment.question, dataset: prepared.identity,
        frames: prepared.frameCount, shard: "\(shard.index + 1)/\(shard.count)",
        configurationCount: try ConfigurationGrid(plank: sweeps[0].grid, form: sweeps[1].grid)
          .count,
        engine: prepared.engine, streams: streams)
    } catch let error as RunStoreError {
      throw WorkflowFailure(error)
    } catch let error as TuningError {
      throw prepared.failure(error)
    } catch {
      throw WorkflowFailure(.unexpected, "\(error)")
    }
  }

  /// The experiment's goal for a stream, else its balanced accuracy.
  private static func goal(
    _ stream: AnswerStream, _ prepared: PreparedExperiment
  ) throws(TuningError) -> TuningGoal {
    if let goal = prepared.experiment.goals.first(where: { $0.stream == stream }) { return goal }
    return try TuningGoal(CellMetric("\(stream.rawValue).balanced_accuracy"))
  }
}
