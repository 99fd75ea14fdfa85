public import PoseModel

/// A complete detector as a value: both decision lists, their axes and their parameters.
public struct DetectorDefinition: Hashable, Sendable {
  /// The name in reports and on the command line.
  public let name: String
  /// A description in one line.
  public let summary: String
  /// Which direction counts as vertical.
  public let axes: AxisReading
  /// The rules for the plank class.
  public let plank: DecisionList
  /// The rules for the form class.
  public private(set) var form: DecisionList
  /// The measurements that are expressions: first those given to the initializer, then the others
  /// that the rules use.
  public let expressions: [Measurement]
  /// Every parameter that the rules use, with or without a calibration, followed by those for
  /// debounce, dropouts and grades.
  public let parameters: [ParameterDefinition]

  /// Creates a detector after checking its rules, measurements and parameters.
  ///
  /// - Parameters:
  ///   - name: the name in reports and on the command line.
  ///   - summary: a description in one line.
  ///   - axes: which direction counts as vertical.
  ///   - plank: the rules for the plank class.
  ///   - form: the rules for the form class.
  ///   - expressions: the detector's own measurements, including those that no rule uses.
  ///   - custom: definitions of keys that the rules use, in addition to the built-in catalog; a
  ///     custom definition replaces the built-in one with the same key.
  /// - Throws: `DetectorError` for swapped lists, undefined keys, repeated definitions, two
  ///   measurements with the same name, measurements that do not suit `axes`, and comparisons
  ///   across units.
  public init(
    name: String, summary: String, axes: AxisReading, plank: DecisionList, form: DecisionList,
    expressions: [Measurement] = [], custom: [ParameterDefinition] = []
  ) throws(DetectorError) {
    try self.init(
      name: name, summary: summary, axes: axes, plank: plank, form: form, expressions: expressions,
      custom: custom, catalog: ParameterCatalogue.definitions)
  }

  /// With another catalog than the built-in one, which a page need not carry.
  package init(
    name: String, summary: String, axes: AxisReading, plank: DecisionList, form: DecisionList,
    expressions: [Measurement], custom: [ParameterDefinition], catalog: [ParameterDefinition]
  ) throws(DetectorError) {
    guard plank.stream == .plank else { throw .wrongStream(.plank) }
    guard form.stream == .form else { throw .wrongStream(.form) }
    self.name = name
    self.summary = summary
    self.axes = axes
    self.plank = plank
    self.form = form
    self.expressions = try Self.expressions(given: expressions, plank, form)
    let mentioned = plank.measurements.members + form.measurements.members
    if let other = (mentioned + self.expressions).first(where: { !$0.suits(axes) }) {
      throw .unsuitableMeasurement(other, axes)
    }
    parameters = try Self.resolve(plank, form, custom: custom, catalog)
    try checkUnits()
  }

  /// Whether two detectors are the same, regardless of the order of their expressions, which JSON
  /// does not keep.
  public static func == (left: DetectorDefinition, right: DetectorDefinition) -> Bool {
    left.name == right.name && left.summary == right.summary && left.axes == right.axes
      && left.plank == right.plank && left.form == right.form && left.parameters == right.parameters
      && left.expressions.count == right.expressions.count
      && left.expressions.allSatisfy { right.expressions.contains($0) }
  }

  /// Hashes the name and both lists.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(plank)
    hasher.combine(form)
  }

  /// The default value of every parameter.
  public var defaults: ParameterValues {
    ParameterValues(detectorName: name, definitions: parameters)
  }

  /// The decision list of a stream.
  public func list(_ stream: AnswerStream) -> DecisionList { stream == .plank ? plank : form }

  /// The detector with the limits for calibrated detectors, where defined
  /// (`ParameterKey.calibrated`).
  package var calibrated: DetectorDefinition {
    var definition = self
    definition.form = form.calibrated(parameters)
    return definition
  }

  /// Every measurement that the rules of either list use.
  public var measurements: MeasurementSet { plank.measurements.union(form.measurements) }

  /// Every measurement that can be reported for the detector: built-in ones and its own
  /// expressions.
  public var reportedMeasurements: MeasurementSet {
    MeasurementSet(Measurement.builtIn(for: axes) + expressions)
  }

  private static func expressions(
    given: [Measurement], _ plank: DecisionList, _ form: DecisionList
  ) throws(DetectorError) -> [Measurement] {
    var all: [Measurement] = []
    let mentioned = plank.measurements.union(form.measurements).members
    for measurement in given + mentioned where !measurement.isBuiltIn && !all.contains(measurement)
    {
      guard !all.contains(where: { $0.name == measurement.name }) else {
        throw .invalidMeasurementName(measurement.name, isTaken: true)
      }
      all.append(measurement)
    }
    return all
  }

  private static func resolve(
    _ plank: DecisionList, _ form: DecisionList, custom: [ParameterDefinition],
    _ catalog: [ParameterDefinition]
  ) throws(DetectorError) -> [ParameterDefinition] {
    for (index, definition) in custom.enumerated()
    where custom[..<index].contains(where: { $0.key == definition.key }) {
      throw .repeatedParameter(definition.key)
    }
    let known = custom + catalog
    let commonKeys = ParameterCatalogue.common.map { $0.key }
    var keys: [ParameterKey] = []
    let formKeys = form.parameterKeys.flatMap { key in
      known.contains { $0.key == key.calibrated } ? [key, key.calibrated] : [key]
    }
    for key in plank.parameterKeys + formKeys + commonKeys where !keys.contains(key) {
      keys.append(key)
    }
    var definitions: [ParameterDefinition] = []
    for key in keys {
      guard let definition = known.first(where: { $0.key == key }) else {
        throw .undefinedParameter(key, available: known.map { $0.key })
      }
      definitions.append(definition)
    }
    return definitions
  }

  private func checkUnits() throws(DetectorError) {
    let rules = plank.rules + form.rules + calibrated.form.rules
    for predicate in rules.flatMap({ $0.predicates }) {
      let unit = parameters.first { $0.key == predicate.parameter }?.unit
      if let unit, unit != predicate.measurement.unit {
        throw .unitMismatch(predicate, measurement: predicate.measurement.unit, parameter: unit)
      }
    }
  }
}

/// Why a detector cannot judge any pose of a recording.
public enum PoseMismatch: Hashable, Sendable, CustomStringConvertible {
  /// The poses are points in an image, but the detector measures 3D positions.
  case imagePoints(detector: String)
  /// The poses are 3D positions, but the detector measures points in an image.
  case positions(detector: String)
  /// The poses are points in an image of unknown size.
  case unknownImageSize

  /// The reason and the remedy, as text that follows a colon.
  public var description: String {
    switch self {
    case .imagePoints(let detector):
      "the poses are points in an image, which have no depth, and the detector \(detector) "
        + "measures lengths and angles in 3D. Use a detector with `axes: image`, such as `profile`."
    case .positions(let detector):
      "the poses are 3D positions, and the detector \(detector) measures points in an image. Use "
        + "a detector of positions, such as `coach` or `gravity`."
    case .unknownImageSize:
      "the header does not give the size of the image, so the angles between its points are "
        + "unknown. Add `image_width_px` and `image_height_px` to the header."
    }
  }
}

extension DetectorDefinition {
  /// Why the detector cannot judge the poses of a recording; nil if it can.
  public func mismatch(with header: RecordingHeader) -> PoseMismatch? {
    guard header.skeleton.dimension == 2 else {
      return axes.isImage ? .positions(detector: name) : nil
    }
    guard axes.isImage else { return .imagePoints(detector: name) }
    return header.imageScale == nil ? .unknownImageSize : nil
  }
}

extension ParameterValues {
  func require(_ key: ParameterKey) throws(DetectorError) -> Double {
    guard let value = self[key] else {
      throw .undefinedParameter(key, available: definitions.map { $0.key })
    }
    return value
  }
}

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

  /// Rules that classify by the turn of the trunk, with tests for support and clearance.
  public static let trunk = known(
    name: "trunk", summary: "trunk roll about the up vector, with support and clearance tests",
    axes: .gravity,
    plank: [
      (.none, "verticalRatio >= trunk_horizontal_ratio"),
      (.none, "bodyAngle <= trunk_body_angle"),
      (.none, "supportDrop < trunk_support_drop"),
      (.none, "hipClearance < trunk_hip_clearance"),
      (.reverse, "trunkRoll >= trunk_reverse_roll"),
      (.reverse, "trunkRoll <= -trunk_reverse_roll"),
      (.sideLeft, "trunkRoll >= trunk_side_roll"),
      (.sideRight, "trunkRoll <= -trunk_side_roll"),
      (.high, "forearmVerticality > trunk_forearm_verticality"),
      (.forearm, ""),
    ], form: publishedForm(scaled: false))

  /// Every built-in detector, in documentation order.
  public static let builtIn: [DetectorDefinition] = [
    article, gravity, scaled, trunk, coach, profile,
  ]

  /// The built-in detector with this name, or nil if there is none.
  public static func builtIn(named name: String) -> DetectorDefinition? {
    builtIn.first { $0.name == name }
  }

  private static func publishedRules(
    name: String, summary: String, axes: AxisReading, scaled: Bool
  ) -> DetectorDefinition {
    let (rise, limit) =
      scaled ? ("shoulderRiseFraction", "side_rise_fraction") : ("shoulderRise", "side_rise")
    return known(
      name: name, summary: summary, axes: axes,
      plank: [
        (.none, "verticalRatio >= horizontal_ratio"),
        (.sideLeft, "\(rise) > \(limit)"),
        (.sideRight, "\(rise) < -\(limit)"),
        (.reverse, "wristHipCosine > reverse_cosine"),
        (.high, "elbowAngle > elbow_split"),
        (.forearm, ""),
      ], form: publishedForm(scaled: scaled))
  }

  private static func publishedForm(scaled: Bool) -> [(FormClass, String)] {
    let suffix = scaled ? ("Fraction", "_fraction") : ("", "")
    return [
      (.sag, "hipDeviation\(suffix.0) < -sag\(suffix.1)"),
      (.pike, "hipDeviation\(suffix.0) > pike\(suffix.1)"),
      (.aligned, ""),
    ]
  }

  /// Makes a built-in detector from rules and measurements in the syntax of detector files; the last
  /// rule of each list has no condition.
  static func known(
    name: String, summary: String, axes: AxisReading,
    measurements texts: [(name: String, text: String)] = [],
    plank: [(PlankClass, String)], form: [(FormClass, String)]
  ) -> DetectorDefinition {
    func made<Value, Failure: Error & CustomStringConvertible>(
      _ make: () throws(Failure) -> Value
    ) -> Value {
      do { return try make() } catch { preconditionFailure("built-in detector \(name): \(error)") }
    }
    var measurements: [Measurement] = []
    for (name, text) in texts {
      measurements.append(
        made { () throws(DetectorError) in
          try Measurement(name, text, using: measurements, axes: axes)
        })
    }
    func rules(_ label: AnswerLabel, _ text: String) -> [Rule] {
      if text.isEmpty { return [Rule(label)] }
      return Rule.rules(
        label,
        when: made { () throws(ExpressionError) in
          try Condition(text, measurements: measurements)
        })
    }
    return made { () throws(DetectorError) in
      try DetectorDefinition(
        name: name, summary: summary, axes: axes,
        plank: DecisionList(.plank, plank.flatMap { rules(.plank($0), $1) }),
        form: DecisionList(.form, form.flatMap { rules(.form($0), $1) }),
        expressions: measurements)
    }
  }
}
