import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Clock survey")
struct ClockSurveyTests {
  private func times(step: Double, count: Int = 40, from start: Double = 0) -> [Double] {
    (0..<count).map { start + Double($0) * step }
  }

  @Test(
    "The unit is the one in which frames come at a camera's rate",
    arguments: [
      (1.0 / 240, TimeUnit.seconds), (1.0 / 30, .seconds), (1.4, .seconds), (4.2, .milliseconds),
      (33.3, .milliseconds), (1000, .milliseconds), (33_333, .microseconds),
      (33_333_333, .nanoseconds),
    ])
  func units(step: Double, unit: TimeUnit) {
    #expect(ClockSurvey(times(step: step)).unit == unit)
  }

  @Test("Steps between those of cameras say nothing", arguments: [3.0, 3000, 1e12])
  func unknown(step: Double) {
    let survey = ClockSurvey(times(step: step))
    #expect(survey.unit == nil && survey.isInSeconds)
  }

  @Test("Whole numbers 1 apart count frames, unless they are few or not all whole")
  func numbers() {
    #expect(ClockSurvey(times(step: 1)).unit == .frames)
    #expect(ClockSurvey(times(step: 1, count: 29)).unit == .seconds)
    #expect(ClockSurvey(times(step: 1, from: 0.5)).unit == .seconds)
    #expect(ClockSurvey(times(step: 33, count: 9)).unit == nil)
  }

  @Test("Times since 1970 are dates in any unit")
  func dates() {
    #expect(ClockSurvey(times(step: 0.1, from: 1.7e9)).isDate)
    #expect(ClockSurvey(times(step: 100, from: 1.7e12)).isDate)
    #expect(!ClockSurvey(times(step: 0.1, from: 1e6)).isDate)
    let corrected = ClockSurvey(times(step: 100, from: 1.7e12)).corrected([1.7e12, 1.7e12 + 100])
    #expect(corrected == [0, 0.1])
  }

  @Test("Repeated and backward times of other programs are counted")
  func disorder() {
    let survey = ClockSurvey([0, 0.1, 0.1, 0.3, 0.2])
    #expect(survey.repeated == 1 && survey.backward == 1)
    #expect(ClockSurvey([]).medianStep == nil && ClockSurvey([]).start == nil)
  }
}
