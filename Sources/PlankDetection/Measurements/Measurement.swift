package import PoseModel

/// A number that describes one frame, with its name in rules and reports.
///
/// Built-in measurements are listed here, with formulas in `BodyGeometry`; the others are
/// expressions. If a measurement has no value, `MeasuredValue` says why.
public struct Measurement: Hashable, Sendable, CustomStringConvertible {
  /// The name in rules and reports.
  public let name: String
  /// The unit of the numbers.
  public let unit: MeasurementUnit
  /// The definition in one line; for an expression, its text.
  ///
  /// In definitions, S is the center of the shoulders, H the root, A and W the midpoints of ankles
  /// and wrists, E an elbow, u the up vector and h the body height.
  public let definition: String
  let source: Source
  let needs: MeasurementNeeds
  /// The range of an angle that wraps around, whose two ends are the same angle.
  let turn: ClosedRange<Double>?

  enum Source: Hashable, Sendable {
    case formula(Formula)
    indirect case program(ExpressionProgram)
  }

  /// Makes a measurement from an expression.
  ///
  /// An expression belongs to the axes for which it is made, because lengths in an image are not
  /// meters.
  ///
  /// - Parameters:
  ///   - name: letters, digits and underscores, beginning with a letter; not the name of a joint, a
  ///     function or another measurement.
  ///   - expression: the text, in the syntax of `docs/detectors.md`.
  ///   - others: measurements with expressions, which the new expression may use by name.
  ///   - axes: the axes of the detector; `.image` for image points.
  /// - Throws: `DetectorError.invalidMeasurementName`, or `.unreadableExpression` with the position
  ///   of the mistake.
  public init(
    _ name: String, _ expression: String, using others: [Measurement] = [],
    axes: AxisReading = .gravity
  ) throws(DetectorError) {
    let isWord = Self.isWord(name)
    guard isWord, !ExpressionParser.isTaken(name, in: axes),
      !(Self.builtIn + others).contains(where: { $0.name == name })
    else { throw .invalidMeasurementName(name, isTaken: isWord) }
    do {
      let (program, unit, turn) = try ExpressionParser.compile(expression, using: others, axes)
      self.name = name
      self.unit = unit
      definition = expression.split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
      source = .program(program)
      needs = program.needs
      self.turn = turn
    } catch {
      throw .unreadableExpression(name, error)
    }
  }

  /// A measurement whose values are known, so that nothing needs the expression.
  package init(measured name: String, _ unit: MeasurementUnit, axes: AxisReading) {
    self.name = name
    self.unit = unit
    definition = name
    source = .program(ExpressionProgram(isOfImages: axes.isImage))
    needs = MeasurementNeeds()
    turn = nil
  }

  private init(
    _ formula: Formula, _ name: String, _ unit: MeasurementUnit, _ definition: String,
    _ joints: [Joint], bodyHeight: Bool = false, turn: ClosedRange<Double>? = nil
  ) {
    self.name = name
    self.unit = unit
    self.definition = definition
    source = .formula(formula)
    needs = MeasurementNeeds(joints, bodyHeight: bodyHeight)
    self.turn = turn
  }

  /// The built-in measurement with this name, or nil if there is none; case matters.
  public static func builtIn(named name: String) -> Measurement? {
    builtIn.first { $0.name == name }
  }

  /// The text of the expression, or nil for a built-in measurement.
  public var expression: String? { isBuiltIn ? nil : definition }

  /// Whether the measurement is built in rather than an expression.
  public var isBuiltIn: Bool { if case .formula = source { true } else { false } }

  package var looksBack: Bool {
    if case .program(let program) = source { !program.windows.isEmpty } else { false }
  }

  /// Whether a detector with the given axes can use the measurement.
  ///
  /// An expression suits the axes for which it was made. Image points support only those built-in
  /// angles and ratios that need no depth.
  public func suits(_ axes: AxisReading) -> Bool {
    switch source {
    case .formula(let formula): !axes.isImage || formula.isOfImages
    case .program(let program): program.isOfImages == axes.isImage
    }
  }

  /// The built-in measurements that a detector with the given axes can use, in catalog order.
  public static func builtIn(for axes: AxisReading) -> [Measurement] {
    builtIn.filter { $0.suits(axes) }
  }

  /// The name with its unit, as in the headers of tables: `elbowAngle_deg`.
  public var columnName: String {
    switch unit {
    case .ratio: name
    case .bodyHeights: name + "_bh"
    case .imageHeights: name + "_ih"
    case .metersPerSecond: name + "_m_per_s"
    case .degreesPerSecond: name + "_deg_per_s"
    case .bodyHeightsPerSecond: name + "_bh_per_s"
    case .imageHeightsPerSecond: name + "_ih_per_s"
    default: name + "_" + unit.rawValue
    }
  }

  package var needsBodyHeight: Bool { needs.bodyHeight }

  package func needs(_ joint: Joint) -> Bool { needs.contains(joint) }

  /// The name in rules and reports.
  public var description: String { name }

  /// Hashes only the name, because measurements with the same name rarely differ.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  func precedes(_ other: Measurement) -> Bool {
    switch (source, other.source) {
    case (.formula(let left), .formula(let right)): left.rawValue < right.rawValue
    case (.formula, .program): true
    case (.program, .formula): false
    case (.program, .program): (name, definition) < (other.name, other.definition)
    }
  }

  private static func isWord(_ text: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == 95 }
  }
}

enum Formula: UInt8, CaseIterable, Hashable, Sendable {
  case verticalRatio
  case shoulderRise
  case wristHipCosine
  case elbowAngle
  case bodyAngle
  case hipDeviation
  case shoulderRiseFraction
  case hipDeviationFraction
  case signedHipAngle
  case trunkRoll
  case supportDrop
  case hipClearance
  case forearmVerticality
  case kneeAngle
  case thighSpread
  case trunkIncline
  case handHeight
  case upperArmIncline
  case smallerKneeAngle
  case kneeRise
  case kneeDeviation
  case elbowRise
}

extension Measurement {
  /// Every built-in measurement, in the order used in documentation and columns.
  public static let builtIn: [Measurement] = [
    .verticalRatio, .shoulderRise, .wristHipCosine, .elbowAngle, .bodyAngle, .hipDeviation,
    .shoulderRiseFraction, .hipDeviationFraction, .signedHipAngle, .trunkRoll, .supportDrop,
    .hipClearance, .forearmVerticality, .kneeAngle, .thighSpread, .trunkIncline, .handHeight,
    .upperArmIncline, .smallerKneeAngle, .kneeRise, .kneeDeviation, .elbowRise,
  ]

  /// How steeply the line between shoulders and ankles rises: 0 is level, 1 is vertical.
  public static let verticalRatio = Measurement(
    .verticalRatio, "verticalRatio", .ratio, "|(S-A).u| / |S-A|; 1 where |S-A| <= 0.01 m",
    [.centerShoulder, .leftAnkle, .rightAnkle])

  /// How much higher the left shoulder is than the right, in meters.
  public static let shoulderRise = Measurement(
    .shoulderRise, "shoulderRise", .meters, "(leftShoulder - rightShoulder).u",
    [.leftShoulder, .rightShoulder])

  /// The cosine of the angle between hips and wrists as seen from the shoulders.
  public static let wristHipCosine = Measurement(
    .wristHipCosine, "wristHipCosine", .ratio, "cos between H-S and W-S",
    [.centerShoulder, .root, .leftWrist, .rightWrist])

  /// The mean angle of both elbows in degrees; 180 is straight.
  public static let elbowAngle = Measurement(
    .elbowAngle, "elbowAngle", .degrees, "mean over both arms of the angle shoulder-elbow-wrist",
    arms)

  /// The unsigned angle at the hips between shoulders and ankles in degrees; 180 is straight.
  public static let bodyAngle = Measurement(
    .bodyAngle, "bodyAngle", .degrees, "angle S-H-A, unsigned", trunk)

  /// How far the hips are above the line from shoulders to ankles, in meters.
  public static let hipDeviation = Measurement(
    .hipDeviation, "hipDeviation", .meters,
    "(H - its projection on the line S-A).u; positive = above", trunk)

  /// `shoulderRise` divided by the body height.
  public static let shoulderRiseFraction = Measurement(
    .shoulderRiseFraction, "shoulderRiseFraction", .bodyHeights, "shoulderRise / h",
    [.leftShoulder, .rightShoulder], bodyHeight: true)

  /// `hipDeviation` divided by the body height.
  public static let hipDeviationFraction = Measurement(
    .hipDeviationFraction, "hipDeviationFraction", .bodyHeights, "hipDeviation / h", trunk,
    bodyHeight: true)

  /// The signed angle at the hips in degrees; above 180, the hips are high.
  public static let signedHipAngle = Measurement(
    .signedHipAngle, "signedHipAngle", .degrees,
    "angle S-H-A in the plane of S-A and u; above 180 = hips high", trunk, turn: 0...360)

  /// The turn of the trunk about its long axis in degrees: 0 is prone, 90 left side up, 180 supine.
  public static let trunkRoll = Measurement(
    .trunkRoll, "trunkRoll", .degrees,
    "turn of the trunk about its long axis; 0 prone, +90 left shoulder up",
    [.centerShoulder, .root, .leftShoulder, .rightShoulder], turn: -180...180)

  /// The largest distance of an elbow or wrist below the shoulder of the same arm, in body heights.
  public static let supportDrop = Measurement(
    .supportDrop, "supportDrop", .bodyHeights,
    "max over both arms of (shoulder-elbow).u and (shoulder-wrist).u, / h", arms, bodyHeight: true)

  /// How far the hips are above the lowest joint, in body heights.
  public static let hipClearance = Measurement(
    .hipClearance, "hipClearance", .bodyHeights, "(H - lowest present joint).u / h", [.root],
    bodyHeight: true)

  /// How upright the forearms are: 0 is level, 1 is vertical.
  public static let forearmVerticality = Measurement(
    .forearmVerticality, "forearmVerticality", .ratio, "mean over both arms of |(W-E).u| / |W-E|",
    [.leftElbow, .leftWrist, .rightElbow, .rightWrist])

  /// The mean angle of both knees in degrees; 180 is straight.
  public static let kneeAngle = Measurement(
    .kneeAngle, "kneeAngle", .degrees, "mean over both legs of the angle hip-knee-ankle", legs)

  /// The angle between the thighs in degrees; 0 if they point the same way.
  public static let thighSpread = Measurement(
    .thighSpread, "thighSpread", .degrees,
    "angle between leftKnee - leftHip and rightKnee - rightHip",
    [.leftHip, .leftKnee, .rightHip, .rightKnee])

  /// How steeply the trunk rises from the hips: 0 is level, 1 is upright, negative is head down.
  public static let trunkIncline = Measurement(
    .trunkIncline, "trunkIncline", .ratio, "(S-H).u / |S-H|; positive = shoulders above hips",
    [.centerShoulder, .root])

  /// How far the lowest hand or elbow is above the lower ankle, in body heights.
  public static let handHeight = Measurement(
    .handHeight, "handHeight", .bodyHeights,
    "(lowest of both wrists and elbows - lower ankle).u / h", hands, bodyHeight: true)

  /// How far the upper arms hang down: 1 is vertical, 0 is level, negative is elbows above
  /// shoulders.
  public static let upperArmIncline = Measurement(
    .upperArmIncline, "upperArmIncline", .ratio,
    "mean over both arms of (shoulder-elbow).u / |shoulder-elbow|",
    [.leftShoulder, .leftElbow, .rightShoulder, .rightElbow])

  /// The angle in degrees of the knee that is bent more; 180 is straight.
  public static let smallerKneeAngle = Measurement(
    .smallerKneeAngle, "smallerKneeAngle", .degrees,
    "smaller over both legs of the angle hip-knee-ankle", legs)

  /// How far the lower knee is above the lower ankle, in body heights.
  public static let kneeRise = Measurement(
    .kneeRise, "kneeRise", .bodyHeights, "(lower knee - lower ankle).u / h",
    [.leftKnee, .rightKnee, .leftAnkle, .rightAnkle], bodyHeight: true)

  /// How far the knees are above the line from elbows to ankles, in body heights.
  ///
  /// The knees of straight legs are above the line, and knees on the floor are below it. The
  /// measurement is inapplicable if elbows and ankles are within a millimeter of each other.
  public static let kneeDeviation = Measurement(
    .kneeDeviation, "kneeDeviation", .bodyHeights,
    "(knees' midpoint - its projection on the line elbows' midpoint-A).u / h; positive = above",
    [.leftElbow, .rightElbow, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle], bodyHeight: true)

  /// How far the lower elbow is above the lower wrist, in body heights.
  ///
  /// The value is about 0 with the forearms on the floor and about 0.15, a forearm's length, with
  /// upright forearms. The value is negative with the hands above the elbows.
  public static let elbowRise = Measurement(
    .elbowRise, "elbowRise", .bodyHeights, "(lower elbow - lower wrist).u / h", forearms,
    bodyHeight: true)

  private static let trunk: [Joint] = [.centerShoulder, .root, .leftAnkle, .rightAnkle]
  private static let arms: [Joint] = [.leftShoulder, .rightShoulder] + forearms
  private static let forearms: [Joint] = [.leftElbow, .leftWrist, .rightElbow, .rightWrist]
  private static let hands: [Joint] = forearms + [.leftAnkle, .rightAnkle]
  private static let legs: [Joint] = [
    .leftHip, .leftKnee, .leftAnkle, .rightHip, .rightKnee, .rightAnkle,
  ]
}

/// A set of measurements: the built-in ones in catalog order, then expressions by name.
public struct MeasurementSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The members: built-in measurements in catalog order, then expressions by name.
  public private(set) var members: [Measurement] = []

  /// Collects measurements, each of them once.
  public init(_ measurements: some Sequence<Measurement>) {
    for measurement in measurements where !contains(measurement) { insert(measurement) }
  }

  /// Collects the measurements of an array literal.
  public init(arrayLiteral measurements: Measurement...) { self.init(measurements) }

  /// Every built-in measurement.
  public static let all = MeasurementSet(Measurement.builtIn)

  /// Whether the set has no members.
  public var isEmpty: Bool { members.isEmpty }

  /// Whether a measurement is in the set.
  public func contains(_ measurement: Measurement) -> Bool { index(of: measurement) != nil }

  /// The index of a measurement in `members`; nil if it is not a member.
  public func index(of measurement: Measurement) -> Int? {
    // Names nearly always differ, and comparing them copies no expressions.
    members.indices.first { members[$0].name == measurement.name && members[$0] == measurement }
  }

  package func place(of measurement: Measurement) -> Int {
    guard let place = index(of: measurement) else {
      preconditionFailure("the measurement \(measurement.name) is not in the set that was measured")
    }
    return place
  }

  /// The measurements that are in at least one of the two sets.
  public func union(_ other: MeasurementSet) -> MeasurementSet {
    var union = self
    for measurement in other.members where !contains(measurement) { union.insert(measurement) }
    return union
  }

  /// The measurements that are in both sets.
  public func intersection(_ other: MeasurementSet) -> MeasurementSet {
    var common = self
    common.members.removeAll { !other.contains($0) }
    return common
  }

  /// The measurements of this set that are not in another set.
  public func subtracting(_ other: MeasurementSet) -> MeasurementSet {
    var rest = self
    rest.members.removeAll { other.contains($0) }
    return rest
  }

  private mutating func insert(_ measurement: Measurement) {
    let place = members.firstIndex { measurement.precedes($0) } ?? members.endIndex
    members.insert(measurement, at: place)
  }
}

/// The unit of a measurement or of a parameter.
public enum MeasurementUnit: String, CaseIterable, Hashable, Sendable {
  /// A pure number.
  case ratio = "-"
  case meters = "m"
  case degrees = "deg"
  /// Multiples of the person's height.
  case bodyHeights = "body heights"
  /// Multiples of the image's height.
  case imageHeights = "image heights"
  /// A whole number of frames.
  case frames
  case seconds = "s"
  case hertz = "Hz"
  case metersPerSecond = "m/s"
  case degreesPerSecond = "deg/s"
  /// Multiples of the person's height, per second.
  case bodyHeightsPerSecond = "body heights/s"
  /// Multiples of the image's height, per second.
  case imageHeightsPerSecond = "image heights/s"

  /// The suffixes that a number in this unit may have, each with the divisor that converts it.
  ///
  /// Division keeps decimals exact: 7cm becomes the `Double` nearest to 0.07.
  public var suffixes: [(text: String, divisor: Double)] {
    switch self {
    case .ratio: []
    case .meters: [("m", 1), ("cm", 100), ("mm", 1000)]
    case .degrees: [("deg", 1), ("°", 1)]
    case .bodyHeights: [("bodyHeights", 1), ("body heights", 1)]
    case .imageHeights: [("imageHeights", 1), ("image heights", 1)]
    case .frames: [("frames", 1), ("frame", 1)]
    case .seconds: [("s", 1), ("ms", 1000)]
    case .hertz: [("Hz", 1)]
    case .metersPerSecond: [("m/s", 1), ("cm/s", 100)]
    case .degreesPerSecond: [("deg/s", 1), ("°/s", 1)]
    case .bodyHeightsPerSecond: [("bodyHeights/s", 1), ("body heights/s", 1)]
    case .imageHeightsPerSecond: [("imageHeights/s", 1), ("image heights/s", 1)]
    }
  }
}
