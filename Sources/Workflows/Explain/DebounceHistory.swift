internal import PlankDetection
internal import PoseModel
internal import Reporting

/// What debounce made of the raw labels up to a frame, in words.
struct DebounceHistory {
  private let labels: [String]
  private let framesNeeded: Int
  private let holdSeconds: Double
  private let columns: StreamColumns
  private let times: [Double]
  private var debouncer: Debouncer

  /// Prepares a replay of one stream's raw labels.
  init(
    _ detector: BatchDetector, _ columns: StreamColumns, _ stream: AnswerStream, times: [Double],
    startsMid: Bool
  ) {
    let key: ParameterKey = stream == .plank ? .plankFrames : .formFrames
    labels = stream.labels
    framesNeeded = Int(detector.parameters[key] ?? 1)
    holdSeconds = detector.parameters[.holdSeconds] ?? 0
    self.columns = columns
    self.times = times
    debouncer = Debouncer(
      framesNeeded: framesNeeded, holdSeconds: Seconds(holdSeconds), startsMid: startsMid)
  }

  /// How the answer at a frame came about.
  func sentence(at frame: Int, raw: String?) -> String {
    var replay = debouncer
    var before: UInt8 = 0
    var answer: UInt8 = 0
    for index in 0...frame {
      before = answer
      answer = replay.update(columns.raw[index], at: times[index])
    }
    let name = labels[Int(answer)]
    guard let raw else { return undetermined(replay, name) }
    let run = replay.pending?.run ?? 0
    let count = "the raw label \(raw) has stood for \(run) determined frame\(run == 1 ? "" : "s")"
    let need = "\(framesNeeded) in a row \(framesNeeded == 1 ? "is" : "are") needed"
    if answer != before {
      return "Debounce: \(count), \(need): the answer becomes \(name) here."
    }
    if raw == name { return "Debounce: \(count), \(need): the answer stays \(name)." }
    return "Debounce: \(count), \(need): the answer is still \(name)."
  }

  private func undetermined(_ replay: Debouncer, _ name: String) -> String {
    let hold = NumberText.fixed(holdSeconds, 3)
    return replay.isHolding
      ? "Debounce: the frame is undetermined; the answer \(name) is held, for at most \(hold) s."
      : "Debounce: the frame is undetermined for longer than \(hold) s (or from the start): the "
        + "answer is empty, \(name)."
  }
}
