internal import PoseModel

extension DetectorDefinition {
  /// The published rules in the camera's axes, exactly as in the article.
  public static let article = publishedRules(
    name: "article", summary: "the published rules in camera axes; ignores up vectors",
    axes: .article, scaled: false)

  /// The published rules with every height measured along the up vector.
  public static let gravity = publishedRules(
    name: "gravity", summary: "the published rules along the up vector", axes: .gravity,
    scaled: false)

  /// The gravity rules with lengths as fractions of the body height.
  public static let scaled = publishedRules(
    name: "scaled", summary: "the gravity rules with lengths over the body height",
    axes: .gravity, scaled: true)

  /// A classifier by the turn of the trunk, with tests for support and clearance.
  public static let trunk = trunkRules()

  /// Every built-in detector, in the order of documentation.
  public static let builtIn: [DetectorDefinition] = [
    article, gravity, scaled, trunk, coach, profile,
  ]

  /// The built-in detector of a name, or nil for an unknown name.
  public static func builtIn(named name: String) -> DetectorDefinition? {
    builtIn.first { $0.name == name }
  }

  private static func publishedRules(
    name: String, summary: String, axes: AxisReading, scaled: Bool
  ) -> DetectorDefinition {
    let rise: Measurement = scaled ? .shoulderRiseFraction : .shoulderRise
    let sideRise: ParameterKey = scaled ? .sideRiseFraction : .sideRise
    return known(
      name: name, summary: summary, axes: axes,
      plank: [
        rule(.none, [Predicate(.verticalRatio, .greaterOrEqual, .horizontalRatio)]),
        rule(.sideLeft, [Predicate(rise, .greater, sideRise)]),
        rule(.sideRight, [Predicate(rise, .less, sideRise, negated: true)]),
        rule(.reverse, [Predicate(.wristHipCosine, .greater, .reverseCosine)]),
        rule(.high, [Predicate(.elbowAngle, .greater, .elbowSplit)]),
        rule(.forearm, []),
      ], form: formRules(scaled: scaled))
  }

  private static func trunkRules() -> DetectorDefinition {
    known(
      name: "trunk", summary: "trunk roll about the up vector, with support and clearance tests",
      axes: .gravity,
      plank: [
        rule(.none, [Predicate(.verticalRatio, .greaterOrEqual, .trunkHorizontalRatio)]),
        rule(.none, [Predicate(.bodyAngle, .lessOrEqual, .trunkBodyAngle)]),
        rule(.none, [Predicate(.supportDrop, .less, .trunkSupportDrop)]),
        rule(.none, [Predicate(.hipClearance, .less, .trunkHipClearance)]),
        rule(.reverse, [Predicate(.trunkRoll, .greaterOrEqual, .trunkReverseRoll)]),
        rule(.reverse, [Predicate(.trunkRoll, .lessOrEqual, .trunkReverseRoll, negated: true)]),
        rule(.sideLeft, [Predicate(.trunkRoll, .greaterOrEqual, .trunkSideRoll)]),
        rule(.sideRight, [Predicate(.trunkRoll, .lessOrEqual, .trunkSideRoll, negated: true)]),
        rule(.high, [Predicate(.forearmVerticality, .greater, .trunkForearmVerticality)]),
        rule(.forearm, []),
      ], form: formRules(scaled: false))
  }

  private static func formRules(scaled: Bool) -> [Rule] {
    let deviation: Measurement = scaled ? .hipDeviationFraction : .hipDeviation
    let sag: ParameterKey = scaled ? .sagFraction : .sag
    let pike: ParameterKey = scaled ? .pikeFraction : .pike
    return [
      Rule(.form(.sag), when: [Predicate(deviation, .less, sag, negated: true)]),
      Rule(.form(.pike), when: [Predicate(deviation, .greater, pike)]),
      Rule(.form(.aligned)),
    ]
  }

  private static func rule(_ label: PlankClass, _ predicates: [Predicate]) -> Rule {
    Rule(.plank(label), when: predicates)
  }

  /// Makes a built-in detector; a mistake in one is a mistake of the library and traps.
  static func known(
    name: String, summary: String, axes: AxisReading, plank: [Rule], form: [Rule],
    expressions: [Measurement] = []
  ) -> DetectorDefinition {
    do {
      return try DetectorDefinition(
        name: name, summary: summary, axes: axes, plank: DecisionList(.plank, plank),
        form: DecisionList(.form, form), expressions: expressions)
    } catch {
      preconditionFailure("built-in detector \(name): \(error)")
    }
  }
  static func known(
    _ detector: String, axes: AxisReading, _ texts: [(name: String, text: String)]
  ) -> [Measurement] {
    var measurements: [Measurement] = []
    do {
      for (name, text) in texts {
        measurements.append(try Measurement(name, text, using: measurements, axes: axes))
      }
    } catch {
      preconditionFailure("built-in detector \(detector): \(error)")
    }
    return measurements
  }
}
