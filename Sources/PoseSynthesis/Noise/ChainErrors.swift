internal import Platform
package import PoseModel
import Statistics

/// Every bone is turned by an error of its own, and what hangs from it turns along.
///
/// The errors have a white part, a colored one and a bias of the session. The far end of a bone
/// errs in depth by `depthFactor` times what it errs across the view, per length of the bone; the
/// part of that error along the bone is dropped. A bone that points at the camera thus has errors
/// of the image only, since both of its ends are seen there, and no bone turns about itself.
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
    ScriptField("white_turn_deg", "deg", 0...10, \.whiteTurn.value, "white turn of every bone"),
    ScriptField(
      "colored_turn_deg", "deg", 0...20, \.coloredTurn.value, "AR(1) turn of every bone"),
    ScriptField("colored_time_s", "s", 0.02...60, \.coloredTime.value, "its correlation time"),
    ScriptField(
      "bias_turn_deg", "deg", 0...30, \.biasTurn.value, "turn of every bone, drawn once per session"
    ),
    ScriptField(
      "depth_factor", "", 0...6, \.depthFactor, "factor on turns out of the plane of the image"),
    ScriptField("distal_factor", "", 1...4, \.distalFactor, "factor on forearms and shanks"),
    ScriptField(
      "arm_factor", "", 1...6, \.armFactor,
      "factor on white and AR(1) turns of upper arms and forearms"),
    ScriptField(
      "unseen_factor", "", 1...6, \.unseenFactor,
      "factor on bones to joints outside the image or hidden by the body"),
    ScriptField(
      "whole_turn_deg", "deg", 0...20, \.wholeTurn.value, "AR(1) turn of the whole body"),
    ScriptField(
      "scale", "", 0...0.2, \.scale, "relative sd of the body's size over time; 0 is a template"),
    ScriptField(
      "hip_flexion_deg", "deg", -20...30, \.hipFlexion.value,
      "flexion added at the hips of every body; 9 deg puts them 5 cm above the line"),
    ScriptField(
      "hip_flexion_spread_deg", "deg", 0...20, \.hipFlexionSpread.value,
      "sd of that flexion between sessions"),
    ScriptField(
      "elbow_flexion_deg", "deg", 0...60, \.elbowFlexion.value,
      "flexion added at both elbows"),
    ScriptField(
      "elbow_flexion_spread_deg", "deg", 0...20, \.elbowFlexionSpread.value,
      "sd of that flexion between sessions"),
    ScriptField(
      "clothes_turn_deg", "deg", 0...20, \.clothesTurn.value,
      "slow turn of trunk and thighs under loose clothes"),
    ScriptField("clothes_time_s", "s", 1...120, \.clothesTime.value, "its correlation time"),
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

  /// Trunk and legs share the bend so that the line from shoulders to ankles stays where it is, and
  /// both bones of an arm so that the line from shoulder to wrist does.
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
    flex(&directions, .leftUpperArm, .leftForearm, lengths: lengths)
    flex(&directions, .rightUpperArm, .rightForearm, lengths: lengths)
  }

  private func flex(
    _ directions: inout [Vector3], _ upper: Bone, _ lower: Bone, lengths: [Double]
  ) {
    guard elbowFlexion.value != 0 else { return }
    let (near, far) = (directions[upper.rawValue], directions[lower.rawValue])
    let axis = (near.cross(far) - Vector3.unitX * 0.1).unit()
    let share = lengths[lower.rawValue] / (lengths[upper.rawValue] + lengths[lower.rawValue])
    let degrees = min(elbowFlexion.value, 150 - near.angleDegrees(to: far))
    directions[upper.rawValue] = Self.turn(axis * (-degrees * share))(near)
    directions[lower.rawValue] = Self.turn(axis * (degrees * (1 - share)))(far)
  }

  /// From the trunk outward; `isUnseen` is by joint; `factor` worsens all errors of the frame.
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
      // Hips and shoulders share the turn of the left one, so that the middle stays the middle.
      let leader = bone.turnedWith
      let turned = Self.turn(axes[leader.rawValue].cross(error(of: leader, size: size)))
      turns[far] = turns[bone.parent.index].composed(after: turned)
      directions[bone.rawValue] = turns[far](directions[bone.rawValue])
    }
  }

  /// The error of a bone's far end per length of the bone, in degrees: across the view and in depth.
  private func error(of bone: Bone, size: Double) -> Vector3 {
    let own = 3 * bone.rawValue
    let size = size * (bone.isArm ? parameters.armFactor : 1)
    let colored = Vector3(
      colored.values[own], colored.values[own + 1], colored.values[own + 2])
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

  fileprivate var isLeg: Bool {
    [.leftThigh, .rightThigh, .leftShank, .rightShank].contains(self)
  }

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
