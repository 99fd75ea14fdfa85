package import Evaluation
package import PlankDetection
internal import PoseModel
internal import Statistics

struct EvaluationVerdict {
  let report: EvaluationReport
  let origin: ResultOrigin

  var facts: [StyledText] {
    let counts = report.dataset.counts
    let inHolds = report.calibration?.unscoredFrames(.plank) ?? 0
    let labeled = counts.ignored - inHolds
    func part(_ count: Int, _ what: String) -> String? {
      count > 0 ? "\(NumberText.count(count)) \(what)" : nil
    }
    let scored =
      report.isUnlabeled
      ? (counts.ignored > 0 ? "all labels say `ignore`" : "no labels")
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
      : headlines + [
        noEvidence, lonely, falsePlanks, faults, annotators, StyledText(flicker),
        StyledText(latency), StyledText(timer), device, report.next?.sentence ?? "",
        StyledText(ruleChange), confusions, unknownClasses, others,
        StyledText(withoutIntervals, .dim), StyledText(alike, .dim),
      ]
    let calibration = isUndecided ? [] : report.calibration?.sentences ?? []
    return (warnings + calibration + all).filter { !$0.text.isEmpty }
  }

  private var warnings: [StyledText] {
    guard !isUndecided else { return [] }
    return report.warnings.map { StyledText($0, .warning) }
  }

  private var brackets: String {
    let sources = report.dataset.sources.count
    return (sources > 1 ? " Metrics are means over \(sources) sources." : "")
      + (shown.contains { interval($0) != nil } ? " Ranges are 95 % intervals." : "")
  }

  private var shown: [MetricKey] {
    report.judgedStreams.flatMap { part in
      let all =
        [score(part), .flickersPerMinute] + (hasMedian(part) ? [.detectionLatencyMedian] : [])
        + (part.stream == .plank && isTimed ? [.holdError] : [])
      return all.map { MetricKey($0, in: part.stream) }
    }
  }

  private func interval(_ key: MetricKey) -> Interval? {
    report[key.stream].uncertainty?.intervals[key]?.wider.interval
  }

  private var headlines: [StyledText] {
    let (judged, metrics) = (report.judgedStreams, Set(report.judgedStreams.map(score)))
    guard judged.count == AnswerStream.allCases.count, metrics.count == 1 else {
      return AnswerStream.allCases.map { headline($0) }
    }
    let values = judged.map { "\($0.stream.rawValue) \(value(score($0), $0))" }
    let title = WordText.capitalized(score(judged[0]).name.replacing("_", with: " "))
    return [StyledText("\(title): \(values.joined(separator: ", ")).", .strong)]
  }

  private func headline(_ stream: AnswerStream) -> StyledText {
    let part = report[stream]
    let name = stream.title
    let scored = part.view.frameCounts.scored
    guard scored > 0 else { return StyledText("\(name): not labeled.") }
    guard !part.isUndecided else {
      return StyledText(
        "\(name): no score, because the rules could not decide any of the "
          + "\(NumberText.count(scored, "scored frame")).", .bad)
    }
    if let none = EvaluationVerdict.tooFewFrames(stream, scored: scored) { return none }
    let metric = score(part)
    let title = metric.name.replacing("_", with: " ")
    return StyledText("\(name): \(title) \(value(metric, part)).", .strong)
  }

  /// The advice's metric; if only one class is labeled, its recall is the accuracy.
  private func score(_ part: StreamReport) -> Metric {
    part.view.tells(.balancedAccuracy) ? .balancedAccuracy : .accuracy
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
          + "decided fewer than half of their frames (--section matrix lists the recordings).",
      .warning)
  }

  private var lonely: StyledText {
    let parts = report.judgedStreams.filter { part in
      part.view.trueLabels.count == 1 && !(part.stream == .plank && namesOneClass)
    }.map { part in "only `\(part.view.trueLabels[0])` for \(part.stream.rawValue)" }
    return StyledText(
      parts.isEmpty
        ? ""
        : "Labeled: \(parts.joined(separator: ", ")). Accuracy therefore equals the recall of that "
          + "class; nothing is known about other classes.", .warning)
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
      report.activities == nil && moment != nil
      && report.confusions.first.map {
        $0.truth == PlankClass.none.name && $0.seconds > seconds - 1e-6
      } == true
    return StyledText(seconds > 0 && !isNamed ? report.falsePlankSentence : "", .bad)
  }

  private var faults: StyledText {
    let most = report.activityFaults.prefix(3).map(\.text).joined(separator: "; ")
    return StyledText(most.isEmpty ? "" : "Longest errors: \(most).", .bad)
  }

  private var confusions: StyledText {
    guard report.activityFaults.isEmpty else { return "" }
    let isNamed = moment != nil
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
    return WordText.capitalized(
      (jitter.isEmpty ? "" : "jitter in holds: \(jitter); ")
        + "flickers/min: \(flickers.joined(separator: ", ")); false transitions/min: "
        + "\(wrong.joined(separator: ", ")).")
  }

  private func hasMedian(_ part: StreamReport) -> Bool {
    part.view[.detectionLatencyMedian].number != nil
  }

  private var latency: String {
    let parts = report.judgedStreams.filter { $0.counts.events.count > 0 }
    guard !parts.isEmpty else { return "" }
    // A mean over sources is not a share of the counted events.
    let isMean = report.dataset.sources.count > 1
    let texts = parts.map { part in
      let count = part.counts.events.count
      let events =
        part.stream == .plank ? NumberText.count(count, "plank") : NumberText.count(count, "fault")
      let share =
        "\(part.view[.hitRate].percentText) detected\(isMean ? " (mean over sources)" : "")"
      let start =
        part.counts.events.observedStarts == 0
        ? "no start was observed"
        : hasMedian(part)
          ? "median " + value(.detectionLatencyMedian, part, decimals: 2, unit: " s") : ""
      return "\(events), \(share)" + (start.isEmpty ? "" : ", \(start)") + early(part)
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
      + (release.median.number.map { ", release \(NumberText.fixed($0, 2)) s" } ?? "")
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
      return "Plank timer: no plank is labeled"
        + (error >= 0.005
          ? ", but the timer counts \(NumberText.fixed(error, 2)) s per session." : ".")
    }
    let what = "Per session, the plank timer is"
    let seconds = value(.holdError, report.plank, decimals: 2, unit: " s")
    let side = signed < 0 ? "short" : "long"
    guard error >= 0.005 else { return "\(what) off by less than 0.01 s." }
    guard abs(error - abs(signed)) >= 0.005 else { return "\(what) too \(side) by \(seconds)." }
    guard abs(signed) >= 0.005 else {
      return "\(what) off by \(seconds), on average neither too long nor too short."
    }
    return "\(what) off by \(seconds), on average "
      + "\(NumberText.fixed(abs(signed), 2)) s too \(side)."
  }

  private var others: StyledText {
    let able = report.otherDetectors.filter(\.isJudged)
    let unable = report.otherDetectors.filter { !$0.isJudged }.map { "`\($0.name)`" }
    let shown = report.scoredStreams.filter {
      $0.view.frameCounts.scored >= EvaluationVerdict.fewestFrames
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
      "Two annotators agree with kappa \(kappas) over \(NumberText.fixed(common, 1)) s. If both "
        + "err independently and equally often, a perfect detector reaches \(perfect) (this detector: "
        + "\(own))."
        + (above.isEmpty
          ? ""
          : " For \(above.joined(separator: " and ")), this detector is higher, so the annotators share "
            + "mistakes, or one of them makes more. Find out why."))
  }

  private var device: StyledText {
    guard let device = report.deviceComparison, !device.isEqual else { return "" }
    let differing = device.plank.framesDiffering + device.form.framesDiffering
    return StyledText(
      "The device's answers differ in \(NumberText.count(differing, "place")) "
        + "(--section device).", .bad)
  }

  private var alike: String { report.judgedStreams.compactMap(\.uncertainty).alikeSentence(shown) }

  private var withoutIntervals: String {
    let without = shown.filter { interval($0) == nil && report[$0.stream].uncertainty != nil }
    guard !without.isEmpty else { return "" }
    let subjects = report.judgedStreams.compactMap(\.uncertainty?.subjects).max() ?? 0
    guard subjects > 1 else {
      return report.dataset.subjects.isEmpty
        ? "No intervals: no recording names its person (`subject` in dataset.yaml)."
        : "No intervals: at least two people are needed, and there is only one."
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

  var unlabeledSentences: [StyledText] {
    let flicker = report.flicker
    let form = flicker.form.seconds > 0 ? "; " + changes(.form) : ""
    return [
      StyledText("Flicker: \(changes(.plank))\(form).", .strong), StyledText(answered),
      StyledText(dropouts),
      StyledText(jitter.isEmpty ? "" : "Jitter per frame while the answer is a plank: \(jitter)."),
    ]
  }

  private func changes(_ stream: AnswerStream) -> String {
    let part = report.flicker[stream]
    return "the \(stream.rawValue) answer changes \(part.changesPerMinute.text(1)) times per "
      + "minute, and \(part.shortAnswersPerMinute.text(1)) answers per minute last less than 0.5 s"
  }

  private var answered: String {
    let labels = report.plank.labels
    let seconds = labels.map { report.flicker.plank.secondsByAnswer[$0] ?? 0 }
    let order = seconds.indices.sorted { (seconds[$1], $0) < (seconds[$0], $1) }
    let parts = order.filter { seconds[$0] > 0 }.map {
      "`\(labels[$0])` \(NumberText.fixed(seconds[$0], 1)) s"
    }
    return parts.isEmpty ? "" : "Time by answer: \(parts.joined(separator: ", "))."
  }

  private var dropouts: String {
    let dropouts = report.flicker.dropouts
    guard dropouts.count > 0 else { return "Dropouts: none." }
    return "Dropouts: \(report.flicker.dropoutsPerMinute.text(1)) per minute, "
      + "\(NumberText.fixed(dropouts.seconds, 1)) s in total, at most "
      + "\(NumberText.fixed(dropouts.longest, 1)) s each."
  }

  /// The RMS step per frame of each part, as far as it was measured.
  ///
  /// A signal that the rules compare goes first, because a screen measures no other.
  private var jitter: String {
    let rules = report.detector.rules.all.joined().joined(separator: " ")
    return EvaluationReport.screenSignals.compactMap { part, signals in
      let rows = signals.compactMap { signal in
        report.jitter.rows.first { $0.signal.name == signal.name && $0.rmsStep.number != nil }
      }
      return (rows.first { rules.contains($0.signal.name) } ?? rows.first).map { row in
        "\(part) \(row.cell(row.rmsStep, row.isFine ? 4 : 1).text) "
          + (row.signal.unit == "m" ? "cm" : row.signal.unit)
      }
    }.joined(separator: ", ")
  }
}

extension DatasetFacts {
  func sentence(split name: String?) -> String {
    let split = name.map { " (split \($0))" } ?? ""
    let people = subjects.isEmpty ? "unnamed people" : NumberText.people(subjects.count)
    let recordings = NumberText.count(sequenceCount, "recording")
    return "\(NumberText.count(counts.frames, "frame")) in \(recordings) of \(people)\(split)"
  }
}

extension EvaluationReport {
  /// The signals whose jitter the first screen shows, one for each part of the body.
  package static let screenSignals: [(part: String, signals: [Measurement])] = [
    ("hips", [.hipDeviation, .signedHipAngle]), ("elbows", [.elbowAngle]),
  ]

  var warnings: [String] {
    cautions + UnmetNeed.sentences(unmetNeeds, of: detector.name, in: dataset.sequenceCount)
  }

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

  var activityFaults: [ActivityFault] {
    let faults = (activities ?? []).flatMap { score -> [ActivityFault] in
      guard let activity = score.activity else { return [] }
      let labels = score.seconds.labels
      return score.seconds.wrongCells.compactMap { truth, answer in
        let seconds = score.seconds[truth, answer]
        guard seconds > 0 else { return nil }
        return ActivityFault(
          activity: activity, truth: labels[truth], answer: labels[answer], seconds: seconds,
          total: score.seconds.truthTotal(truth))
      }
    }
    return faults.sorted {
      ($1.seconds, $0.activity, $0.answer) < ($0.seconds, $1.activity, $1.answer)
    }
  }

  var falsePlankSentence: String {
    let time = plankTime
    guard time.none > 0, !plank.isUndecided else { return "" }
    guard let share = time.falseShare.number, time.falsePlank > 0 else {
      return "No plank is predicted in the \(NumberText.fixed(time.none, 1)) s labeled `none`."
    }
    return "A plank is predicted for \(NumberText.fixed(time.falsePlank, 1)) of the "
      + "\(NumberText.fixed(time.none, 1)) s labeled `none` (\(NumberText.wholePercent(share)))."
  }

  var byActivity: Document {
    var document = Document()
    guard let activities else { return document }
    document.heading("By activity")
    document.paragraph(falsePlankSentence)
    document.table(activities) { row, score in
      row.words("activity", score.activity ?? "(no activity)", .strong)
      row.number("people", "\(score.people)")
      score.time.fill(&row)
      row.words("longest error", score.worstText, .dim)
    }
    document.paragraph("Rows are sorted by wrong seconds.")
    return document
  }
}

struct ActivityFault: Hashable {
  let activity: String
  let truth: String
  let answer: String
  let seconds: Double
  let total: Double

  var text: String {
    let what = truth == PlankClass.none.name ? "`\(answer)`" : "`\(answer)` for `\(truth)`"
    return "\(what) while \(activity): \(NumberText.fixed(seconds, 1)) of "
      + "\(NumberText.fixed(total, 1)) s"
  }
}

extension PlankTime {
  func fill(_ row: inout Table.Row) {
    row.number("none s", Self.cell(none))
    row.number("false plank s", Self.cell(falsePlank, .bad))
    row.number("share", none > 0 ? falseShare.percentText : ".")
    row.number("plank s", Self.cell(plank))
    row.number("missed s", Self.cell(missed, .bad))
    row.number("other plank s", Self.cell(mistaken, .bad))
  }

  private static func cell(_ seconds: Double, _ tone: StyledText.Tone = .plain) -> StyledText {
    seconds > 0 ? StyledText(NumberText.fixed(seconds, 1), tone) : StyledText(".", .dim)
  }
}

extension ActivityScore {
  fileprivate var worstText: String {
    guard let worst else { return "" }
    return "\(worst.truth) -> \(worst.answer), \(NumberText.fixed(worst.seconds, 1)) s"
  }
}

extension UnmetNeed {
  package static func sentences(_ needs: [UnmetNeed], of detector: String, in count: Int)
    -> [String]
  {
    let joints = needs.compactMap { need in need.joint.map { (name: $0, need: need) } }
    let others = needs.compactMap { need -> String? in
      switch need.fact {
      case .pose:
        need.recordings == count
          ? "No frame has a pose."
          : "\(need.recordings) of \(count) recordings have no poses."
      case .bodyHeight:
        "`body_height_m` is missing in \(need.place(among: count)), so \(need.ruleText) of "
          + "`\(detector)` \(need.rules == 1 ? "assumes" : "assume") Vision's "
          + "\(NumberText.fixed(HeightEstimation.referenceHeight.value, 1)) m instead "
          + "(\(need.measurements.map { "`\($0)`" }.joined(separator: ", "))). Add the height to the first "
          + "line of each recording if you know it."
      case .joint: nil
      }
    }
    guard let first = joints.first else { return others }
    let names = joints.map { "`\($0.name)`" }.joined(separator: ", ")
    return others + [
      "\(names) \(joints.count == 1 ? "is" : "are") missing in all frames of "
        + "\(first.need.place(among: count)), but rules of `\(detector)` need "
        + "\(joints.count == 1 ? "it" : "them"). Record \(joints.count == 1 ? "it" : "them"), or "
        + "use a detector that does not need \(joints.count == 1 ? "it" : "them")."
    ]
  }

  private var ruleText: String { NumberText.count(rules, "rule") }

  private func place(among count: Int) -> String {
    recordings == count && count > 1
      ? "all \(NumberText.count(count)) recordings"
      : count == 1 ? "the recording" : "\(recordings) of \(NumberText.count(count)) recordings"
  }
}
