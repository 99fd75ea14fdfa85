internal import Evaluation
internal import PlankDetection
internal import PoseModel

struct ComparisonCautions {
  private let report: ComparisonReport

  init(_ report: ComparisonReport) { self.report = report }

  var obstacle: String? {
    let streams = self.streams
    guard let first = streams.first, let side = report.sides.first else { return nil }
    let frames = streams.map { side.streams[$0].frameCount }.max() ?? 0
    guard frames >= EvaluationAnswer.fewestFrames else {
      return "Label more first: only \(NumberText.count(frames, "frame")) "
        + "\(frames == 1 ? "is" : "are") scored."
    }
    guard !streams.allSatisfy({ isSilent(report.sides, $0) }) else {
      let labels = streams.map { "`\($0.labels[0])`" }
      return "Check the recordings first (`planklab dataset lint`): no side answers anything but "
        + "\(WordText.list(labels))."
    }
    return belowConstant(first)
  }

  var sentences: [StyledText] {
    silences + (tooFewFrames + oneClass + unnamed + unlabeled).map { StyledText($0, .warning) }
  }

  private var unnamed: [String] {
    let people = report.pairs.first?.comparison.metrics.flatMap(\.subjects) ?? []
    return people.contains { $0.subject == nil }
      ? [
        "Name the people (`subject` in dataset.yaml): recordings without a name prove nothing, and "
          + "intervals of metrics count them as one person."
      ] : []
  }

  private var tooFewFrames: [String] {
    let few = streams.compactMap { stream -> String? in
      let count = report.sides.first?.streams[stream].frameCount ?? 0
      return count < EvaluationAnswer.fewestFrames
        ? "\(stream.rawValue) only \(NumberText.count(count, "frame"))" : nil
    }
    return few.isEmpty ? [] : ["Scored: \(few.joined(separator: ", "))."]
  }

  private var unlabeled: [String] {
    let names = report.unscored.map { "`\($0)`" }
    let streams = AnswerStream.allCases.filter { stream in
      !report.sides.contains { $0.streams[stream].frameCount > 0 }
    }
    return streams.map { "\($0.title): not labeled." }
      + (names.isEmpty ? [] : ["Left out for lack of labels: \(WordText.list(names))."])
  }

  var silences: [StyledText] { streams.flatMap(silent).map { StyledText($0, .warning) } }

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
      + "\(report.sides.count > 2 ? "all" : "both") are right less often than always answering "
      + "`\(constant.label)` (\(NumberText.wholePercent(constant.share)) of the time)."
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
        + "`\(stream.labels[0])` in all \(frames). See what is missing: "
        + "`planklab evaluate\(detector)`."
    ]
  }

  private func isSilent(_ sides: [ScoredSide], _ stream: AnswerStream) -> Bool {
    sides.allSatisfy { $0.streams[stream].isSilent }
  }

  private var oneClass: [String] {
    let parts = streams.compactMap { stream -> String? in
      let classes = report.sides.first?.streams[stream].trueClasses ?? []
      return classes.count == 1 ? "\(stream.rawValue) only `\(classes[0])`" : nil
    }
    return parts.isEmpty
      ? []
      : ["Labeled: \(parts.joined(separator: ", ")). Nothing is known about other classes."]
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
