internal import PoseModel

/// The formulas of all measurements over one frame, or over several frames side by side
/// (`docs/contract.md`, Measurements).
///
/// Arithmetic is in `Double`. A measurement is NaN if a joint is missing, or if a vector that must
/// be normalized, such as a leg of an angle, is shorter than a millimeter; `MeasurementNeeds` tells
/// the two cases apart.
struct BodyGeometry<Number: FrameNumber> {
  typealias Vector = FrameVector<Number>

  private static var shortestVector: Double { 0.001 }
  private static var shortestSpan: Double { 0.01 }
  private static var smallestUpPart: Double { 0.2 }

  let joints: FrameGroup<Number>
  let up: Vector
  let heightAxis: Vector
  let bodyHeight: Number
  private let shoulders: Vector
  private let hips: Vector
  private let ankles: Vector

  init(_ frames: FrameGroup<Number>) {
    joints = frames
    up = frames.up
    heightAxis = frames.heightAxis
    bodyHeight = frames.bodyHeight
    shoulders = frames[.centerShoulder]
    hips = frames[.root]
    ankles = frames[.leftAnkle].midpoint(frames[.rightAnkle])
  }

  func value(of formula: Formula) -> Number {
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
    case .kneeAngle: leftKneeAngle.mean(rightKneeAngle)
    case .thighSpread: thighSpread
    case .trunkIncline: Self.unit(shoulders - hips).dot(up)
    case .handHeight: handHeight
    case .upperArmIncline: upperArmIncline
    case .smallerKneeAngle: leftKneeAngle.minimum(rightKneeAngle)
    case .kneeRise: (lowest(.leftKnee, .rightKnee) - lowestAnkle) / bodyHeight
    case .kneeDeviation: kneeDeviation
    case .elbowRise: elbowRise
    }
  }

  private var verticalRatio: Number {
    let span = shoulders - ankles
    let length = span.norm
    return (span.dot(joints.vertical).magnitude / length)
      .replacing(with: Number(repeating: 1), where: length.isAtMost(Self.shortestSpan))
  }

  private var shoulderRise: Number {
    (joints[.leftShoulder] - joints[.rightShoulder]).dot(heightAxis)
  }

  private var wristHipCosine: Number {
    let wrists = joints[.leftWrist].midpoint(joints[.rightWrist])
    return Self.unit(hips - shoulders).dot(Self.unit(wrists - shoulders))
  }

  private var elbowAngle: Number {
    angle(.leftShoulder, .leftElbow, .leftWrist)
      .mean(angle(.rightShoulder, .rightElbow, .rightWrist))
  }

  private var hipDeviation: Number { Self.deviation(hips, shoulders, ankles, heightAxis) }

  private var trunkRoll: Number {
    let left = Self.unit(joints[.leftShoulder] - joints[.rightShoulder])
    let trunk = shoulders - hips
    let cranial = Self.unit(trunk - left * trunk.dot(left))
    return .atan2Degrees(left.dot(up), -left.cross(cranial).dot(up))
  }

  private var supportDrop: Number {
    func drop(_ shoulder: Joint, _ elbow: Joint, _ wrist: Joint) -> Number {
      let top = joints[shoulder]
      return (top - joints[elbow]).dot(up).maximum((top - joints[wrist]).dot(up))
    }
    let left = drop(.leftShoulder, .leftElbow, .leftWrist)
    return left.maximum(drop(.rightShoulder, .rightElbow, .rightWrist)) / bodyHeight
  }

  private var forearmVerticality: Number {
    func verticality(_ elbow: Joint, _ wrist: Joint) -> Number {
      Self.unit(joints[wrist] - joints[elbow]).dot(up).magnitude
    }
    return verticality(.leftElbow, .leftWrist).mean(verticality(.rightElbow, .rightWrist))
  }

  private var leftKneeAngle: Number { angle(.leftHip, .leftKnee, .leftAnkle) }

  private var rightKneeAngle: Number { angle(.rightHip, .rightKnee, .rightAnkle) }

  private var thighSpread: Number {
    Self.angle(joints[.leftKnee] - joints[.leftHip], joints[.rightKnee] - joints[.rightHip])
  }

  private var handHeight: Number {
    let hands = lowest(.leftElbow, .leftWrist).minimum(lowest(.rightElbow, .rightWrist))
    return (hands - lowestAnkle) / bodyHeight
  }

  private var upperArmIncline: Number {
    func incline(_ shoulder: Joint, _ elbow: Joint) -> Number {
      Self.unit(joints[shoulder] - joints[elbow]).dot(up)
    }
    return incline(.leftShoulder, .leftElbow).mean(incline(.rightShoulder, .rightElbow))
  }

  private var kneeDeviation: Number {
    let knees = joints[.leftKnee].midpoint(joints[.rightKnee])
    let elbows = joints[.leftElbow].midpoint(joints[.rightElbow])
    return Self.deviation(knees, elbows, ankles, up) / bodyHeight
  }

  private var elbowRise: Number {
    (lowest(.leftElbow, .rightElbow) - lowest(.leftWrist, .rightWrist)) / bodyHeight
  }

  private func angle(_ first: Joint, _ middle: Joint, _ last: Joint) -> Number {
    Self.angle(joints[first] - joints[middle], joints[last] - joints[middle])
  }

  private var lowestAnkle: Number { lowest(.leftAnkle, .rightAnkle) }

  private func lowest(_ first: Joint, _ second: Joint) -> Number {
    joints[first].dot(up).minimum(joints[second].dot(up))
  }
}

extension Formula {
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

extension BodyGeometry {
  /// The height of a point above the line through two others; NaN if the two coincide.
  static func deviation(
    _ point: Vector, _ first: Vector, _ second: Vector, _ heightAxis: Vector
  ) -> Number {
    let direction = unit(second - first)
    let arm = point - first
    return (arm - direction * arm.dot(direction)).dot(heightAxis)
  }

  /// The angle at `middle` in degrees, 0..<360, in the plane through the line from `first` to
  /// `last` and `up`.
  ///
  /// At 180 degrees, the three points are in line; above 180 degrees, `middle` is above the line.
  /// The angle is NaN if the line is within 11.5 degrees of vertical or if two of the points
  /// coincide.
  static func signedAngle(_ first: Vector, _ middle: Vector, _ last: Vector, up: Vector) -> Number {
    let along = unit(last - first)
    let upPart = up - along * up.dot(along)
    let upper = middle - first
    let lower = last - middle
    let normal = upPart / upPart.norm
    let (a, b) = ((upper.dot(along), upper.dot(normal)), (lower.dot(along), lower.dot(normal)))
    let turn = Number.atan2Degrees(a.0 * b.1 - a.1 * b.0, a.0 * b.0 + a.1 * b.1)
    let angle = Number(repeating: 180) - turn
    return angle.replacing(with: angle - Number(repeating: 360), where: angle.isAtLeast(360))
      .only(where: upPart.norm.isAtLeast(smallestUpPart) .& isLong(upper) .& isLong(lower))
  }

  /// The turn about an axis, -180...180 degrees, counterclockwise if the axis points at the viewer.
  ///
  /// NaN if the axis or a projected vector is too short to have a direction.
  static func projectedAngle(_ from: Vector, _ to: Vector, about axis: Vector) -> Number {
    let normal = unit(axis)
    let first = from - normal * from.dot(normal)
    let second = to - normal * to.dot(normal)
    return Number.atan2Degrees(first.cross(second).dot(normal), first.dot(second))
      .only(where: isLong(first) .& isLong(second))
  }

  private static func isLong(_ vector: Vector) -> Number.Mask {
    vector.norm.isAtLeast(shortestVector)
  }

  static func unit(_ vector: Vector) -> Vector {
    let length = vector.norm
    return Vector.nowhere.replacing(with: vector / length, where: length.isAtLeast(shortestVector))
  }

  static func angle(_ a: Vector, _ b: Vector) -> Number {
    a.angleDegrees(to: b).only(where: isLong(a) .& isLong(b))
  }
}

/// The direction that a detector takes as vertical.
public enum AxisReading: String, CaseIterable, Hashable, Sendable {
  /// The frame's up vector.
  case gravity
  /// The article's axes: the camera's y for heights, the camera's x for `verticalRatio` in
  /// landscape.
  ///
  /// The heights are `shoulderRise`, `hipDeviation` and their fractions; they use y in every
  /// orientation. Measurements that the article does not define use the up vector.
  case article
  /// Up in the image, for detectors of image points: positions are in image heights and have no
  /// depth.
  case image

  /// Whether a detector with these axes takes image points rather than 3D positions.
  public var isImage: Bool { self == .image }

  func height(_ axes: FrameAxes) -> Vector3 { self == .article ? .unitY : axes.up }

  func vertical(_ axes: FrameAxes) -> Vector3 {
    self == .article ? axes.publishedVertical : axes.up
  }
}
