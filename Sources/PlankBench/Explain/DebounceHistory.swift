internal import PlankDetection
internal import PoseModel

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
      "the raw label \(labels[Int(raw)]) has stood for \(run) frame\(run == 1 ? "" : "s") "
      + "(\(seconds) s) in which the rules decided"
    let change =
      answer != before
      ? "becomes \(name) here" : raw == answer ? "stays \(name)" : "is still \(name)"
    return "Debounce: \(count); \(words.need(from: before, to: raw)): the answer \(change)."
  }

  private func undecided(_ replay: Debouncer, _ name: String) -> String {
    let hold = NumberText.fixed(holdSeconds, 3)
    return replay.isHolding
      ? "Debounce: the rules did not decide; the last answer, \(name), is kept for at most \(hold) s."
      : "Debounce: the rules have not decided for longer than \(hold) s (or from the start): the "
        + "answer is empty, \(name)."
  }
}

struct DebounceWords {
  private let rule: StrategySettings<DebounceKind>?
  private let framesNeeded: Int

  init(_ detector: BatchDetector, _ stream: AnswerStream) {
    rule = detector.debounce[stream]
    framesNeeded = Int(detector.parameters[stream == .plank ? .plankFrames : .formFrames] ?? 1)
  }

  func need(from answer: UInt8, to raw: UInt8) -> String {
    guard let rule else { return frames(framesNeeded, "for a change") }
    let (key, change): (ParameterKey, String) =
      answer == 0
      ? (.enter, "to enter") : raw == 0 ? (.exit, "to exit") : (.switchOver, "to switch")
    switch rule.kind {
    case .none: return frames(1, "for a change")
    case .consecutive: return frames(Int(rule[key] ?? 1), change)
    case .dwell: return "\(NumberText.shortest(rule[key] ?? 0)) s are needed \(change)"
    case .vote:
      return "\(Int(rule[.votes] ?? 1)) of the last \(Int(rule[.ballots] ?? 1)) frames are needed"
    }
  }

  private func frames(_ count: Int, _ change: String) -> String {
    count == 1 ? "one is enough \(change)" : "\(count) in a row are needed \(change)"
  }
}
