internal import Platform
package import PoseModel
import Statistics

/// The errors of single joints in camera axes; lengths are for a distance of 2 m.
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
    .init("white_across_m", 0...0.1, \.whiteAcross.value, "white noise across the view, at 2 m"),
    .init("white_depth_m", 0...0.2, \.whiteDepth.value, "white noise in depth, at 2 m"),
    .init(
      "colored_across_m", 0...0.1, \.coloredAcross.value, "AR(1) noise across the view, at 2 m"),
    .init("colored_depth_m", 0...0.2, \.coloredDepth.value, "AR(1) noise in depth, at 2 m"),
    .init("colored_time_s", 0.02...10, \.coloredTime.value, "correlation time; 0.3 to 2 s"),
    .init(
      "bias_across_m", 0...0.2, \.biasAcross.value,
      "bias across the view, drawn once per session, at 2 m"),
    .init("bias_depth_m", 0...0.3, \.biasDepth.value, "bias in depth, at 2 m; 1 to 4 cm"),
    .init("across_exponent", 0...3, \.acrossExponent, "growth across the view with distance"),
    .init(
      "depth_exponent", 0...3, \.depthExponent,
      "growth in depth: 1 lifting from RGB, 2 triangulation (Khoshelham and Elberink 2012)"),
    .init(
      "unevenness", 0...1.5, \.unevenness,
      "sd of the log factor of better and worse stretches (SmoothNet 2022: highly uneven)"),
    .init("unevenness_time_s", 0.3...60, \.unevennessTime.value, "longest such stretch"),
    .init("lying_factor", 1...6, \.lyingFactor, "factor on lying and inverted postures"),
    .init("far_side_factor", 1...6, \.farSideFactor, "factor on the far limbs in a side view"),
    .init("out_of_image_factor", 1...10, \.outOfImageFactor, "factor on joints not in the image"),
    .init(
      "limb_length", 0...0.1, \.limbLength,
      "relative sd of bone lengths over time; 0 is a rigid template"),
    .init(
      "outlier_probability", 0...0.1, \.outlierProbability,
      "outliers per joint and frame (Gaussian and uniform mixture, Wang and Kurillo 2015)"),
    .init(
      "outlier_extent_m", 0...1, \.outlierExtent.value, "half the edge of the cube of outliers"),
  ]
}

struct NoiseContext {
  var step: Double
  var time: Double
  var distance: Double
  var isLying: Bool
  var isHeadOn: Bool
  /// The side of the body away from the camera; `farShare` is 1 in a full side view.
  var farSide: BodySide
  var farShare: Double
  var isOutOfImage: [Bool]
}

enum BodySide: CaseIterable {
  case left
  case right

  var other: BodySide { self == .left ? .right : .left }

  /// Along x of the pelvis frame.
  var sign: Double { self == .left ? 1 : -1 }

  var shoulder: Joint { self == .left ? .leftShoulder : .rightShoulder }

  var ankle: Joint { self == .left ? .leftAnkle : .rightAnkle }

  var arm: (upper: Bone, lower: Bone) {
    self == .left ? (.leftUpperArm, .leftForearm) : (.rightUpperArm, .rightForearm)
  }

  var leg: (upper: Bone, lower: Bone) {
    self == .left ? (.leftThigh, .leftShank) : (.rightThigh, .rightShank)
  }

  /// The joints at the middle and at the end of a limb.
  func limb(isArm: Bool) -> [Joint] {
    let (upper, lower) = isArm ? arm : leg
    return [upper.child, lower.child]
  }
}

/// The errors of single joints: q + T (s + w + a) + outliers, in camera axes.
///
/// w is white, a is AR(1) with the actual time step, and s is a bias of the session. T grows with
/// distance (by one power per axis) and contains the factors of the frame and of the joint. The
/// root also has errors: stored positions are relative to the noisy root.
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
      count: 3 * JointPositions.count, stream: RandomStream(seed: seed, purpose: "noise.colored"))
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

  /// Redraws the lognormal factor after intervals of a third to all of the longest period.
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
    BodySide.allCases.first { side in
      [true, false].contains { side.limb(isArm: $0).contains(joint) }
    }
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

  /// The numbers are PlankLab's choice, because none are published.
  func confidence(isFar: Bool) -> Double {
    let score = scores.uniform(in: 0.6...0.95) * (isFar ? 0.5 : 1)
    return (score * 1000).rounded() / 1000
  }
}

/// Errors that turn each bone, and with it everything that hangs from the bone.
///
/// The errors have a white part, a colored part and a bias of the session. The error of a bone's
/// far end, relative to the bone's length, is `depthFactor` times larger in depth than across the
/// view; the part along the bone is dropped.
package struct ChainNoiseParameters: ScriptParameters {
  package var whiteTurn = Degrees(0)
  package var coloredTurn = Degrees(0)
  package var coloredTime = Seconds(0.7)
  package var biasTurn = Degrees(0)
  package var depthFactor = 2.0
  package var distalFactor = 1.0
  package var armFactor = 1.0
  package var unseenFactor = 1.0
  package var wholeTurn = Degrees(0)
  package var scale = 0.0
  package var hipFlexion = Degrees(0)
  package var hipFlexionSpread = Degrees(0)
  package var elbowFlexion = Degrees(0)
  package var elbowFlexionSpread = Degrees(0)
  package var clothesTurn = Degrees(0)
  package var clothesTime = Seconds(20)

  package init() {}

  package static let section = "chain"

  package static let fields: [ScriptField<Self>] = [
    .init("white_turn_deg", 0...10, \.whiteTurn.value, "white turn of every bone"),
    .init("colored_turn_deg", 0...20, \.coloredTurn.value, "AR(1) turn of every bone"),
    .init("colored_time_s", 0.02...60, \.coloredTime.value, "correlation time of that turn"),
    .init("bias_turn_deg", 0...30, \.biasTurn.value, "turn of every bone, drawn once per session"),
    .init("depth_factor", 0...6, \.depthFactor, "factor on turns out of the plane of the image"),
    .init("distal_factor", 1...4, \.distalFactor, "factor on forearms and shanks"),
    .init(
      "arm_factor", 1...6, \.armFactor, "factor on white and AR(1) turns of upper arms and forearms"
    ),
    .init(
      "unseen_factor", 1...6, \.unseenFactor,
      "factor on bones to joints outside the image or hidden by the body"),
    .init("whole_turn_deg", 0...20, \.wholeTurn.value, "AR(1) turn of the whole body"),
    .init("scale", 0...0.2, \.scale, "relative sd of the body's size over time; 0 is a template"),
    .init(
      "hip_flexion_deg", -20...30, \.hipFlexion.value,
      "flexion added at the hips of every body; 9 deg puts them 5 cm above the line"),
    .init(
      "hip_flexion_spread_deg", 0...20, \.hipFlexionSpread.value,
      "sd of that flexion between sessions"),
    .init("elbow_flexion_deg", 0...60, \.elbowFlexion.value, "flexion added at both elbows"),
    .init(
      "elbow_flexion_spread_deg", 0...20, \.elbowFlexionSpread.value,
      "sd of that flexion between sessions"),
    .init(
      "clothes_turn_deg", 0...20, \.clothesTurn.value,
      "slow turn of trunk and thighs under loose clothes"),
    .init("clothes_time_s", 1...120, \.clothesTime.value, "correlation time of that turn"),
  ]

  var isActive: Bool {
    [
      whiteTurn, coloredTurn, biasTurn, wholeTurn, hipFlexionSpread, clothesTurn, elbowFlexion,
      elbowFlexionSpread,
    ].contains { $0.value > 0 } || hipFlexion.value != 0 || scale > 0
  }
}

struct ChainErrors {
  private let parameters: ChainNoiseParameters
  private let white: RandomStream
  private var colored: AutoregressiveProcess
  private var clothes: AutoregressiveProcess
  private var whole: AutoregressiveProcess
  private let biases: [Vector3]
  private let hipFlexion: Degrees
  private let elbowFlexion: Degrees

  init(_ parameters: ChainNoiseParameters, seed: UInt64) {
    self.parameters = parameters
    white = RandomStream(seed: seed, purpose: "noise.chain.white")
    colored = AutoregressiveProcess(
      count: 3 * Bone.count, stream: RandomStream(seed: seed, purpose: "noise.chain.colored"))
    clothes = AutoregressiveProcess(
      count: 2, stream: RandomStream(seed: seed, purpose: "noise.chain.clothes"))
    whole = AutoregressiveProcess(
      count: 4, stream: RandomStream(seed: seed, purpose: "noise.chain.whole"))
    let bias = RandomStream(seed: seed, purpose: "noise.chain.bias")
    biases = (0..<Bone.count).map { _ in
      Vector3(bias.gaussian(), bias.gaussian(), bias.gaussian())
    }
    let spread = bias.gaussian(standardDeviation: parameters.hipFlexionSpread.value)
    hipFlexion = Degrees(parameters.hipFlexion.value + spread)
    let elbowSpread = bias.gaussian(standardDeviation: parameters.elbowFlexionSpread.value)
    elbowFlexion = Degrees(max(0, parameters.elbowFlexion.value + elbowSpread))
  }

  var isActive: Bool { parameters.isActive }

  var size: Double { exp(parameters.scale * whole.values[3]) }

  mutating func advance(by step: Double) {
    colored.advance(by: step, time: parameters.coloredTime.value)
    clothes.advance(by: step, time: parameters.clothesTime.value)
    whole.advance(by: step, time: parameters.coloredTime.value)
  }

  /// The bends leave the lines from shoulders to ankles and from shoulder to wrist in place.
  func bend(_ directions: inout [Vector3], lengths: [Double]) {
    let trunk = lengths[Bone.lumbar.rawValue] + lengths[Bone.thoracic.rawValue]
    let leg = lengths[Bone.leftThigh.rawValue] + lengths[Bone.leftShank.rawValue]
    let clothes = clothes.values.map { $0 * parameters.clothesTurn.value }
    let forward = hipFlexion.value * leg / (trunk + leg) + clothes[0]
    let backward = hipFlexion.value * trunk / (trunk + leg) + clothes[1]
    let (upper, lower) = (Rotation3.aboutX(Degrees(forward)), Rotation3.aboutX(Degrees(-backward)))
    for bone in Bone.allCases where !bone.isHip {
      directions[bone.rawValue] = (bone.isLeg ? lower : upper)(directions[bone.rawValue])
    }
    guard elbowFlexion.value != 0 else { return }
    for side in BodySide.allCases { flex(&directions, side.arm, lengths: lengths) }
  }

  private func flex(
    _ directions: inout [Vector3], _ arm: (upper: Bone, lower: Bone), lengths: [Double]
  ) {
    let (upper, lower) = arm
    let (near, far) = (directions[upper.rawValue], directions[lower.rawValue])
    let axis = (near.cross(far) - Vector3.unitX * 0.1).unit()
    let share = lengths[lower.rawValue] / (lengths[upper.rawValue] + lengths[lower.rawValue])
    let degrees = min(elbowFlexion.value, 150 - near.angleDegrees(to: far))
    directions[upper.rawValue] = Self.turn(axis * (-degrees * share))(near)
    directions[lower.rawValue] = Self.turn(axis * (degrees * (1 - share)))(far)
  }

  func turn(_ directions: inout [Vector3], isUnseen: [Bool], factor: Double) {
    let all = whole.values.map { $0 * parameters.wholeTurn.value * factor }
    let axes = directions
    var turns = Array(repeating: Rotation3.identity, count: JointPositions.count)
    let depth = parameters.depthFactor
    turns[Joint.root.index] = Self.turn(Vector3(all[0] * depth, all[1] * depth, all[2]))
    for bone in Bone.allCases {
      let far = bone.child.index
      let unseen = isUnseen[far] ? parameters.unseenFactor : 1
      let size = factor * unseen * (bone.isDistal ? parameters.distalFactor : 1)
      // Both hips take the left hip's turn, and both shoulders take the left shoulder's, so that
      // the body's middle stays in place.
      let leader = bone.turnedWith
      let turned = Self.turn(axes[leader.rawValue].cross(error(of: leader, size: size)))
      turns[far] = turns[bone.parent.index].composed(after: turned)
      directions[bone.rawValue] = turns[far](directions[bone.rawValue])
    }
  }

  /// The error of a bone's far end relative to the bone's length, in degrees; z is in depth.
  private func error(of bone: Bone, size: Double) -> Vector3 {
    let own = 3 * bone.rawValue
    let size = size * (bone.isArm ? parameters.armFactor : 1)
    let colored = Vector3(colored.values[own], colored.values[own + 1], colored.values[own + 2])
    var error = colored * (parameters.coloredTurn.value * size)
    error = error + biases[bone.rawValue] * parameters.biasTurn.value
    if parameters.whiteTurn.value > 0 {
      let white = Vector3(white.gaussian(), white.gaussian(), white.gaussian())
      error = error + white * (parameters.whiteTurn.value * size)
    }
    return Vector3(error.x, error.y, error.z * parameters.depthFactor)
  }

  private static func turn(_ degrees: Vector3) -> Rotation3 {
    Rotation3(about: degrees.unit(), radians: Degrees(degrees.norm).radians)
  }
}

extension Bone {
  fileprivate var isHip: Bool { self == .leftHip || self == .rightHip }

  fileprivate var isLeg: Bool { [.leftThigh, .rightThigh, .leftShank, .rightShank].contains(self) }

  fileprivate var isArm: Bool {
    [.leftUpperArm, .rightUpperArm, .leftForearm, .rightForearm].contains(self)
  }

  fileprivate var isDistal: Bool {
    [.leftForearm, .rightForearm, .leftShank, .rightShank].contains(self)
  }

  fileprivate var turnedWith: Bone {
    switch self {
    case .rightHip: .leftHip
    case .rightShoulder: .leftShoulder
    default: self
    }
  }
}

package struct FilterParameters: ScriptParameters {
  /// The lowest cutoff frequency; 0 switches the filter off.
  package var cutoff = Hertz(0)
  package var slope = 40.0
  package var speedCutoff = Hertz(1)

  package init() {}

  package static let section = "filter"

  package static let fields: [ScriptField<Self>] = [
    .init(
      "cutoff_hz", 0...30, \.cutoff.value,
      "lowest cutoff of a one-euro filter on joints; 0 is none (Casiez 2012; MediaPipe: 0.1)"),
    .init("slope", 0...200, \.slope, "growth of the cutoff with speed in body heights/s"),
    .init("speed_cutoff_hz", 0.1...30, \.speedCutoff.value, "cutoff for the speed"),
  ]
}

/// A one-euro filter on each coordinate of each joint, restarted after gaps over half a second.
///
/// Source: Casiez, Roussel and Vogel 2012, doi 10.1145/2207676.2208639.
struct LandmarkFilter {
  private let parameters: FilterParameters
  private let height: Double
  private var last: JointPositions?
  private var speeds = Array(repeating: Vector3.zero, count: JointPositions.count)
  private var pause = 0.0

  init(_ parameters: FilterParameters, height: Meters) {
    self.parameters = parameters
    self.height = height.value
  }

  mutating func skip(_ step: Double) { pause += step }

  mutating func apply(to joints: inout JointPositions, step: Double) {
    guard parameters.cutoff.value > 0 else { return }
    let step = step + pause
    pause = 0
    defer { last = joints }
    guard let last, step > 0, step <= 0.5 else {
      speeds = Array(repeating: .zero, count: JointPositions.count)
      return
    }
    let speedShare = Self.share(parameters.speedCutoff.value, step)
    for index in joints.values.indices {
      let before = last.values[index]
      let speed = (joints.values[index] - before) / step
      speeds[index] = speeds[index] + (speed - speeds[index]) * speedShare
      let way = joints.values[index] - before
      joints.values[index] = Vector3(
        before.x + way.x * share(speeds[index].x, step),
        before.y + way.y * share(speeds[index].y, step),
        before.z + way.z * share(speeds[index].z, step))
    }
  }

  private func share(_ speed: Double, _ step: Double) -> Double {
    let cutoff = parameters.cutoff.value + parameters.slope * speed.magnitude / height
    return Self.share(cutoff, step)
  }

  /// The weight of the new value: 1 / (1 + tau / step) with tau = 1 / (2 pi cutoff).
  private static func share(_ cutoff: Double, _ step: Double) -> Double {
    1 / (1 + 1 / (2 * Double.pi * cutoff * step))
  }
}
