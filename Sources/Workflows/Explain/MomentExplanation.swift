internal import PlankDetection
internal import PoseDatasets
internal import PoseModel

/// Everything that `explain` says about one frame.
struct MomentExplanation {
  let context: RecordingContext
  let frame: Int
  let detector: BatchDetector
  let columns: MeasurementColumns
  let answers: DetectionColumns

  /// The recording of the frame.
  var recording: Recording { context.sequence.recording }
  /// The frame's time in seconds.
  var time: Double { recording.times[frame] }

  /// The rules of a stream with what they made of the frame.
  func traces(_ stream: AnswerStream) -> [RuleTrace] {
    let list = detector.definition.list(stream)
    let traces = try? list.trace(detector.parameters) { columns.value(of: $0, at: frame) }
    return traces ?? []
  }

  /// The true label of the frame, or why there is none.
  func truth(_ stream: AnswerStream) -> String {
    let code = context.sequence.truth().codes(stream)[frame]
    switch code {
    case FrameTruth.unlabeled: return "unlabeled"
    case FrameTruth.ignored: return "ignore"
    case FrameTruth.unjudged: return "not judged"
    default: return stream.labels[Int(code)]
    }
  }

  /// The label that the rules gave; nil for an undetermined frame.
  func rawLabel(_ stream: AnswerStream) -> String? {
    let code = answers[stream].raw[frame]
    return code == Debouncer.undetermined ? nil : stream.labels[Int(code)]
  }

  /// The steady answer after the frame.
  func answer(_ stream: AnswerStream) -> String {
    stream.labels[Int(answers[stream].answers[frame])]
  }

  /// The grade of the body angle for the answer's class.
  var grade: FormGrade? {
    PlankClass(rawValue: answers.plank.answers[frame]).flatMap {
      FormGrade(bodyAngle: columns.value(of: .bodyAngle, at: frame), answer: $0)
    }
  }

  /// How the raw label became the answer, in a sentence.
  func debounceSentence(_ stream: AnswerStream) -> String {
    let steps = DebounceHistory(
      detector, answers[stream], stream, times: recording.times,
      startsMid: context.sequence.startsMid)
    return steps.sentence(at: frame, raw: rawLabel(stream))
  }
}
