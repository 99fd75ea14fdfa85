internal import Evaluation
internal import PoseModel

/// The time of one class during which the answer is another class.
struct Confusion {
  let stream: AnswerStream
  let truth: String
  let answer: String
  let seconds: Double
  /// The fraction of the true class's time, 0...1.
  let share: Double

  var text: String {
    "`\(truth)` -> `\(answer)` for \(NumberText.fixed(seconds, 1)) s "
      + "(\(NumberText.wholePercent(share)) of it)"
  }
}

extension StreamReport {
  var confusions: [Confusion] {
    var cells: [Confusion] = []
    for (truth, name) in labels.enumerated() {
      for (answer, other) in labels.enumerated() where answer != truth {
        let seconds = view.confusionSeconds[truth, answer]
        guard seconds > 0 else { continue }
        cells.append(
          Confusion(
            stream: stream, truth: name, answer: other, seconds: seconds,
            share: seconds / view.confusionSeconds.truthTotal(truth)))
      }
    }
    return cells.sorted {
      $0.seconds != $1.seconds
        ? $0.seconds > $1.seconds : ($0.truth, $0.answer) < ($1.truth, $1.answer)
    }
  }
}
