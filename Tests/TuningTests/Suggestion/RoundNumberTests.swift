import Testing

@testable import Tuning

/// Thresholds that people can remember.
@Suite("Round thresholds")
struct RoundNumberTests {
  @Test(
    "The roundest number in the middle half",
    arguments: [
      (0.45, 0.75, 0.6), (0.4, 0.7, 0.5), (126.1, 128.3, 127), (-0.31, 0.27, 0),
      (0.0512, 0.0544, 0.053), (-181, -120, -150), (90, 170, 150), (2000, 9000, 6000),
    ])
  func middle(lower: Double, upper: Double, number: Double) {
    #expect(RoundNumber.inMiddle(of: lower, upper) == number)
  }

  @Test("Between neighboring numbers there is none")
  func neighbors() {
    let value: Float = 0.3
    #expect(RoundNumber.inMiddle(of: Double(value), Double(value.nextUp)) == nil)
    #expect(StepProfile.middle(value, value.nextUp) == nil)
  }

  @Test("Of thresholds that lose less than a tenth, the middle one is chosen")
  func plateau() throws {
    let changes: [(value: Float, worth: Int64)] = [(1, 0), (2, 95), (5, 5), (6, -50), (7, 0)]
    let choice = try #require(
      StepProfile(changes, base: 0, side: .below).choice(in: -100...100))
    #expect(choice.worth == 100)
    #expect(choice.range.lower == 2)
    #expect(choice.range.upper == 6)
    #expect(choice.threshold == 5)
  }
}
