/// A number that describes one frame, as rules and reports name it.
///
/// The set is open: a new measurement is a case here with its unit and definition, and a formula
/// in `BodyGeometry`. Undefined measurements are NaN in columns and nil in the interface.
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
    case .verticalRatio, .wristHipCosine, .forearmVerticality: .ratio
    case .shoulderRise, .hipDeviation: .meters
    case .elbowAngle, .bodyAngle, .signedHipAngle, .trunkRoll: .degrees
    case .shoulderRiseFraction, .hipDeviationFraction, .supportDrop, .hipClearance: .bodyHeights
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
    }
  }

  /// How many measurements there are.
  public static let count = allCases.count

  private static let names = allCases.map { String(describing: $0) }
}
