import PlankDetection
import TestSupport

/// Random parameters within the catalogue's ranges.
enum RandomParameters {
  /// A value for every parameter of a detector; runs of up to 8 frames, holds of up to 2 s.
  static func make(
    _ definition: DetectorDefinition, _ random: inout SplitMix64
  ) throws -> ParameterValues {
    var values = definition.defaults
    for parameter in definition.parameters where random.chance(0.7) {
      try values.set(parameter.key, to: value(parameter, &random))
    }
    return values
  }

  private static func value(
    _ parameter: ParameterDefinition, _ random: inout SplitMix64
  ) -> Double {
    switch parameter.unit {
    case .frames: Double(random.integer(1...8))
    case .seconds: random.pick([0, 0.1, 0.25, 0.5, 1, 2])
    default: random.uniform(parameter.range)
    }
  }
}
