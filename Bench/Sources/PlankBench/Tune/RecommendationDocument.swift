internal import Evaluation
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
      "recommended", objective.recommended,
      refinement.contains(where: \.isTaken)
        ? "the plateau's center, refined" : "the plateau's center, same sample",
      .strong)
    if let heldOut = validation.heldOut {
      textRow(
        "on held-out \(heldOut.unit.rawValue)", heldOut.value.text(within: heldOut.interval),
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

  private var warnings: [String] {
    var warnings: [String] = []
    if let broken = constraints.broken {
      let value = broken.value.map { NumberText.fixed($0, 4) } ?? "undefined"
      warnings.append(
        "No cell keeps every constraint. This one breaks them least: \(broken.constraint) is "
          + "\(value). Widen the axes or loosen the constraint.")
    }
    warnings += steps.filter(\.isBeyondChance).map { "Knife edge: \($0.sentence)" }
    warnings += steps.compactMap(\.brokenSentence)
    warnings += diagnostics.edgeAxes.map {
      "The best cell is at the end of the axis \($0.rawValue): widen it."
    }
    warnings += diagnostics.inertAxes.map { axis in
      let name = axis.rawValue
      return diagnostics.keptAxes.contains(axis)
        ? "The axis \(name) changes nothing: \(name) keeps its starting value."
        : "The axis \(name) changes nothing, but its starting value, which is not on it, does: "
          + "widen it."
    }
    if !diagnostics.neverAnswered.isEmpty {
      warnings.append("Never answered: \(diagnostics.neverAnswered.joined(separator: ", ")).")
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
  /// The cost of the step, compared with what chance explains.
  fileprivate var sentence: String {
    let error = standardError.map { " (standard error \(NumberText.fixed($0, 4)))" } ?? ""
    return "\(key.rawValue) at \(NumberText.short(to)) instead of "
      + "\(NumberText.short(from)) costs \(NumberText.fixed(cost ?? 0, 4))\(error), more than "
      + "chance explains."
  }

  /// Which constraint the step breaks; nil if it keeps them all.
  fileprivate var brokenSentence: String? {
    broken.map {
      "\(key.rawValue) at \(NumberText.short(to)) instead of "
        + "\(NumberText.short(from)) breaks \($0)."
    }
  }
}

extension HeldOutEstimate.Unit {
  /// What the estimate says.
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
    let number = "\(key.rawValue) \(NumberText.short(value))"
    return unit == .ratio || unit == .frames ? number : "\(number) \(unit.rawValue)"
  }
}

extension [ParameterFact] {
  /// The settings of a cell: `gravity, ema:cutoff=2.0Hz@joints, sag 0.01 m`.
  func settings(
    of detector: String, _ smoothing: SmoothingChoice, isFeasible: Bool = true
  ) -> String {
    let names = [detector] + (smoothing.isNone ? [] : [smoothing.text])
    return (names + map(\.sentence) + (isFeasible ? [] : ["constraints broken"]))
      .joined(separator: ", ")
  }
}
