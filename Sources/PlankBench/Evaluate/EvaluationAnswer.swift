internal import Evaluation
internal import PoseModel

struct EvaluationAnswer {
  /// A second at 30 Hz.
  static let fewestFrames = 30

  static func tooFewFrames(_ stream: AnswerStream, scored: Int) -> StyledText? {
    guard scored > 0, scored < fewestFrames else { return nil }
    return StyledText(
      "\(stream.title): no score, because only \(NumberText.count(scored, "frame")) "
        + "\(scored == 1 ? "is" : "are") scored.", .warning)
  }

  private let report: EvaluationReport
  private let origin: ResultOrigin

  init(_ report: EvaluationReport, _ origin: ResultOrigin) {
    self.report = report
    self.origin = origin
  }

  var sentence: StyledText {
    let parts = parts
    let all = [parts.first, parts.more].filter { !$0.isEmpty }.joined(separator: " ")
    return StyledText("\(subject): \(all)", parts.tone)
  }

  /// What is known in one sentence; `more` says what to do about it.
  var verdict: StyledText { StyledText("\(subject): \(parts.first)", parts.tone) }

  var headline: String {
    let first = parts.first
    return first.prefix(1).uppercased() + first.dropFirst()
  }

  var more: String { parts.more }

  private var parts: (first: String, more: String, tone: StyledText.Tone) {
    switch situation {
    case .unlabeled:
      (
        "no frame has a label, so nothing is known about right and wrong.",
        "The plank answer changes \(report.flicker.plank.changesPerMinute.text(1)) times per "
          + "minute. To see how often answers are right, make labels\(colon)", .warning
      )
    case .undecided(let stream, let frames):
      (
        "the rules for the \(stream.rawValue) could decide none of the "
          + "\(NumberText.count(frames)) scored frames, so no score says anything about them.",
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
        "all \(NumberText.count(frames)) scored frames are answered right.",
        "Record harder cases next; a gate keeps it so (docs/ci.md).", .good
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
      place.map { [Self.line(["label"] + $0 + ["--html", "labels.html"])] } ?? []
    case .undecided where able != nil: evaluation(with: able)
    case .belowConstant where better != nil: evaluation(with: better?.name)
    case .undecided, .belowConstant:
      dataset.map { [Self.line(["dataset", "lint", $0])] } ?? []
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
    guard let dataset, let detector else { return [] }
    return [Self.line(["evaluate", dataset, "--detector", detector])]
  }

  private var able: String? {
    report.unmetNeeds.allSatisfy { $0.assumed != nil }
      ? report.otherDetectors.first(where: \.isJudged)?.name : nil
  }

  /// Nothing could be decided: the sentence says what recordings lack.
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

  /// The other detector that beats a constant answer by most, so that the data cannot be to blame.
  private var better: (name: String, share: Double)? {
    guard let constant else { return nil }
    let stream = report.scoredStreams[0].stream
    return report.otherDetectors.filter(\.isJudged)
      .compactMap { other in
        other.accuracy[stream].number.map { (name: other.name, share: $0) }
      }
      .filter { $0.share > constant.share }.max { $0.share < $1.share }
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
        ? "the \(share.name) is right \(share.text) of the time" : "the \(share.name) \(share.text)"
    }.joined(separator: ", ")
  }

  private var oneClass: String {
    let labels = report.plank.view.trueLabels
    guard labels.count == 1 else { return "" }
    guard labels[0] != report.plank.labels[0] else {
      return
        "Only `\(labels[0])` is labeled, so missed planks cannot be counted: label planks, too."
    }
    return "Only `\(labels[0])` is labeled, so false alarms cannot be counted: label the rest too."
  }

  private func advice(_ weakest: Confusion) -> String {
    let what =
      "Weakest: `\(weakest.truth)` is taken for `\(weakest.answer)` "
      + "\(NumberText.wholePercent(weakest.share)) of its time "
      + "(\(NumberText.fixed(weakest.seconds, 1)) s)."
    if let lead = report.next?.lead { return "\(what) \(lead.proposal)" }
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

  private var reasons: String {
    (report.cautions
      + UnmetNeed.sentences(
        report.unmetNeeds, of: report.detector.name, in: report.dataset.sequenceCount))
      .joined(separator: " ")
  }

  private var dataset: String? { place?.first }

  private var place: [String]? {
    report.sequences.first.flatMap { report.explain?.places[$0.name] }.map { Array($0.prefix(1)) }
  }

  private static func line(_ words: [String]) -> String {
    (["planklab"] + words).map(ShellWord.quoted).joined(separator: " ")
  }
}

extension StreamReport {
  /// Whether frames are scored and the rules decided none of them.
  var isUndecided: Bool {
    view.frameCounts.scored > 0 && view.frameCounts.scoredDetermined == 0
  }
}

extension EvaluationReport {
  var scoredStreams: [StreamReport] {
    [plank, form].filter { $0.view.frameCounts.scored > 0 }
  }

  var judgedStreams: [StreamReport] {
    decidedStreams.filter { $0.view.frameCounts.scored >= EvaluationAnswer.fewestFrames }
  }

  private var decidedStreams: [StreamReport] { scoredStreams.filter { !$0.isUndecided } }

  var confusions: [Confusion] {
    decidedStreams.flatMap(\.confusions).enumerated().sorted {
      ($1.element.seconds, $0.offset) < ($0.element.seconds, $1.offset)
    }.map(\.element)
  }
}

extension EvaluationReport {
  /// Whether the answer leads to another built-in detector if one does better, because this one
  /// decides no frame of a stream, or because it is right less often than a constant answer.
  var leadsToBetterOther: Bool {
    scoredStreams.contains(where: \.isUndecided) || betterConstant != nil
  }

  fileprivate var betterConstant: (label: String, share: Double)? {
    scoredStreams.first?.view.confusionSeconds.betterConstant
  }
}
