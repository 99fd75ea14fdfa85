internal import Evaluation
@_spi(Bench) internal import PoseModel

/// What `evaluate` prints unless asked for more: what fits on one screen.
struct FirstScreen {
  /// The width in columns.
  static let width = 80
  /// The height in lines.
  static let lines = 25
  /// The largest number of moments that are shown.
  private static let moments = 3

  private let envelope: ResultEnvelope<EvaluationReport>

  /// Prepares the screen of a result.
  init(_ envelope: ResultEnvelope<EvaluationReport>) { self.envelope = envelope }

  /// The screen; if sentences are long, fewer of the worst moments are shown, then not the settings,
  /// then fewer remarks, the last one first.
  var document: Document {
    let renderer = TextRenderer(width: Self.width)
    let choices =
      stride(from: Self.moments, through: 0, by: -1).map { document(moments: $0, facts: 2) }
      + stride(from: verdict.sentences.count { $0.tone == .dim }, through: 0, by: -1).map {
        document(moments: 0, facts: 1, remarks: $0)
      }
    return choices.first {
      renderer.render($0).count { $0 == "\n" } <= Self.lines
    } ?? document(moments: 0, facts: 0, remarks: 0)
  }

  private var verdict: EvaluationVerdict { EvaluationVerdict(envelope.result, envelope.origin) }

  /// The screen with so many moments, facts and, of the remarks, the first so many.
  private func document(moments: Int, facts: Int, remarks: Int = .max) -> Document {
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

/// Commands to copy.
enum CommandLines {
  /// The screen's width without the margin of lines to copy, with room for a backslash.
  private static let width = FirstScreen.width - 4

  /// A command as lines that a shell reads as one.
  ///
  /// - Parameter words: those that stay together, such as an option with its value.
  static func wrapped(_ words: [[String]]) -> [String] {
    var lines: [String] = []
    for word in words.map({ $0.map(ShellWord.quoted).joined(separator: " ") }) {
      guard let last = lines.last else {
        lines = [word]
        continue
      }
      if last.count + word.count < width {
        lines[lines.count - 1] += " " + word
      } else {
        lines[lines.count - 1] += " \\"
        lines.append("  " + word)
      }
    }
    return lines
  }
}

extension ExplainCommand {
  /// The command for one moment, ready to copy; wrapped if it is longer than a screen is wide.
  func lines(sequence: String, time: Seconds) -> [String] {
    let place = places[sequence] ?? [sequence]
    let words =
      [["planklab", "explain"]] + place.map { [$0] } + [["--at", Self.text(time)]] + options
    return CommandLines.wrapped(words)
  }

  /// The command for a sequence in one line: the parts before and after the time.
  func line(sequence: String) -> (before: String, after: String) {
    func text(_ words: [String]) -> String {
      words.map(ShellWord.quoted).joined(separator: " ")
    }
    let place = places[sequence] ?? [sequence]
    let after = options.map { " " + text($0) }.joined()
    return (before: text(["planklab", "explain"] + place + ["--at"]) + " ", after: after)
  }

  /// A time to the microsecond, the resolution of timestamps.
  static func text(_ time: Seconds) -> String {
    var text = NumberText.fixed(time.value, 6)
    while text.last == "0" { text.removeLast() }
    return text.last == "." ? String(text.dropLast()) : text
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
