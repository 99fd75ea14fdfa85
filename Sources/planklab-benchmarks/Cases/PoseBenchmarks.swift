import Evaluation
import Foundation
import PlankDetection
import PoseDatasets
import PoseModel

/// Measuring and classifying a recording, by the batch and by the streaming detector.
struct DetectBenchmark {
  /// The recording.
  let recording: Recording
  /// The detector.
  let detector: BatchDetector

  /// Measures every frame; the checksum is over the measurements that the rules use.
  func measure() -> UInt64 {
    let columns = detector.measure(recording)
    var sum = Checksum()
    for measurement in columns.measurements.members {
      for value in columns[measurement] { sum.add(value) }
    }
    return sum.value
  }

  /// Classifies every frame from its measurements.
  func classify(_ columns: MeasurementColumns) -> UInt64 {
    checksum(detector.detect(columns, times: recording.times, startsMid: false))
  }

  /// Measures and classifies every frame, one at a time, as an app does.
  func stream() throws -> UInt64 {
    var detector = try PlankDetector(detector.definition, parameters: detector.parameters)
    var pose = Pose()
    var sum = Checksum()
    let axesReader = AxesReader(recording.header)
    for frame in 0..<recording.frameCount {
      guard let axes = axesReader.axes(at: frame, of: recording) else { continue }
      pose.load(recording, frame: frame)
      let answer = detector.update(
        PoseFrame(
          time: Seconds(recording.times[frame]), pose: pose, axes: axes,
          bodyHeight: recording.bodyHeight(at: frame)))
      sum.add(UInt64(answer.plank.rawValue) << 8 | UInt64(answer.form.rawValue))
    }
    return sum.value
  }

  /// The checksum of answers, equal for both detectors.
  private func checksum(_ answers: DetectionColumns) -> UInt64 {
    var sum = Checksum()
    for frame in answers.plank.answers.indices {
      sum.add(UInt64(answers.plank.answers[frame]) << 8 | UInt64(answers.form.answers[frame]))
    }
    return sum.value
  }
}

/// Scoring answers against truth.
struct EvaluateBenchmark {
  /// The outcome to score.
  let outcome: SequenceOutcome

  /// Makes the outcome of a detection against a truth that changes every few seconds.
  init(_ recording: Recording, _ answers: DetectionColumns) throws {
    let planks = PlankClass.allCases
    let segments = stride(from: 0, to: recording.frameCount - 90, by: 90).map { frame in
      LabeledSegment(
        start: Seconds(recording.times[frame]), end: Seconds(recording.times[frame + 90]),
        plank: planks[frame / 90 % planks.count],
        form: planks[frame / 90 % planks.count] == .none ? nil : .aligned)
    }
    outcome = SequenceOutcome(
      name: "benchmark", times: recording.times,
      truth: try LabelTrack(segments).truth(at: recording.times),
      plank: StreamOutcome(answers: answers.plank.answers),
      form: StreamOutcome(answers: answers.form.answers), frameWeight: recording.frameWeight)
  }

  /// Scores; the checksum is over both confusion matrices.
  func score() -> UInt64 {
    let evaluation = SequenceEvaluation(outcome)
    var sum = Checksum()
    for stream in AnswerStream.allCases {
      for cell in evaluation.scores[stream].confusion.cells { sum.add(UInt64(cell)) }
      sum.add(UInt64(evaluation.scores[stream].stability.predictedTransitions))
    }
    return sum.value
  }
}

/// Loading a recording, beside `JSONDecoder` on the same bytes.
struct LoadBenchmark {
  /// What the decoder makes of a line.
  private struct DecodedFrame: Decodable {
    let t: Double
    let p: [Float?]?
  }

  /// The recording's text.
  let text: [UInt8]
  /// How many frames it has.
  let frames: Int

  /// Reads the recording with the product's reader.
  func read() throws -> Recording {
    try RecordingReader.read(bytes: text, name: "memory").recording
  }

  /// The checksum of a recording's times and positions.
  func checksum(_ recording: Recording) -> UInt64 {
    var sum = Checksum()
    for frame in 0..<recording.frameCount {
      sum.add(recording.times[frame])
      let start = frame * recording.layout.stride
      for index in 0..<recording.layout.stride { sum.add(recording.positions[start + index]) }
    }
    return sum.value
  }

  /// The checksum of the same numbers, decoded line by line.
  func decoderChecksum() throws -> UInt64 {
    let decoder = JSONDecoder()
    var sum = Checksum()
    for line in text.split(separator: UInt8(ascii: "\n")).dropFirst() {
      let frame = try decoder.decode(DecodedFrame.self, from: Data(line))
      sum.add(frame.t)
      for number in frame.p ?? [] { sum.add(number ?? .nan) }
    }
    return sum.value
  }
}

/// The memory of loading, measuring and classifying one large recording from a file.
struct MemoryBenchmark {
  /// The recording's path.
  let path: String

  /// Runs the stages and keeps everything, as an evaluation of one sequence does.
  func run(_ detector: BatchDetector) throws -> (frames: Int, checksum: UInt64) {
    let recording = try RecordingReader.read(path: path).recording
    let columns = detector.measure(recording)
    let answers = detector.detect(columns, times: recording.times, startsMid: false)
    var sum = Checksum()
    for answer in answers.plank.answers { sum.add(UInt64(answer)) }
    return (recording.frameCount, sum.value)
  }
}
