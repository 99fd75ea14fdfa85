import Evaluation
import PoseModel
import Testing

@Suite("Hold segments")
struct HoldSegmentsTests {
  @Test("A hold is one plank class and one form, without gaps")
  func holds() {
    var scenario = Scenario("nnffff.ffxhhn")
    scenario.formTruth = "..aass.ss.a.."
    #expect(HoldSegments.find(in: scenario.truth) == [2..<4, 4..<6, 7..<9, 10..<11, 11..<12])
  }

  @Test("The last hold ends with the sequence; `none` is not a hold")
  func edges() {
    #expect(HoldSegments.find(in: Scenario("fff").truth) == [0..<3])
    #expect(HoldSegments.find(in: Scenario("nnn").truth).isEmpty)
    #expect(HoldSegments.find(in: Scenario("").truth).isEmpty)
  }

  @Test("Behind a smoother, the start of a hold, in which it settles, is not jitter")
  func settling() {
    // A ramp ends where the hold starts; a moving average over four frames continues for three.
    let scenario = Scenario("nnnnnnhhhhhhhh", rate: 8)
    let smoothed: [Float] = [0, 1, 2, 3, 4, 5, 5.75, 6.25, 6.5, 6.5, 6.5, 6.5, 6.5, 6.5]
    func step(_ settling: Double) -> MetricValue? {
      JitterStatistics(
        times: scenario.times, truth: scenario.truth,
        measurements: [MeasurementSeries(name: "m", unit: "m", values: smoothed)],
        settling: Seconds(settling)
      ).rows.first?.rmsStep
    }
    #expect(step(0)?.number ?? 0 > 0.2)
    #expect(step(0.375) == .value(0))
    #expect(step(1) == .undefined(.noValidPair))
  }
}
