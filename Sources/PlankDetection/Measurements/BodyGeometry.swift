internal import PoseModel

/// The formulas of all measurements over one frame (the contract, section 4).
///
/// Arithmetic is in `Double`. A vector that is normalized and shorter than a millimeter, a leg of
/// an angle included, makes a measurement NaN, and so does a missing joint; which of the two it was
/// is for `MeasurementNeeds` to say.
struct BodyGeometry {
  private static let shortestVector = 0.001
  private static let shortestSpan = 0.01
  private static let smallestUpPart = 0.2

  private let joints: JointReader
  private let up: Vector3
  private let heightAxis: Vector3
  private let vertical: Vector3
  private let bodyHeight: Double
  private let shoulders: Vector3
  private let hips: Vector3
  private let ankles: Vector3

  /// Prepares the points that most formulas share.
  init(joints: JointReader, axes: FrameAxes, reading: AxisReading, bodyHeight: Double?) {
    self.joints = joints
    up = axes.up
    heightAxis = reading.height(axes)
    vertical = reading.vertical(axes)
    self.bodyHeight = bodyHeight.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? .nan
    shoulders = joints[.centerShoulder]
    hips = joints[.root]
    ankles = joints[.leftAnkle].midpoint(joints[.rightAnkle])
  }

  /// The value of a measurement; not finite where it has none.
  func value(of measurement: Measurement) -> Double {
    switch measurement {
    case .verticalRatio: verticalRatio
    case .shoulderRise: shoulderRise
    case .wristHipCosine: wristHipCosine
    case .elbowAngle: elbowAngle
    case .bodyAngle: Self.angle(shoulders - hips, ankles - hips)
    case .hipDeviation: hipDeviation
    case .shoulderRiseFraction: shoulderRise / bodyHeight
    case .hipDeviationFraction: hipDeviation / bodyHeight
    case .signedHipAngle: signedHipAngle
    case .trunkRoll: trunkRoll
    case .supportDrop: supportDrop
    case .hipClearance: (hips.dot(up) - joints.lowest(along: up)) / bodyHeight
    case .forearmVerticality: forearmVerticality
    case .kneeAngle: kneeAngle
    case .thighSpread: thighSpread
    case .trunkIncline: Self.unit(shoulders - hips).dot(up)
    case .handHeight: handHeight
    case .upperArmIncline: upperArmIncline
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

  private var hipDeviation: Double {
    let direction = Self.unit(ankles - shoulders)
    let hip = hips - shoulders
    return (hip - direction * hip.dot(direction)).dot(heightAxis)
  }

  private var signedHipAngle: Double {
    let along = Self.unit(ankles - shoulders)
    let upPart = up - along * up.dot(along)
    let trunk = hips - shoulders
    let legs = ankles - hips
    guard upPart.norm >= Self.smallestUpPart, Self.isLong(trunk), Self.isLong(legs) else {
      return .nan
    }
    let normal = upPart / upPart.norm
    let (a, b) = ((trunk.dot(along), trunk.dot(normal)), (legs.dot(along), legs.dot(normal)))
    let angle = 180 - atan2Degrees(a.0 * b.1 - a.1 * b.0, a.0 * b.0 + a.1 * b.1)
    return angle >= 360 ? angle - 360 : angle
  }

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

  private var kneeAngle: Double {
    func angle(_ hip: Joint, _ knee: Joint, _ ankle: Joint) -> Double {
      Self.angle(joints[hip] - joints[knee], joints[ankle] - joints[knee])
    }
    return (angle(.leftHip, .leftKnee, .leftAnkle) + angle(.rightHip, .rightKnee, .rightAnkle)) / 2
  }

  private var thighSpread: Double {
    Self.angle(
      joints[.leftKnee] - joints[.leftHip], joints[.rightKnee] - joints[.rightHip])
  }

  private var handHeight: Double {
    func height(_ joint: Joint) -> Double { joints[joint].dot(up) }
    let left = Self.minimum(height(.leftElbow), height(.leftWrist))
    let right = Self.minimum(height(.rightElbow), height(.rightWrist))
    let ankle = Self.minimum(height(.leftAnkle), height(.rightAnkle))
    return (Self.minimum(left, right) - ankle) / bodyHeight
  }

  private var upperArmIncline: Double {
    func incline(_ shoulder: Joint, _ elbow: Joint) -> Double {
      Self.unit(joints[shoulder] - joints[elbow]).dot(up)
    }
    return (incline(.leftShoulder, .leftElbow) + incline(.rightShoulder, .rightElbow)) / 2
  }

  /// Whether a vector is long enough to have a direction; false for NaN.
  private static func isLong(_ vector: Vector3) -> Bool { vector.norm >= shortestVector }

  /// The unit vector of a direction, NaN where it is shorter than a millimeter.
  private static func unit(_ vector: Vector3) -> Vector3 {
    let length = vector.norm
    return length >= shortestVector ? vector / length : Vector3(.nan, .nan, .nan)
  }

  /// The angle between two legs in degrees, NaN where one has no direction.
  private static func angle(_ a: Vector3, _ b: Vector3) -> Double {
    isLong(a) && isLong(b) ? a.angleDegrees(to: b) : .nan
  }

  /// The larger number, NaN where either is.
  private static func maximum(_ a: Double, _ b: Double) -> Double {
    a.isNaN || b.isNaN ? .nan : max(a, b)
  }

  /// The smaller number, NaN where either is.
  private static func minimum(_ a: Double, _ b: Double) -> Double {
    a.isNaN || b.isNaN ? .nan : min(a, b)
  }
}

/// Which direction a detector takes for vertical.
public enum AxisReading: String, CaseIterable, Hashable, Sendable {
  /// The frame's up vector.
  case gravity
  /// The camera's axes, for the measurements that the article published.
  ///
  /// `shoulderRise`, `hipDeviation` and their fractions are read along the camera's y in every
  /// orientation, `verticalRatio` along its x in both landscape orientations. Measurements that
  /// the article does not have keep the up vector.
  case article

  /// The direction along which shoulder and hip heights are read.
  func height(_ axes: FrameAxes) -> Vector3 { self == .gravity ? axes.up : .unitY }

  /// The direction in which `verticalRatio` is read.
  func vertical(_ axes: FrameAxes) -> Vector3 {
    self == .gravity ? axes.up : axes.publishedVertical
  }
}
