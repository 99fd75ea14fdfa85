internal import Evaluation
internal import PlankDetection
internal import PoseModel

struct ComparisonAnswer {
  let verdict: Verdict
  var state: VerdictPanel.State { verdict.state }
  var word: String { verdict.word }
  /// An obstacle, the word for mixed advice, or one sentence per stream about the side with the
  /// largest expected gain.
  let headline: [StyledText]
  let rest: [StyledText]

  init(_ report: ComparisonReport) {
    let all = report.pairs.map(\.advice)
    let obstacle = ComparisonCautions(report).obstacle
    verdict =
      if obstacle != nil {
        Verdict(.bad, "Check the data first")
      } else if all.contains(where: \.isTaken) {
        Verdict(.good, all.count == 1 ? "Take it" : "Take one")
      } else if all.contains(where: \.takes) {
        Verdict(.warning, "Mixed")
      } else if all.allSatisfy(\.keeps) {
        Verdict(.bad, "Keep yours")
      } else {
        Verdict(.unsure, "Either")
      }
    let sentences = PerStream { stream in
      report.ranked(stream).map { pair, advice in
        StyledText("\(report.place(pair, stream)): \(advice.sentence)", advice.tone)
      }
    }
    if let word = obstacle ?? (verdict.state == .warning ? verdict.word : nil) {
      headline = [StyledText(word, obstacle == nil ? .strong : .bad)]
      rest = sentences.all.flatMap(\.self)
    } else {
      headline = sentences.all.compactMap(\.first)
      rest = sentences.all.flatMap { $0.dropFirst() }
    }
  }
}

extension ComparisonReport {
  /// The side with the largest expected gain among those that the advice takes; 0, the first side,
  /// if it takes none.
  package var advisedSide: Int {
    func expected(_ pair: Pair) -> Double { pair.advice.all.reduce(0) { $0 + $1.expected } }
    let taken = pairs.indices.filter { pairs[$0].advice.isTaken }
    return taken.max { expected(pairs[$0]) < expected(pairs[$1]) }.map { $0 + 1 } ?? 0
  }

  fileprivate func ranked(_ stream: AnswerStream) -> [(pair: Pair, advice: Advice)] {
    pairs.compactMap { pair in pair.advice[stream].map { (pair: pair, advice: $0) } }
      .sorted { $0.advice.expected > $1.advice.expected }
  }

  fileprivate func place(_ pair: Pair, _ stream: AnswerStream) -> String {
    pairs.count == 1 ? stream.title : "`\(pair.name)`, \(stream.rawValue)"
  }
}

extension StreamAdvice {
  var takes: Bool { all.contains { $0.step.takes } }

  fileprivate var keeps: Bool { all.contains { $0.step.keeps } }

  fileprivate var isTaken: Bool { takes && !keeps }
}

extension Advice {
  var tone: StyledText.Tone { step.takes ? .good : step.keeps ? .bad : .strong }

  var crowd: String {
    named || unnamed == people
      ? NumberText.people(people, named: named)
      : "\(NumberText.people(people - unnamed)) and \(NumberText.count(unnamed, "recording"))"
  }
}

struct ComparisonCautions {
  private let report: ComparisonReport

  init(_ report: ComparisonReport) { self.report = report }

  var obstacle: String? {
    let streams = self.streams
    guard let first = streams.first, let side = report.sides.first else { return nil }
    let frames = streams.map { side.streams[$0].frameCount }.max() ?? 0
    guard frames >= EvaluationVerdict.fewestFrames else {
      return "Label more first: only \(NumberText.count(frames, "frame")) "
        + "\(frames == 1 ? "is" : "are") scored."
    }
    guard !streams.allSatisfy({ isSilent(report.sides, $0) }) else {
      let labels = streams.map { "`\($0.labels[0])`" }
      return "Check the recordings first (`planklab dataset lint`): no candidate answers anything "
        + "but \(WordText.list(labels))."
    }
    return belowConstant(first)
  }

  var sentences: [StyledText] {
    silences + (tooFewFrames + oneClass + unnamed + unlabeled).map { StyledText($0, .warning) }
      + searched.map { StyledText($0, .dim) }
  }

  private var searched: [String] {
    report.pairs.contains { $0.advice.all.contains { $0.step == .takeProven } }
      ? [
        "A proof holds only if the change was not chosen on these recordings: `evaluate`, `suggest` "
          + "and `tune` take into account everything that they tried."
      ] : []
  }

  private var unnamed: [String] {
    let people = report.pairs.first?.comparison.metrics.flatMap(\.subjects) ?? []
    return people.contains { $0.subject == nil }
      ? [
        "Name the people (`subject` in dataset.yaml): recordings of unnamed people prove nothing, "
          + "and the 95 % intervals of metrics count all such people as one."
      ] : []
  }

  private var tooFewFrames: [String] {
    let few = streams.compactMap { stream -> String? in
      let count = report.sides.first?.streams[stream].frameCount ?? 0
      return count < EvaluationVerdict.fewestFrames
        ? "only \(NumberText.count(count, "frame")) for \(stream.rawValue)" : nil
    }
    return few.isEmpty ? [] : ["Scored: \(few.joined(separator: ", "))."]
  }

  private var unlabeled: [String] {
    let names = report.unscored.map { "`\($0)`" }
    let streams = AnswerStream.allCases.filter { stream in
      !report.sides.contains { $0.streams[stream].frameCount > 0 }
    }
    return streams.map { "\($0.title): not labeled." }
      + (names.isEmpty ? [] : ["Left out because they have no labels: \(WordText.list(names))."])
  }

  private var silences: [StyledText] { streams.flatMap(silent).map { StyledText($0, .warning) } }

  private var streams: [AnswerStream] {
    AnswerStream.allCases.filter { stream in
      report.sides.allSatisfy { $0.streams[stream].frameCount > 0 }
    }
  }

  private func belowConstant(_ stream: AnswerStream) -> String? {
    let matrices = report.sides.map { $0.streams[stream].seconds }
    guard let constant = matrices.first?.betterConstant,
      matrices.allSatisfy({ $0.betterConstant != nil && $0.isNoBetterThanChance })
    else { return nil }
    return "Check units, axes and labels first (`planklab dataset lint`): "
      + "\(report.sides.count > 2 ? "all" : "both") are right less often than a detector that always "
      + "answers `\(constant.label)` (\(NumberText.wholePercent(constant.share)) of the time)."
  }

  private func silent(_ stream: AnswerStream) -> [String] {
    let silent = report.sides.filter { $0.streams[stream].isSilent }.map(\.name)
    let names = silent.map { "`\($0)`" }
    guard !names.isEmpty, let side = report.sides.first else { return [] }
    let frames = NumberText.count(side.streams[stream].frameCount, "scored frame")
    let isBuiltIn = DetectorDefinition.builtIn.contains { $0.name == silent[0] }
    let detector = silent.count == 1 && isBuiltIn ? " --detector \(silent[0])" : ""
    return [
      "\(stream.title): \(WordText.list(names)) \(names.count == 1 ? "answers" : "answer") "
        + "`\(stream.labels[0])` in all \(frames). To see what is missing, run `planklab "
        + "evaluate\(detector)`."
    ]
  }

  private func isSilent(_ sides: [ScoredSide], _ stream: AnswerStream) -> Bool {
    sides.allSatisfy { $0.streams[stream].isSilent }
  }

  private var oneClass: [String] {
    let parts = streams.compactMap { stream -> String? in
      let classes = report.sides.first?.streams[stream].trueClasses ?? []
      return classes.count == 1 ? "only `\(classes[0])` for \(stream.rawValue)" : nil
    }
    return parts.isEmpty
      ? [] : ["Labeled: \(parts.joined(separator: ", ")). Nothing is known about other classes."]
  }
}

extension ScoredSide.StreamScore {
  var frameCount: Int { frames.total }

  fileprivate var trueClasses: [String] {
    frames.labels.indices.filter { frames.truthTotal($0) > 0 }.map { frames.labels[$0] }
  }

  fileprivate var isSilent: Bool {
    let classes = frames.labels.indices
    return classes.allSatisfy { truth in classes.dropFirst().allSatisfy { frames[truth, $0] == 0 } }
      && classes.dropFirst().contains { frames.truthTotal($0) > 0 }
  }
}
