import PlankDetection
import PoseDatasets
import PoseModel

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
