import ArgumentParser
import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import Statistics
import TestSupport
import Testing
import Tuning

@testable import PlankBench
@testable import Reports

@Suite("The stress test of a choice") struct StressTestTests {
  private static func rows(
    _ text: String, keepsWorse: Bool
  ) async throws -> (rows: [[StreamRecommendation.Stressed]], isKept: Bool) {
    let file = Repository.file("datasets/experiment.yaml").path
    let experiment = try Experiment(text, at: file, ExperimentOptions.parse([file]))
    let prepared = try await PreparedExperiment(
      experiment, isStressed: keepsWorse, progress: { _, _, _ in })
    let detector = try #require(experiment.grid.detectors.first)
    let found = TunedDetector(
      thresholds: Thresholds(
        definition: detector.definition, parameters: detector.base,
        smoothing: experiment.grid.smoothings[0], debounce: .parameters),
      detector: detector, streams: [])
    let rows = try await StressTest(prepared: prepared).run(found, progress: { _, _, _ in })
    return (rows, prepared.worse != nil)
  }

  @Test(
    "What is kept of recordings gives the same objectives as reading them again",
    arguments: ["gravity", "coach"])
  func kept(detector: String) async throws {
    let text = """
      dataset: scripted
      detector: \(detector)
      objective: [plank.balanced_accuracy, form.f1_macro]
      """
    let again = try await Self.rows(text, keepsWorse: false)
    let kept = try await Self.rows(text, keepsWorse: true)
    #expect(!again.isKept && kept.isKept)
    #expect(kept.rows == again.rows)
    #expect(kept.rows.count == 2 && kept.rows[0].count == 4)
    #expect(Set(kept.rows[0].map(\.objective)).count > 1, "worse frames change nothing")
  }
}

@Suite("Worse frames") struct FrameDegradationTests {
  /// A hold of ten seconds at 30 Hz whose joints tremble by 4 mm, with a dropout.
  private static let sequence: DatasetSequence = {
    let random = RandomStream(seed: 3, purpose: "test.tremble")
    var recording = Recording(
      header: RecordingHeader(
        skeleton: .vision3d, joints: Array(Joint.allCases.prefix(3)), frame: .world))
    for frame in 0..<300 {
      let pose = (0..<9).map {
        1 + Float(random.gaussian(standardDeviation: 0.004)) * Float($0 % 2)
      }
      recording.append(
        time: Seconds(Double(frame) / 30), pose: (100..<104).contains(frame) ? nil : pose)
    }
    let labels = try? LabelTrack([LabeledSegment(0, 10, .high, .aligned)])
    return DatasetSequence(
      name: "hold", recording: recording, labels: labels, subject: "a", startsMid: true,
      tags: ["view": "side"])
  }()

  private func worse(_ degradation: FrameDegradation, seed: UInt64 = 1) -> Recording {
    degradation.applied(to: Self.sequence, RandomStream(seed: seed, purpose: "test")).recording
  }

  @Test("The sequence keeps its name, labels and properties; missing poses stay missing")
  func identity() {
    let stream = RandomStream(seed: 1, purpose: "test")
    let sequence = FrameDegradation.noisier.applied(to: Self.sequence, stream)
    #expect(sequence.name == "hold")
    #expect(sequence.subject == "a")
    #expect(sequence.startsMid)
    #expect(sequence.tags == ["view": "side"])
    #expect(sequence.labels == Self.sequence.labels)
    #expect(sequence.recording.times == Self.sequence.recording.times)
    #expect((0..<300).filter { !sequence.recording.hasPose(at: $0) } == [100, 101, 102, 103])
  }

  @Test("Frames are left out by halves, by a seeded share, and down to a rate on any clock")
  func droppedFrames() throws {
    let times = Self.sequence.recording.times
    #expect(worse(.halved).times == times.indices.filter { $0.isMultiple(of: 2) }.map { times[$0] })
    #expect(worse(.atMost(Hertz(15))).times == worse(.halved).times)
    #expect(worse(.atMost(Hertz(30))).times == times)
    #expect(worse(.atMost(Hertz(60))).times == times)
    let dropped = worse(.dropped(0.1))
    #expect((255...285).contains(dropped.frameCount))
    #expect(Set(dropped.times).isSubset(of: times))
    #expect(worse(.dropped(0.1)).times == dropped.times)
    #expect(worse(.dropped(0.1), seed: 2).times != dropped.times)
    let stream = RandomStream(seed: 5, purpose: "test")
    let uneven = FrameDegradation.jitteredClock(Seconds(0.003)).applied(to: Self.sequence, stream)
    #expect(zip(uneven.recording.times.dropFirst(), uneven.recording.times).allSatisfy(>))
    let slowed = FrameDegradation.atMost(Hertz(15)).applied(to: uneven, stream)
    #expect((149...151).contains(slowed.recording.frameCount))
  }

  @Test("Noise doubles its power in each joint; a sequence without holds stays as it is")
  func noise() throws {
    let (before, after) = (Self.sequence.recording, worse(.noisier))
    func added(_ place: Int) -> Double {
      let steps = (0..<300).filter(before.hasPose).map {
        Double(after.positions[$0 * 9 + place] - before.positions[$0 * 9 + place])
      }
      return (steps.reduce(0) { $0 + $1 * $1 } / Double(steps.count)).squareRoot()
    }
    // The first joint trembles in one of its axes, the second in two: 4 mm times sqrt(1/3), sqrt(2/3).
    for (joint, axes) in [(0, 1.0), (1, 2.0), (2, 1.0)] {
      let expected = 0.004 * (axes / 3).squareRoot()
      for axis in 0..<3 {
        #expect(abs(added(joint * 3 + axis) / expected - 1) < 0.2)
      }
    }
    let still = DatasetSequence(name: "free", recording: before, labels: nil)
    let stream = RandomStream(seed: 1, purpose: "test")
    let same = FrameDegradation.noisier.applied(to: still, stream).recording
    for (left, right) in zip(same.positions, before.positions) where !left.isNaN {
      #expect(left == right)
    }
  }

  @Test("Of the beginning, so many frames are left, and all of a shorter sequence")
  func beginning() {
    let times = Self.sequence.recording.times
    #expect(worse(.beginning(frames: 3)).times == Array(times.prefix(3)))
    #expect(worse(.beginning(frames: times.count + 1)).times == times)
  }
}
