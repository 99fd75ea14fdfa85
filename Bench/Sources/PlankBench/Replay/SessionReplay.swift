internal import Evaluation
@_spi(Bench) internal import PlankDetection
internal import PoseDatasets
@_spi(Bench) internal import PoseModel

/// A sequence replayed as sessions: that of the labels and that of the detector's answers.
struct SessionReplay {
  let sequence: DatasetSequence
  let bench: BenchDetector
  /// The session of the labels, if there are any.
  let truth: SessionRun?
  /// The session of the answers, with form by its class.
  let answers: SessionRun
  /// The session of the answers, with form graded by the body angle, as in the article.
  let graded: SessionRun
  /// Hold time and longest hold of the labels and of the answers.
  let holds: ReplayHolds
  /// Where centimeters and angles disagree.
  let evidence: FormEvidence
  /// The states of every frame by ribbon.
  let timeline: Timeline

  /// Runs detector and sessions over a sequence.
  init(
    _ sequence: DatasetSequence, _ bench: BenchDetector, _ parameters: SessionParameters
  ) throws(WorkflowFailure) {
    self.sequence = sequence
    self.bench = bench
    let recording = sequence.recording
    let columns = bench.measure(recording, also: .all)
    let detection = bench.detector.detect(
      columns, times: recording.times, startsMid: sequence.startsMid)
    let labels = sequence.truth()
    let frames = SessionViews(
      recording.times, detection, columns, labels, bench.detector.gradeBands)
    let end = (recording.times.last ?? 0) + recording.frameWeight.value
    let isLabeled = sequence.labels != nil
    truth = isLabeled ? try SessionRun("labels", frames.truth, end: end, parameters) : nil
    answers = try SessionRun("answers", frames.answers, end: end, parameters)
    graded = try SessionRun("answers by grade", frames.graded, end: end, parameters)
    holds = ReplayHolds(sequence, detection)
    evidence = FormEvidence(detection, columns, columns, labels, bench.detector.gradeBands)
    timeline = Self.timeline(
      sequence, bench, frames, end: end,
      sessions: [truth, answers, graded].compactMap(\.self))
  }

  private static func timeline(
    _ sequence: DatasetSequence, _ bench: BenchDetector, _ frames: SessionViews, end: Double,
    sessions: [SessionRun]
  ) -> Timeline {
    let times = sequence.recording.times
    var ribbons: [Timeline.Ribbon] = []
    func add(_ name: String, _ states: [String]) {
      ribbons.append(Timeline.Ribbon(name, times: times, end: end, states: states))
    }
    if sequence.labels != nil { add("plank, label", frames.truth.map { $0.plank?.name ?? "" }) }
    add("plank, answer", frames.answers.map { $0.plank?.name ?? "" })
    if sequence.labels != nil { add("form, label", frames.truthForm) }
    add("form, answer", frames.answerForm)
    for session in sessions {
      add("session, " + session.name, session.log.stateNames)
      for record in session.summary.pauses {
        let (start, end) = (record.pause.start.value, record.end.value)
        ribbons[ribbons.count - 1].annotate(at: (start + end) / 2, record.pause.reason.sentence)
      }
    }
    return Timeline(
      title: sequence.name,
      subtitle: "detector \(bench.detector.definition.name), smoothing "
        + "\(bench.smoothingText), debounce \(bench.debounceText)", start: times.first ?? 0,
      end: end, ribbons: ribbons)
  }
}

extension PauseReason {
  /// The cause of a pause for people.
  var sentence: String {
    switch self {
    case .badForm: "paused: bad form"
    case .noPlank: "paused: no plank"
    case .lost: "paused: lost"
    }
  }
}

/// The frames of a sequence as sessions see them.
struct SessionViews {
  let truth: [SessionFrame]
  let answers: [SessionFrame]
  let graded: [SessionFrame]
  /// The names of the form classes, empty if nothing is known.
  let truthForm: [String]
  let answerForm: [String]

  init(
    _ times: [Double], _ detection: DetectionColumns, _ columns: MeasurementColumns,
    _ labels: FrameTruth, _ bands: GradeBands
  ) {
    truth = times.indices.map { frame in
      SessionFrame(
        time: Seconds(times[frame]), plank: PlankClass(code: labels.plank[frame]),
        form: FormClass(code: labels.form[frame]))
    }
    func answer(_ frame: Int) -> PlankClass? {
      detection.plank.isDetermined(at: frame)
        ? PlankClass(code: detection.plank.answers[frame]) : nil
    }
    func form(_ frame: Int) -> FormClass? {
      detection.form.isDetermined(at: frame)
        ? FormClass(code: detection.form.answers[frame]) : nil
    }
    answers = times.indices.map { frame in
      SessionFrame(time: Seconds(times[frame]), plank: answer(frame), form: form(frame))
    }
    graded = times.indices.map { frame in
      let angle = columns.value(of: .bodyAngle, at: frame)
      return SessionFrame(
        time: Seconds(times[frame]), plank: answer(frame),
        grade: answer(frame).flatMap { FormGrade(bodyAngle: angle, answer: $0, bands) })
    }
    truthForm = times.indices.map { FormClass(code: labels.form[$0])?.name ?? "" }
    answerForm = times.indices.map { frame in
      guard let plank = answer(frame), plank != .none else { return "" }
      return form(frame)?.name ?? ""
    }
  }
}

/// A session run over one view of a recording: the labels or the detector's answers.
struct SessionRun: Sendable {
  /// The input of the session, in a few words.
  let name: String
  /// Frame by frame.
  let log: SessionLog
  /// The session's result.
  let summary: SessionSummary

  /// Runs a session over frames; the recording's end finishes it.
  init(
    _ name: String, _ frames: [SessionFrame], end: Double, _ parameters: SessionParameters
  ) throws(WorkflowFailure) {
    self.name = name
    var log = SessionLog(parameters, reservedFrames: frames.count)
    for frame in frames {
      do {
        try log.append(frame)
      } catch {
        throw WorkflowFailure(.badData, "\(error)")
      }
    }
    self.log = log
    summary = log.summary(finishedAt: Seconds(end))
  }
}

/// Hold time and longest hold of one sequence, as `evaluate` counts them.
///
/// They cover spans of scored frames, with all planks as one class; gaps of up to 0.5 s do not end
/// the longest hold and count as held. Without labels every frame counts. A session's times differ:
/// they start once a plank was held for a while and leave pauses out.
struct ReplayHolds: Hashable, Sendable {
  /// The seconds of one side.
  struct Hold: Hashable, Sendable {
    /// The time for which a plank was held.
    let total: Double
    /// The longest hold, forgiven gaps included.
    let longest: Double
  }

  /// Those of the labels; nil without labels, or if the labels leave no frame to score.
  let truth: Hold?
  /// Those of the answers; nil if no frame is scored.
  let answers: Hold?

  /// Counts the holds of a sequence and of what was answered.
  init(_ sequence: DatasetSequence, _ detection: DetectionColumns) {
    let outcome = SequenceOutcome(
      sequence, PerStream(detection), truth: Self.truth(of: sequence))
    let counts = SequenceScores(outcome).plank.temporal.any.holds
    let isScored = counts.sequences > 0
    answers =
      isScored ? Hold(total: counts.answeredSeconds, longest: counts.longestAnswered) : nil
    truth =
      isScored && sequence.labels != nil
      ? Hold(total: counts.trueSeconds, longest: counts.longestTrue) : nil
  }

  /// The labels of a sequence; if it has none, `none` for all of it, so that every frame counts.
  private static func truth(of sequence: DatasetSequence) -> FrameTruth {
    let times = sequence.recording.times
    guard sequence.labels == nil, let first = times.first, let last = times.last,
      let whole = try? LabelTrack([
        LabeledSegment(start: Seconds(first), end: Seconds(last.nextUp), plank: PlankClass.none)
      ])
    else { return sequence.truth() }
    return whole.truth(at: times)
  }
}
