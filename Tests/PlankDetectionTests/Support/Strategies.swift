import PlankDetection
import TestSupport

/// Strategies that several suites share.
enum Strategies {
  /// A step of every causal filter with its defaults, and of every window in seconds.
  static func steps(on target: SmoothingTarget) throws -> [SmoothingStep] {
    try SmoothingKind.allCases.flatMap { kind in
      var steps = [try SmoothingStep(kind, on: target)]
      if kind.alternatives.contains(.windowSeconds) {
        steps.append(try SmoothingStep(kind, [.windowSeconds: 0.3], on: target))
      }
      return steps
    }
  }

  /// A chain of up to three filters.
  static func smoothing(_ random: inout SplitMix64) throws -> SmoothingStrategy {
    var chain: [SmoothingStep] = []
    for target in SmoothingTarget.allCases where random.chance(0.7) {
      chain.append(random.pick(try steps(on: target)))
      if random.chance(0.3) { chain.append(random.pick(try steps(on: target))) }
    }
    return try SmoothingStrategy(chain)
  }

  /// A rule for a stream, with random numbers.
  static func rule(_ random: inout SplitMix64) throws -> StrategySettings<DebounceKind> {
    let kind = random.pick(DebounceKind.allCases)
    var values: [ParameterKey: Double] = [:]
    for parameter in kind.parameters where kind != .vote {
      values[parameter.key] =
        parameter.isInteger
        ? Double(random.integer(1...8)) : random.pick([0, 0.1, 0.25, 0.5])
    }
    if kind == .vote {
      let ballots = random.integer(1...9)
      values = [
        .ballots: Double(ballots), .votes: Double(random.integer(ballots / 2 + 1...ballots)),
      ]
    }
    return try StrategySettings(kind, values)
  }

  /// One rule per stream, and bands around some thresholds of a detector.
  static func debounce(
    _ definition: DetectorDefinition, _ random: inout SplitMix64
  ) throws -> DebounceStrategy {
    let thresholds = definition.parameters.filter { parameter in
      (definition.plank.parameterKeys + definition.form.parameterKeys).contains(parameter.key)
    }
    let bands = try thresholds.filter { _ in random.chance(0.5) }.map { parameter in
      let width = (parameter.range.upperBound - parameter.range.lowerBound) * 0.1
      return try SchmittBand(parameter.key, halfWidth: random.uniform(0.001...1) * width)
    }
    return try DebounceStrategy(plank: rule(&random), form: rule(&random), bands: bands)
  }
}
