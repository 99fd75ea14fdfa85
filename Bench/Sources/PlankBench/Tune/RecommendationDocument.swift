internal import ParameterTuning
@_spi(Bench) internal import PlankDetection
@_spi(Bench) internal import PoseModel
internal import Statistics

extension StreamRecommendation {
  /// The recommendation for one stream.
  var document: Document {
    var document = Document()
    document.heading("\(stream.rawValue): \(settings)")
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

  private var settings: String {
    let values = parameters.filter { fact in
      fact.value != fact.defaultValue || extents.contains { $0.key.rawValue == fact.key }
    }
    let steady = smoothing == "none" ? "" : ", smoothing \(smoothing)"
    return "\(detector)\(steady)"
      + (values.isEmpty ? "" : " with " + values.map(\.sentence).joined(separator: ", "))
  }

  private var scoreTable: Table {
    var table = Table([.words(evidence.objective), .number("value"), .words("")])
    func row(_ name: String, _ value: Double?, _ meaning: String, _ tone: StyledText.Tone = .plain)
    {
      textRow(name, value.map { NumberText.fixed($0, 4) } ?? "n/a", meaning, tone)
    }
    func textRow(_ name: String, _ value: String, _ meaning: String, _ tone: StyledText.Tone) {
      table.row([StyledText(name, tone), StyledText(value, tone), StyledText(meaning, .dim)])
    }
    row("starting point", evidence.baseObjective, "the parameters that the experiment starts from")
    row("best in sample", evidence.bestObjective, "the peak; too optimistic")
    row(
      "recommended", evidence.recommendedObjective,
      refined.contains(where: \.isTaken)
        ? "the plateau's center, refined" : "the plateau's center, same sample",
      .strong)
    if let heldOut = evidence.heldOut {
      textRow(
        "on held-out \(heldOut.unit.rawValue)", heldOut.value.text(within: heldOut.interval),
        heldOut.unit.meaning, .strong)
      textRow(
        "change from the start", heldOut.change.text(within: heldOut.changeInterval),
        heldOut.changeMeaning, .plain)
      textRow(
        "optimism", evidence.optimism.text(within: heldOut.interval, showsEnds: false),
        "how much too good the sample looks", .plain)
    }
    return table
  }

  private var trust: StyledText {
    var parts = [
      "\(NumberText.count(evidence.cellCount, "cell")), \(NumberText.count(evidence.feasibleCount)) of them keep the "
        + "constraints"
        + (evidence.constraints.isEmpty
          ? " (none stated)" : " (\(evidence.constraints.joined(separator: "; ")))")
        + (evidence.rejectedCount > 0
          ? ", \(NumberText.count(evidence.rejectedCount)) rejected as degenerate" : "")
        + "."
    ]
    if let error = evidence.standardError {
      parts.append("Paired standard error to the best cell \(NumberText.fixed(error, 4)).")
    }
    if let share = evidence.samePlateauShare {
      let unit = evidence.heldOut?.unit ?? .people
      parts.append(
        "\(NumberText.percent(share)) of the resamples of \(unit.resampled) choose the same plateau."
      )
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
    warnings += evidence.steps.filter(\.isBeyondChance).map { "Knife edge: \($0.sentence)" }
    warnings += evidence.steps.compactMap(\.brokenSentence)
    warnings += evidence.edgeAxes.map {
      "The best cell is at the end of the axis \($0): widen it."
    }
    warnings += evidence.inertAxes.map { axis in
      evidence.keptAxes.contains(axis)
        ? "The axis \(axis) changes nothing: \(axis) keeps its starting value."
        : "The axis \(axis) changes nothing, but its starting value, which is not on it, does: "
          + "widen it."
    }
    if !evidence.neverAnswered.isEmpty {
      warnings.append("Never answered: \(evidence.neverAnswered.joined(separator: ", ")).")
    }
    if !evidence.stuckSequences.isEmpty {
      let names = evidence.stuckSequences.prefix(3).joined(separator: ", ")
      warnings.append(
        "The answer never changes in \(NumberText.count(evidence.stuckSequences.count, "sequence")) whose truth does: "
          + names + (evidence.stuckSequences.count > 3 ? ", ..." : "."))
    }
    return warnings
  }
}

extension Choice.Step {
  /// The cost of the step, beside what chance explains.
  fileprivate var sentence: String {
    let error = standardError.map { " (standard error \(NumberText.fixed($0, 4)))" } ?? ""
    return "\(definition.key.rawValue) at \(NumberText.short(to)) instead of "
      + "\(NumberText.short(from)) costs \(NumberText.fixed(cost ?? 0, 4))\(error), more than "
      + "chance explains."
  }

  /// Which constraint the step breaks; nil if it keeps them all.
  fileprivate var brokenSentence: String? {
    broken.map {
      "\(definition.key.rawValue) at \(NumberText.short(to)) instead of "
        + "\(NumberText.short(from)) breaks \($0)."
    }
  }
}

extension HeldOutEstimate.Unit {
  /// What the estimate is about.
  fileprivate var meaning: String {
    switch self {
    case .people: "what to expect of new people"
    case .recordings:
      "new recordings of the same people; expect less of new people"
    case .peopleAndRecordings:
      "too high for new people where a person is in several recordings"
    case .sources: "what to expect of a new source"
    }
  }

  /// What resamples draw.
  fileprivate var resampled: String { self == .sources ? "people" : rawValue }
}

extension HeldOutEstimate {
  /// Whether the change is more than chance explains.
  fileprivate var changeMeaning: String {
    guard let interval = changeInterval else { return "on the same data, without an interval" }
    return interval.lower > 0 || interval.upper < 0
      ? "on the same data" : "on the same data; chance explains it"
  }
}

extension Double? {
  /// A number with the decimals that its interval justifies, and the interval's ends.
  ///
  /// Without an interval, two decimals.
  fileprivate func text(within interval: Interval?, showsEnds: Bool = true) -> String {
    guard let value = self else { return "n/a" }
    guard let interval else { return NumberText.fixed(value, 2) }
    let decimals = NumberText.decimals(bearing: interval.width / 2)
    let number = NumberText.fixed(value, decimals)
    guard showsEnds else { return number }
    return number + " (\(NumberText.fixed(interval.lower, decimals)) to "
      + "\(NumberText.fixed(interval.upper, decimals)))"
  }
}

extension ParameterFact {
  /// `sag 0.01 m`.
  var sentence: String {
    "\(key) \(NumberText.short(value))" + (unit == "-" || unit == "frames" ? "" : " \(unit)")
  }
}
