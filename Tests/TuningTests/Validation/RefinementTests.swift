import Evaluation
import PlankDetection
import PoseModel
import Testing

@testable import Tuning

@Suite("Refinement")
struct RefinementTests {
  /// Two people of whom a twentieth of the frames is aligned at one depth, and as many sag at another.
  ///
  /// On the grid every threshold is wrong in one or the other; only between the depths in neither.
  private func data(aligned: Float, sag: Float) throws -> MeasuredData {
    let times = (0..<400).map { Double($0) / 30 }
    let track = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(200.0 / 30), plank: .high, form: .aligned),
      LabeledSegment(
        start: Seconds(200.0 / 30), end: Seconds(400.0 / 30), plank: .high, form: .sag),
    ])
    let column = (0..<400).map { frame -> Float in
      switch frame {
      case 100..<120: -aligned
      case 300..<320: -sag
      case ..<200: 0
      default: -0.1
      }
    }
    return try MeasuredData(variants: [
      ["a", "b"].map { name in
        MeasuredSequence(
          name: name, subject: name, times: times, truth: track.truth(at: times),
          startsMid: false, frameWeight: Seconds(1.0 / 30),
          columns: MeasurementColumns(frameCount: 400, columns: [.hipDeviation: column]))
      }
    ])
  }

  private func refined(aligned: Float, sag: Float) async throws -> Refinement {
    let grid = try GridDefinition(
      [DetectorVariant(.gravity)],
      axes: [
        ParameterAxis(.sag, .list([0.04, 0.06])), ParameterAxis(.formFrames, .list([1])),
      ])
    let report = try await StreamTuner(
      grid, try data(aligned: aligned, sag: sag),
      TuningGoal(MetricKey(tunable: "form.accuracy"), tolerance: 0.01),
      TuningOptions(validation: nil, resamples: 0)
    ).tune()
    return try #require(report.refinement)
  }

  @Test("A value between those of the grid that gains is taken from the middle of its interval")
  func wide() async throws {
    let refinement = try await refined(aligned: 0.045, sag: 0.055)
    let step = try #require(refinement.steps.first)
    #expect(refinement.steps.count == 1)
    #expect(step.isTaken)
    #expect(abs(step.gain - 0.05) < 1e-9)
    #expect(abs(step.to - 0.05) < 1e-6)
    #expect(refinement.parameters[.sag] == step.to)
    #expect(abs(refinement.objective - 1) < 1e-9)
  }

  @Test("Of values that gain alike, the one nearest to halfway between the classes is taken")
  func towardTheMiddle() async throws {
    // Frames without a form make breakpoints that change nothing, from 3 to 7 cm.
    let unjudged: [Float] = [0.036, 0.044, 0.05, 0.06]
    let times = (0..<400).map { Double($0) / 30 }
    let track = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(196.0 / 30), plank: .high, form: .aligned),
      LabeledSegment(start: Seconds(196.0 / 30), end: Seconds(204.0 / 30), plank: .high, form: nil),
      LabeledSegment(
        start: Seconds(204.0 / 30), end: Seconds(400.0 / 30), plank: .high, form: .sag),
    ])
    let column = (0..<400).map { frame -> Float in
      switch frame {
      case 100..<120: -0.03
      case 300..<320: -0.07
      case 196..<204: -unjudged[frame % 4]
      case ..<200: 0.01
      default: -0.09
      }
    }
    let data = try MeasuredData(variants: [
      ["a", "b"].map { name in
        MeasuredSequence(
          name: name, subject: name, times: times, truth: track.truth(at: times),
          startsMid: false, frameWeight: Seconds(1.0 / 30),
          columns: MeasurementColumns(frameCount: 400, columns: [.hipDeviation: column]))
      }
    ])
    let grid = try GridDefinition(
      [DetectorVariant(.gravity)],
      axes: [
        ParameterAxis(.sag, .list([0.02, 0.08])), ParameterAxis(.formFrames, .list([1])),
      ])
    let report = try await StreamTuner(
      grid, data, TuningGoal(MetricKey(tunable: "form.accuracy"), tolerance: 0.01),
      TuningOptions(validation: nil, resamples: 0)
    ).tune()
    let step = try #require(report.refinement?.steps.first)
    #expect(abs(step.interval.lowerBound - 0.03) < 1e-6)
    #expect(abs(step.interval.upperBound - 0.07) < 1e-6)
    #expect(step.isTaken && abs(step.to - 0.04) < 1e-6)
  }

  @Test("A gain in only a sliver of an axis is reported but not taken")
  func knifeEdge() async throws {
    let refinement = try await refined(aligned: 0.05, sag: 0.0501)
    let step = try #require(refinement.steps.first)
    #expect(step.obstacle == .knifeEdge)
    #expect(abs(step.gain - 0.05) < 1e-9)
    #expect(step.interval.upperBound - step.interval.lowerBound < 0.0002)
    #expect(refinement.parameters[.sag] == step.from)
    #expect(abs(refinement.objective - 0.95) < 1e-9)
  }

  @Test("A gain between any two of thousands of observed values is found")
  func everyBreakpoint() async throws {
    let count = 4000
    let times = (0..<count).map { Double($0) / 30 }
    let middle = Double(count / 2) / 30
    let track = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(middle), plank: .high, form: .aligned),
      LabeledSegment(start: Seconds(middle), end: Seconds(200), plank: .high, form: .sag),
    ])
    // Aligned frames come closer and closer to 5 cm, sagging ones to the next number beyond it.
    let column = (0..<count).map { frame -> Float in
      let offset = Float(abs(frame - count / 2) + (frame < count / 2 ? 0 : 1)) * 1e-5
      return frame < count / 2 ? -0.05 + offset : -0.05 - offset
    }
    let data = try MeasuredData(variants: [
      [
        MeasuredSequence(
          name: "a", subject: "a", times: times, truth: track.truth(at: times), startsMid: false,
          frameWeight: Seconds(1.0 / 30),
          columns: MeasurementColumns(frameCount: count, columns: [.hipDeviation: column]))
      ]
    ])
    let grid = try GridDefinition(
      [DetectorVariant(.gravity)],
      axes: [
        ParameterAxis(.sag, .list([0.0305, 0.0695])), ParameterAxis(.formFrames, .list([1])),
      ])
    let report = try await StreamTuner(
      grid, data, TuningGoal(MetricKey(tunable: "form.accuracy"), tolerance: 0.6),
      TuningOptions(validation: nil, resamples: 0)
    ).tune()
    let step = try #require(report.refinement?.steps.first)
    #expect(abs(step.to - 0.05) < 1e-5)
    #expect(abs(report.choice.objective + step.gain - 1) < 1e-12)
    #expect(step.interval.upperBound - step.interval.lowerBound < 2.1e-5)
  }
}
