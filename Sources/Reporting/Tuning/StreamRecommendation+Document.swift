internal import ParameterTuning
internal import PoseModel

extension StreamRecommendation {
  /// The recommendation for one stream.
  var document: Document {
    var document = Document()
    document.heading("\(stream.rawValue): \(settings)")
    document.table(scoreTable)
    document.paragraph(trust)
    document.list(warnings.map { StyledText($0, .warning) })
    appendPlateau(to: &document)
    appendRefinement(to: &document)
    appendFront(to: &document)
    appendFolds(to: &document)
    appendStress(to: &document)
    return document
  }

  private var settings: String {
    let values = parameters.filter { fact in
      fact.value != fact.defaultValue || extents.contains { $0.parameter == fact.key }
    }
    let steady = smoothing == "none" ? "" : ", smoothing \(smoothing)"
    return "\(detector)\(steady)"
      + (values.isEmpty ? "" : " with " + values.map(\.sentence).joined(separator: ", "))
  }

  private var scoreTable: Table {
    var table = Table([.words(evidence.objective), .number("value"), .words("")])
    func row(_ name: String, _ value: Double?, _ meaning: String, _ tone: StyledText.Tone = .plain)
    {
      table.row([
        StyledText(name, tone), StyledText(value.map { NumberText.fixed($0, 4) } ?? "n/a", tone),
        StyledText(meaning, .dim),
      ])
    }
    row("starting point", evidence.baseObjective, "the parameters that the experiment starts from")
    row("best in sample", evidence.bestObjective, "the peak; it flatters itself")
    row(
      "recommended", evidence.recommendedObjective,
      refined.contains(where: \.isTaken)
        ? "the plateau's center, refined" : "the plateau's center, same sample",
      .strong)
    if !folds.isEmpty {
      row("on held-out people", evidence.nestedEstimate, "what to expect of new ones", .strong)
      row("optimism", evidence.optimism, "how much the sample flatters")
    }
    return table
  }

  private var trust: StyledText {
    var parts = [
      "\(NumberText.count(evidence.cellCount)) cells, \(evidence.feasibleCount) of them keep the "
        + "constraints"
        + (evidence.constraints.isEmpty
          ? " (none stated)" : " (\(evidence.constraints.joined(separator: "; ")))")
        + (evidence.rejectedCount > 0 ? ", \(evidence.rejectedCount) rejected as degenerate" : "")
        + "."
    ]
    if let error = evidence.standardError {
      parts.append("Paired standard error to the best cell \(NumberText.fixed(error, 4)).")
    }
    if let share = evidence.samePlateauShare {
      parts.append("\(NumberText.percent(share)) of resampled people choose the same plateau.")
    }
    return StyledText(parts.joined(separator: " "))
  }

  private var warnings: [String] {
    var warnings: [String] = []
    if let broken = evidence.broken {
      let value = broken.value.map { NumberText.fixed($0, 4) } ?? "undefined"
      warnings.append(
        "No cell keeps every constraint. This one breaks them least: \(broken.constraint) is "
          + "\(value). Widen the axes or loosen the constraint.")
    }
    if evidence.isKnifeEdge {
      warnings.append("Knife edge: one step off the recommended cell costs more than chance.")
    }
    warnings += evidence.edgeAxes.map {
      "The best cell stands at the end of the axis \($0): widen it."
    }
    warnings += evidence.inertAxes.map { "The axis \($0) changes nothing: drop it." }
    if !evidence.neverAnswered.isEmpty {
      warnings.append("Never answered: \(evidence.neverAnswered.joined(separator: ", ")).")
    }
    if !evidence.stuckSequences.isEmpty {
      let names = evidence.stuckSequences.prefix(3).joined(separator: ", ")
      warnings.append(
        "The answer never changes in \(evidence.stuckSequences.count) sequences whose truth does: "
          + names + (evidence.stuckSequences.count > 3 ? ", ..." : "."))
    }
    return warnings
  }
}
