package import PoseModel

package struct AnswerComparison: Codable, Hashable, Sendable {
  package struct Stream: Codable, Hashable, Sendable {
    package fileprivate(set) var framesCompared = 0
    package fileprivate(set) var framesDiffering = 0
    package fileprivate(set) var firstDifferences: [AnswerDifference] = []

    private enum CodingKeys: String, SnakeCaseKey {
      case framesCompared, framesDiffering, firstDifferences
    }

    fileprivate mutating func add(_ other: Stream) {
      framesCompared += other.framesCompared
      framesDiffering += other.framesDiffering
      let room = AnswerComparison.differenceLimit - firstDifferences.count
      firstDifferences += other.firstDifferences.prefix(room)
    }
  }

  package static let differenceLimit = 5

  package private(set) var sequencesCompared = 0
  private var streams = PerStream(plank: Stream(), form: Stream())

  private enum CodingKeys: String, SnakeCaseKey { case sequencesCompared, streams }

  package init() {}

  package init(_ outcome: SequenceOutcome, device: [DeviceAnswer?]) {
    precondition(device.count == outcome.frameCount, "one answer or nil per frame")
    streams = PerStream(
      plank: Self.compare(outcome, .plank, device.map { $0?.plank?.code }),
      form: Self.compare(outcome, .form, device.map { $0?.form?.code }))
    sequencesCompared = plank.framesCompared + form.framesCompared > 0 ? 1 : 0
  }

  package var plank: Stream { streams.plank }

  package var form: Stream { streams.form }

  package var isEqual: Bool { plank.framesDiffering == 0 && form.framesDiffering == 0 }

  package static func += (left: inout AnswerComparison, right: AnswerComparison) {
    left.sequencesCompared += right.sequencesCompared
    left.streams.plank.add(right.plank)
    left.streams.form.add(right.form)
  }

  private static func compare(
    _ outcome: SequenceOutcome, _ stream: AnswerStream, _ device: [UInt8?]
  ) -> Stream {
    let labels = stream.labels
    var result = Stream()
    for (frame, code) in device.enumerated() {
      guard let code else { continue }
      let answer = outcome[stream].answers[frame]
      result.framesCompared += 1
      guard code != answer else { continue }
      result.framesDiffering += 1
      guard result.firstDifferences.count < differenceLimit else { continue }
      result.firstDifferences.append(
        AnswerDifference(
          sequence: outcome.name, stream: stream, frame: frame, time: Seconds(outcome.times[frame]),
          device: labels[Int(code)], answer: labels[Int(answer)]))
    }
    return result
  }
}

package struct AnswerDifference: Codable, Hashable, Sendable {
  package let sequence: String
  package let stream: AnswerStream
  package let frame: Int
  package let time: Seconds
  package let device: String
  package let answer: String

  private enum CodingKeys: String, CodingKey {
    case sequence, stream, frame, device
    case answer = "prediction"
    case time = "time_s"
  }
}

/// Consecutive scored frames of one true class, all with wrong answers, which may differ.
package struct WorstMoment: Codable, Hashable, Sendable {
  package struct NearestThreshold: Codable, Hashable, Sendable {
    package let text: String
    package let margin: Double
    package let unit: String

    private enum CodingKeys: String, CodingKey {
      case text = "predicate"
      case margin, unit
    }

    package init(text: String, margin: Double, unit: String) {
      self.text = text
      self.margin = margin
      self.unit = unit
    }
  }

  package let sequence: String
  package let stream: AnswerStream
  package let firstFrame: Int
  package let frameCount: Int
  package let start: Seconds
  /// The sum of the frames' durations; a frame lasts until the next one, at most 0.5 s.
  package let duration: Seconds
  package let truth: String
  /// The most frequent answer; of equally frequent answers, the first in class order.
  package let answer: String
  /// The middle frame with `answer`, among determined frames if there are any.
  package let frame: Int
  package let frameTime: Seconds
  package let nearestThreshold: NearestThreshold?

  private enum CodingKeys: String, SnakeCaseKey {
    case sequence, stream, truth, frame
    case answer = "prediction"
    case firstFrame
    case frameCount = "frames"
    case start = "start_s"
    case duration = "duration_s"
    case frameTime = "frame_time_s"
    case nearestThreshold
  }

  init(
    _ outcome: SequenceOutcome, _ scored: ScoredStream, _ stream: AnswerStream,
    _ stretch: WrongStretch, nearestThreshold: (Int) -> NearestThreshold?
  ) {
    let range = stretch.frames
    let labels = stream.labels
    let answers = scored.answers[range]
    let codes = labels.indices.map(UInt8.init)
    let counts = codes.map { code in answers.count { $0 == code } }
    let most = counts.max()
    let majority = codes.first { counts[Int($0)] == most } ?? 0
    let majorityFrames = range.filter { answers[$0] == majority }
    let determined = majorityFrames.filter { outcome[stream].isDetermined[$0] }
    let candidates = determined.isEmpty ? majorityFrames : determined
    let examined = candidates[candidates.count / 2]
    sequence = outcome.name
    self.stream = stream
    firstFrame = range.lowerBound
    frameCount = range.count
    start = Seconds(scored.times[range.lowerBound])
    duration = Seconds(stretch.seconds)
    truth = labels[Int(scored.truth[range.lowerBound])]
    answer = labels[Int(majority)]
    frame = examined
    frameTime = Seconds(scored.times[examined])
    self.nearestThreshold = nearestThreshold(examined)
  }
}

package struct ExplainCommand: Codable, Hashable, Sendable {
  package let places: [String: [String]]
  package let options: [[String]]

  package init(places: [String: [String]], options: [[String]] = []) {
    self.places = places
    self.options = options
  }
}

extension WorstMoment {
  package static let limit = 10

  static func worst(
    in outcome: SequenceOutcome, _ stream: AnswerStream,
    nearestThreshold: (Int) -> NearestThreshold? = { _ in nil }
  ) -> [WorstMoment] {
    let scored = ScoredStream(outcome, stream)
    let longest = scored.wrongStretches.sorted(by: WrongStretch.isWorse).prefix(limit)
    return longest.map {
      WorstMoment(outcome, scored, stream, $0, nearestThreshold: nearestThreshold)
    }
  }

  /// Durations that are equal to the microsecond are ordered by the sequence's name, then by time.
  package static func worst(_ moments: [WorstMoment]) -> [WorstMoment] {
    Array(moments.sorted(by: isWorse).prefix(limit))
  }

  private static func isWorse(_ left: WorstMoment, _ right: WorstMoment) -> Bool {
    let (one, other) = (left.duration.value, right.duration.value)
    if WrongStretch.ticks(one) != WrongStretch.ticks(other) { return one > other }
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    return left.start < right.start
  }
}

struct WrongStretch: Hashable {
  let frames: Range<Int>
  let seconds: Double

  static func ticks(_ seconds: Double) -> Double { (seconds * 1e6).rounded() }

  static func isWorse(_ left: WrongStretch, _ right: WrongStretch) -> Bool {
    let (one, other) = (ticks(left.seconds), ticks(right.seconds))
    return one != other ? one > other : left.frames.lowerBound < right.frames.lowerBound
  }
}

extension ScoredStream {
  var wrongStretches: [WrongStretch] { stretches { answers[$0] != truth[$0] } }

  func stretches(_ isChosen: (Int) -> Bool) -> [WrongStretch] {
    let isWrong = times.indices.map { isScored($0) && isChosen($0) }
    return times.indices.runs { isWrong[$0] == isWrong[$1] && truth[$0] == truth[$1] }
      .filter { isWrong[$0.lowerBound] }
      .map { WrongStretch(frames: $0, seconds: seconds(of: $0)) }
  }
}
