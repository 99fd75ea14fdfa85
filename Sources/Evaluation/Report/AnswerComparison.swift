package import PoseModel

/// How the answers of the recording device compare with the scored answers, frame by frame.
///
/// Only frames for which the device gave an answer in the stream are compared. Comparisons add
/// up over sequences.
package struct AnswerComparison: Codable, Hashable, Sendable {
  /// The comparison of one stream.
  package struct Stream: Codable, Hashable, Sendable {
    /// Frames with an answer of the device.
    package fileprivate(set) var framesCompared = 0
    /// Frames among them with a different scored answer.
    package fileprivate(set) var framesDiffering = 0
    /// The first differences, in order of sequences and time, at most `differenceLimit`.
    package fileprivate(set) var firstDifferences: [AnswerDifference] = []

    private enum CodingKeys: String, CodingKey {
      case framesCompared = "frames_compared"
      case framesDiffering = "frames_differing"
      case firstDifferences = "first_differences"
    }

    fileprivate mutating func add(_ other: Stream) {
      framesCompared += other.framesCompared
      framesDiffering += other.framesDiffering
      let room = AnswerComparison.differenceLimit - firstDifferences.count
      firstDifferences += other.firstDifferences.prefix(room)
    }
  }

  /// The largest number of differences that are listed per stream.
  package static let differenceLimit = 5

  /// How many sequences had an answer to compare.
  package private(set) var sequencesCompared = 0
  private var streams = PerStream(plank: Stream(), form: Stream())

  private enum CodingKeys: String, CodingKey {
    case sequencesCompared = "sequences_compared"
    case streams
  }

  /// Nothing compared.
  package init() {}

  /// Compares one sequence.
  ///
  /// - Parameters:
  ///   - outcome: the scored answers: a detector's, or predictions.
  ///   - device: the device's answer per frame, nil if it gave none.
  /// - Precondition: one element per frame.
  package init(_ outcome: SequenceOutcome, device: [DeviceAnswer?]) {
    precondition(device.count == outcome.frameCount, "one answer or nil per frame")
    streams = PerStream(
      plank: Self.compare(outcome, .plank, device.map { $0?.plank?.code }),
      form: Self.compare(outcome, .form, device.map { $0?.form?.code }))
    sequencesCompared = plank.framesCompared + form.framesCompared > 0 ? 1 : 0
  }

  /// The plank stream.
  package var plank: Stream { streams.plank }

  /// The form stream.
  package var form: Stream { streams.form }

  /// The comparison of a stream.
  package subscript(stream: AnswerStream) -> Stream { streams[stream] }

  /// Whether no frame of any stream differs.
  package var isEqual: Bool { plank.framesDiffering == 0 && form.framesDiffering == 0 }

  /// Adds the comparison of another sequence.
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
          sequence: outcome.name, stream: stream, frame: frame,
          time: Seconds(outcome.times[frame]), device: labels[Int(code)],
          answer: labels[Int(answer)]))
    }
    return result
  }
}

/// A frame in which the device's answer differs from the scored one.
package struct AnswerDifference: Codable, Hashable, Sendable {
  /// The sequence's name.
  package let sequence: String
  /// The stream.
  package let stream: AnswerStream
  /// The frame's position in its sequence, from 0.
  package let frame: Int
  /// The frame's time.
  package let time: Seconds
  /// The device's answer.
  package let device: String
  /// The scored answer: a detector's, or a prediction.
  package let answer: String

  private enum CodingKeys: String, CodingKey {
    case sequence, stream, frame
    case time = "time_s"
    case device, answer
  }
}
