internal import Evaluation
internal import PoseModel
internal import Tuning

extension SweepSummary {
  static func make(
    _ reader: RunReader, _ sweeps: [StreamSweep], _ rankings: [SweepRanking],
    _ prepared: PreparedExperiment, shard: Shard
  ) throws -> SweepSummary {
    do {
      var streams: [SweepSummary.Stream] = []
      for (sweep, ranking) in zip(sweeps, rankings) {
        let count = shard.range(of: sweep.grid.cellCount).count
        let views = try ranking.views { try reader.cells(sweep.grid.stream, ids: $0) }
        streams.append(
          SweepSummary.Stream(ranking, rejectedCount: count - ranking.cellCount, views: views))
      }
      return SweepSummary(
        run: reader.facts.id, question: prepared.experiment.question,
        frames: prepared.frameCount, shard: shard,
        configurationCount: try ConfigurationGrid(plank: sweeps[0].grid, form: sweeps[1].grid)
          .count,
        engine: prepared.engine, streams: streams)
    } catch {
      throw prepared.experiment.failure(error)
    }
  }

  static func goal(_ stream: AnswerStream, _ prepared: PreparedExperiment) throws -> TuningGoal {
    if let goal = prepared.experiment.goals.first(where: { $0.stream == stream }) { return goal }
    return try TuningGoal(MetricKey(.balancedAccuracy, in: stream))
  }
}

extension SweepSummary: CommandResult {
  static let command = "sweep"
  static let schemaVersion = 2

  func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading(question ?? "Sweep over \(origin.datasetName)", level: 1)
    let part = shard == .whole ? "" : ", part \(shard)"
    document.paragraph(
      StyledText(
        "Run \(run): \(origin.datasetName), \(NumberText.count(frames, "frame")), "
          + "\(NumberText.count(configurationCount, "configuration"))\(part). Engine: \(engine)."))
    for stream in streams { document.append(stream.document) }
    document.paragraph(
      "The best cell of a sweep looks too good; `planklab tune` says what to expect of new people."
    )
    return document
  }

  func page(_ origin: ResultOrigin) -> ResultPage {
    SweepPage(summary: self, origin: origin).page
  }
}

extension SweepSummary.Stream {
  fileprivate var document: Document {
    var document = Document()
    document.heading("The best \(stream.rawValue) cells")
    let bounds = constraints.map(\.description).joined(separator: "; ")
    document.paragraph(
      StyledText(
        NumberText.count(cellCount, "cell")
          + (rejectedCount > 0
            ? ", \(NumberText.count(rejectedCount)) more rejected as degenerate" : "")
          + (bounds.isEmpty ? "." : "; \(NumberText.count(feasibleCount)) keep \(bounds).")))
    document.table(table)
    if let figure { document.figure(.objective(figure)) }
    return document
  }

  var table: Table {
    var table = Table(
      [.number("cell")] + metrics.map { .number($0.description) } + [.words("settings")])
    for row in best {
      let settings = row.parameters.settings(
        of: row.detector, row.smoothing, isFeasible: row.isFeasible)
      table.row(
        [StyledText("\(row.cell)", .dim)] + metrics.map { row.values.text($0) }
          + [StyledText(settings, row.isFeasible ? .dim : .bad)])
    }
    return table
  }

  var figure: ObjectiveFigure? {
    guard let views, let objective = metrics.first else { return nil }
    let text = NumberText.short(tolerance)
    return ObjectiveFigure(
      objective, views, parameters: best.first?.parameters ?? [],
      names: ObjectiveFigure.Names(
        chosen: "first in the ranking",
        plateau: tolerance > 0 ? "within \(text) of it" : "as good as it"))
  }
}
