import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Evaluation
@testable import Tuning

/// A metric's name means the same in a sweep and in `evaluate`.
@Suite("Metrics of sweeps and of evaluations") struct SameNamedMetricsTests {
  @Test(
    "Every metric of a cell equals the metric of its name in an evaluation of the same answers",
    arguments: Draws.seeds(120))
  func metrics(seed: Int) async throws {
    let example = try RandomCase(seed: seed + 7000)
    for stream in AnswerStream.allCases {
      let grid = try example.grid.grid(stream, example.data)
      let table = try SubjectTable(
        await StreamSweep(grid, example.data, engine: .streaming).evaluate(
          0..<min(grid.cellCount, 6)), allowsUngrouped: true)
      for (position, id) in table.cells.ids.enumerated() {
        let detector = try BatchDetector(
          grid.variants[0].detector, parameters: try grid.parameters(of: id))
        let scores = example.data.sequences.map { $0.scores(of: detector) }
        let view = ScoreView(PooledCounts(scores, stream))
        for key in MetricKey.tunable where key.stream == stream {
          let own = table.pooled(key, at: position, Array(table.subjects.indices))
          let expected = view.value(key)
          #expect(
            Self.isSame(own, expected),
            "seed \(seed), cell \(id): \(key) is \(own), not \(expected)")
        }
      }
    }
  }

  @Test("Over several sources both are the mean over sources", arguments: Draws.seeds(40))
  func sources(seed: Int) async throws {
    let example = try RandomCase(seed: seed + 7000)
    let data = try MeasuredData(
      variants: [
        example.data.sequences.enumerated().map { index, sequence in
          sequence.renamed(subject: nil, source: ["b", "a", "b", "c"][index])
        }
      ])
    for stream in AnswerStream.allCases {
      let grid = try example.grid.grid(stream, data)
      let table = try SubjectTable(
        await StreamSweep(grid, data, engine: .streaming).evaluate(0..<1), allowsUngrouped: true)
      guard let id = table.cells.ids.first else { continue }
      let detector = try BatchDetector(
        grid.variants[0].detector, parameters: try grid.parameters(of: id))
      let view = ScoreView(data.sequences.map { $0.scores(of: detector) }, stream)
      for key in MetricKey.tunable where key.stream == stream {
        let own = table.value(key, at: 0, Array(table.subjects.indices))
        let expected = view.value(key).number
        #expect((own == nil) == (expected == nil), "seed \(seed): \(key)")
        #expect(abs((own ?? 0) - (expected ?? 0)) <= 1e-9, "seed \(seed): \(key)")
      }
    }
  }

  @Test("A miss is censored where scoring stops for a break, in both")
  func cutEvent() throws {
    // The last frame of the event is the one before a break of 2.6 s, of which 0.5 s count.
    let times = [0, 0.2, 0.4, 3.0]
    let track = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(0.5), plank: .high, form: nil)
    ])
    let sequence = MeasuredSequence(
      name: "q", subject: "s", times: times, truth: track.truth(at: times), startsMid: false,
      frameWeight: Seconds(0.2), columns: MeasurementColumns(frameCount: 4, columns: [:]))
    let facts = StreamFacts(.plank, [sequence]).sequences[0]
    let outcome = SequenceOutcome(
      name: "q", times: times, truth: sequence.truth, plank: StreamOutcome(answers: [0, 0, 0, 0]),
      form: StreamOutcome(answers: [0, 0, 0, 0]), frameWeight: Seconds(0.2))
    let latencies = SequenceScores(outcome).plank.temporal.classes.flatMap(\.detections)
    #expect(latencies == [Latency(seconds: 0.9, isCensored: true, change: .unknown)])
    #expect(facts.onsets.map(\.duration) == [Seconds(0.9)])
    #expect(facts.onsets.map(\.isObserved) == [false])
  }

  @Test("A bound on latencies is an error if no start was observed, and says what to do")
  func boundWithoutStarts() throws {
    let constraint = try MetricConstraint(
      MetricKey(tunable: "plank.detection_latency_p50_s"), .atMost, 0.5)
    for (truth, isObserved) in [([PlankClass.high], false), ([.none, .high], true)] {
      let labels = truth.enumerated().map { index, plank in
        LabeledSegment(Double(index), Double(index + 1), plank)
      }
      let sequence = try MeasuredSequence(
        "q", subject: "s", rate: 5, frames: 5 * truth.count, labels: labels)
      let layout = StatisticsLayout(StreamFacts(.plank, [sequence]))
      let table = try SubjectTable(CellTable(layout: layout, ids: [], storage: []))
      #expect(table.canTell(constraint.metric) == isObserved)
      if isObserved {
        #expect(throws: Never.self) { try table.check([constraint]) }
      } else {
        let error = #expect(throws: TuningError.self) { try table.check([constraint]) }
        #expect(error?.description.contains("no start was observed") == true)
      }
    }
  }

  private static func isSame(_ own: MetricValue, _ other: MetricValue) -> Bool {
    guard let one = own.number, let number = other.number else { return own == other }
    return abs(one - number) <= 1e-9 * max(1, abs(number))
  }
}
