package import PoseModel

/// The advice on each stream of a change; nil where nothing was counted.
package struct StreamAdvice: Codable, Hashable, Sendable {
  package var plank: Advice?
  package var form: Advice?

  package init(_ advice: (AnswerStream) -> Advice?) {
    plank = advice(.plank)
    form = advice(.form)
  }

  package subscript(stream: AnswerStream) -> Advice? { stream == .plank ? plank : form }

  /// Those of both streams that were judged, the plank first.
  package var all: [Advice] { [plank, form].compactMap(\.self) }

  /// `Plank: Take it (likely: 93 in 100): ...`, one for each stream that was judged.
  package var sentences: [String] {
    AnswerStream.allCases.compactMap { stream in
      self[stream].map { "\(stream == .plank ? "Plank" : "Form"): \($0.sentence)" }
    }
  }
}

extension StreamAdvice {
  /// Both sides have the same recordings in the same order.
  package init(
    _ before: [SequenceScores], _ after: [SequenceScores], candidates: Int = 1,
    settings: (AnswerStream) -> Int
  ) {
    self.init { stream in
      Advice(
        PairedCounts(before, after, stream), settings: settings(stream), candidates: candidates)
    }
  }
}
