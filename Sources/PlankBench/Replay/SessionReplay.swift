internal import Evaluation
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Statistics
internal import Tuning

/// The result of `planklab replay`: a sequence as the session of its labels and those of the
/// detector's answers.
struct SessionReplay: CommandResult {
  static let command = "replay"
  static let schemaVersion = 2

  /// The sessions of one sequence.
  struct Sessions: Hashable, Sendable, Codable {
    /// The session of the labels; nil without labels.
    let labels: ReplayedSession?
    /// The session of the answers, with form by its class.
    let answers: ReplayedSession
    /// The session of the answers, with form graded by the body angle, as in the article.
    let graded: ReplayedSession

    private enum CodingKeys: String, CodingKey {
      case labels, answers
      case graded = "answers_by_grade"
    }

    /// The sessions with their names, first that of the labels.
    var named: [(name: String, session: ReplayedSession)] {
      [labels.map { ("labels", $0) }, ("answers", answers), ("answers by grade", graded)]
        .compactMap(\.self)
    }
  }

  /// The detector's name.
  let detector: String
  /// Every parameter of the detector.
  let parameters: [ParameterFact]
  /// The sessions.
  let sessions: Sessions
  /// Hold time and longest hold of the labels and of the answers.
  let holds: ReplayHolds
  /// The states of every frame by ribbon.
  let timeline: Timeline
  /// Notes on the detector and its evidence.
  let notes: [String]
  /// The command that explains a moment; nil in a result that was saved before it was kept.
  let explain: ExplainCommand?

  /// Runs detector and sessions over a sequence.
  init(
    _ sequence: DatasetSequence, _ bench: BenchDetector, _ parameters: SessionParameters,
    explain: ExplainCommand? = nil
  ) throws {
    let recording = sequence.recording
    let columns = bench.measure(recording, also: .all)
    let detection = bench.detector.detect(
      columns, times: recording.times, startsMid: sequence.startsMid)
    let labels = sequence.truth()
    let frames = SessionViews(
      recording.times, detection, columns, labels, bench.detector.gradeBands)
    let end = (recording.times.last ?? 0) + recording.frameWeight.value
    let isLabeled = sequence.labels != nil
    let truth = isLabeled ? try SessionRun("labels", frames.truth, end: end, parameters) : nil
    let answers = try SessionRun("answers", frames.answers, end: end, parameters)
    let graded = try SessionRun("answers by grade", frames.graded, end: end, parameters)
    sessions = Sessions(
      labels: truth.map { ReplayedSession($0.summary) }, answers: ReplayedSession(answers.summary),
      graded: ReplayedSession(graded.summary))
    holds = ReplayHolds(sequence, detection)
    timeline = Self.timeline(
      sequence, bench, frames, end: end,
      sessions: [truth, answers, graded].compactMap(\.self))
    let evidence = FormEvidence(detection, columns, columns, labels, bench.detector.gradeBands)
    notes = FormEvidence.notes([evidence]) + [bench.caution].compactMap(\.self)
    detector = bench.detector.definition.name
    self.explain = explain
    self.parameters = bench.detector.parameters.facts()
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
        + "\(bench.smoothingText), debounce \(debounceWords(bench))", start: times.first ?? 0,
      end: end, ribbons: ribbons)
  }

  /// The debounce, with the numbers of parameters where they decide.
  private static func debounceWords(_ bench: BenchDetector) -> String {
    guard bench.detector.debounce == .parameters else { return bench.debounceText }
    return [ParameterKey.plankFrames, .formFrames].compactMap { key in
      bench.detector.parameters[key].map {
        "\(NumberText.count(Int($0), "frame")) (\(key.rawValue))"
      }
    }.joined(separator: ", ")
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

/// The result of a session, as replays show it.
struct ReplayedSession: Hashable, Sendable, Codable {
  /// How a session ended.
  struct End: Hashable, Sendable, Codable {
    /// The state at the end of the recording: `idle`, `active`, `paused` or `ended`.
    let state: String
    /// Why it ended; nil if it did not.
    let reason: SessionEnd.Reason?
    /// When it ended; nil if it did not.
    let time: Seconds?

    private enum CodingKeys: String, CodingKey {
      case state, reason
      case time = "time_s"
    }

    fileprivate init(_ end: SessionState) {
      state = end.name
      if case .ended(let end) = end {
        (reason, time) = (end.reason, end.time)
      } else {
        (reason, time) = (nil, nil)
      }
    }
  }

  /// A pause and its outcome.
  struct Pause: Hashable, Sendable, Codable {
    /// The cause.
    let reason: PauseReason
    /// When the cause began.
    let causeStart: Seconds
    /// When the session paused.
    let start: Seconds
    /// When the pause would have ended the session.
    let deadline: Seconds
    /// When the pause was over.
    let end: Seconds
    /// Whether the session resumed rather than ended.
    let isResumed: Bool

    private enum CodingKeys: String, CodingKey {
      case reason
      case causeStart = "cause_start_s"
      case start = "start_s"
      case deadline = "deadline_s"
      case end = "end_s"
      case isResumed = "resumed"
    }
  }

  /// A stretch of one plank.
  struct Segment: Hashable, Sendable, Codable {
    /// The plank.
    let plank: PlankClass
    /// When it started to count.
    let start: Seconds
    /// The time of the first frame that is not part of it.
    let end: Seconds

    private enum CodingKeys: String, CodingKey {
      case plank
      case start = "start_s"
      case end = "end_s"
    }
  }

  /// The mean score over frames, 0...100.
  let scoreByFrames: MetricValue
  /// The mean score over time, 0...100.
  let scoreByTime: MetricValue
  /// The mean score over time with more weight on the last part of it, 0...100.
  let scoreLate: MetricValue
  /// The session's duration, without pauses.
  let activeTime: Seconds
  /// The longest stretch without a pause.
  let longestStretch: Seconds
  /// The time that was graded.
  let gradedTime: Seconds
  /// How often the session became active.
  let stretches: Int
  /// Whether it was long enough to count.
  let isLongEnough: Bool
  /// How it ended.
  let end: End
  /// The pauses, in order.
  let pauses: [Pause]
  /// Which plank was held, and when.
  let segments: [Segment]

  private enum CodingKeys: String, CodingKey {
    case scoreByFrames = "score_by_frames"
    case scoreByTime = "score_by_time"
    case scoreLate = "score_late"
    case activeTime = "active_s"
    case longestStretch = "longest_stretch_s"
    case gradedTime = "graded_s"
    case stretches
    case isLongEnough = "long_enough"
    case end, pauses, segments
  }

  /// Takes the result of a session.
  init(_ summary: SessionSummary) {
    func score(_ value: Double?) -> MetricValue {
      value.map(MetricValue.value) ?? .undefined(.noGradedFrame)
    }
    scoreByFrames = score(summary.scores.frameCount)
    scoreByTime = score(summary.scores.timeWeighted)
    scoreLate = score(summary.scores.lateWeighted)
    activeTime = summary.activeTime
    longestStretch = summary.longestStretch
    gradedTime = summary.scores.gradedTime
    stretches = summary.stretches
    isLongEnough = summary.isLongEnough
    end = End(summary.end)
    pauses = summary.pauses.map { record in
      let pause = record.pause
      return Pause(
        reason: pause.reason, causeStart: pause.causeStart, start: pause.start,
        deadline: pause.deadline, end: record.end, isResumed: record.isResumed)
    }
    segments = summary.segments.map {
      Segment(plank: $0.plank, start: $0.start, end: $0.end)
    }
  }
}

extension UndefinedReason {
  /// The reason for an undefined session score if nothing is graded.
  fileprivate static let noGradedFrame = UndefinedReason(
    "no frame of an active session is graded")
  /// The reason for an undefined hold time if nothing is scored.
  fileprivate static let noScoredFrameToHold = UndefinedReason("no frame is scored")
  /// The reason for an undefined hold time without labels.
  fileprivate static let noLabels = UndefinedReason("there are no labels")
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
  ) throws {
    self.name = name
    var log = SessionLog(parameters, reservedFrames: frames.count)
    for frame in frames {
      try log.append(frame)
    }
    self.log = log
    summary = log.summary(finishedAt: Seconds(end))
  }
}

/// Hold time and longest hold of one sequence, as `evaluate` counts them.
///
/// They cover spans of scored frames, with all planks as one class; gaps of up to 0.5 s do not end
/// the longest hold and count as held. Without labels every frame counts. A session's times differ:
/// they start once a plank has been held for a while and leave pauses out.
struct ReplayHolds: Hashable, Sendable, Codable {
  /// The seconds of one side.
  struct Hold: Hashable, Sendable, Codable {
    /// The time for which a plank was held.
    let total: MetricValue
    /// The longest hold, forgiven gaps included.
    let longest: MetricValue

    private enum CodingKeys: String, CodingKey {
      case total = "total_s"
      case longest = "longest_s"
    }

    fileprivate init(_ total: Double, longest: Double) {
      self.total = .value(total)
      self.longest = .value(longest)
    }

    fileprivate init(undefined reason: UndefinedReason) {
      total = .undefined(reason)
      longest = .undefined(reason)
    }
  }

  /// Whether there are labels.
  let isLabeled: Bool
  /// The hold times of the labels.
  let labels: Hold
  /// The hold times of the answers.
  let answers: Hold

  private enum CodingKeys: String, CodingKey {
    case isLabeled = "labeled"
    case labels, answers
  }

  /// Counts the holds of a sequence and of what was answered.
  init(_ sequence: DatasetSequence, _ detection: DetectionColumns) {
    let outcome = SequenceOutcome(
      sequence, PerStream(detection), truth: Self.truth(of: sequence))
    let counts = SequenceScores(outcome, detail: .metrics).plank.temporal.any.holds
    isLabeled = sequence.labels != nil
    guard counts.sequences > 0 else {
      labels = Hold(undefined: .noScoredFrameToHold)
      answers = Hold(undefined: .noScoredFrameToHold)
      return
    }
    answers = Hold(counts.answeredSeconds, longest: counts.longestAnswered)
    labels =
      isLabeled
      ? Hold(counts.trueSeconds, longest: counts.longestTrue) : Hold(undefined: .noLabels)
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
