import PoseModel
import Statistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the errors of a frame depend on.
struct NoiseContext {
  /// Seconds since the frame before.
  var step: Double
  /// Seconds since the start.
  var time: Double
  /// Meters from the camera to the root.
  var distance: Double
  /// Whether the posture is lying or inverted.
  var isLying: Bool
  /// Whether a low camera looks along a lying body.
  var isHeadOn: Bool
  /// The side of the body that is away from the camera, and how far: 1 in a full side view.
  var farSide: BodySide
  var farShare: Double
  /// Whether a joint is outside of the image, by joint.
  var isOutOfImage: [Bool]
}

/// One side of the body.
enum BodySide {
  case left
  case right

  /// Elbow and wrist, or knee and ankle.
  func limb(isArm: Bool) -> [Joint] {
    switch (self, isArm) {
    case (.left, true): [.leftElbow, .leftWrist]
    case (.left, false): [.leftKnee, .leftAnkle]
    case (.right, true): [.rightElbow, .rightWrist]
    case (.right, false): [.rightKnee, .rightAnkle]
    }
  }
}

/// The errors of single joints: q + T (s + w + a) + outliers, in camera axes.
///
/// w is white, a is AR(1) with the actual time step, s is a bias of the session; T grows with
/// distance (a power for each axis) and carries the factors of the frame and of the joint. The
/// root errs like every joint: what is written is relative to the noisy root.
struct JointErrors {
  private let parameters: JointNoiseParameters
  private let white: RandomStream
  private let outliers: RandomStream
  private let unevenness: RandomStream
  private var colored: AutoregressiveProcess
  private let biases: [Vector3]
  private var stretchFactor = 1.0
  private var stretchEnd = 0.0

  init(_ parameters: JointNoiseParameters, seed: UInt64) {
    self.parameters = parameters
    white = RandomStream(seed: seed, purpose: "noise.white")
    outliers = RandomStream(seed: seed, purpose: "noise.outliers")
    unevenness = RandomStream(seed: seed, purpose: "noise.unevenness")
    colored = AutoregressiveProcess(
      count: 3 * JointPositions.count,
      stream: RandomStream(seed: seed, purpose: "noise.colored"))
    let bias = RandomStream(seed: seed, purpose: "noise.bias")
    let (across, depth) = (parameters.biasAcross.value, parameters.biasDepth.value)
    biases = (0..<JointPositions.count).map { _ in
      Vector3(
        bias.gaussian(standardDeviation: across), bias.gaussian(standardDeviation: across),
        bias.gaussian(standardDeviation: depth))
    }
  }

  /// Adds the errors of the next frame to joints in camera axes.
  mutating func add(to joints: inout JointPositions, _ context: NoiseContext) {
    if parameters.coloredAcross.value > 0 || parameters.coloredDepth.value > 0 {
      colored.advance(by: context.step, time: parameters.coloredTime.value)
    }
    let across = pow(context.distance / 2, parameters.acrossExponent)
    let depth = pow(context.distance / 2, parameters.depthExponent)
    let common = stretch(at: context.time) * (context.isLying ? parameters.lyingFactor : 1)
    let isWhite = parameters.whiteAcross.value > 0 || parameters.whiteDepth.value > 0
    for joint in joints.values.indices {
      let factor = common * ownFactor(joint, context)
      let bias = biases[joint]
      var error = Vector3(bias.x * across, bias.y * across, bias.z * depth)
      if isWhite { error = error + whiteError(across: across * factor, depth: depth * factor) }
      error = error + coloredError(joint, across: across * factor, depth: depth * factor)
      joints.values[joint] = joints.values[joint] + error
    }
    addOutliers(to: &joints)
  }

  private func whiteError(across: Double, depth: Double) -> Vector3 {
    Vector3(
      white.gaussian() * parameters.whiteAcross.value * across,
      white.gaussian() * parameters.whiteAcross.value * across,
      white.gaussian() * parameters.whiteDepth.value * depth)
  }

  private func coloredError(_ joint: Int, across: Double, depth: Double) -> Vector3 {
    Vector3(
      colored.values[3 * joint] * parameters.coloredAcross.value * across,
      colored.values[3 * joint + 1] * parameters.coloredAcross.value * across,
      colored.values[3 * joint + 2] * parameters.coloredDepth.value * depth)
  }

  /// The factor of the current stretch of time: lognormal, drawn anew every 1/3...1 of its time.
  private mutating func stretch(at time: Double) -> Double {
    guard parameters.unevenness > 0 else { return 1 }
    while time >= stretchEnd {
      let longest = parameters.unevennessTime.value
      stretchEnd += unevenness.uniform(in: longest / 3...longest)
      stretchFactor = unevenness.lognormal(logStandardDeviation: parameters.unevenness)
    }
    return stretchFactor
  }

  private func ownFactor(_ joint: Int, _ context: NoiseContext) -> Double {
    let far = Self.sides[joint] == context.farSide
    let side = far ? 1 + (parameters.farSideFactor - 1) * context.farShare : 1
    return side * (context.isOutOfImage[joint] ? parameters.outOfImageFactor : 1)
  }

  private func addOutliers(to joints: inout JointPositions) {
    guard parameters.outlierProbability > 0 else { return }
    let extent = parameters.outlierExtent.value
    for joint in joints.values.indices where outliers.bernoulli(parameters.outlierProbability) {
      let offset = Vector3(
        outliers.uniform(in: -extent...extent), outliers.uniform(in: -extent...extent),
        outliers.uniform(in: -extent...extent))
      joints.values[joint] = joints.values[joint] + offset
    }
  }

  /// The side of each limb joint, by joint; nil on the trunk.
  private static let sides: [BodySide?] = Skeleton.vision3d.joints.map { joint in
    for side in [BodySide.left, .right] where side.limb(isArm: true).contains(joint) {
      return side
    }
    for side in [BodySide.left, .right] where side.limb(isArm: false).contains(joint) {
      return side
    }
    return nil
  }
}
