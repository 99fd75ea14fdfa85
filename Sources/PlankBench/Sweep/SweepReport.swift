internal import Evaluation
internal import PlankDetection
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
    let fixed = facts.filter { values(of: $0.key).count == 1 }.map(\.sentence)
    document.paragraph(
      StyledText(
        fixed.isEmpty ? "" : "The same in all of them: \(fixed.joined(separator: ", ")).", .dim))
    if let figure { document.figure(.objective(figure)) }
    return document
  }

  /// The settings of the best cells, each once.
  private var facts: [ParameterFact] {
    var seen: Set<ParameterKey> = []
    return best.flatMap(\.parameters).filter { seen.insert($0.key).inserted }
  }

  private func values(of key: ParameterKey) -> Set<Double?> {
    Set(best.map { row in row.parameters.first { $0.key == key }?.value })
  }

  /// A line per cell: a column for each setting that differs among them, then the metrics.
  var table: Table {
    let varying = facts.filter { values(of: $0.key).count > 1 }
    let names = best.map { [ParameterFact]().settings(of: $0.detector, $0.smoothing) }
    let hasNames = Set(names).count > 1
    var table = Table(
      [.number("cell")]
        + varying.map { fact in
          let isPlain = [.ratio, .frames].contains(fact.unit)
          let unit = isPlain ? "" : ", \(fact.unit.rawValue)"
          return .number(fact.key.rawValue + unit)
        } + (hasNames ? [.words("detector")] : []) + metrics.map { .number($0.metric.shortTitle) })
    for (row, name) in zip(best, names) {
      let tone: StyledText.Tone = row.isFeasible ? .plain : .bad
      let settings = varying.map { fact in
        let value = row.parameters.first { $0.key == fact.key }?.value
        return StyledText(value.map(NumberText.short) ?? "", tone)
      }
      table.row(
        [StyledText("\(row.cell)", .dim)] + settings + (hasNames ? [StyledText(name, tone)] : [])
          + metrics.map { row.values.text($0) })
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
