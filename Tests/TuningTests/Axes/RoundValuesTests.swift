import PlankDetection
import PoseModel
import Testing

@testable import Tuning

@Suite("Round values of a parameter")
struct RoundValuesTests {
  private func definition(
    _ unit: MeasurementUnit, _ range: ClosedRange<Double>, default value: Double
  ) throws -> ParameterDefinition {
    try ParameterDefinition(
      ParameterKey("own"), unit: unit, default: value, range: range, meaning: "")
  }

  @Test(
    "The fewer digits, the rounder; a last 5 is half a digit",
    arguments: [(0.44, 2.0), (0.45, 1.5), (0.4, 1), (100, 1), (140, 2), (0.025, 1.5), (0, 0)])
  func digits(value: Double, digits: Double) {
    #expect(RoundValues.digits(value) == digits)
  }

  @Test("Values are allowed, distinct, ascending, and hold the current one")
  func values() throws {
    let ratio = try definition(.ratio, 0...1, default: 0.6427876096865393)
    let values = RoundValues.values(
      of: ratio, own: 0.6427876096865393, observed: ObservedRange([0, 0.2, 1]))
    #expect(values == Set(values).sorted() && values.contains(0.6427876096865393))
    #expect(values.count == 102 && values.contains(0.25) && values.allSatisfy(ratio.accepts))
  }

  @Test("The step follows what is compared, even where the range says nothing")
  func wideRange() throws {
    let wide = try definition(.ratio, -1e6...1e6, default: 0)
    let values = RoundValues.values(
      of: wide, own: 0, observed: ObservedRange([-0.001, 0, 0.002]))
    #expect(values.count > 60 && values.count < 310)
    #expect(values.allSatisfy { $0.magnitude < 0.003 })
  }

  @Test(
    "Where nothing can differ, the current value is alone",
    arguments: [[], [0.3], [5.0, 7.0]])
  func alone(observed: [Double]) throws {
    let ratio = try definition(.ratio, 0...1, default: 0.5)
    let values = RoundValues.values(of: ratio, own: 0.5, observed: ObservedRange(observed))
    #expect(values == [0.5])
  }

  @Test("Frames are whole numbers")
  func frames() throws {
    let frames = try definition(.frames, 1...12, default: 1)
    #expect(
      RoundValues.values(of: frames, own: 1, observed: nil) == (1...12).map(Double.init))
  }
}

@Suite("Choice of a round value")
struct RoundChoiceTests {
  private let values = (0...20).map { Double($0) / 100 }

  private func scores(_ best: ClosedRange<Int>, _ gain: Double = 0.1) -> [Double?] {
    values.indices.map { best.contains($0) ? 0.5 + gain : 0.5 }
  }

  @Test("The roundest value in the inner half of those that are as good is taken")
  func middle() {
    let choice = RoundChoice(values, scores(6...15), own: 0, least: 0.005)
    #expect(choice.map { values[$0.place] } == 0.1 && choice?.plateau == 6...15)
    let narrow = RoundChoice(values, scores(11...14), own: 0, least: 0.005)
    #expect(narrow.map { values[$0.place] } == 0.12)
  }

  @Test("A peak on a plateau moves nothing")
  func peak() {
    var line = scores(6...15)
    line[6] = 0.6005
    #expect(RoundChoice(values, line, own: 0, least: 0.005).map { values[$0.place] } == 0.1)
  }

  @Test("Of equal plateaus the widest is taken, then the first")
  func ties() {
    var line = scores(3...4)
    for place in 10...14 { line[place] = 0.6 }
    #expect(RoundChoice(values, line, own: 0, least: 0.005)?.plateau == 10...14)
    for place in 12...14 { line[place] = 0.5 }
    #expect(RoundChoice(values, line, own: 0, least: 0.005)?.plateau == 3...4)
  }

  @Test("Less than the least gain is no choice, and values that are not allowed are not taken")
  func refused() {
    #expect(RoundChoice(values, scores(5...9, 0.004), own: 0, least: 0.005) == nil)
    #expect(RoundChoice(values, scores(0...20), own: 3, least: 0.005) == nil)
    var line = scores(6...15)
    line[10] = nil
    let choice = RoundChoice(values, line, own: 0, least: 0.005)
    #expect(choice != nil && choice?.plateau.contains(10) == false)
  }
}
