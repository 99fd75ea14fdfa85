package import PoseModel

package struct AnswerComparison: Codable, Hashable, Sendable {
  package struct Stream: Codable, Hashable, Sendable {
    package fileprivate(set) var framesCompared = 0
    package fileprivate(set) var framesDiffering = 0
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

  package static let differenceLimit = 5

  package private(set) var sequencesCompared = 0
  private var streams = PerStream(plank: Stream(), form: Stream())

  private enum CodingKeys: String, CodingKey {
    case sequencesCompared = "sequences_compared"
    case streams
  }

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

  package subscript(stream: AnswerStream) -> Stream { streams[stream] }

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
          sequence: outcome.name, stream: stream, frame: frame,
          time: Seconds(outcome.times[frame]), device: labels[Int(code)],
          answer: labels[Int(answer)]))
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
    case sequence, stream, frame
    case time = "time_s"
    case device, answer
  }
}
