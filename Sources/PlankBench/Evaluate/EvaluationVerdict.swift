internal import Evaluation
internal import PoseModel
internal import Statistics

struct EvaluationVerdict {
  let report: EvaluationReport
  let origin: ResultOrigin

  init(_ report: EvaluationReport, _ origin: ResultOrigin) {
    self.report = report
    self.origin = origin
  }

  var facts: [StyledText] {
    let counts = report.dataset.counts
    let inHolds = report.calibration?.unscoredFrames(.plank) ?? 0
    let labeled = counts.ignored - inHolds
    func part(_ count: Int, _ what: String) -> String? {
      count > 0 ? "\(NumberText.count(count)) \(what)" : nil
    }
    let scored =
      report.isUnlabeled
      ? (counts.ignored > 0 ? "all labels say `ignore`" : "none of them has a label")
      : "\(NumberText.count(counts.scored)) scored"
    let parts = [
      scored, report.isUnlabeled ? nil : part(labeled, "labeled `ignore`"),
      part(inHolds, "in calibration holds"),
      report.isUnlabeled ? nil : part(counts.unlabeled, "unlabeled"),
      part(counts.missing, "without a pose"), part(counts.undetermined, "undecided"),
    ]
    let settings = report.settings(origin)
    return [
      StyledText(
        "\(report.dataset.sentence(split: origin.split)): "
          + parts.compactMap(\.self).joined(separator: ", ") + ".\(brackets)"),
      StyledText(settings.isEmpty ? "" : settings, .dim),
    ].filter { !$0.text.isEmpty }
  }

  var sentences: [StyledText] {
    let all =
      report.isUnlabeled
      ? unlabeledSentences
      : AnswerStream.allCases.map { headline($0) }
        + [
          noEvidence, lonely, falsePlanks, faults, annotators, StyledText(flicker),
          StyledText(latency), StyledText(timer), device, report.next?.sentence ?? "",
          StyledText(ruleChange), confusions, unknownClasses, others,
          StyledText(withoutIntervals, .dim),
          StyledText(alike, .dim),
        ]
    let calibration = answer.isUndecided ? [] : report.calibration?.sentences ?? []
    return (warnings + calibration + all).filter { !$0.text.isEmpty }
  }

  /// Those to show if there is no place for all: dim ones go first, then the last.
  func kept(_ count: Int) -> [StyledText] {
    let all = sentences
    let order =
      all.indices.filter { all[$0].tone != .dim } + all.indices.filter { all[$0].tone == .dim }
    let kept = Set(order.prefix(count))
    return all.indices.filter(kept.contains).map { all[$0] }
  }

  private var answer: EvaluationAnswer { EvaluationAnswer(report, origin) }

  private var warnings: [StyledText] {
    guard !answer.isUndecided else { return [] }
    let needs = UnmetNeed.sentences(
      report.unmetNeeds, of: report.detector.name, in: report.dataset.sequenceCount)
    return (report.cautions + needs).map { StyledText($0, .warning) }
  }

  private var brackets: String {
    let sources = report.dataset.sources.count
    return (sources > 1 ? " Metrics are means over \(sources) sources." : "")
      + (shown.contains { interval($0) != nil } ? " Brackets: 95 % intervals." : "")
  }

  private var shown: [MetricKey] {
    report.judgedStreams.flatMap { part in
      let all =
        [.accuracy, part.view.classMean, .flickersPerMinute].compactMap(\.self)
        + (hasMedian(part) ? [.detectionLatencyMedian] : [])
        + (part.stream == .plank && isTimed ? [.holdError] : [])
      return all.map { MetricKey($0, in: part.stream) }
    }
  }

  private func interval(_ key: MetricKey) -> Interval? {
    report[key.stream].uncertainty?.intervals[key]?.wider.interval
  }

  private func headline(_ stream: AnswerStream) -> StyledText {
    let part = report[stream]
    let name = stream.title
    let scored = part.view.frameCounts.scored
    guard scored > 0 else { return StyledText("\(name): not labeled.") }
    guard !part.isUndecided else {
      return StyledText(
        "\(name): no score, because the rules decided none of the "
          + "\(NumberText.count(scored, "scored frame")).", .bad)
    }
    if let none = EvaluationAnswer.tooFewFrames(stream, scored: scored) { return none }
    var parts = ["accuracy " + value(.accuracy, part)]
    if let mean = part.view.classMean {
      parts.append((mean == .f1Macro ? "macro F1 " : "balanced accuracy ") + value(mean, part))
    }
    return StyledText("\(name): \(parts.joined(separator: ", ")).", .strong)
  }

  private func value(
    _ metric: Metric, _ part: StreamReport, decimals: Int = 3, unit: String = ""
  ) -> String {
    let key = MetricKey(metric, in: part.stream)
    let number = part.view.value(key).text(decimals) + unit
    guard let interval = interval(key) else { return number }
    return number + " (\(interval.text(decimals)))"
  }

  private var noEvidence: StyledText {
    let names = Set(report.judgedStreams.flatMap(\.noEvidence))
    return StyledText(
      names.isEmpty
        ? ""
        : "NO EVIDENCE in \(names.count) of \(report.dataset.sequenceCount) recordings: the rules "
          + "decided fewer than half of their frames (--section matrix lists them).", .warning)
  }

  private var lonely: StyledText {
    let parts = report.judgedStreams.filter { part in
      part.view.trueLabels.count == 1 && !(part.stream == .plank && answer.namesOneClass)
    }.map { part in
      "\(part.stream.rawValue) only `\(part.view.trueLabels[0])`"
    }
    return StyledText(
      parts.isEmpty
        ? ""
        : "Labeled: \(parts.joined(separator: ", ")). Accuracy is then its recall; nothing is known "
          + "about other classes.", .warning)
  }

  private var unknownClasses: StyledText {
    let names = report.scoredStreams.filter { $0.view.trueLabels.count > 1 }
      .flatMap { part in part.labels.filter { !part.view.trueLabels.contains($0) } }
    guard !names.isEmpty else { return "" }
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    return StyledText("Never labeled: \(list).", .dim)
  }

  private var falsePlanks: StyledText {
    let seconds = report.plankTime.falsePlank
    let isNamed =
      report.activities == nil && answer.moment != nil
      && report.confusions.first.map {
        $0.truth == PlankClass.none.name && $0.seconds > seconds - 1e-6
      } == true
    return StyledText(seconds > 0 && !isNamed ? report.falsePlankSentence : "", .bad)
  }

  private var faults: StyledText {
    let most = report.activityFaults.prefix(3).map(\.text).joined(separator: "; ")
    return StyledText(most.isEmpty ? "" : "Wrong longest: \(most).", .bad)
  }

  private var confusions: StyledText {
    guard report.activityFaults.isEmpty else { return "" }
    let isNamed = answer.moment != nil
    let most = report.next?.lead == nil ? 2 : 1
    let rest = report.confusions.dropFirst(isNamed ? 1 : 0).prefix(most).map(\.text)
      .joined(separator: ", ")
    return StyledText(rest.isEmpty ? "" : "\(isNamed ? "Also wrong" : "Wrong"): \(rest).", .bad)
  }

  private var ruleChange: String {
    guard let next = report.next, next.lead != nil, !next.ruleChanges.isEmpty else { return "" }
    return next.ruleSentence
  }

  private var flicker: String {
    let parts = report.judgedStreams
    guard !parts.isEmpty else { return "" }
    let flickers = parts.map { part in
      "\(part.stream.rawValue) \(value(.flickersPerMinute, part, decimals: 1))"
    }
    let wrong = parts.map { $0.view[.falseTransitionsPerMinute].text(1) }
    return "Per minute: flickers \(flickers.joined(separator: ", ")); wrong changes "
      + "\(wrong.joined(separator: ", "))."
  }

  private func hasMedian(_ part: StreamReport) -> Bool {
    part.view[.detectionLatencyMedian].number != nil
  }

  private var latency: String {
    let parts = report.judgedStreams.filter { $0.counts.events.count > 0 }
    guard !parts.isEmpty else { return "" }
    // A mean over sources is no share of the events that are counted.
    let isMean = report.dataset.sources.count > 1
    let texts = parts.map { part in
      let count = part.counts.events.count
      let events =
        part.stream == .plank ? NumberText.count(count, "plank") : NumberText.count(count, "fault")
      let share = "\(part.view[.hitRate].percentText)\(isMean ? " (mean of sources)" : "")"
      let start =
        part.counts.events.observedStarts == 0
        ? "no start was observed"
        : hasMedian(part)
          ? "half within " + value(.detectionLatencyMedian, part, decimals: 2, unit: " s")
          : ""
      return "\(events), \(share) answered" + (start.isEmpty ? "" : ", \(start)") + early(part)
    }
    return "Latency: \(texts.joined(separator: "; "))."
  }

  private func early(_ part: StreamReport) -> String {
    guard part.stream == .plank else { return "" }
    func share(_ latency: LatencyMetrics) -> String {
      guard let share = latency.earlyShare.number, share > 0 else { return "" }
      return ", \(NumberText.wholePercent(share)) early"
    }
    let release = part.overTime.release
    return share(part.overTime.detection)
      + (release.median.number.map { ", released within \(NumberText.fixed($0, 2)) s" } ?? "")
      + share(release)
  }

  private var isTimed: Bool {
    let holds = report.plank.overTime.holds
    return !report.plank.isUndecided && holds.error.number != nil && holds.counts.trueSeconds > 0
  }

  private var timer: String {
    let holds = report.plank.overTime.holds
    guard !report.plank.isUndecided, let error = holds.error.number,
      let signed = holds.signedError.number
    else { return "" }
    guard isTimed else {
      return "Timer: no plank is labeled"
        + (error >= 0.005
          ? "; \(NumberText.fixed(error, 2)) s per session are counted all the same." : ".")
    }
    let what = "Timer of any plank, per session"
    let seconds = value(.holdError, report.plank, decimals: 2, unit: " s")
    let side = signed < 0 ? "short" : "long"
    guard error >= 0.005 else { return "\(what): wrong by less than 0.01 s." }
    guard abs(error - abs(signed)) >= 0.005 else {
      return "\(what): too \(side) by \(seconds)."
    }
    guard abs(signed) >= 0.005 else {
      return "\(what): wrong by \(seconds), on average neither too long nor too short."
    }
    return "\(what): wrong by \(seconds), on average "
      + "\(NumberText.fixed(abs(signed), 2)) s too \(side)."
  }

  private var others: StyledText {
    let able = report.otherDetectors.filter(\.isJudged)
    let unable = report.otherDetectors.filter { !$0.isJudged }.map { "`\($0.name)`" }
    let shown = report.scoredStreams.filter {
      $0.view.frameCounts.scored >= EvaluationAnswer.fewestFrames
    }.map(\.stream)
    guard !shown.isEmpty else { return "" }
    let scores = able.prefix(2).map { other in
      let numbers = shown.compactMap { other.accuracy[$0].number }.map { NumberText.fixed($0, 3) }
      return "`\(other.name)` \(numbers.joined(separator: " and "))"
    }
    let streams = shown.map(\.rawValue).joined(separator: " and ")
    let sentences = [
      scores.isEmpty
        ? "" : "Other detectors, accuracy of \(streams): \(scores.joined(separator: ", ")).",
      unable.isEmpty || able.isEmpty
        ? "" : "Undecided in most frames: \(unable.joined(separator: ", ")).",
    ]
    return StyledText(sentences.filter { !$0.isEmpty }.joined(separator: " "), .dim)
  }

  private var annotators: StyledText {
    guard let agreement = report.annotatorAgreement else { return "" }
    let streams = AnswerStream.allCases.filter { agreement[$0].cohenKappa.number != nil }
    func list(_ value: (AnswerStream) -> String) -> String {
      streams.map(value).joined(separator: ", ")
    }
    guard !streams.isEmpty else { return "" }
    let common = streams.map { agreement[$0].commonSeconds.total }.max() ?? 0
    let kappas = list { "\($0.rawValue) \(agreement[$0].cohenKappa.text())" }
    let perfect = list { agreement[$0].perfectKappa.text(2) }
    let own = list { report[$0].view[.cohenKappa].text() }
    let above = streams.filter { stream in
      let best = agreement[stream].perfectKappa.number ?? 1
      return report[stream].view[.cohenKappa].number.map { $0 > best + 0.005 } ?? false
    }.map(\.rawValue)
    return StyledText(
      "Two annotators, \(NumberText.fixed(common, 1)) s: kappa \(kappas). If they err alike and "
        + "independently, a perfect detector reaches \(perfect) (here \(own))."
        + (above.isEmpty
          ? ""
          : " At \(above.joined(separator: " and ")) it is above: they share "
            + "mistakes, or one makes more. Ask why."))
  }

  private var device: StyledText {
    guard let device = report.deviceComparison, !device.isEqual else { return "" }
    let differing = device.plank.framesDiffering + device.form.framesDiffering
    return StyledText(
      "The device's own answers differ in \(NumberText.count(differing, "place")) "
        + "(--section device).", .bad)
  }

  private var alike: String {
    report.judgedStreams.compactMap(\.uncertainty).alikeSentence(shown)
  }

  private var withoutIntervals: String {
    let without = shown.filter { interval($0) == nil && report[$0.stream].uncertainty != nil }
    guard !without.isEmpty else { return "" }
    let subjects = report.judgedStreams.compactMap(\.uncertainty?.subjects).max() ?? 0
    guard subjects > 1 else {
      return report.dataset.subjects.isEmpty
        ? "No intervals: no recording names its person (`subject` in dataset.yaml)."
        : "No intervals: they need two or more people, and there is one."
    }
    let isAll = without.count == shown.count
    let groups = Dictionary(grouping: without) { key in
      report[key.stream].uncertainty?.intervals[key]?.wider.reason?.rawValue ?? "not computed"
    }
    return groups.sorted { $0.key < $1.key }.map { reason, keys in
      isAll && groups.count == 1
        ? "No intervals: \(reason)."
        : "No interval for \(keys.map { "`\($0)`" }.joined(separator: ", ")): \(reason)."
    }.joined(separator: " ")
  }
}

extension DatasetFacts {
  func sentence(split name: String?) -> String {
    let split = name.map { " of the split \($0)" } ?? ""
    let people = subjects.isEmpty ? "unnamed people" : NumberText.people(subjects.count)
    let recordings = NumberText.count(sequenceCount, "recording")
    return "\(NumberText.count(counts.frames, "frame")) in \(recordings)\(split) of \(people)"
  }
}

extension EvaluationReport {
  func settings(_ origin: ResultOrigin) -> String {
    let facts = [
      ("set: ", origin.provenance["set"]), ("smoothing: ", origin.provenance["smoothing"]),
      ("debounce: ", ownDebounce ?? origin.provenance["debounce"]),
      ("calibrated by ", origin.provenance["calibrate"]),
      ("answers read from ", origin.provenance["predictions"]),
      ("defaults from ", origin.provenance["defaults"]),
    ]
    return facts.compactMap { name, value in value.map { name + $0 } }.joined(separator: "; ")
  }

  private var ownDebounce: String? {
    let frames = detector.parameters.filter { detector.debounceKeys.contains($0.key) }
    guard !frames.isEmpty else { return nil }
    return frames.map { parameter in
      "\(NumberText.shortest(parameter.value)) frame\(parameter.value == 1 ? "" : "s") "
        + "(\(parameter.key))"
    }.joined(separator: ", ")
  }
}
