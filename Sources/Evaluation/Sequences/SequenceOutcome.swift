package import PoseModel

/// The truth and the answers of one sequence: the whole input of scoring, 16 bytes per frame.
package struct SequenceOutcome: Hashable, Sendable {
  package let name: String
  package let subject: String?
  package let source: String?
  package let tags: [String: String]
  package let activities: ActivityTrack?
  package let times: [Double]
  package private(set) var truth: FrameTruth
  private var streams: PerStream<StreamOutcome>
  package let missingFrames: Int
  /// The seconds that one frame represents when sequences are pooled: the median interval.
  package let frameWeight: Seconds

  package init(
    name: String, subject: String? = nil, source: String? = nil, tags: [String: String] = [:],
    activities: ActivityTrack? = nil, times: [Double], truth: FrameTruth, plank: StreamOutcome,
    form: StreamOutcome, missingFrames: Int = 0, frameWeight: Seconds
  ) {
    precondition(
      [truth.plank.count, plank.answers.count, form.answers.count]
        .allSatisfy { $0 == times.count }, "the columns of a sequence have one element per frame")
    precondition(frameWeight.value > 0 && frameWeight.value.isFinite, "a frame takes some time")
    self.name = name
    self.subject = subject
    self.source = source
    self.tags = tags
    self.activities = activities
    self.times = times
    self.truth = truth
    streams = PerStream(plank: plank, form: form)
    self.missingFrames = missingFrames
    self.frameWeight = frameWeight
  }

  package var frameCount: Int { times.count }

  package var plank: StreamOutcome { streams.plank }

  package var form: StreamOutcome { streams.form }

  package subscript(stream: AnswerStream) -> StreamOutcome { streams[stream] }

  package func answered(_ streams: PerStream<StreamOutcome>) -> SequenceOutcome {
    precondition(
      streams.all.allSatisfy { $0.answers.count == frameCount }, "an answer belongs to a frame")
    var outcome = self
    outcome.streams = streams
    return outcome
  }
}

extension SequenceOutcome {
  /// Scores a frame only where all answers are scored, so that sides that are calibrated by
  /// different seconds are compared on the same frames.
  package static func scoredAlike(_ outcomes: [SequenceOutcome]) -> [SequenceOutcome] {
    guard var truth = outcomes.first?.truth, outcomes.contains(where: { $0.truth != truth }) else {
      return outcomes
    }
    for stream in AnswerStream.allCases {
      let codes = outcomes.map { $0.truth.codes(stream) }
      for frame in codes[0].indices
      where codes.contains(where: { !FrameTruth.isScored($0[frame]) }) {
        truth.ignore(frame..<frame + 1, in: stream)
      }
    }
    return outcomes.map { outcome in
      var outcome = outcome
      outcome.truth = truth
      return outcome
    }
  }
}

package struct StreamOutcome: Hashable, Sendable {
  package let answers: [UInt8]
  package let isDetermined: [Bool]
  /// Whether the frame is undetermined and keeps an earlier answer.
  package let isHeld: [Bool]

  package init(answers: [UInt8], isDetermined: [Bool], isHeld: [Bool]) {
    precondition(
      answers.count == isDetermined.count && answers.count == isHeld.count,
      "the columns of a stream have one element per frame")
    self.answers = answers
    self.isDetermined = isDetermined
    self.isHeld = isHeld
  }

  package init(answers: [UInt8]) {
    self.init(
      answers: answers, isDetermined: Array(repeating: true, count: answers.count),
      isHeld: Array(repeating: false, count: answers.count))
  }
}
