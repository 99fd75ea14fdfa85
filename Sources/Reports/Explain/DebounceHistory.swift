package import PlankDetection
package import PoseModel

struct DebounceHistory {
  private let labels: [String]
  private let words: DebounceWords
  private let holdSeconds: Double
  private let columns: StreamColumns
  private let times: [Double]
  private let debouncer: Debouncer

  init(
    _ detector: BatchDetector, _ columns: StreamColumns, _ stream: AnswerStream, times: [Double],
    startsMid: Bool
  ) {
    labels = stream.labels
    words = DebounceWords(detector, stream)
    holdSeconds = detector.parameters[.holdSeconds] ?? 0
    self.columns = columns
    self.times = times
    debouncer = detector.debouncer(stream, startsMid: startsMid)
  }

  func sentence(at frame: Int) -> String {
    var replay = debouncer
    var before: UInt8 = 0
    var answer: UInt8 = 0
    for index in 0...frame {
      before = answer
      answer = replay.update(columns.raw[index], at: times[index])
    }
    let raw = columns.raw[frame]
    let name = labels[Int(answer)]
    guard raw != Debouncer.undetermined else { return undecided(replay, name) }
    let run = replay.pending?.run ?? 0
    let seconds = NumberText.fixed(replay.pendingSeconds.value, 3)
    let count =
      "the raw label has been \(labels[Int(raw)]) for \(run) determined frame"
      + "\(run == 1 ? "" : "s in a row") "
      + "(\(seconds) s)"
    let change =
      answer != before
      ? "becomes \(name) here" : raw == answer ? "stays \(name)" : "is still \(name)"
    return "Debounce: \(count); \(words.need(from: before, to: raw)). The answer \(change)."
  }

  private func undecided(_ replay: Debouncer, _ name: String) -> String {
    let hold = NumberText.fixed(holdSeconds, 3)
    return replay.isHolding
      ? "Debounce: the rules did not decide; the last answer, \(name), is kept for at most \(hold) s."
      : "Debounce: the rules have not decided for more than \(hold) s (or since the start), so the "
        + "answer is empty, \(name)."
  }
}

package struct DebounceWords {
  private let rule: StrategySettings<DebounceKind>?
  private let framesNeeded: Int

  package init(_ detector: BatchDetector, _ stream: AnswerStream) {
    rule = detector.debounce[stream]
    framesNeeded = Int(detector.parameters[stream == .plank ? .plankFrames : .formFrames] ?? 1)
  }

  package func need(from answer: UInt8, to raw: UInt8) -> String {
    guard let rule else { return "a change takes \(frames(framesNeeded))" }
    let (key, change): (ParameterKey, String) =
      answer == 0 ? (.enter, "entry") : raw == 0 ? (.exit, "exit") : (.switchOver, "a switch")
    switch rule.kind {
    case .none: return "a change takes 1 frame"
    case .consecutive: return "\(change) takes \(frames(Int(rule[key] ?? 1)))"
    case .dwell: return "\(change) takes \(NumberText.shortest(rule[key] ?? 0)) s"
    case .vote:
      return "a change takes \(Int(rule[.votes] ?? 1)) of the last "
        + "\(Int(rule[.ballots] ?? 1)) frames"
    }
  }

  private func frames(_ count: Int) -> String {
    count == 1 ? "1 frame" : "\(count) frames in a row"
  }
}
