package import Evaluation
package import PlankDetection
package import PoseModel

extension ResultEnvelope<EvaluationReport> {
  private static var otherLines: Int { 3 }
  private static var moments: Int { 3 }

  package var screen: Document {
    var shown = self
    if !hasPlaceForOthers { shown.result.otherDetectors = [] }
    return shown.shownScreen
  }

  /// Whether sentences about other detectors fit on the screen, or are what the reader needs.
  package var hasPlaceForOthers: Bool {
    var bare = self
    bare.result.otherDetectors = []
    guard !bare.result.leadsToBetterOther else { return true }
    let isJudged = bare.result.scoredStreams.contains {
      $0.view.frameCounts.scored >= EvaluationVerdict.fewestFrames
    }
    return isJudged
      && bare.result.opening(origin, matrices: true).screen(lines: .max, closing: Self.closing)
        .lineCount
        + Self.otherLines <= Document.screenLines
  }

  private var shownScreen: Document {
    let verdict = EvaluationVerdict(report: result, origin: origin)
    let named = verdict.moment.map(NamedMoment.init)
    let rest = verdict.isUndecided ? [] : result.namedMoments.filter { $0 != named }
    var document = result.opening(origin, matrices: true)
    document.code(rest.prefix(Self.moments).flatMap { $0.lines(result.explain) }, .remark)
    return document.screen(closing: Self.closing)
  }

  private static var closing: [String] {
    ["# everything: --verbose; parts: --section next,matrix,... (see --help)"]
  }
}

package struct NamedMoment: Hashable {
  package let sequence: String
  package let time: Seconds
  let what: String

  func lines(_ explain: ExplainCommand?) -> [String] {
    guard let explain else { return ["# \(what): \(sequence) at \(ExplainCommand.text(time)) s"] }
    return ["# \(what)"] + explain.lines(sequence: sequence, time: time)
  }
}

extension NamedMoment {
  init(_ moment: WorstMoment) {
    let seconds = NumberText.fixed(moment.duration.value, 1)
    self.init(
      sequence: moment.sequence, time: moment.frameTime,
      what: "`\(moment.truth)` -> `\(moment.answer)` for \(seconds) s")
  }
}

extension EvaluationReport {
  package var namedMoments: [NamedMoment] {
    guard !isUnlabeled else {
      return flicker.restlessMoments.map { moment in
        NamedMoment(
          sequence: moment.sequence, time: moment.start,
          what: "\(moment.changes) changes within 2 s")
      }
    }
    return WorstMoment.worst(plank.worstMoments + form.worstMoments).map(NamedMoment.init)
  }

  /// The datasets and the options that chose from them, as words; none where nothing can be run.
  func data(_ origin: ResultOrigin) -> [String] {
    let places = sequences.compactMap { explain?.places[$0.name]?.first }.distinct
    let options = [("--split", origin.split), ("--source-tag", origin.provenance["source_tag"])]
    return places.isEmpty
      ? [] : places + options.flatMap { name, value in value.map { [name, $0] } ?? [] }
  }

  func momentLines(_ count: Int) -> [String] {
    namedMoments.prefix(count).flatMap { $0.lines(explain) }
  }

  var scoredStreams: [StreamReport] { [plank, form].filter { $0.view.frameCounts.scored > 0 } }

  var judgedStreams: [StreamReport] {
    decidedStreams.filter { $0.view.frameCounts.scored >= EvaluationVerdict.fewestFrames }
  }

  private var decidedStreams: [StreamReport] { scoredStreams.filter { !$0.isUndecided } }

  var confusions: [Confusion] {
    decidedStreams.flatMap(\.confusions).sorted { $0.seconds > $1.seconds }
  }

  /// True if this detector decides no frame of a stream or is right less often than a constant
  /// answer.
  var leadsToBetterOther: Bool {
    scoredStreams.contains(where: \.isUndecided) || betterConstant != nil
  }

  fileprivate var betterConstant: (label: String, share: Double)? {
    scoredStreams.first?.view.confusionSeconds.betterConstant
  }
}

extension EvaluationVerdict {
  static let fewestFrames = 30

  static func tooFewFrames(_ stream: AnswerStream, scored: Int) -> StyledText? {
    guard scored > 0, scored < fewestFrames else { return nil }
    return StyledText(
      "\(stream.title): no score, because only \(NumberText.count(scored, "frame")) "
        + "\(scored == 1 ? "is" : "are") scored.", .warning)
  }

  var verdict: StyledText { StyledText("\(subject): \(parts.first)", parts.tone) }

  var headline: String { WordText.capitalized(parts.first) }

  var more: String { parts.more }

  private var parts: (first: String, more: String, tone: StyledText.Tone) {
    switch situation {
    case .unlabeled:
      (
        "no frame has a label, so answers cannot be scored.",
        "The plank answer changes \(report.flicker.plank.changesPerMinute.text(1)) times per "
          + "minute. To score the answers, label the recordings\(colon)", .warning
      )
    case .undecided(let stream, let frames):
      (
        "the rules for \(stream.rawValue) could not decide any of the \(NumberText.count(frames)) "
          + "scored frames, so nothing is known about them.",
        reasons, .bad
      )
    case .tiny(let frames):
      (
        "too little to judge, because only \(NumberText.count(frames, "frame")) of "
          + "\(NumberText.count(report.dataset.counts.frames)) "
          + "\(frames == 1 ? "is" : "are") scored.",
        "Check that labels are in seconds on the recording's clock, or label more\(colon)", .bad
      )
    case .right(let frames):
      (
        "the answers are right in all \(NumberText.count(frames)) scored frames.",
        "Record harder cases next, and protect this result with a gate (docs/ci.md).", .good
      )
    case .belowConstant(let label, let share):
      (
        "\(shares([report.scoredStreams[0]])), less than always answering `\(label)` "
          + "(\(NumberText.wholePercent(share))).", belowConstant, .bad
      )
    case .wrong(let weakest):
      (
        "\(shares(report.judgedStreams)).",
        [constantRemark, oneClass, advice(weakest)].filter { !$0.isEmpty }
          .joined(separator: " "), .strong
      )
    }
  }

  var commands: [String] {
    switch situation {
    case .unlabeled, .tiny:
      place.map { [ShellWord.planklab(["label"] + $0 + ["--html", "labels.html"])] } ?? []
    case .undecided where able != nil: evaluation(with: able)
    case .belowConstant where better != nil: evaluation(with: better?.name)
    case .undecided, .belowConstant:
      dataset.map { [ShellWord.planklab(["dataset", "lint", $0])] } ?? []
    case .right: []
    case .wrong:
      (report.next?.lead?.command.lines ?? ruleCommand)
        + (weakestMoment.flatMap { moment in
          report.explain.map { $0.lines(sequence: moment.sequence, time: moment.frameTime) }
        } ?? [])
    }
  }

  private var ruleCommand: [String] {
    report.next.flatMap { $0.ruleChanges.isEmpty ? nil : $0.ruleCommand.lines } ?? []
  }

  var moment: WorstMoment? {
    if case .wrong = situation { return weakestMoment }
    return nil
  }

  private func evaluation(with detector: String?) -> [String] {
    let data = report.data(origin)
    guard !data.isEmpty, let detector else { return [] }
    return [ShellWord.planklab(["evaluate"] + data + ["--detector", detector])]
  }

  private var able: String? {
    report.unmetNeeds.allSatisfy { $0.assumed != nil }
      ? report.otherDetectors.first(where: \.isJudged)?.name : nil
  }

  var isUndecided: Bool {
    if case .undecided = situation { return true }
    return false
  }

  var namesOneClass: Bool {
    if case .wrong = situation { return !oneClass.isEmpty }
    return false
  }

  private var belowConstant: String {
    guard let better else { return "Check units, axes and labels first\(colon)" }
    return "`\(better.name)` is right \(NumberText.wholePercent(better.share)) of the time\(colon)"
  }

  private var colon: String { commands.isEmpty ? "." : ":" }

  private enum Situation {
    case unlabeled
    case undecided(AnswerStream, frames: Int)
    case tiny(frames: Int)
    case right(frames: Int)
    case belowConstant(label: String, share: Double)
    case wrong(Confusion)
  }

  private var situation: Situation {
    guard !report.isUnlabeled else { return .unlabeled }
    let first = report.scoredStreams[0]
    let counts = first.view.frameCounts
    guard !first.isUndecided else { return .undecided(first.stream, frames: counts.scored) }
    guard counts.scored >= Self.fewestFrames else { return .tiny(frames: counts.scored) }
    guard let weakest = report.confusions.first else {
      let undecided = report.scoredStreams.first(where: \.isUndecided)
      return undecided.map { .undecided($0.stream, frames: $0.view.frameCounts.scored) }
        ?? .right(frames: counts.scored)
    }
    if let constant, first.view.confusionSeconds.isNoBetterThanChance || better != nil {
      return .belowConstant(label: constant.label, share: constant.share)
    }
    return .wrong(weakest)
  }

  private var constant: (label: String, share: Double)? { report.betterConstant }

  private var constantRemark: String {
    constant.map {
      "Always answering `\($0.label)` would be right \(NumberText.wholePercent($0.share)) of the time."
    } ?? ""
  }

  private var better: (name: String, share: Double)? {
    guard let constant else { return nil }
    let stream = report.scoredStreams[0].stream
    return report.otherDetectors.filter(\.isJudged).compactMap { other in
      other.accuracy[stream].number.map { (name: other.name, share: $0) }
    }.filter { $0.share > constant.share }.max { $0.share < $1.share }
  }

  private var subject: String { report.heading(origin) }

  private func shares(_ parts: [StreamReport]) -> String {
    let shares = parts.compactMap { part in
      part.view[.accuracy].number.map {
        (name: part.stream.rawValue, text: NumberText.wholePercent($0))
      }
    }
    return shares.enumerated().map { index, share in
      index == 0
        ? "\(share.name) is right \(share.text) of the time" : "\(share.name) \(share.text)"
    }.joined(separator: ", ")
  }

  private var oneClass: String {
    let labels = report.plank.view.trueLabels
    guard labels.count == 1 else { return "" }
    guard labels[0] != report.plank.labels[0] else {
      return
        "Only `\(labels[0])` is labeled, so missed planks cannot be counted. Also label planks."
    }
    return
      "Only `\(labels[0])` is labeled, so false alarms cannot be counted. Also label the other time."
  }

  private func advice(_ weakest: Confusion) -> String {
    let what =
      "Worst error: `\(weakest.answer)` is predicted for \(NumberText.wholePercent(weakest.share)) "
      + "of `\(weakest.truth)` time (\(NumberText.fixed(weakest.seconds, 1)) s)."
    if let lead = report.next?.lead { return "\(what) \(lead.proposal(after: weakest))" }
    if let next = report.next, !next.ruleChanges.isEmpty { return "\(what) \(next.ruleSentence)" }
    guard let moment = weakestMoment else { return what }
    guard report.explain != nil else {
      return what + " See \(moment.sequence) at \(ExplainCommand.text(moment.frameTime)) s."
    }
    return what + " See why:"
  }

  private var weakestMoment: WorstMoment? {
    let moments = WorstMoment.worst(report.plank.worstMoments + report.form.worstMoments)
    guard let weakest = report.confusions.first else { return moments.first }
    let own = report[weakest.stream].worstMoments
    return own.first { $0.truth == weakest.truth && $0.answer == weakest.answer } ?? moments.first
  }

  private var reasons: String { report.warnings.joined(separator: " ") }

  private var dataset: String? { place?.first }

  private var place: [String]? {
    report.sequences.first.flatMap { report.explain?.places[$0.name] }.map { Array($0.prefix(1)) }
  }
}

extension StreamReport {
  var isUndecided: Bool { view.frameCounts.scored > 0 && view.frameCounts.scoredDetermined == 0 }

  var confusions: [Confusion] {
    let cells = view.confusionSeconds.wrongCells.compactMap { truth, answer -> Confusion? in
      let seconds = view.confusionSeconds[truth, answer]
      guard seconds > 0 else { return nil }
      return Confusion(
        stream: stream, truth: labels[truth], answer: labels[answer], seconds: seconds,
        share: seconds / view.confusionSeconds.truthTotal(truth))
    }
    return cells.sorted {
      $0.seconds != $1.seconds
        ? $0.seconds > $1.seconds : ($0.truth, $0.answer) < ($1.truth, $1.answer)
    }
  }
}

struct Confusion {
  let stream: AnswerStream
  let truth: String
  let answer: String
  let seconds: Double
  let share: Double

  var text: String {
    "`\(truth)` -> `\(answer)` for \(NumberText.fixed(seconds, 1)) s "
      + "(\(NumberText.wholePercent(share)) of `\(truth)` time)"
  }
}

/// How form answers compare with the body angle, summed over frames.
package struct FormEvidence: Sendable {
  package var disagreement = FormDisagreement()
  package var unsigned = 0.0
  package var signed = 0.0
  package var count = 0

  package init() {}

  package static func notes(_ parts: [FormEvidence]) -> [String] {
    var sum = FormEvidence()
    for part in parts {
      sum.disagreement += part.disagreement
      sum.unsigned += part.unsigned
      sum.signed += part.signed
      sum.count += part.count
    }
    return [sum.disagreementNote, sum.biasNote].compactMap(\.self)
  }

  private var disagreementNote: String? {
    guard disagreement.faults > 0 else { return nil }
    let share = Double(disagreement.faultsGradedGood) / Double(disagreement.faults)
    return "Form: by the body angle, \(NumberText.count(disagreement.faultsGradedGood)) of "
      + "\(NumberText.count(disagreement.faults)) frames (\(NumberText.percent(share))) answered as "
      + "`sag` or `pike` count as good, since the angle is still 171 degrees when the hips are 5 cm "
      + "off the line; \(NumberText.count(disagreement.alignedGradedBad)) of "
      + "\(NumberText.count(disagreement.frames - disagreement.faults)) frames answered as `aligned` "
      + "count as bad."
  }

  private var biasNote: String? {
    guard count > 0 else { return nil }
    return "On frames labeled `aligned`, the mean body angle is \(mean(unsigned)) deg unsigned and "
      + "\(mean(signed)) deg signed (signedHipAngle). The unsigned angle cannot exceed 180 deg, so "
      + "noise lowers it. Smoothing joints corrects this; smoothing angles does not."
  }

  private func mean(_ sum: Double) -> String { NumberText.fixed(sum / Double(count), 1) }
}
