internal import Platform
package import PoseModel
import Statistics

/// The errors of single joints' positions, in camera axes; all lengths apply at 2 m.
package struct JointNoiseParameters: ScriptParameters {
  package var whiteAcross = Meters(0)
  package var whiteDepth = Meters(0)
  package var coloredAcross = Meters(0)
  package var coloredDepth = Meters(0)
  package var coloredTime = Seconds(0.7)
  package var biasAcross = Meters(0)
  package var biasDepth = Meters(0)
  /// The power of (distance / 2 m) with which errors across the view grow.
  package var acrossExponent = 1.0
  package var depthExponent = 1.0
  /// Standard deviation of the logarithm of the factor that makes a stretch of time worse or
  /// better.
  package var unevenness = 0.0
  package var unevennessTime = Seconds(3)
  package var lyingFactor = 1.0
  package var farSideFactor = 1.0
  package var outOfImageFactor = 1.0
  package var limbLength = 0.0
  package var outlierProbability = 0.0
  package var outlierExtent = Meters(0.3)

  package init() {}

  package static let section = "joints"

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "white_across_m", "m", 0...0.1, \.whiteAcross.value, "white noise across the view, at 2 m"),
    ScriptField("white_depth_m", "m", 0...0.2, \.whiteDepth.value, "white noise in depth, at 2 m"),
    ScriptField(
      "colored_across_m", "m", 0...0.1, \.coloredAcross.value,
      "AR(1) noise across the view, at 2 m"),
    ScriptField(
      "colored_depth_m", "m", 0...0.2, \.coloredDepth.value, "AR(1) noise in depth, at 2 m"),
    ScriptField(
      "colored_time_s", "s", 0.02...10, \.coloredTime.value, "correlation time; 0.3 to 2 s"),
    ScriptField(
      "bias_across_m", "m", 0...0.2, \.biasAcross.value,
      "bias across the view, drawn once per session, at 2 m"),
    ScriptField(
      "bias_depth_m", "m", 0...0.3, \.biasDepth.value, "bias in depth, at 2 m; 1 to 4 cm"),
    ScriptField(
      "across_exponent", "", 0...3, \.acrossExponent, "growth across the view with distance"),
    ScriptField(
      "depth_exponent", "", 0...3, \.depthExponent,
      "growth in depth: 1 lifting from RGB, 2 triangulation (Khoshelham and Elberink 2012)"),
    ScriptField(
      "unevenness", "", 0...1.5, \.unevenness,
      "sd of the log factor of better and worse stretches (SmoothNet 2022: highly uneven)"),
    ScriptField(
      "unevenness_time_s", "s", 0.3...60, \.unevennessTime.value, "longest such stretch"),
    ScriptField("lying_factor", "", 1...6, \.lyingFactor, "factor on lying and inverted postures"),
    ScriptField(
      "far_side_factor", "", 1...6, \.farSideFactor, "factor on the far limbs in a side view"),
    ScriptField(
      "out_of_image_factor", "", 1...10, \.outOfImageFactor, "factor on joints not in the image"),
    ScriptField(
      "limb_length", "", 0...0.1, \.limbLength,
      "relative sd of bone lengths over time; 0 is a rigid template"),
    ScriptField(
      "outlier_probability", "", 0...0.1, \.outlierProbability,
      "outliers per joint and frame (Gaussian and uniform mixture, Wang and Kurillo 2015)"),
    ScriptField(
      "outlier_extent_m", "m", 0...1, \.outlierExtent.value, "half the edge of their cube"),
  ]
}

struct NoiseContext {
  var step: Double
  var time: Double
  var distance: Double
  var isLying: Bool
  var isHeadOn: Bool
  /// The side of the body that is away from the camera, and by how much: 1 in a full side view.
  var farSide: BodySide
  var farShare: Double
  var isOutOfImage: [Bool]
}

enum BodySide {
  case left
  case right

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
/// w is white, a is AR(1) with the actual time step, and s is a bias of the session. T grows with distance (by one power per axis) and carries the factors of the frame and of the
/// joint. The root errs like every joint: stored positions are relative to the noisy root.
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

  mutating func add(to joints: inout JointPositions, _ context: NoiseContext) {
    if parameters.coloredAcross.value > 0 || parameters.coloredDepth.value > 0 {
      colored.advance(by: context.step, time: parameters.coloredTime.value)
    }
    let across = pow(context.distance / 2, parameters.acrossExponent)
    let depth = pow(context.distance / 2, parameters.depthExponent)
    let common = commonFactor(context)
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

  mutating func commonFactor(_ context: NoiseContext) -> Double {
    stretch(at: context.time) * (context.isLying ? parameters.lyingFactor : 1)
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

  /// The factor of the current stretch of time: lognormal, redrawn after 1/3...1 of the longest
  /// time.
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

struct ImageErrors {
  private let parameters: CaptureNoiseParameters
  private let coloredTime: Double
  private let white: RandomStream
  private let scores: RandomStream
  private var colored: AutoregressiveProcess

  init(_ noise: NoiseParameters, joints: Int, seed: UInt64) {
    parameters = noise.capture
    coloredTime = noise.joints.coloredTime.value
    white = RandomStream(seed: seed, purpose: "noise.pixels")
    scores = RandomStream(seed: seed, purpose: "noise.confidences")
    colored = AutoregressiveProcess(
      count: 2 * joints, stream: RandomStream(seed: seed, purpose: "noise.coloredPixels"))
  }

  mutating func advance(by step: Double) {
    if parameters.coloredPixels > 0 { colored.advance(by: step, time: coloredTime) }
  }

  func seen(_ pixel: (u: Double, v: Double), slot: Int) -> (u: Double, v: Double) {
    let (whiteSize, coloredSize) = (parameters.whitePixels, parameters.coloredPixels)
    return (
      u: pixel.u + whiteSize * white.gaussian() + coloredSize * colored.values[2 * slot],
      v: pixel.v + whiteSize * white.gaussian() + coloredSize * colored.values[2 * slot + 1]
    )
  }

  /// A confidence: 0.6 to 0.95, half of that on the far side (ours; no values are published).
  func confidence(isFar: Bool) -> Double {
    let score = scores.uniform(in: 0.6...0.95) * (isFar ? 0.5 : 1)
    return (score * 1000).rounded() / 1000
  }
}
