internal import Evaluation
internal import PoseModel

/// What `evaluate` prints unless asked for more: what fits on one screen.
struct FirstScreen {
  /// The largest number of moments that are shown.
  private static let moments = 3

  private let envelope: ResultEnvelope<EvaluationReport>

  /// How many lines the remark on other detectors has at most, but for very long names.
  private static let otherLines = 3

  /// Prepares the screen of a result; other detectors are left out where they have no place.
  init(_ envelope: ResultEnvelope<EvaluationReport>) {
    var bare = envelope
    bare.result.otherDetectors = []
    self.envelope = FirstScreen(asIs: bare).hasPlaceForOthers ? envelope : bare
  }

  /// Prepares the screen of a result without other detectors.
  ///
  /// - Parameter others: counts other detectors, which takes a pass over the data; called if they have
  ///   a place.
  /// - Throws: what `others` throws.
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

  /// Whether a screen without other detectors says how they do: where the answer leads to one of them,
  /// or there is room for the remark.
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

  /// The screen with so many moments, facts and, of the remarks, the first so many.
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

/// A moment of an evaluation that is worth explaining.
struct NamedMoment: Hashable {
  /// The sequence's name.
  let sequence: String
  /// The time of the frame to explain.
  let time: Seconds
  /// What is worth explaining there.
  let what: String

  /// The moment as a command to copy, with the fault as a comment.
  func lines(_ explain: ExplainCommand?) -> [String] {
    guard let explain else { return ["# \(what): \(sequence) at \(ExplainCommand.text(time)) s"] }
    return ["# \(what)"] + explain.lines(sequence: sequence, time: time)
  }
}

extension NamedMoment {
  /// A stretch of wrong answers.
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

  /// The worst moments as commands to copy.
  func momentLines(_ count: Int) -> [String] {
    namedMoments.prefix(count).flatMap { $0.lines(explain) }
  }
}
