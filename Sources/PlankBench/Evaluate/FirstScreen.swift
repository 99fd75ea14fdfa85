internal import Evaluation
internal import PoseModel

/// The verdict, a matrix for each stream, and then as much as fits, the most important first.
struct FirstScreen {
  private static let moments = 3
  /// A terminal of 40 lines, with the command above and the prompt below.
  static let lines = 36

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
      && TerminalScreen.lineCount(document(moments: 0, facts: 1, sentences: .max)) + Self.otherLines
        <= Self.lines
  }

  var document: Document {
    let sentences = verdict.sentences.count
    let choices =
      stride(from: Self.moments, through: 0, by: -1).map {
        (moments: $0, facts: 2, sentences: Int.max)
      }
      + stride(from: sentences, through: 0, by: -1).map { (moments: 0, facts: 1, sentences: $0) }
      + [(moments: 0, facts: 0, sentences: 0)]
    return TerminalScreen.first(
      fitting: choices.lazy.map {
        document(moments: $0.moments, facts: $0.facts, sentences: $0.sentences)
      }, lines: Self.lines)
  }

  private var verdict: EvaluationVerdict { EvaluationVerdict(envelope.result, envelope.origin) }

  private func document(moments: Int, facts: Int, sentences: Int) -> Document {
    var document = Document()
    let report = envelope.result
    let answer = EvaluationAnswer(report, envelope.origin)
    document.paragraph(answer.verdict)
    for part in report.judgedStreams { document.table(part.smallMatrix) }
    document.paragraph(StyledText(answer.more))
    document.code(answer.commands)
    document.list(verdict.kept(sentences) + verdict.facts.prefix(facts))
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
