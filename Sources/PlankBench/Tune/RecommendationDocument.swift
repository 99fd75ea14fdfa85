internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Statistics
internal import Tuning

extension StreamRecommendation {
  func document(_ sentence: StyledText) -> Document {
    var document = Document()
    document.heading("\(stream.rawValue): \(decision.isTaken ? "take" : word) \(settings)")
    document.paragraph(sentence)
    document.table(scoreTable)
    document.paragraph(trust)
    document.list(warnings.map { StyledText($0, .warning) })
    document.figure(.objective(ObjectiveFigure(self)))
    appendPlateau(to: &document)
    appendRefinement(to: &document)
    appendFront(to: &document)
    appendFolds(to: &document)
    appendStress(to: &document)
    return document
  }

  private var word: String { decision.verdict == .change ? "change to" : "keep" }

  private var settings: String {
    let values = parameters.filter(isNotable)
    let steady = smoothing.isNone ? "" : ", smoothing \(smoothing.text)"
    return "\(detector)\(steady)"
      + (values.isEmpty ? "" : " with " + values.map(\.sentence).joined(separator: ", "))
  }

  private var scoreTable: Table {
    var table = Table([.words(objective.metric.description), .number("value"), .words("")])
    func row(_ name: String, _ value: Double?, _ meaning: String, _ tone: StyledText.Tone = .plain)
    {
      textRow(name, value.map { NumberText.fixed($0, 4) } ?? "n/a", meaning, tone)
    }
    func textRow(_ name: String, _ value: String, _ meaning: String, _ tone: StyledText.Tone) {
      table.row([StyledText(name, tone), StyledText(value, tone), StyledText(meaning, .dim)])
    }
    row("starting point", objective.startingPoint, "the parameters that the experiment starts from")
    row("best in sample", objective.best, "the peak; too optimistic")
    row(
      "found", objective.found,
      refinement.contains(where: \.isTaken)
        ? "inside the plateau, refined" : "inside the plateau, same sample",
      .strong)
    if let heldOut = validation.heldOut {
      textRow(
        "found, held-out \(heldOut.unit.rawValue)", heldOut.value.text(within: heldOut.interval),
        heldOut.unit.meaning, .strong)
      textRow(
        "change from the start", heldOut.change.text(within: heldOut.changeInterval),
        heldOut.changeMeaning, .plain)
      textRow(
        "optimism", validation.optimism.text(within: heldOut.interval, showsEnds: false),
        "how much too good the sample looks", .plain)
    }
    return table
  }

  private var trust: StyledText {
    let stated = constraints.stated.map(\.description).joined(separator: "; ")
    var parts = [
      "\(NumberText.count(cells.evaluated, "cell")), \(NumberText.count(constraints.feasibleCells)) of them keep the "
        + "constraints (\(stated.isEmpty ? "none stated" : stated))"
        + (cells.rejected > 0
          ? ", \(NumberText.count(cells.rejected)) rejected as degenerate" : "")
        + "."
    ]
    if let error = objective.standardError {
      parts.append("Paired standard error to the best cell \(NumberText.fixed(error, 4)).")
    }
    if let share = validation.samePlateauShare {
      let unit = validation.heldOut?.unit ?? .people
      parts.append(
        "\(NumberText.percent(share)) of the resamples of \(unit.resampled) choose the same plateau."
      )
    }
    return StyledText(parts.joined(separator: " "))
  }

  private var isUsed: Bool {
    decision.verdict == .change || decision.isTaken || decision.reason == .same
  }

  private func leadsBack(_ step: Choice.Step) -> Bool {
    decision.verdict == .change
      && start.parameters.contains { $0.key == step.key && $0.value == step.to }
  }

  var warnings: [String] {
    var warnings: [String] = []
    if let broken = constraints.broken {
      let value = broken.value.map { NumberText.fixed($0, 4) } ?? "undefined"
      warnings.append(
        "No cell keeps every constraint. The cell found breaks them least: \(broken.constraint) is "
          + "\(value). Widen the axes or loosen the constraint.")
    }
    if isUsed {
      warnings += steps.filter { $0.isBeyondChance && !leadsBack($0) }
        .map { "Knife edge: \($0.sentence)" }
      warnings += steps.compactMap(\.brokenSentence)
    }
    warnings += diagnostics.edgeAxes.map {
      "The best cell is at the end of the axis `\($0.rawValue)`: widen it."
    }
    warnings += diagnostics.inertAxes.map { axis in
      let name = axis.rawValue
      return diagnostics.keptAxes.contains(axis)
        ? "The axis `\(name)` changes nothing: it keeps its starting value."
        : "The axis `\(name)` changes nothing, but its starting value, which is not on it, does: "
          + "widen it."
    }
    if !diagnostics.neverAnswered.isEmpty {
      let names = diagnostics.neverAnswered.map { "`\($0)`" }.joined(separator: ", ")
      warnings.append("Never answered: \(names).")
    }
    let stuck = diagnostics.stuckSequences
    if !stuck.isEmpty {
      warnings.append(
        "The answer never changes in \(NumberText.count(stuck.count, "sequence")) where the truth does: "
          + stuck.prefix(3).joined(separator: ", ") + (stuck.count > 3 ? ", ..." : "."))
    }
    return warnings
  }
}

extension Choice.Step {
  fileprivate var sentence: String {
    let error = standardError.map { " (standard error \(NumberText.fixed($0, 4)))" } ?? ""
    return "`\(key.rawValue)` at \(NumberText.short(to)) instead of "
      + "\(NumberText.short(from)) costs \(NumberText.fixed(cost ?? 0, 4))\(error), beyond chance."
  }

  fileprivate var brokenSentence: String? {
    broken.map {
      "`\(key.rawValue)` at \(NumberText.short(to)) instead of "
        + "\(NumberText.short(from)) breaks `\($0)`."
    }
  }
}

extension HeldOutEstimate.Unit {
  fileprivate var meaning: String {
    switch self {
    case .people: "the mean of new people, not one person's value"
    case .recordings:
      "new recordings of the same people; expect less of new people"
    case .peopleAndRecordings:
      "too high for new people where a person is in several recordings"
    case .sources: "the mean of new sources, not one source's value"
    }
  }

  fileprivate var resampled: String { self == .sources ? "people" : rawValue }
}

extension [ParameterFact] {
  func settings(
    of detector: String, _ smoothing: SmoothingChoice, isFeasible: Bool = true
  ) -> String {
    let names = [detector] + (smoothing.isNone ? [] : [smoothing.text])
    return (names + map(\.sentence) + (isFeasible ? [] : ["constraints broken"]))
      .joined(separator: ", ")
  }
}
