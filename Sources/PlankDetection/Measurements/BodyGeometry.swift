internal import PoseModel

/// The formulas of all measurements over one frame (`docs/contract.md`, Measurements).
///
/// Arithmetic is in `Double`. A vector that is to be normalized but shorter than a millimeter, such
/// as a leg of an angle, makes a measurement NaN, and so does a missing joint; `MeasurementNeeds`
/// tells the two cases apart.
struct BodyGeometry {
  private static let shortestVector = 0.001
  private static let shortestSpan = 0.01
  private static let smallestUpPart = 0.2

  /// The joints of the frame.
  let joints: BodyJoints
  /// The unit up vector.
  let up: Vector3
  /// The axis along which heights are measured.
  let heightAxis: Vector3
  /// The body height in meters: Vision's reference where none is given.
  ///
  /// NaN in an image, and where the height that is given cannot be one.
  let bodyHeight: Double
  private let vertical: Vector3
  private let shoulders: Vector3
  private let hips: Vector3
  private let ankles: Vector3

  /// Prepares the points that most formulas share.
  init(joints: BodyJoints, axes: FrameAxes, reading: AxisReading, bodyHeight: Double?) {
    self.joints = joints
    up = axes.up
    heightAxis = reading.height(axes)
    vertical = reading.vertical(axes)
    let height = bodyHeight ?? (axes.image == nil ? HeightEstimation.referenceHeight.value : .nan)
    self.bodyHeight = height.isFinite && height > 0 ? height : .nan
    shoulders = joints[.centerShoulder]
    hips = joints[.root]
    ankles = joints[.leftAnkle].midpoint(joints[.rightAnkle])
  }

  /// The value of a measurement; not finite if it has none.
  func value(of formula: Formula) -> Double {
    switch formula {
    case .verticalRatio: verticalRatio
    case .shoulderRise: shoulderRise
    case .wristHipCosine: wristHipCosine
    case .elbowAngle: elbowAngle
    case .bodyAngle: Self.angle(shoulders - hips, ankles - hips)
    case .hipDeviation: hipDeviation
    case .shoulderRiseFraction: shoulderRise / bodyHeight
    case .hipDeviationFraction: hipDeviation / bodyHeight
    case .signedHipAngle: Self.signedAngle(shoulders, hips, ankles, up: up)
    case .trunkRoll: trunkRoll
    case .supportDrop: supportDrop
    case .hipClearance: (hips.dot(up) - joints.lowest(along: up)) / bodyHeight
    case .forearmVerticality: forearmVerticality
    case .kneeAngle: (leftKneeAngle + rightKneeAngle) / 2
    case .thighSpread: thighSpread
    case .trunkIncline: Self.unit(shoulders - hips).dot(up)
    case .handHeight: handHeight
    case .upperArmIncline: upperArmIncline
    case .smallerKneeAngle: Self.minimum(leftKneeAngle, rightKneeAngle)
    case .kneeRise: (lowest(.leftKnee, .rightKnee) - lowestAnkle) / bodyHeight
    case .kneeDeviation: kneeDeviation
    case .elbowRise: elbowRise
    }
  }

  private var verticalRatio: Double {
    let span = shoulders - ankles
    let length = span.norm
    return length <= Self.shortestSpan ? 1 : abs(span.dot(vertical)) / length
  }

  private var shoulderRise: Double {
    (joints[.leftShoulder] - joints[.rightShoulder]).dot(heightAxis)
  }

  private var wristHipCosine: Double {
    let wrists = joints[.leftWrist].midpoint(joints[.rightWrist])
    return Self.unit(hips - shoulders).dot(Self.unit(wrists - shoulders))
  }

  private var elbowAngle: Double {
    func angle(_ shoulder: Joint, _ elbow: Joint, _ wrist: Joint) -> Double {
      Self.angle(joints[shoulder] - joints[elbow], joints[wrist] - joints[elbow])
    }
    let left = angle(.leftShoulder, .leftElbow, .leftWrist)
    return (left + angle(.rightShoulder, .rightElbow, .rightWrist)) / 2
  }

  private var hipDeviation: Double { Self.deviation(hips, shoulders, ankles, heightAxis) }

  private var trunkRoll: Double {
    let left = Self.unit(joints[.leftShoulder] - joints[.rightShoulder])
    let trunk = shoulders - hips
    let cranial = Self.unit(trunk - left * trunk.dot(left))
    return atan2Degrees(left.dot(up), -left.cross(cranial).dot(up))
  }

  private var supportDrop: Double {
    func drop(_ shoulder: Joint, _ elbow: Joint, _ wrist: Joint) -> Double {
      let top = joints[shoulder]
      return Self.maximum((top - joints[elbow]).dot(up), (top - joints[wrist]).dot(up))
    }
    let left = drop(.leftShoulder, .leftElbow, .leftWrist)
    return Self.maximum(left, drop(.rightShoulder, .rightElbow, .rightWrist)) / bodyHeight
  }

  private var forearmVerticality: Double {
    func verticality(_ elbow: Joint, _ wrist: Joint) -> Double {
      abs(Self.unit(joints[wrist] - joints[elbow]).dot(up))
    }
    return (verticality(.leftElbow, .leftWrist) + verticality(.rightElbow, .rightWrist)) / 2
  }

  private var leftKneeAngle: Double {
    let knee = joints[.leftKnee]
    return Self.angle(joints[.leftHip] - knee, joints[.leftAnkle] - knee)
  }

  private var rightKneeAngle: Double {
    let knee = joints[.rightKnee]
    return Self.angle(joints[.rightHip] - knee, joints[.rightAnkle] - knee)
  }

  private var thighSpread: Double {
    Self.angle(
      joints[.leftKnee] - joints[.leftHip], joints[.rightKnee] - joints[.rightHip])
  }

  private var handHeight: Double {
    let hands = Self.minimum(lowest(.leftElbow, .leftWrist), lowest(.rightElbow, .rightWrist))
    return (hands - lowestAnkle) / bodyHeight
  }

  private var upperArmIncline: Double {
    func incline(_ shoulder: Joint, _ elbow: Joint) -> Double {
      Self.unit(joints[shoulder] - joints[elbow]).dot(up)
    }
    return (incline(.leftShoulder, .leftElbow) + incline(.rightShoulder, .rightElbow)) / 2
  }

  private var kneeDeviation: Double {
    let knees = joints[.leftKnee].midpoint(joints[.rightKnee])
    let elbows = joints[.leftElbow].midpoint(joints[.rightElbow])
    return Self.deviation(knees, elbows, ankles, up) / bodyHeight
  }

  private var elbowRise: Double {
    (lowest(.leftElbow, .rightElbow) - lowest(.leftWrist, .rightWrist)) / bodyHeight
  }

  private var lowestAnkle: Double { lowest(.leftAnkle, .rightAnkle) }

  private func lowest(_ first: Joint, _ second: Joint) -> Double {
    Self.minimum(joints[first].dot(up), joints[second].dot(up))
  }
}

extension Formula {
  /// Whether the formula has a meaning for points of an image, which have no depth and no meters.
  var isOfImages: Bool {
    switch self {
    case .verticalRatio, .wristHipCosine, .elbowAngle, .bodyAngle, .signedHipAngle,
      .forearmVerticality, .kneeAngle, .thighSpread, .trunkIncline, .upperArmIncline,
      .smallerKneeAngle:
      true
    default: false
    }
  }
}

// Formulas shared with expressions.
extension BodyGeometry {
  /// A vector of NaN.
  static let nowhere = Vector3(.nan, .nan, .nan)

  /// How far a point is above the line through two others, NaN if they coincide.
  static func deviation(
    _ point: Vector3, _ first: Vector3, _ second: Vector3, _ heightAxis: Vector3
  ) -> Double {
    let direction = unit(second - first)
    let arm = point - first
    return (arm - direction * arm.dot(direction)).dot(heightAxis)
  }

  /// The angle at `middle` in the plane of the line from `first` to `last` and up, 0..<360 degrees.
  ///
  /// 180 is straight; above 180, `middle` is above the line. NaN if the line is within 11.5 degrees
  /// of vertical or two of the points coincide.
  static func signedAngle(
    _ first: Vector3, _ middle: Vector3, _ last: Vector3, up: Vector3
  ) -> Double {
    let along = unit(last - first)
    let upPart = up - along * up.dot(along)
    let upper = middle - first
    let lower = last - middle
    guard upPart.norm >= smallestUpPart, isLong(upper), isLong(lower) else { return .nan }
    let normal = upPart / upPart.norm
    let (a, b) = ((upper.dot(along), upper.dot(normal)), (lower.dot(along), lower.dot(normal)))
    let angle = 180 - atan2Degrees(a.0 * b.1 - a.1 * b.0, a.0 * b.0 + a.1 * b.1)
    return angle >= 360 ? angle - 360 : angle
  }

  /// The turn from one vector to another about an axis, -180...180 degrees, counterclockwise if the
  /// axis points at the viewer; NaN if one of the three has no direction there.
  static func projectedAngle(_ from: Vector3, _ to: Vector3, about axis: Vector3) -> Double {
    let normal = unit(axis)
    let first = from - normal * from.dot(normal)
    let second = to - normal * to.dot(normal)
    guard isLong(first), isLong(second) else { return .nan }
    return atan2Degrees(first.cross(second).dot(normal), first.dot(second))
  }

  /// Whether a vector is long enough to have a direction; false for NaN.
  private static func isLong(_ vector: Vector3) -> Bool { vector.norm >= shortestVector }

  /// The unit vector of a direction, NaN if it is shorter than a millimeter.
  static func unit(_ vector: Vector3) -> Vector3 {
    let length = vector.norm
    return length >= shortestVector ? vector / length : nowhere
  }

  /// The angle between two legs in degrees, NaN if one has no direction.
  static func angle(_ a: Vector3, _ b: Vector3) -> Double {
    isLong(a) && isLong(b) ? a.angleDegrees(to: b) : .nan
  }

  /// The larger number, NaN if either is.
  static func maximum(_ a: Double, _ b: Double) -> Double {
    a.isNaN || b.isNaN ? .nan : max(a, b)
  }

  /// The smaller number, NaN if either is.
  static func minimum(_ a: Double, _ b: Double) -> Double {
    a.isNaN || b.isNaN ? .nan : min(a, b)
  }
}

/// The direction that a detector takes for vertical.
public enum AxisReading: String, CaseIterable, Hashable, Sendable {
  /// The frame's up vector.
  case gravity
  /// The camera's axes, for the measurements that the article published.
  ///
  /// `shoulderRise`, `hipDeviation` and their fractions are measured along the camera's y in every
  /// orientation, `verticalRatio` along its x in both landscape orientations. Measurements that the
  /// article does not have use the up vector.
  case article
  /// Up in the image, for detectors of image points: positions are in image heights and have no
  /// depth.
  case image

  /// Whether a detector with these axes takes image points; others take 3D positions.
  public var isImage: Bool { self == .image }

  /// The direction along which shoulder and hip heights are measured.
  func height(_ axes: FrameAxes) -> Vector3 { self == .article ? .unitY : axes.up }

  /// The direction along which `verticalRatio` is measured.
  func vertical(_ axes: FrameAxes) -> Vector3 {
    self == .article ? axes.publishedVertical : axes.up
  }
}
