import Evaluation
import PlankDetection
import PoseDatasets
import PoseModel
import Tuning

/// Whole recordings of a dataset with people, such as the studio, which show what synthetic
/// columns hide.
struct StudioBenchmark {
  private let sequences: [DatasetSequence]

  init(folder: String) throws {
    let reader = try DatasetReader(path: folder)
    sequences = try reader.sequences().map { try reader.load($0) }
  }

  var recordings: [Recording] { sequences.map(\.recording) }

  func sweepBenchmark() throws -> SweepBenchmark {
    let definition = try SweepBenchmark.definition()
    let data = try MeasuredData(
      sequences.map {
        TuningSequence(
          name: $0.name, subject: $0.subject, recording: $0.recording, truth: $0.truth(),
          startsMid: $0.startsMid)
      }, for: definition)
    return try SweepBenchmark(data: data, grid: definition.grid(.plank, data))
  }

  func comparisons(
    people: [Int], rounds: Int = 3
  ) throws -> [(people: Int, seconds: Double, checksum: UInt64)] {
    let detectors = [try BatchDetector(.gravity), try BatchDetector(.scaled)]
    let sides = people.map { count in
      detectors.map { detector in
        sequences.enumerated().map { score($1, detector, subject: "p\($0 % count)") }
      }
    }
    var times = people.map { _ in [Double]() }
    var checksums = people.map { _ in Set<UInt64>() }
    for _ in 0..<rounds {
      for (index, side) in sides.enumerated() {
        let start = ProcessTime.seconds
        let comparison = PairedComparison(side[0], side[1], keys: MetricKey.headlines)
        times[index].append(ProcessTime.seconds - start)
        var sum = Checksum()
        for metric in comparison.metrics {
          sum.add(metric.difference ?? .infinity)
          sum.add(metric.standardError ?? .infinity)
        }
        checksums[index].insert(sum.value)
      }
    }
    precondition(checksums.allSatisfy { $0.count == 1 }, "equal runs must give equal answers")
    return people.indices.map {
      (people: people[$0], seconds: median(times[$0]), checksum: checksums[$0].first ?? 0)
    }
  }

  private func score(
    _ sequence: DatasetSequence, _ detector: BatchDetector, subject: String? = nil
  ) -> SequenceScores {
    let recording = sequence.recording
    let answers = detector.detect(
      detector.measure(recording), times: recording.times, startsMid: sequence.startsMid)
    return SequenceScores(
      SequenceOutcome(
        name: sequence.name, subject: subject ?? sequence.subject, times: recording.times,
        truth: sequence.truth(), plank: StreamOutcome(answers: answers.plank.answers),
        form: StreamOutcome(answers: answers.form.answers), frameWeight: recording.frameWeight))
  }
}
