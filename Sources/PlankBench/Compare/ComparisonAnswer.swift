internal import Evaluation
internal import PoseModel

/// What is said first, in text and on the page: the advice on each stream of each side.
struct ComparisonAnswer {
  let state: VerdictPanel.State
  let word: String
  /// An obstacle, the mixture of both streams, or of each stream the sentence of the side that is
  /// expected to gain most.
  let headline: [StyledText]
  /// All other sentences, by stream; within one, the side that is expected to gain most first.
  let rest: PerStream<[StyledText]>

  init(_ report: ComparisonReport) {
    let all = report.pairs.map(\.advice)
    let obstacle = ComparisonCautions(report).obstacle
    (state, word) =
      if obstacle != nil {
        (.bad, "Check the data first")
      } else if all.contains(where: \.isTaken) {
        (.good, all.count == 1 ? "Take it" : "Take one")
      } else if all.contains(where: \.takes) {
        (.warning, "Mixed")
      } else if all.allSatisfy(\.keeps) {
        (.bad, "Keep yours")
      } else {
        (.unsure, "Either")
      }
    let sentences = PerStream { stream in
      report.ranked(stream).map { pair, advice in
        StyledText("\(report.place(pair, stream)): \(advice.sentence)", advice.tone)
      }
    }
    if let word = obstacle ?? (state == .warning ? word : nil) {
      headline = [StyledText(word, obstacle == nil ? .strong : .bad)]
      rest = sentences
    } else {
      headline = sentences.all.compactMap(\.first)
      rest = sentences.map { Array($0.dropFirst()) }
    }
  }

  /// With at most `most` sentences of each stream beside the headline.
  func rest(most: Int = .max) -> [StyledText] {
    AnswerStream.allCases.flatMap { stream in
      let left = rest[stream].count - most
      return rest[stream].prefix(most)
        + (left > 0
          ? [StyledText("\(stream.title): \(left) more, which gain less.", .dim)] : [])
    }
  }
}

extension ComparisonReport {
  /// The place among the sides of the one to ship: the one with most to gain of those that are
  /// taken; otherwise the first.
  var advisedSide: Int {
    func expected(_ pair: Pair) -> Double { pair.advice.all.reduce(0) { $0 + $1.expected } }
    let taken = pairs.indices.filter { pairs[$0].advice.isTaken }
    return taken.max { expected(pairs[$0]) < expected(pairs[$1]) }.map { $0 + 1 } ?? 0
  }

  fileprivate func ranked(_ stream: AnswerStream) -> [(pair: Pair, advice: Advice)] {
    let judged = pairs.enumerated().compactMap { index, pair in
      pair.advice[stream].map { (index: index, pair: pair, advice: $0) }
    }
    return judged.sorted {
      ($1.advice.expected, $0.index) < ($0.advice.expected, $1.index)
    }.map { ($0.pair, $0.advice) }
  }

  /// What a sentence of advice is about; a side is named where there are several.
  fileprivate func place(_ pair: Pair, _ stream: AnswerStream) -> String {
    pairs.count == 1 ? stream.title : "`\(pair.name)`, \(stream.rawValue)"
  }
}

extension StreamAdvice {
  fileprivate var takes: Bool { all.contains { $0.step.takes } }

  fileprivate var keeps: Bool { all.contains { $0.step.keeps } }

  /// Taken in a stream and kept in none.
  fileprivate var isTaken: Bool { takes && !keeps }
}

extension Advice {
  var tone: StyledText.Tone { step.takes ? .good : step.keeps ? .bad : .strong }

  /// Who was counted: `5 people`.
  var crowd: String {
    named ? NumberText.people(people) : NumberText.count(people, "recording")
  }
}
