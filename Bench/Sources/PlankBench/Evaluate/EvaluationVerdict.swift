internal import Evaluation
@_spi(Bench) internal import PoseModel
internal import Statistics

/// The result of an evaluation in sentences.
struct EvaluationVerdict {
  let report: EvaluationReport
  /// What the result is about, and how it was made.
  let origin: ResultOrigin

  /// Takes a result.
  init(_ report: EvaluationReport, _ origin: ResultOrigin) {
    self.report = report
    self.origin = origin
  }

  /// The data, and how the answers were made, before any verdict.
  var facts: [StyledText] {
    let counts = report.dataset.counts
    let unlabeled =
      counts.unlabeled > 0 ? ", \(Self.are(counts.unlabeled)) unlabeled" : ""
    let scored =
      report.isUnlabeled
      ? (counts.ignored > 0 ? "All labels say `ignore`." : "None of them has a label.")
      : "\(Self.are(counts.scored)) scored, \(Self.are(counts.ignored)) labeled "
        + "`ignore`\(unlabeled)."
    let settings = report.settings(origin)
    return [
      StyledText(
        "\(report.dataset.sentence(split: origin.dataset?.split)) \(scored) \(poses)\(brackets)"),
      StyledText(settings.isEmpty ? "" : settings, .dim),
    ].filter { !$0.text.isEmpty }
  }

  /// The verdict, one or two sentences each: headline numbers, faults, flicker, latency, timer.
  var sentences: [StyledText] {
    let cautions = report.cautions.map { StyledText($0, .warning) }
    let all =
      report.isUnlabeled
      ? unlabeledSentences
      : AnswerStream.allCases.map { headline($0) }
        + [
          noEvidence, unknownClasses, whatIsWrong, StyledText(flicker), StyledText(latency),
          StyledText(timer), StyledText(ceiling), device, StyledText(withoutIntervals, .dim),
        ]
    return (cautions + all).filter { !$0.text.isEmpty }
  }

  private static func are(_ count: Int) -> String {
    NumberText.count(count) + (count == 1 ? " is" : " are")
  }

  /// Missing poses and undecided frames.
  private var poses: String {
    let counts = report.dataset.counts
    let missing = "No pose in \(NumberText.count(counts.missing, "frame"))"
    guard counts.undetermined > 0 else {
      return counts.missing == 0 ? "Every frame has a pose." : missing + "."
    }
    let included = counts.missing > 0 ? " (these included)" : ""
    return missing + "; the rules could not decide \(NumberText.count(counts.undetermined))"
      + "\(included), and \(NumberText.count(counts.held)) of those kept the last answer."
  }

  /// The remark in brackets, if any, and what the numbers are averaged over.
  private var brackets: String {
    let sources = report.dataset.sources.count
    return (sources > 1 ? " Metrics are means over \(sources) sources." : "")
      + (scoredStreams.contains { ($0.uncertainty?.subjects ?? 0) > 1 }
        ? " Brackets: 95 % intervals." : "")
  }

  private func headline(_ stream: AnswerStream) -> StyledText {
    let part = report[stream]
    let name = stream == .plank ? "Plank" : "Form"
    guard part.view.frameCounts.scored > 0 else { return StyledText("\(name): not labeled.") }
    var parts = ["accuracy " + value(.accuracy, part)]
    if let mean = part.view.classMean {
      parts.append((mean == .f1Macro ? "macro F1 " : "balanced accuracy ") + value(mean, part))
    }
    return StyledText("\(name): \(parts.joined(separator: ", ")).", .strong)
  }

  /// A number with its interval in brackets, if there is one.
  private func value(
    _ metric: Metric, _ part: StreamReport, decimals: Int = 3, unit: String = ""
  ) -> String {
    let key = MetricKey(metric, in: part.stream)
    let number = part.view.value(key).text(decimals) + unit
    guard let interval = part.uncertainty?.intervals[key]?.wider.interval else {
      return number
    }
    return number + " (\(interval.text(decimals)))"
  }

  private var noEvidence: StyledText {
    let names = Set(report.plank.noEvidence + report.form.noEvidence)
    return StyledText(
      names.isEmpty
        ? ""
        : "NO EVIDENCE in \(names.count) of \(report.dataset.sequenceCount) recordings: the rules "
          + "decided fewer than half of their frames (--section matrix lists them).", .warning)
  }

  /// Classes that the data says nothing about.
  private var unknownClasses: StyledText {
    let names = AnswerStream.allCases.filter { report[$0].view.frameCounts.scored > 0 }
      .flatMap { stream in
        report[stream].labels.filter { !report[stream].view.trueLabels.contains($0) }
      }
    guard !names.isEmpty else { return "" }
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    return StyledText("Never labeled: \(list).", .dim)
  }

  private var whatIsWrong: StyledText {
    let cells = report.plank.confusions.prefix(2) + report.form.confusions.prefix(1)
    guard !cells.isEmpty else {
      return report.plank.noEvidence.isEmpty && report.form.noEvidence.isEmpty
        ? StyledText("Every scored frame has the right answer.", .good) : ""
    }
    return StyledText("What is wrong: " + cells.map(\.text).joined(separator: ", ") + ".", .bad)
  }

  private var flicker: String {
    let parts = scoredStreams.map { part in
      "\(part.stream.rawValue) \(value(.flickersPerMinute, part, decimals: 1))"
    }
    let wrong = scoredStreams.map { $0.view[.falseTransitionsPerMinute].text(1) }
    return "Flicker per minute: \(parts.joined(separator: ", ")); wrong changes: "
      + "\(wrong.joined(separator: " and "))."
  }

  private var scoredStreams: [StreamReport] {
    [report.plank, report.form].filter { $0.view.frameCounts.scored > 0 }
  }

  private var latency: String {
    let parts = scoredStreams.filter { $0.counts.events.count > 0 }
    guard !parts.isEmpty else { return "" }
    let sentences = parts.map { part in
      let events = part.stream == .plank ? "planks" : "faults"
      let all = "\(part.view[.hitRate].percentText) of the \(events) are answered"
      guard part.view[.detectionLatencyMedian].number != nil else { return all }
      return all + ", half within " + value(.detectionLatencyMedian, part, decimals: 2, unit: " s")
    }
    let isUnknown = parts.allSatisfy { $0.counts.events.observedStarts == 0 }
    return "Latency: \(sentences.joined(separator: isUnknown ? ", " : "; "))"
      + (isUnknown ? "; how soon is unknown, because scoring begins with them." : ".")
  }

  private var timer: String {
    let holds = report.plank.overTime.holds
    guard let error = holds.error.number, let signed = holds.signedError.number else { return "" }
    let seconds = value(.holdError, report.plank, decimals: 2, unit: " s")
    let side = signed < 0 ? "short" : "long"
    guard abs(error - abs(signed)) >= 0.005 else {
      return error < 0.005
        ? "Timer: right to the hundredth of a second."
        : "Timer: too \(side) by \(seconds) per session."
    }
    return "Timer: \(seconds) wrong per session, on average "
      + "\(NumberText.fixed(abs(signed), 2)) s too \(side)."
  }

  /// How far two people agree; no score can show more than that.
  private var ceiling: String {
    guard let agreement = report.annotatorAgreement else { return "" }
    let kappas = AnswerStream.allCases.compactMap { stream in
      agreement[stream].cohenKappa.number.map {
        "\(stream.rawValue) kappa \(NumberText.fixed($0, 3))"
      }
    }
    return kappas.isEmpty
      ? "" : "Ceiling: two annotators agree with \(kappas.joined(separator: ", "))."
  }

  private var device: StyledText {
    guard let device = report.deviceComparison, !device.isEqual else { return "" }
    let differing = device.plank.framesDiffering + device.form.framesDiffering
    return StyledText(
      "The device's own answers differ in \(NumberText.count(differing, "place")) "
        + "(--section device).", .bad)
  }

  private var withoutIntervals: String {
    let subjects = scoredStreams.compactMap(\.uncertainty?.subjects)
    return subjects.allSatisfy { $0 < 2 } && !subjects.isEmpty
      ? "No intervals: they need two or more people (`subject` in dataset.yaml)." : alike
  }

  /// What the brackets of the headline numbers mean where every person has the same number.
  private var alike: String {
    let keys = scoredStreams.flatMap { part in
      ([.accuracy] + [part.view.classMean].compactMap(\.self)).map {
        MetricKey($0, in: part.stream)
      }
    }
    return scoredStreams.compactMap(\.uncertainty).alikeSentence(keys)
  }
}

/// The time of one class during which the answer is another class.
struct Confusion {
  /// The true class.
  let truth: String
  /// The answer.
  let answer: String
  /// The duration in seconds.
  let seconds: Double
  /// The fraction of the true class's time.
  let share: Double

  /// The fault, for people.
  var text: String {
    "`\(truth)` -> `\(answer)` for \(NumberText.fixed(seconds, 1)) s "
      + "(\(NumberText.fixed(share * 100, 0)) % of it)"
  }
}

extension StreamReport {
  /// Which classes are mistaken for which others, longest first.
  var confusions: [Confusion] {
    var cells: [Confusion] = []
    for (truth, name) in labels.enumerated() {
      for (answer, other) in labels.enumerated() where answer != truth {
        let seconds = view.confusionSeconds[truth, answer]
        guard seconds > 0 else { continue }
        cells.append(
          Confusion(
            truth: name, answer: other, seconds: seconds,
            share: seconds / view.confusionSeconds.truthTotal(truth)))
      }
    }
    return cells.sorted {
      $0.seconds != $1.seconds
        ? $0.seconds > $1.seconds : ($0.truth, $0.answer) < ($1.truth, $1.answer)
    }
  }
}

extension DatasetFacts {
  /// The amount of data.
  func sentence(split name: String?) -> String {
    let split = name.map { " of the split \($0)" } ?? ""
    let people =
      switch subjects.count {
      case 0: "unnamed people"
      case 1: "1 person"
      default: "\(subjects.count) people"
      }
    let recordings = sequenceCount == 1 ? "1 recording" : "\(sequenceCount) recordings"
    return "\(NumberText.count(counts.frames, "frame")) in \(recordings)\(split) of \(people)."
  }
}

extension EvaluationReport {
  /// How the answers were made, besides the detector: parameters, smoothing and debounce.
  func settings(_ origin: ResultOrigin) -> String {
    let facts = [
      ("set: ", origin.provenance["set"]), ("smoothing: ", origin.provenance["smoothing"]),
      ("debounce: ", ownDebounce ?? origin.provenance["debounce"]),
      ("answers read from ", origin.provenance["predictions"]),
    ]
    return facts.compactMap { name, value in value.map { name + $0 } }.joined(separator: "; ")
  }

  /// The values of the parameters that debounce the answers; nil if a strategy does.
  private var ownDebounce: String? {
    let frames = detector.parameters.filter { detector.debounceKeys.contains($0.key) }
    guard !frames.isEmpty else { return nil }
    return frames.map { parameter in
      "\(NumberText.shortest(parameter.value)) frame\(parameter.value == 1 ? "" : "s") "
        + "(\(parameter.key))"
    }.joined(separator: ", ")
  }
}
