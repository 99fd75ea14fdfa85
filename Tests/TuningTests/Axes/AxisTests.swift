import PlankDetection
import PoseModel
import Testing

@testable import Tuning

@Suite("Axes") struct AxisTests {
  private func resolve(_ key: ParameterKey, _ values: AxisValues) throws -> [Double] {
    let definition = try #require(ParameterCatalogue.definition(of: key))
    return try ParameterAxis(key, values).resolved(definition) { nil }.values
  }

  @Test("A range meets decimal values to the bit, its end included")
  func decimalRange() throws {
    let values = try resolve(.sag, .range(from: 0, to: 0.3, step: 0.005))
    #expect(values.count == 61)
    #expect(values[10] == 0.05)
    #expect(values[30] == 0.15)
    #expect(values[60] == 0.3)
    #expect(values[6] == 0.03)
  }

  @Test("A range goes through zero and from negative numbers in decimal")
  func negativeRange() throws {
    let values = try resolve(.reverseCosine, .range(from: -0.3, to: 0.3, step: 0.1))
    #expect(values == [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3])
    #expect(values[3].sign == .plus)
  }

  @Test("An end between two steps is not passed")
  func shortRange() throws {
    #expect(try resolve(.elbowSplit, .range(from: 100, to: 119, step: 10)) == [100, 110])
    #expect(try resolve(.sag, .range(from: 0.1, to: 0.1, step: 1)) == [0.1])
  }

  @Test("Exponents and long fractions are read as written")
  func exponents() throws {
    #expect(DecimalSteps.values(from: 1e-7, step: 1e-7, 2...2) == [3e-7])
    #expect(DecimalSteps.values(from: 1e20, step: 1, 1...1) == [1e20 + 1])
    #expect(DecimalSteps.values(from: 0.1, step: 0.025, [3]) == [0.175])
  }

  @Test("Lists are sorted; repeated, forbidden and missing values are errors")
  func lists() throws {
    #expect(try resolve(.plankFrames, .list([5, 1, 3])) == [1, 3, 5])
    #expect(throws: TuningError.repeatedValue(.sag, 0.1)) {
      try resolve(.sag, .list([0.1, 0.2, 0.1]))
    }
    #expect(throws: DetectorError.self) { try resolve(.plankFrames, .list([1.5])) }
    #expect(throws: TuningError.emptyAxis(.sag)) { try resolve(.sag, .list([])) }
  }

  @Test(
    "A range without a direction is an error",
    arguments: [(0.0, 1.0, 0.0), (0, 0.2, -0.1), (0.2, 0.1, 0.1), (0, .infinity, 0.1)])
  func badRange(from: Double, to: Double, step: Double) {
    #expect(throws: TuningError.invalidRange(.sag, from: from, to: to, step: step)) {
      try resolve(.sag, .range(from: from, to: to, step: step))
    }
  }

  @Test("A range of more values than an axis may have is an error")
  func hugeRange() {
    #expect(throws: TuningError.tooManyValues(.sag, count: 300_001)) {
      try resolve(.sag, .range(from: 0, to: 0.3, step: 0.000001))
    }
  }

  @Test("Quantiles are of the observed measurement, negated if a rule negates the parameter")
  func quantiles() throws {
    let sequence = try MeasuredSequence(
      "a", subject: nil, rate: 1, labels: [], [.hipDeviation: [-0.1, -0.2, .nan, 0.1, -0.25]])
    let data = try MeasuredData(variants: [[sequence]])
    let grid = try GridDefinition(
      [DetectorVariant(.gravity)], axes: [ParameterAxis(.sag, .quantiles(2))])
    let axis = try #require(try grid.grid(.form, data).variants.first?.axes.first)
    #expect(zip(axis.values, [0.05, 0.2125]).allSatisfy { abs($0 - $1) < 1e-7 })
    #expect(grid.dependsOnData)
  }

  @Test("Quantiles of debounce lengths do not exist")
  func quantilesOfFrames() {
    #expect(throws: TuningError.noMeasurement(.plankFrames)) {
      try resolve(.plankFrames, .quantiles(3))
    }
  }
}

@Suite("Round values of a parameter") struct RoundValuesTests {
  private func definition(
    _ unit: MeasurementUnit, _ range: ClosedRange<Double>, default value: Double
  ) throws -> ParameterDefinition {
    try ParameterDefinition(
      ParameterKey("own"), unit: unit, default: value, range: range, meaning: "")
  }

  @Test(
    "The fewer digits, the rounder; a last 5 is half a digit",
    arguments: [(0.44, 2.0), (0.45, 1.5), (0.4, 1), (100, 1), (140, 2), (0.025, 1.5), (0, 0)])
  func digits(value: Double, digits: Double) { #expect(RoundValues.digits(value) == digits) }

  @Test("Values are allowed, distinct, ascending, and hold the current one")
  func values() throws {
    let ratio = try definition(.ratio, 0...1, default: 0.6427876096865393)
    let values = RoundValues.values(
      of: ratio, own: 0.6427876096865393, observed: ObservedRange([0, 0.2, 1]))
    #expect(values == Set(values).sorted() && values.contains(0.6427876096865393))
    #expect(values.count == 102 && values.contains(0.25) && values.allSatisfy(ratio.accepts))
  }

  @Test(
    "Where nothing can differ, the current value is alone", arguments: [[], [0.3], [5.0, 7.0]])
  func alone(observed: [Double]) throws {
    let ratio = try definition(.ratio, 0...1, default: 0.5)
    let values = RoundValues.values(of: ratio, own: 0.5, observed: ObservedRange(observed))
    #expect(values == [0.5])
  }

  @Test("Frames are whole numbers")
  func frames() throws {
    let frames = try definition(.frames, 1...12, default: 1)
    #expect(RoundValues.values(of: frames, own: 1, observed: nil) == (1...12).map(Double.init))
  }
}

@Suite("Choice of a round value") struct RoundChoiceTests {
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

  @Test("Where classes part, the values around that place count, or around the plateau's end")
  func between() {
    func chosen(_ middle: Double) -> Double? {
      RoundChoice(values, scores(6...15), own: 0, least: 0.005, middle: middle)
        .map { values[$0.place] }
    }
    #expect(chosen(0.13) == 0.15 && chosen(0.12) == 0.1 && chosen(0.4) == 0.15)
    #expect(chosen(0.02) == 0.06)
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
    // Values as good as the best that gain nothing are not chosen, however near to the middle.
    let wide = RoundChoice(
      values, scores(6...15), own: 0, least: 0.005, middle: values[2],
      standardErrors: values.map { _ in 1 })
    #expect(wide.map { (6...15).contains($0.place) } == true)
    #expect(RoundChoice(values, scores(0...20), own: 3, least: 0.005) == nil)
    var line = scores(6...15)
    line[10] = nil
    let choice = RoundChoice(values, line, own: 0, least: 0.005)
    #expect(choice != nil && choice?.plateau.contains(10) == false)
  }
}
