import Foundation

extension OracleGenerator {
  /// Where parameters of a measurement are drawn from: most poses lie on both sides.
  package static let ranges: [String: ClosedRange<Double>] = [
    "verticalRatio": 0...1, "shoulderRise": -0.4...0.4, "wristHipCosine": -1...1,
    "elbowAngle": 0...180, "bodyAngle": 90...180, "hipDeviation": -0.2...0.2,
    "shoulderRiseFraction": -0.25...0.25, "hipDeviationFraction": -0.12...0.12,
    "signedHipAngle": 120...240, "trunkRoll": -180...180, "supportDrop": -0.1...0.4,
    "hipClearance": 0...0.5, "forearmVerticality": 0...1, "kneeAngle": 60...180,
    "thighSpread": 0...120, "trunkIncline": -1...1, "handHeight": -0.3...0.5,
    "upperArmIncline": -1...1,
    "smallerKneeAngle": 60...180, "kneeRise": -0.1...0.3, "kneeDeviation": -0.15...0.15,
    "elbowRise": -0.2...0.2,
  ]

  /// A random detector with its own parameters `limit_a`, `limit_b`, ...
  ///
  /// Each list has at least one predicate; either may lack a rule for its empty answer.
  package mutating func detector(name: String = "random") -> OracleDetector {
    var parameters: [String: Double] = [
      "plank_frames": Double(random.pick([1, 1, 2, 3, 5, 8])),
      "form_frames": Double(random.pick([1, 1, 2, 3, 5, 8])),
      "hold_seconds": random.pick([0, 0.05, 0.1, 0.2, 0.25, 0.5, 0.5, 1, 2]),
    ]
    var measurements: [String: String] = [:]
    let measured = random.shuffled(OracleMeasurements.names)
    let pool = Array(measured.prefix(random.integer(2, measured.count)))
    let plank = rules(Self.plankClasses, pool, &parameters, &measurements)
    let form = rules(Self.formClasses, pool, &parameters, &measurements)
    return OracleDetector(
      name: name, axes: random.pick(OracleAxes.allCases), plank: plank, form: form,
      parameters: parameters)
  }

  /// A built-in detector with parameters drawn from the ranges of the contract.
  package mutating func builtInVariant() -> OracleDetector {
    let ranges: [String: ClosedRange<Double>] = [
      "horizontal_ratio": 0...1, "side_rise": 0...0.6, "side_rise_fraction": 0...0.35,
      "reverse_cosine": -1...1, "elbow_split": 0...180, "sag": -0.3...0.3, "pike": -0.3...0.3,
      "sag_fraction": -0.2...0.2, "pike_fraction": -0.2...0.2,
    ]
    var detector = random.pick(OracleDetector.builtIns)
    for key in detector.parameters.keys.sorted() {
      if let range = ranges[key], random.chance(0.7) {
        detector.parameters[key] = number(in: range)
      }
    }
    detector.parameters["plank_frames"] = Double(random.integer(1, 9))
    detector.parameters["form_frames"] = Double(random.integer(1, 9))
    detector.parameters["hold_seconds"] = random.pick([0, 0.1, 0.25, 0.5, 0.7, 1, 2])
    return detector
  }

  private static let plankClasses = [
    "none", "forearm", "high", "sideLeft", "sideRight", "reverse",
  ]
  private static let formClasses = ["aligned", "sag", "pike"]

  /// Up to six rules with predicates and a last one without.
  private mutating func rules(
    _ labels: [String], _ pool: [String], _ parameters: inout [String: Double],
    _ measurements: inout [String: String]
  ) -> [OracleRule] {
    let isWithoutEmpty = random.chance(0.4)
    let allowed = isWithoutEmpty ? Array(labels.dropFirst()) : labels
    var rules: [OracleRule] = []
    for _ in 0..<random.integer(1, 6) {
      var predicates: [OraclePredicate] = []
      for _ in 0..<random.pick([1, 1, 1, 2, 2, 3]) {
        predicates.append(predicate(random.pick(pool), &parameters, &measurements))
      }
      rules.append(OracleRule(label: random.pick(allowed), predicates: predicates))
    }
    return rules + [OracleRule(label: random.pick(allowed), predicates: [])]
  }

  private mutating func predicate(
    _ measurement: String, _ parameters: inout [String: Double],
    _ measurements: inout [String: String]
  ) -> OraclePredicate {
    let operation = random.pick([">", ">=", "<", "<="])
    let isNegated = random.chance(0.3)
    let known = measurements.filter { $0.value == measurement }.keys.sorted()
    if !known.isEmpty && random.chance(0.3) {
      return OraclePredicate(measurement, operation, random.pick(known), isNegated: isNegated)
    }
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let index = measurements.count
    let key = "limit_\(letters[index / 26])\(letters[index % 26])"
    let value = number(in: OracleGenerator.ranges[measurement] ?? 0...1)
    measurements[key] = measurement
    parameters[key] = isNegated ? 0 - value : value
    return OraclePredicate(measurement, operation, key, isNegated: isNegated)
  }

  private mutating func number(in range: ClosedRange<Double>) -> Double {
    let value = (random.uniform(range.lowerBound, range.upperBound) * 10_000).rounded() / 10_000
    return Swift.min(Swift.max(value, range.lowerBound), range.upperBound)
  }
}

/// A seeded source of random detectors and recordings that are valid by the contract.
///
/// Equal seeds give equal results on every platform up to the last digit of `log` and `cos`.
package struct OracleGenerator: Sendable {
  package var random: SplitMix64

  package init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }
}

extension SplitMix64 {
  package mutating func normal(_ deviation: Double) -> SIMD3<Double> {
    func one(_ random: inout SplitMix64) -> Double {
      let radius = (-2 * log(1 - random.unit())).squareRoot()
      return deviation * radius * cos(2 * Double.pi * random.unit())
    }
    return SIMD3(one(&self), one(&self), one(&self))
  }

  package mutating func direction() -> SIMD3<Double> {
    let v = normal(1)
    let norm = (v * v).sum().squareRoot()
    return norm > 1e-6 ? v / norm : SIMD3(0, 0, 1)
  }

  /// A rotation that takes the y axis to the unit vector `up`, turned at random about it.
  package mutating func rotation(up: SIMD3<Double>) -> OracleRotation {
    var side = SIMD3<Double>(0, 0, 0)
    repeat {
      let trial = direction()
      side = trial - up * (trial * up).sum()
    } while (side * side).sum() < 0.01
    let x = side / (side * side).sum().squareRoot()
    let z = SIMD3(
      x.y * up.z - x.z * up.y, x.z * up.x - x.x * up.z, x.x * up.y - x.y * up.x)
    return OracleRotation(x, up, z)
  }
}
