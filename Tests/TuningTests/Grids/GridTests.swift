import PlankDetection
import PoseModel
import Testing

@testable import Tuning

@Suite("Grids") struct GridTests {
  private static let detectors = [DetectorVariant(.gravity), DetectorVariant(.scaled)]

  private func data(variants: Int) throws -> MeasuredData {
    let sequence = try MeasuredSequence("a", subject: nil, rate: 1, frames: 1, labels: [])
    return try MeasuredData(variants: Array(repeating: [sequence], count: variants))
  }

  private func definition(constraints: [AxisConstraint] = []) throws -> GridDefinition {
    try GridDefinition(
      Self.detectors, smoothings: [.none, try SmoothingChoice(text: "ema")],
      axes: [
        ParameterAxis(.sag, .list([0.02, 0.05, 0.1])), ParameterAxis(.pike, .list([0.02, 0.05])),
        ParameterAxis(.sideRise, .list([0.1, 0.15])),
        ParameterAxis(.plankFrames, .list([1, 5, 9])),
      ], constraints: constraints)
  }

  @Test("A stream's cells vary only what its answers depend on, the last axis fastest")
  func streams() throws {
    let plank = try definition().grid(.plank, data(variants: 4))
    let form = try definition().grid(.form, data(variants: 4))
    #expect(plank.variants.map(\.cellCount) == [6, 6, 3, 3])
    #expect(form.variants.map(\.cellCount) == [6, 6, 1, 1])
    #expect(plank.cellCount == 18)
    let values = try plank.parameters(of: 7)
    #expect(plank.locate(7).variant == 1)
    #expect(values[.sideRise] == 0.1)
    #expect(values[.plankFrames] == 5)
  }

  @Test("Every id has digits and every digits an id")
  func radix() throws {
    let radix = try #require(MixedRadix([3, 1, 4]))
    #expect(radix.count == 12)
    for number in 0..<12 { #expect(radix.number(of: radix.digits(of: number)) == number) }
    #expect(radix.digits(of: 5) == [1, 0, 1])
    #expect(MixedRadix([Int.max, 2]) == nil)
  }

  @Test("Degenerate cells are rejected, counted, and keep their ids")
  func constraints() throws {
    let grid = try definition(constraints: [AxisConstraint(.pike, .less, .sag)])
      .grid(.form, data(variants: 4))
    #expect(grid.rejectedCount == 6)
    #expect(grid.accepted(in: 0..<6) == [2, 4, 5])
  }

  @Test("Configurations count what both streams use once")
  func configurations() throws {
    let definition = try GridDefinition(
      Self.detectors,
      axes: [
        ParameterAxis(.sag, .list([0.02, 0.05, 0.1])), ParameterAxis(.holdSeconds, .list([0, 1])),
        ParameterAxis(.sideRise, .list([0.1, 0.15])),
      ], constraints: [AxisConstraint(.sag, .less, .sideRise)])
    let plank = try definition.grid(.plank, data(variants: 2))
    let form = try definition.grid(.form, data(variants: 2))
    #expect(plank.cellCount == 4 + 2)
    #expect(form.cellCount == 6 + 2)
    #expect(try GridDefinition.pairCount(plank, form) == 12 + 2)
    #expect(plank.rejectedCount == 0)
  }

  @Test("Axes that no detector uses or that come twice are errors")
  func wrongAxes() {
    #expect(throws: TuningError.self) {
      try GridDefinition(Self.detectors, axes: [ParameterAxis(.trunkSideRoll, .list([45]))])
    }
    #expect(throws: TuningError.repeatedAxis(.sag)) {
      try GridDefinition(
        Self.detectors,
        axes: [ParameterAxis(.sag, .list([0.1])), ParameterAxis(.sag, .list([0.2]))])
    }
  }
}

extension StreamGrid {
  fileprivate var rejectedCount: Int { cellCount - accepted(in: 0..<cellCount).count }
}
