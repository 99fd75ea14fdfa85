/// The measurements of one frame by name (domain.md 4); an undefined one has no value.
package struct OracleMeasurements: Sendable, Equatable {
  /// Names of the contract's table, in its order.
  package static let names = [
    "verticalRatio", "shoulderRise", "wristHipCosine", "elbowAngle", "bodyAngle", "hipDeviation",
    "shoulderRiseFraction", "hipDeviationFraction", "signedHipAngle", "trunkRoll", "supportDrop",
    "hipClearance", "forearmVerticality",
  ]

  /// Values of the defined measurements.
  package let values: [String: Float]

  /// Measures a pose.
  package init(_ pose: OraclePose, axes: OracleAxes) {
    let body = OracleBodyReading(pose, axes: axes)
    let doubles: [String: Double?] = [
      "verticalRatio": body.verticalRatio,
      "shoulderRise": body.shoulderRise,
      "wristHipCosine": body.wristHipCosine,
      "elbowAngle": body.elbowAngle,
      "bodyAngle": body.bodyAngle,
      "hipDeviation": body.hipDeviation,
      "shoulderRiseFraction": body.perHeight(body.shoulderRise),
      "hipDeviationFraction": body.perHeight(body.hipDeviation),
      "signedHipAngle": body.signedHipAngle,
      "trunkRoll": body.trunkRoll,
      "supportDrop": body.perHeight(body.supportDropMeters),
      "hipClearance": body.perHeight(body.hipClearanceMeters),
      "forearmVerticality": body.forearmVerticality,
    ]
    var values: [String: Float] = [:]
    for (name, double) in doubles {
      if let float = double.map({ Float($0) }), float.isFinite { values[name] = float }
    }
    self.values = values
  }

  /// The value, nil when undefined.
  package subscript(name: String) -> Float? { values[name] }
}
