import PlankDetection
import PoseModel

enum ExpressionDetectors {
  static func gravity() throws -> DetectorDefinition {
    let texts: [Measurement: String] = [
      .verticalRatio: "abs(height(centerShoulder - ankles)) / length(centerShoulder - ankles)",
      .shoulderRise: "height(leftShoulder - rightShoulder)",
      .wristHipCosine:
        "dot(direction(centerShoulder, root), direction(centerShoulder, wrists))",
      .elbowAngle:
        "mean(angle(leftShoulder, leftElbow, leftWrist), "
        + "angle(rightShoulder, rightElbow, rightWrist))",
      .hipDeviation: "deviation(root, centerShoulder, ankles)",
    ]
    func list(_ list: DecisionList) throws -> DecisionList {
      let rules = try list.rules.map { rule in
        Rule(
          rule.label,
          when: try rule.predicates.map { predicate in
            Predicate(
              try Measurement(
                "own_" + predicate.measurement.name, texts[predicate.measurement] ?? ""),
              predicate.comparison, predicate.parameter, negated: predicate.isNegated)
          })
      }
      return try DecisionList(list.stream, rules)
    }
    let gravity = DetectorDefinition.gravity
    return try DetectorDefinition(
      name: "gravity as expressions", summary: gravity.summary, axes: gravity.axes,
      plank: list(gravity.plank), form: list(gravity.form))
  }

  static func windows() throws -> DetectorDefinition {
    let gravity = DetectorDefinition.gravity
    let pace = try Measurement("pace", "abs(speed(height(root - ankles), 0.5s))")
    let sway = try Measurement("sway", "range(shoulderRise, 1s) * 1Hz")
    let drift = try Measurement(
      "drift", "abs(relative(when(hipDeviation, verticalRatio < 0.5), 2s)) * 1Hz")
    let moving = try Condition(
      "pace > pace_limit or sway > pace_limit or drift > pace_limit",
      measurements: [pace, sway, drift])
    return try DetectorDefinition(
      name: "windows", summary: "gravity while nothing moves", axes: .gravity,
      plank: DecisionList(
        .plank, Rule.rules(.plank(.none), when: moving) + gravity.plank.rules),
      form: gravity.form,
      custom: [
        ParameterDefinition(
          ParameterKey("pace_limit"), unit: .metersPerSecond, default: 5, range: 0...10,
          meaning: "speed beyond which nothing is held")
      ])
  }
}
