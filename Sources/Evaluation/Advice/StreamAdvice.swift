package import PoseModel

/// The judgement of a change in each stream; absent where nothing was counted.
package struct StreamAdvice: Codable, Hashable, Sendable {
  package let plank: Advice?
  package let form: Advice?

  package init(_ advice: (AnswerStream) throws -> Advice?) rethrows {
    plank = try advice(.plank)
    form = try advice(.form)
  }

  package subscript(stream: AnswerStream) -> Advice? { stream == .plank ? plank : form }
}
