import Testing

@testable import Statistics

@Suite("Sample size")
struct SampleSizeTests {
  private func plan(
    _ margin: Double, deviation: Double = 1, pilot: Int = 8, risk: Double = 0.05
  ) -> SampleSize {
    SampleSize(
      margin: margin,
      pilot: StudentTest(
        estimate: 0, standardError: deviation / Double(pilot).squareRoot(), clusters: pilot),
      risk: risk)
  }

  @Test("The limit of the standard deviation is that of tables of chi-squared")
  func limit() {
    // chi2(0.15) with 7 degrees of freedom is 3.3583, with 1 it is 0.035766.
    #expect(abs(plan(1).standardDeviationLimit - (7 / 3.3583).squareRoot()) < 1e-3)
    #expect(abs(plan(1, pilot: 2).standardDeviationLimit - (1 / 0.035766).squareRoot()) < 1e-3)
    #expect(abs(plan(1).standardDeviation - 1) < 1e-12)
  }

  @Test("A large pilot plans 34 people for half a standard deviation, as Cohen's tables do")
  func cohen() throws {
    let people = try #require(plan(0.5, pilot: 100_000).clusters)
    #expect((33...35).contains(people))
  }

  @Test("Fewer people are planned for larger margins, and never fewer than six")
  func monotonic() throws {
    let plans = try [0.1, 0.2, 0.5, 1, 3, 100].map { try #require(plan($0).clusters) }
    #expect(plans == plans.sorted(by: >))
    #expect(plans.last == SampleSize.fewest)
  }

  @Test("The number planned is the least whose detectable difference is within the margin")
  func least() throws {
    let plan = plan(0.3, risk: 0.005)
    let people = try #require(plan.clusters)
    func detectable(_ clusters: Int) -> Double {
      StudentTest(
        estimate: 0, standardError: plan.standardDeviationLimit / Double(clusters).squareRoot(),
        clusters: clusters
      ).detectableDifference(risk: 0.005)
    }
    #expect(detectable(people) <= 0.3 && detectable(people - 1) > 0.3)
  }

  @Test("A margin that would take over a million people has no plan")
  func hopeless() {
    #expect(plan(1e-6).clusters == nil)
  }

  @Test("An interval ends where the probability of zero is the risk")
  func interval() {
    let test = StudentTest(estimate: 0.3, standardError: 0.1, clusters: 9)
    let ends = test.interval(risk: test.probability)
    #expect(abs(ends.lowerBound) < 1e-9 && abs(ends.upperBound - 0.6) < 1e-9)
  }
}
