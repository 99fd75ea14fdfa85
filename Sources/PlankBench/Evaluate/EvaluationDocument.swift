internal import Evaluation
internal import PoseModel

extension EvaluationReport {
  /// The report for people: matrices, what is wrong, steadiness, jitter, cost, worst moments.
  var document: Document {
    var document = Document()
    document.heading("\(detector.name) on \(dataset.identity.name)", level: 1)
    document.paragraph(StyledText(dataset.sentence))
    document.paragraph(StyledText(detector.sentence, .dim))
    document.append(bySource)
    document.append(plank.document())
    document.append(form.document())
    document.heading("Steadiness")
    document.table(stabilityTable)
    document.append(overTime)
    if isVerbose { document.append(overTimeInDetail) }
    document.append(sliceTables)
    appendMoments(to: &document)
    appendDevice(to: &document)
    if let annotatorAgreement { document.append(annotatorAgreement.document(isCeiling: true)) }
    if isVerbose {
      document.append(jitter.details)
    } else {
      document.heading("Jitter on holds")
      document.table(jitter.table)
    }
    appendTiming(to: &document)
    if !notes.isEmpty {
      document.heading("Notes")
      document.list(notes.map { StyledText($0) })
    }
    document.heading("Provenance")
    document.list(provenance.map { StyledText("\($0.key): \($0.value)", .dim) })
    return document
  }

  private var stabilityTable: Table {
    var table = Table([
      .words("stream"), .number("minutes"), .number("transitions"), .number("true"),
      .number("excess/min"), .number("false/min"), .number("missed"), .number("flickers/min"),
    ])
    for part in [plank, form] {
      let view = part.view
      table.row([
        StyledText(part.stream.rawValue, .strong),
        StyledText(NumberText.fixed(view.stability.evaluatedSeconds / 60, 2)),
        StyledText("\(view.stability.predictedTransitions)"),
        StyledText("\(view.stability.trueTransitions)"),
        StyledText(view[.excessTransitionsPerMinute].text(2)),
        StyledText(view[.falseTransitionsPerMinute].text(2)),
        StyledText(view[.missedTransitions].text(0)),
        StyledText(view[.flickersPerMinute].text(2)),
      ])
    }
    return table
  }

  private func appendMoments(to document: inout Document) {
    let moments = WorstMoment.worst(plank.worstMoments + form.worstMoments)
    guard !moments.isEmpty else { return }
    document.heading("The \(moments.count) worst moments")
    var table = Table([
      .words("sequence"), .number("at s"), .number("for s"), .words("truth -> answer"),
      .words("nearest threshold"), .number("margin"),
    ])
    for moment in moments {
      let nearest = moment.nearestThreshold
      let hasRules = !detector.rules(moment.stream).isEmpty
      table.row([
        StyledText(moment.sequence), StyledText(NumberText.fixed(moment.frameTime.value, 3)),
        StyledText(NumberText.fixed(moment.duration.value, 2)),
        StyledText("\(moment.truth) -> \(moment.answer)", .bad),
        StyledText(nearest?.text ?? (hasRules ? "undetermined there" : "no rules known"), .dim),
        StyledText(nearest.map { NumberText.fixed($0.margin, 3) + " " + $0.unit } ?? ""),
      ])
    }
    document.table(table)
    document.paragraph(
      "`planklab explain` shows every rule at such a moment, with the recording and the time.")
  }

  private func appendDevice(to document: inout Document) {
    guard let device = deviceComparison else { return }
    let source = detector.plankRules.isEmpty ? "prediction" : "detector"
    document.heading("The device's own answers against the \(source)'s")
    if device.isEqual {
      document.paragraph(
        StyledText(
          "All \(device.plank.framesCompared) plank and \(device.form.framesCompared) form answers "
            + (source == "detector" ? "agree: what is tuned is what ships." : "agree."), .good))
      return
    }
    for (stream, part) in [(AnswerStream.plank, device.plank), (.form, device.form)] {
      document.paragraph(
        StyledText(
          "\(stream.rawValue): \(part.framesDiffering) of \(part.framesCompared) frames differ.",
          part.framesDiffering > 0 ? .bad : .good))
      document.list(
        part.firstDifferences.map { difference in
          StyledText(
            "\(difference.sequence) at \(NumberText.fixed(difference.time.value, 3)) s: "
              + "device \(difference.device), \(source) \(difference.answer)")
        })
    }
  }

  private func appendTiming(to document: inout Document) {
    guard let timing else { return }
    document.heading("Time")
    let stages = timing.stages.map { stage in
      "\(stage.name) \(NumberText.fixed(stage.duration.value, 3)) s"
    }
    document.paragraph(
      StyledText(stages.joined(separator: ", ") + ", summed over threads."))
    guard let cost = timing.frameCost else { return }
    func microseconds(_ seconds: Seconds) -> String { NumberText.fixed(seconds.value * 1e6, 2) }
    document.paragraph(
      StyledText(
        "A frame costs \(microseconds(cost.p50)) us in the median, \(microseconds(cost.p99)) us at "
          + "the 99th percentile of \(cost.batches) batches of \(FrameCost.batchFrames): "
          + "\(NumberText.fixed(cost.p99BudgetShare * 100, 4)) % of a frame at 30 Hz."))
  }
}

extension DatasetFacts {
  fileprivate var sentence: String {
    let split = identity.split.map { ", split \($0)" } ?? ""
    let people =
      subjects.isEmpty ? "no subject named" : "\(subjects.count) subject\(plural(subjects.count))"
    return "\(sequenceCount) sequence\(plural(sequenceCount))\(split), \(people), "
      + "\(NumberText.count(counts.frames)) frames: \(NumberText.count(counts.scored)) scored, "
      + "\(counts.ignored) ignored, \(counts.unlabeled) unlabeled; of all, \(counts.missing) "
      + "missing, \(counts.undetermined) undetermined, \(counts.held) of these held."
  }

  private func plural(_ count: Int) -> String { count == 1 ? "" : "s" }
}

extension DetectorFacts {
  fileprivate var sentence: String {
    let numbers = parameters.map { "\($0.key) \(NumberText.shortest($0.value))" }.joined(
      separator: ", ")
    return numbers.isEmpty ? description : "\(description). \(numbers)."
  }
}

extension EvaluationReport {
  /// Scores by subject and by tag, and by sequence where there are few; nothing for one slice.
  var sliceTables: Document {
    var document = Document()
    guard plank.slices.full.count > 1 || sequences.count > 1 else { return document }
    document.heading("By subject and tag")
    document.table(sliceTable)
    document.list(summaries)
    if sequences.count <= Self.sequenceRowLimit {
      document.heading("By sequence")
      document.table(sequenceTable)
    }
    return document
  }

  /// How many sequences are listed one by one.
  private static let sequenceRowLimit = 24

  private var sliceTable: Table {
    var table = Table([
      .words("slice"), .number("sequences"), .number("scored"), .number("plank accuracy"),
      .number("plank macro F1"), .number("form accuracy"), .number("form macro F1"), .words(""),
    ])
    for plank in plank.slices.full where plank.key != .source {
      let form = form.slices.full.first { $0.key == plank.key && $0.value == plank.value }
      table.row([
        StyledText(plank.name), StyledText("\(plank.sequenceCount)"),
        StyledText(NumberText.count(plank.view.frameCounts.scored)),
        StyledText(plank.view[.accuracy].text()),
        StyledText(plank.view[.f1Macro].text()),
        StyledText(form?.view[.accuracy].text() ?? "-"),
        StyledText(form?.view[.f1Macro].text() ?? "-"),
        warning(
          "contains no evidence", !plank.noEvidence.isEmpty, form?.noEvidence.isEmpty == false),
      ])
    }
    return table
  }

  /// What is left of keys with many values, a sentence each.
  private var summaries: [StyledText] {
    plank.slices.summaries.map { summary in
      let range = [summary.accuracy.lowerBound, summary.accuracy.upperBound].map {
        NumberText.fixed($0, 3)
      }
      return StyledText(
        "\(summary.name): the \(ScoreSlices.fullLimit) least accurate of "
          + "\(ScoreSlices.fullLimit + summary.valueCount) are listed; the others have a plank "
          + "accuracy of \(range[0]) to \(range[1]), "
          + "\(NumberText.fixed(summary.medianAccuracy, 3)) in the middle.", .dim)
    }
  }

  private var sequenceTable: Table {
    var table = Table([
      .words("sequence"), .words("subject"), .number("frames"), .number("missing"),
      .number("plank accuracy"), .number("plank determined"), .number("form accuracy"),
      .words(""),
    ])
    for row in sequences {
      table.row([
        StyledText(row.name), StyledText(row.subject ?? "-"), StyledText("\(row.frames)"),
        StyledText("\(row.missingFrames)"), StyledText(row.plank.accuracy.text()),
        StyledText(row.plank.determinedShare.percentText), StyledText(row.form.accuracy.text()),
        warning("no evidence", row.plank.isNoEvidence, row.form.isNoEvidence),
      ])
    }
    return table
  }

  /// A warning that names the streams it is about; nothing where it is about none.
  private func warning(_ text: String, _ isPlank: Bool, _ isForm: Bool) -> StyledText {
    let streams = [isPlank ? "plank" : nil, isForm ? "form" : nil].compactMap(\.self)
    return StyledText(
      streams.isEmpty ? "" : "\(text): \(streams.joined(separator: ", "))", .warning)
  }
}

extension ScoreSlice {
  fileprivate var name: String {
    switch key {
    case .source: "source " + (value ?? "")
    case .subject: "subject " + (value ?? "unknown")
    case .tag(let tag): "\(tag) = \(value ?? "")"
    }
  }
}

extension SliceSummary {
  fileprivate var name: String {
    switch key {
    case .source: "sources"
    case .subject: "subjects"
    case .tag(let tag): tag
    }
  }
}
