import PlankDetection
import PoseModel
import Testing

@Suite("Schmitt bands")
struct SchmittBandTests {
  private static let nan = Float.nan

  /// Raw form labels of hip deviations in centimeters, with a band of 1 cm around 5 cm.
  private func labels(
    _ centimeters: [Float], times: [Double]? = nil, band: Double? = 0.01
  ) throws -> [UInt8] {
    let bands = try band.map { width in
      try [ParameterKey.sag, .pike].map { try SchmittBand($0, halfWidth: width) }
    }
    let detector = try BatchDetector(
      .gravity, debounce: DebounceStrategy(bands: bands ?? []))
    let columns = MeasurementColumns(
      frameCount: centimeters.count, columns: [.hipDeviation: centimeters.map { $0 / 100 }])
    let times = times ?? centimeters.indices.map { Double($0) / 30 }
    return detector.detect(columns, times: times, startsMid: false).form.raw
  }

  @Test("A label comes half the width beyond its threshold and goes half the width before it")
  func hysteresis() throws {
    #expect(try labels([0, -5.5, -6.5, -5.5, -4.5, -3.5]) == [0, 0, 1, 1, 1, 0])
    #expect(try labels([0, 5.5, 6.5, 5.5, 4.5, 3.5]) == [0, 0, 2, 2, 2, 0])
    #expect(try labels([0, -5.5, -6.5, -5.5, -4.5, -3.5], band: nil) == [0, 1, 1, 1, 0, 0])
  }

  @Test("The first frame is compared with the threshold itself")
  func start() throws {
    #expect(try labels([-5.5, -4.5, -3.9]) == [1, 1, 0])
    #expect(try labels([-4.5, -5.5, -6.1]) == [0, 0, 1])
  }

  @Test("An undefined measurement keeps the memory, a gap over the hold drops it")
  func dropouts() throws {
    let nothing = Debouncer.undetermined
    #expect(try labels([-6.5, Self.nan, -4.5]) == [1, nothing, 1])
    #expect(try labels([-6.5, -4.5, -4.5], times: [0, 0.5, 1.1]) == [1, 1, 0])
  }

  @Test("A rule that was not asked remembers too")
  func everyRuleRemembers() throws {
    let detector = try BatchDetector(
      .gravity,
      debounce: DebounceStrategy(bands: [SchmittBand(.elbowSplit, halfWidth: 5)]))
    // The second frame stands upright, so the elbows decide nothing, but they cross the band.
    let columns = MeasurementColumns(
      frameCount: 3,
      columns: [
        .verticalRatio: [0, 0.9, 0], .shoulderRise: [0, 0, 0], .wristHipCosine: [0, 0, 0],
        .elbowAngle: [130, 150, 137],
      ])
    let raw = detector.detect(columns, times: [0, 0.1, 0.2], startsMid: false).plank.raw
    let expected: [PlankClass] = [.forearm, .none, .high]
    #expect(raw == expected.map(\.rawValue))
  }

  @Test("A band needs a width, and a threshold that some rule compares with")
  func mistakes() {
    for width in [0, -1, .nan, .infinity] {
      #expect(throws: StrategyError.self) { try SchmittBand(.sag, halfWidth: width) }
    }
    #expect(throws: DetectorError.self) {
      try BatchDetector(
        .gravity, debounce: DebounceStrategy(bands: [SchmittBand(.sagFraction, halfWidth: 0.01)]))
    }
    #expect(throws: StrategyError.repeatedBand(.sag)) {
      try DebounceStrategy(bands: [
        SchmittBand(.sag, halfWidth: 0.01), SchmittBand(.sag, halfWidth: 0.02),
      ])
    }
  }
}
