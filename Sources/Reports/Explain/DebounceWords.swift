package import PlankDetection
internal import PoseDatasets
package import PoseModel

extension MomentExplanation {
  func debounceSentence(_ stream: AnswerStream) -> String {
    let (raw, labels) = (answers[stream].raw, stream.labels)
    var replay = detector.debouncer(stream, startsMid: sequence.startsMid)
    var before: UInt8 = 0
    var answer: UInt8 = 0
    for index in 0...frame {
      before = answer
      answer = replay.update(raw[index], at: recording.times[index])
    }
    let label = raw[frame]
    let name = labels[Int(answer)]
    guard label != Debouncer.undetermined else { return undecided(replay, name) }
    let run = replay.pending?.run ?? 0
    let seconds = NumberText.fixed(replay.pendingSeconds.value, 3)
    let count =
      "the raw label has been \(labels[Int(label)]) for \(run) determined frame"
      + "\(run == 1 ? "" : "s in a row") "
      + "(\(seconds) s)"
    let change =
      answer != before
      ? "becomes \(name) here" : label == answer ? "stays \(name)" : "is still \(name)"
    let need = DebounceWords(detector, stream).need(from: before, to: label)
    return "Debounce: \(count); \(need). The answer \(change)."
  }

  private func undecided(_ replay: Debouncer, _ name: String) -> String {
    let hold = NumberText.fixed(detector.parameters[.holdSeconds] ?? 0, 3)
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
