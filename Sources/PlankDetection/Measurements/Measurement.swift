/// A number that describes one frame, as rules and reports name it.
///
/// The set is open: a new measurement is a case here with its unit and definition, and a formula
/// in `BodyGeometry`. Where it has no value, `MeasuredValue` says why.
public enum Measurement: UInt8, CaseIterable, Hashable, Sendable {
  /// How far the line from shoulders to ankles points up: 0 lying, 1 standing.
  case verticalRatio
  /// How much higher the left shoulder is.
  case shoulderRise
  /// Whether the wrists lie on the hips' side of the shoulders.
  case wristHipCosine
  /// The mean bend of both elbows; 180 is straight.
  case elbowAngle
  /// The angle at the hips between shoulders and ankles, unsigned; 180 is straight.
  case bodyAngle
  /// How far the hips are above the line from shoulders to ankles.
  case hipDeviation
  /// `shoulderRise` over the body height.
  case shoulderRiseFraction
  /// `hipDeviation` over the body height.
  case hipDeviationFraction
  /// The angle at the hips with a sign: above 180 where the hips are high.
  case signedHipAngle
  /// How the trunk is turned about its long axis: 0 prone, 90 left side up, 180 supine.
  case trunkRoll
  /// How far the lower arm support is below its shoulder, over the body height.
  case supportDrop
  /// How far the hips are above the lowest joint, over the body height.
  case hipClearance
  /// How upright the forearms are: 0 level, 1 vertical.
  case forearmVerticality
  /// The mean bend of both knees; 180 is straight.
  case kneeAngle
  /// The angle between both thighs; 0 where they point the same way.
  case thighSpread
  /// How far the trunk points up from the hips: 0 level, 1 upright, negative head down.
  case trunkIncline
  /// How far the lowest hand or elbow is above the lower ankle, over the body height.
  case handHeight
  /// How far the upper arms hang down: 1 vertical, 0 level, negative with elbows above shoulders.
  case upperArmIncline

  /// The name in rules and reports.
  public var name: String { Self.names[Int(rawValue)] }

  /// The measurement of a name, or nil for an unknown one; case matters.
  public init?(name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self = Self.allCases[index]
  }

  /// The unit of the numbers.
  public var unit: MeasurementUnit {
    switch self {
    case .verticalRatio, .wristHipCosine, .forearmVerticality, .trunkIncline, .upperArmIncline:
      .ratio
    case .shoulderRise, .hipDeviation: .meters
    case .elbowAngle, .bodyAngle, .signedHipAngle, .trunkRoll, .kneeAngle, .thighSpread: .degrees
    case .shoulderRiseFraction, .hipDeviationFraction, .supportDrop, .hipClearance, .handHeight:
      .bodyHeights
    }
  }

  /// The name with its unit, as columns of tables are headed: `elbowAngle_deg`.
  public var columnName: String {
    switch unit {
    case .ratio: name
    case .bodyHeights: name + "_bh"
    default: name + "_" + unit.rawValue
    }
  }

  /// The definition in one line.
  ///
  /// S is the shoulders' center, H the root, A and W the midpoints of ankles and wrists, u up, h
  /// the body height.
  public var definition: String {
    switch self {
    case .verticalRatio: "|(S-A).u| / |S-A|; 1 where |S-A| <= 0.01 m"
    case .shoulderRise: "(leftShoulder - rightShoulder).u"
    case .wristHipCosine: "cos between H-S and W-S"
    case .elbowAngle: "mean over both arms of the angle shoulder-elbow-wrist"
    case .bodyAngle: "angle S-H-A, unsigned"
    case .hipDeviation: "(H - its projection on the line S-A).u; positive = above"
    case .shoulderRiseFraction: "shoulderRise / h"
    case .hipDeviationFraction: "hipDeviation / h"
    case .signedHipAngle: "angle S-H-A in the plane of S-A and u; above 180 = hips high"
    case .trunkRoll: "turn of the trunk about its long axis; 0 prone, +90 left shoulder up"
    case .supportDrop: "max over both arms of (shoulder-elbow).u and (shoulder-wrist).u, / h"
    case .hipClearance: "(H - lowest present joint).u / h"
    case .forearmVerticality: "mean over both arms of |(W-E).u| / |W-E|"
    case .kneeAngle: "mean over both legs of the angle hip-knee-ankle"
    case .thighSpread: "angle between leftKnee - leftHip and rightKnee - rightHip"
    case .trunkIncline: "(S-H).u / |S-H|; positive = shoulders above hips"
    case .handHeight: "(lowest of both wrists and elbows - lower ankle).u / h"
    case .upperArmIncline: "mean over both arms of (shoulder-elbow).u / |shoulder-elbow|"
    }
  }

  /// How many measurements there are.
  public static let count = allCases.count

  private static let names = allCases.map { String(describing: $0) }
}

/// A set of measurements, one bit each.
public struct MeasurementSet: OptionSet, Hashable, Sendable {
  /// Bit k stands for the measurement with raw value k.
  public let rawValue: UInt32

  /// Makes a set from its bits.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes the set of some measurements.
  public init(_ measurements: some Sequence<Measurement>) {
    rawValue = measurements.reduce(0) { $0 | (1 << UInt32($1.rawValue)) }
  }

  /// Every measurement.
  public static let all = MeasurementSet(Measurement.allCases)

  /// Whether a measurement is in the set.
  @inlinable public func contains(_ measurement: Measurement) -> Bool {
    rawValue & (1 << UInt32(measurement.rawValue)) != 0
  }

  /// The measurements in catalogue order.
  public var members: [Measurement] { Measurement.allCases.filter { contains($0) } }
}

/// The unit of a measurement or of a parameter.
public enum MeasurementUnit: String, CaseIterable, Hashable, Sendable {
  /// A pure number.
  case ratio = "-"
  /// Meters.
  case meters = "m"
  /// Degrees.
  case degrees = "deg"
  /// Multiples of the person's height.
  case bodyHeights = "body heights"
  /// A whole number of frames.
  case frames
  /// Seconds.
  case seconds = "s"
  /// Hertz.
  case hertz = "Hz"

  /// Suffixes that a number in this unit may carry, each with what to divide the number by.
  ///
  /// Dividing keeps decimals exact: 7cm is the nearest `Double` to 0.07.
  public var suffixes: [(text: String, divisor: Double)] {
    switch self {
    case .ratio: []
    case .meters: [("m", 1), ("cm", 100), ("mm", 1000)]
    case .degrees: [("deg", 1), ("°", 1)]
    case .bodyHeights: [("bodyHeights", 1), ("body heights", 1)]
    case .frames: [("frames", 1), ("frame", 1)]
    case .seconds: [("s", 1), ("ms", 1000)]
    case .hertz: [("Hz", 1)]
    }
  }
}
