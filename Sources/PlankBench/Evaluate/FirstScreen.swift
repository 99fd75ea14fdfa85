internal import Evaluation
internal import PoseModel

struct FirstScreen {
  private static let moments = 3

  private let envelope: ResultEnvelope<EvaluationReport>

  private static let otherLines = 3

  init(_ envelope: ResultEnvelope<EvaluationReport>) {
    var bare = envelope
    bare.result.otherDetectors = []
    self.envelope = FirstScreen(asIs: bare).hasPlaceForOthers ? envelope : bare
  }

  /// `others` takes a pass over the data; it is called only if other detectors have a place.
  init(
    _ envelope: ResultEnvelope<EvaluationReport>, others: () async throws -> [DetectorScore]
  ) async throws {
    var envelope = envelope
    if FirstScreen(asIs: envelope).hasPlaceForOthers {
      envelope.result.otherDetectors = try await others()
    }
    self.init(asIs: envelope)
  }

  private init(asIs envelope: ResultEnvelope<EvaluationReport>) { self.envelope = envelope }

  private var hasPlaceForOthers: Bool {
    let report = envelope.result
    guard !report.leadsToBetterOther else { return true }
    let isJudged = report.scoredStreams.contains {
      $0.view.frameCounts.scored >= EvaluationAnswer.fewestFrames
    }
    return isJudged
      && TerminalScreen.lineCount(document(moments: 0, facts: 1, remarks: 0)) + Self.otherLines
        <= TerminalScreen.lines
  }

  /// The screen; if sentences are long, fewer of the worst moments are shown, then not the settings,
  /// then fewer remarks, the last one first.
  var document: Document {
    let remarks = verdict.sentences.count { $0.tone == .dim }
    let choices =
      stride(from: Self.moments, through: 0, by: -1).map {
        (moments: $0, facts: 2, remarks: Int.max)
      }
      + stride(from: remarks, through: 0, by: -1).map { (moments: 0, facts: 1, remarks: $0) }
      + [(moments: 0, facts: 0, remarks: 0)]
    return TerminalScreen.first(
      fitting: choices.lazy.map {
        document(moments: $0.moments, facts: $0.facts, remarks: $0.remarks)
      }
    )
  }

  private var verdict: EvaluationVerdict { EvaluationVerdict(envelope.result, envelope.origin) }

  private func document(moments: Int, facts: Int, remarks: Int) -> Document {
    var document = Document()
    let report = envelope.result
    let answer = EvaluationAnswer(report, envelope.origin)
    document.paragraph(answer.sentence)
    document.code(answer.commands)
    var seen = 0
    let sentences = verdict.sentences.filter { sentence in
      guard sentence.tone == .dim else { return true }
      seen += 1
      return seen <= remarks
    }
    document.list(sentences + verdict.facts.prefix(facts))
    let named = answer.moment.map(NamedMoment.init)
    let rest = answer.isUndecided ? [] : report.namedMoments.filter { $0 != named }
    document.code(
      rest.prefix(moments).flatMap { $0.lines(report.explain) } + [
        "# everything: --verbose; parts: --section next,matrix,... (see --help)"
      ])
    return document
  }
}

struct NamedMoment: Hashable {
  let sequence: String
  let time: Seconds
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
  /// The longest wrong answers, worst first; without labels, the moments with the most changes.
  var namedMoments: [NamedMoment] {
    guard !isUnlabeled else {
      return flicker.restlessMoments.map { moment in
        NamedMoment(
          sequence: moment.sequence, time: moment.start,
          what: "\(moment.changes) changes within 2 s")
      }
    }
    return WorstMoment.worst(plank.worstMoments + form.worstMoments).map(NamedMoment.init)
  }

  func momentLines(_ count: Int) -> [String] {
    namedMoments.prefix(count).flatMap { $0.lines(explain) }
  }
}
