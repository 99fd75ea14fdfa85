package import PoseModel

/// The sufficient statistics of one sequence.
///
/// Every metric can be computed from them, pooled over any multiset of sequences or subjects.
package struct SequenceScores: Equatable, Sendable {
  package let name: String
  package let subject: String?
  package let source: String?
  package let tags: [String: String]
  package let frameWeight: Seconds
  private let counts: Counts

  private final class Counts: Equatable, Sendable {
    let detail: Detail
    let streams: PerStream<StreamCounts>
    let formEndToEnd: StreamCounts
    let activities: [ActivityCounts]

    init(
      _ detail: Detail, _ streams: PerStream<StreamCounts>, formEndToEnd: StreamCounts,
      activities: [ActivityCounts]
    ) {
      self.detail = detail
      self.streams = streams
      self.formEndToEnd = formEndToEnd
      self.activities = activities
    }

    static func == (left: Counts, right: Counts) -> Bool {
      left === right
        || (left.detail == right.detail && left.streams == right.streams
          && left.formEndToEnd == right.formEndToEnd && left.activities == right.activities)
    }
  }

  package enum Detail: Comparable, Hashable, Sendable {
    case frames
    case metrics
    case report
    case all
  }

  package init(_ outcome: SequenceOutcome, detail: Detail = .all) {
    let streams = PerStream { StreamCounts(outcome, $0, detail) }
    guard detail >= .report else {
      self.init(outcome, detail, streams, formEndToEnd: StreamCounts(.form), activities: [])
      return
    }
    let rightPlankOnly = outcome.times.indices.map { frame in
      outcome.plank.answers[frame] == outcome.truth.plank[frame]
        ? outcome.truth.form[frame] : FrameTruth.unjudged
    }
    self.init(
      outcome, detail, streams,
      formEndToEnd: StreamCounts(outcome, .form, truth: rightPlankOnly, detail),
      activities: ActivityCounts.all(in: outcome))
  }

  /// Counts only how often other answers to a sequence are right and how often they change.
  ///
  /// A stream with the same answers as in `earlier` keeps all its counts.
  package init(
    _ outcome: SequenceOutcome, beside earlier: (outcome: SequenceOutcome, scores: SequenceScores)
  ) {
    let isSame = PerStream { earlier.outcome[$0] == outcome[$0] }
    let areSame = isSame.plank && isSame.form
    self.init(
      outcome, areSame ? earlier.scores.detail : .frames,
      PerStream { stream in
        isSame[stream] ? earlier.scores[stream] : StreamCounts(outcome, stream, .frames)
      },
      formEndToEnd: areSame ? earlier.scores.formEndToEnd : StreamCounts(.form),
      activities: areSame ? earlier.scores.activities : [])
  }

  private init(
    _ outcome: SequenceOutcome, _ detail: Detail, _ streams: PerStream<StreamCounts>,
    formEndToEnd: StreamCounts, activities: [ActivityCounts]
  ) {
    name = outcome.name
    subject = outcome.subject
    source = outcome.source
    tags = outcome.tags
    frameWeight = outcome.frameWeight
    counts = Counts(detail, streams, formEndToEnd: formEndToEnd, activities: activities)
  }

  init(_ scores: SequenceScores, _ counts: ActivityCounts) {
    name = scores.name
    subject = scores.subject
    source = scores.source
    tags = scores.tags
    frameWeight = scores.frameWeight
    self.counts = Counts(
      .frames, PerStream { StreamCounts(counts, $0) }, formEndToEnd: StreamCounts(counts, .form),
      activities: [counts])
  }

  package var detail: Detail { counts.detail }

  package var plank: StreamCounts { counts.streams.plank }

  package var form: StreamCounts { counts.streams.form }

  package subscript(stream: AnswerStream) -> StreamCounts { counts.streams[stream] }

  package var formEndToEnd: StreamCounts { counts.formEndToEnd }

  package var activities: [ActivityCounts] { counts.activities }
}

/// The counts of one stream of a sequence, in an object because copying its many parts costs more
/// than reading them.
package final class StreamCounts: Equatable, Sendable {
  package let frames: FrameCounts
  package let confusion: ConfusionMatrix<Int>
  package let determined: ConfusionMatrix<Int>
  package let stability: StabilityCounts
  package let dwells: DwellCounts
  package let temporal: TemporalCounts

  init(confusion: ConfusionMatrix<Int>, determined: ConfusionMatrix<Int>, _ stream: AnswerStream) {
    frames = FrameCounts(scored: confusion.total, determined: determined.total)
    self.confusion = confusion
    self.determined = determined
    stability = StabilityCounts()
    dwells = DwellCounts()
    temporal = TemporalCounts(stream)
  }

  fileprivate convenience init(_ stream: AnswerStream) {
    let nothing = ConfusionMatrix<Int>(labels: stream.labels)
    self.init(confusion: nothing, determined: nothing, stream)
  }

  init(
    _ outcome: SequenceOutcome, _ stream: AnswerStream, truth: [UInt8]? = nil,
    _ detail: SequenceScores.Detail
  ) {
    let own = ScoredStream(outcome, stream)
    let scored = truth.map { ScoredStream(own, truth: $0) } ?? own
    let answered = outcome[stream]
    let labels = stream.labels
    var all = Array(repeating: 0, count: labels.count * labels.count)
    var determined = all
    for frame in scored.times.indices where scored.isScored(frame) {
      precondition(scored.answers[frame] < labels.count, "an answer is a code of its stream")
      let cell = Int(scored.truth[frame]) * labels.count + Int(scored.answers[frame])
      all[cell] += 1
      if answered.isDetermined[frame] { determined[cell] += 1 }
    }
    frames = FrameCounts(truth: scored.truth, outcome: answered, missing: outcome.missingFrames)
    confusion = ConfusionMatrix(labels: labels, cells: all)
    self.determined = ConfusionMatrix(labels: labels, cells: determined)
    stability = StabilityCounts(scored)
    let spans = detail == .frames ? [] : scored.spans
    dwells = detail == .all ? DwellCounts(spans, labelCount: labels.count) : DwellCounts()
    temporal = TemporalCounts(scored, spans, of: stream, detail)
  }

  package static func == (left: StreamCounts, right: StreamCounts) -> Bool {
    left === right
      || (left.frames == right.frames && left.confusion == right.confusion
        && left.determined == right.determined && left.stability == right.stability
        && left.dwells == right.dwells && left.temporal == right.temporal)
  }
}

/// How many frames of a stream are scored, missing, undetermined or held.
///
/// `scored + ignored + unlabeled + unjudged == frames`; missing, undetermined and held frames are
/// counted over all frames, scored or not.
package struct FrameCounts: Codable, Hashable, Sendable {
  package private(set) var frames = 0
  package private(set) var scored = 0
  package private(set) var scoredDetermined = 0
  package private(set) var missing = 0
  package private(set) var undetermined = 0
  package private(set) var held = 0
  package private(set) var ignored = 0
  package private(set) var unlabeled = 0
  package private(set) var unjudged = 0

  private enum CodingKeys: String, CodingKey {
    case frames
    case scored = "scored_frames"
    case scoredDetermined = "scored_determined_frames"
    case missing = "missing_frames"
    case undetermined = "undetermined_frames"
    case held = "held_frames"
    case ignored = "ignored_frames"
    case unlabeled = "unlabeled_frames"
    case unjudged = "unjudged_frames"
  }

  package init() {}

  init(scored: Int, determined: Int) {
    frames = scored
    self.scored = scored
    scoredDetermined = determined
    undetermined = scored - determined
  }

  init(truth: [UInt8], outcome: StreamOutcome, missing: Int) {
    frames = truth.count
    self.missing = missing
    for (frame, code) in truth.enumerated() {
      let isDetermined = outcome.isDetermined[frame]
      if !isDetermined { undetermined += 1 }
      if outcome.isHeld[frame] { held += 1 }
      switch code {
      case FrameTruth.ignored: ignored += 1
      case FrameTruth.unlabeled: unlabeled += 1
      case FrameTruth.unjudged: unjudged += 1
      default:
        scored += 1
        if isDetermined { scoredDetermined += 1 }
      }
    }
  }

  /// Whether there are scored frames but the rules decided fewer than half of them.
  ///
  /// A score with so few decided frames says nothing about the rules.
  package var isNoEvidence: Bool { scored > 0 && 2 * scoredDetermined < scored }

  package static func += (left: inout FrameCounts, right: FrameCounts) {
    left.frames += right.frames
    left.scored += right.scored
    left.scoredDetermined += right.scoredDetermined
    left.missing += right.missing
    left.undetermined += right.undetermined
    left.held += right.held
    left.ignored += right.ignored
    left.unlabeled += right.unlabeled
    left.unjudged += right.unjudged
  }
}

/// The counts of a sequence by activity, with nil for frames without an activity.
package struct ActivityCounts: Hashable, Sendable {
  package let activity: String?
  private var streams: PerStream<Counts>

  private struct Counts: Hashable, Sendable {
    var confusion: ConfusionMatrix<Int>
    var determined: ConfusionMatrix<Int>

    init(_ stream: AnswerStream) {
      confusion = ConfusionMatrix(labels: stream.labels)
      determined = confusion
    }
  }

  private init(activity: String?) {
    self.activity = activity
    streams = PerStream { Counts($0) }
  }

  init(whole scores: SequenceScores) {
    self.init(activity: nil)
    for stream in AnswerStream.allCases {
      streams[stream].confusion = scores[stream].confusion
      streams[stream].determined = scores[stream].determined
    }
  }

  package func confusion(_ stream: AnswerStream) -> ConfusionMatrix<Int> {
    streams[stream].confusion
  }

  func determined(_ stream: AnswerStream) -> ConfusionMatrix<Int> { streams[stream].determined }

  private var isScored: Bool { AnswerStream.allCases.contains { confusion($0).total > 0 } }

  static func all(in outcome: SequenceOutcome) -> [ActivityCounts] {
    guard let track = outcome.activities else { return [] }
    let names = track.names
    let places = track.activities(at: outcome.times).map { $0 ?? names.count }
    var counts = names.map { ActivityCounts(activity: $0) } + [ActivityCounts(activity: nil)]
    for stream in AnswerStream.allCases {
      let (truth, answered) = (outcome.truth.codes(stream), outcome[stream])
      for frame in truth.indices where FrameTruth.isScored(truth[frame]) {
        let (row, column) = (Int(truth[frame]), Int(answered.answers[frame]))
        counts[places[frame]].streams[stream].confusion.count(row, column)
        guard answered.isDetermined[frame] else { continue }
        counts[places[frame]].streams[stream].determined.count(row, column)
      }
    }
    return counts.filter(\.isScored)
  }
}

extension SequenceScores {
  /// The confusion matrices of one activity; nil if no scored frame has the activity.
  ///
  /// Changes, events and latencies are empty, because they have no meaning in pieces of time.
  package func during(_ activity: String) -> SequenceScores? {
    guard let counts = activities.first(where: { $0.activity == activity }) else { return nil }
    return SequenceScores(self, counts)
  }
}

extension StreamCounts {
  convenience init(_ counts: ActivityCounts, _ stream: AnswerStream) {
    self.init(confusion: counts.confusion(stream), determined: counts.determined(stream), stream)
  }
}

/// The counts of one stream pooled over sequences, in frames and in seconds.
///
/// Pools add up: a subject's pool is the sum over the subject's sequences, and a resample of
/// subjects is the sum of their pools, repeats included. Metrics come from the pool, never from a
/// mean of metrics (Forman and Scholz 2010, SIGKDD Explorations 12(1)). In seconds, each sequence's
/// counts are weighted by its median frame interval, so that a recording at 60 Hz does not outvote
/// one at 8 Hz.
package struct PooledCounts: Hashable, Sendable {
  package let stream: AnswerStream
  package private(set) var frames: ConfusionMatrix<Int>
  package private(set) var seconds: ConfusionMatrix<Double>
  package private(set) var determinedFrames: ConfusionMatrix<Int>
  package private(set) var determinedSeconds: ConfusionMatrix<Double>
  package private(set) var stability = StabilityCounts()
  package private(set) var dwells = DwellCounts()
  package private(set) var temporal: TemporalCounts
  package private(set) var frameCounts = FrameCounts()

  package init(_ stream: AnswerStream) {
    self.stream = stream
    frames = ConfusionMatrix(labels: stream.labels)
    determinedFrames = frames
    seconds = ConfusionMatrix(labels: stream.labels)
    determinedSeconds = seconds
    temporal = TemporalCounts(stream)
  }

  package init(_ sequences: some Sequence<SequenceScores>, _ stream: AnswerStream) {
    self.init(stream)
    for sequence in sequences { add(sequence[stream], frameWeight: sequence.frameWeight) }
  }

  package init(formEndToEnd sequences: some Sequence<SequenceScores>) {
    self.init(.form)
    for sequence in sequences { add(sequence.formEndToEnd, frameWeight: sequence.frameWeight) }
  }

  package mutating func add(_ counts: StreamCounts, frameWeight: Seconds) {
    frames += counts.confusion
    determinedFrames += counts.determined
    seconds += counts.confusion.weighted(by: frameWeight.value)
    determinedSeconds += counts.determined.weighted(by: frameWeight.value)
    stability += counts.stability
    dwells += counts.dwells
    temporal += counts.temporal
    frameCounts += counts.frames
  }

  package static func += (left: inout PooledCounts, right: PooledCounts) {
    left.frames += right.frames
    left.determinedFrames += right.determinedFrames
    left.seconds += right.seconds
    left.determinedSeconds += right.determinedSeconds
    left.stability += right.stability
    left.dwells += right.dwells
    left.temporal += right.temporal
    left.frameCounts += right.frameCounts
  }
}
