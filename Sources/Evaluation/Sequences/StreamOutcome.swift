/// What a detector answered in one stream of a sequence, frame by frame.
package struct StreamOutcome: Hashable, Sendable {
  /// The steady answer's class code.
  package let answers: [UInt8]
  /// Whether the rules gave the frame a label of its own.
  package let isDetermined: [Bool]
  /// Whether the frame is undetermined and shows an answer held from before.
  package let isHeld: [Bool]

  /// Makes an outcome.
  ///
  /// - Precondition: one element a frame in each column; a held frame is not determined.
  package init(answers: [UInt8], isDetermined: [Bool], isHeld: [Bool]) {
    precondition(
      answers.count == isDetermined.count && answers.count == isHeld.count,
      "the columns of a stream have one element a frame")
    self.answers = answers
    self.isDetermined = isDetermined
    self.isHeld = isHeld
  }

  /// Makes the outcome of a detector that shows its answers only: every frame is determined.
  package init(answers: [UInt8]) {
    self.init(
      answers: answers, isDetermined: Array(repeating: true, count: answers.count),
      isHeld: Array(repeating: false, count: answers.count))
  }
}
