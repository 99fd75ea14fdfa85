package import PoseModel

/// Text: `none?*12 high*300`; a question mark says that the rules could not decide.
package struct AnswerRuns: Hashable, Sendable {
  package let text: String

  package init(text: String) { self.text = text }

  package init(_ outcome: StreamOutcome, _ stream: AnswerStream) {
    var runs: [(token: String, count: Int)] = []
    for frame in outcome.answers.indices {
      let label = stream.labels[Int(outcome.answers[frame])]
      let token = outcome.isDetermined[frame] ? label : label + "?"
      if runs.last?.token == token {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((token, 1))
      }
    }
    text = runs.map { "\($0.token)*\($0.count)" }.joined(separator: " ")
  }

  package func outcome(_ stream: AnswerStream, frames: Int) -> StreamOutcome? {
    var answers: [UInt8] = []
    var isDetermined: [Bool] = []
    for run in text.split(separator: " ") {
      let parts = run.split(separator: "*", omittingEmptySubsequences: false)
      guard parts.count == 2, let count = Int(parts[1]), count >= 1, count <= frames - answers.count
      else { return nil }
      let isUnsure = parts[0].last == "?"
      guard let code = stream.code(of: String(isUnsure ? parts[0].dropLast() : parts[0]))
      else { return nil }
      answers += Array(repeating: code, count: count)
      isDetermined += Array(repeating: !isUnsure, count: count)
    }
    guard answers.count == frames else { return nil }
    return StreamOutcome(
      answers: answers, isDetermined: isDetermined,
      isHeld: Array(repeating: false, count: frames))
  }
}
