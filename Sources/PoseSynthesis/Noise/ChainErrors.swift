package import PoseModel
import Statistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How an estimator errs that fits a skeleton: bones keep their lengths, but point a wrong way.
///
/// Every bone is turned by an error of its own, and what hangs from it turns along. The errors
/// have a white part, a colored one and a bias of the session. Turns toward the camera and away
/// from it are larger than turns within the image by `depthFactor`.
package struct ChainNoiseParameters: ScriptParameters {
  /// Standard deviation of the white turn of every bone, within the image.
  package var whiteTurn = Degrees(0)
  /// Standard deviation of the colored (AR(1)) turn of every bone, within the image.
  package var coloredTurn = Degrees(0)
  /// Correlation time of colored turns.
  package var coloredTime = Seconds(0.7)
  /// Standard deviation of the turn of every bone that stays for the whole session.
  package var biasTurn = Degrees(0)
  /// Factor on turns out of the plane of the image.
  package var depthFactor = 2.0
  /// Factor on turns of forearms and shanks.
  package var distalFactor = 1.0
  /// Factor on turns of bones whose far joint is outside the image or hidden by the body.
  package var unseenFactor = 1.0
  /// Standard deviation of the colored turn of the whole body.
  package var wholeTurn = Degrees(0)
  /// Relative standard deviation of the colored size of the whole body; 0 is a rigid template.
  package var scale = 0.0
  /// Flexion that is read at the hips of every body, a bias of the source.
  package var hipFlexion = Degrees(0)
  /// Standard deviation of that flexion from session to session.
  package var hipFlexionSpread = Degrees(0)
  /// Standard deviation of a slow turn of trunk and thighs, as loose clothes make it.
  package var clothesTurn = Degrees(0)
  /// Correlation time of that turn.
  package var clothesTime = Seconds(20)

  /// No errors.
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
      "unseen_factor", "", 1...6, \.unseenFactor,
      "factor on bones to joints outside the image or hidden by the body"),
    ScriptField(
      "whole_turn_deg", "deg", 0...20, \.wholeTurn.value, "AR(1) turn of the whole body"),
    ScriptField(
      "scale", "", 0...0.2, \.scale, "relative sd of the body's size over time; 0 is a template"),
    ScriptField(
      "hip_flexion_deg", "deg", -20...30, \.hipFlexion.value,
      "flexion read at the hips of every body; 9 deg put them 5 cm above the line"),
    ScriptField(
      "hip_flexion_spread_deg", "deg", 0...20, \.hipFlexionSpread.value,
      "sd of that flexion between sessions"),
    ScriptField(
      "clothes_turn_deg", "deg", 0...20, \.clothesTurn.value,
      "slow turn of trunk and thighs under loose clothes"),
    ScriptField("clothes_time_s", "s", 1...120, \.clothesTime.value, "its correlation time"),
  ]

  /// Whether anything is turned or scaled at all.
  var isActive: Bool {
    [whiteTurn, coloredTurn, biasTurn, wholeTurn, hipFlexionSpread, clothesTurn]
      .contains { $0.value > 0 } || hipFlexion.value != 0 || scale > 0
  }
}

/// The errors of a fitted skeleton, in camera axes.
struct ChainErrors {
  private let parameters: ChainNoiseParameters
  private let white: RandomStream
  private var colored: AutoregressiveProcess
  private var clothes: AutoregressiveProcess
  /// Turn of the whole body about x, y and z, and the logarithm of its size.
  private var whole: AutoregressiveProcess
  private let biases: [Vector3]
  private let hipFlexion: Degrees

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
  }

  /// Whether anything is turned or scaled at all.
  var isActive: Bool { parameters.isActive }

  /// The size of the body in the current frame, relative to its own.
  var size: Double { exp(parameters.scale * whole.values[3]) }

  /// Moves all errors on by a time step in seconds; call once per frame.
  mutating func advance(by step: Double) {
    colored.advance(by: step, time: parameters.coloredTime.value)
    clothes.advance(by: step, time: parameters.clothesTime.value)
    whole.advance(by: step, time: parameters.coloredTime.value)
  }

  /// Bends directions in the pelvis frame at the hips: the source's bias and the clothes.
  ///
  /// Trunk and legs share the bend so that the line from shoulders to ankles stays where it is.
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
  }

  /// Turns directions in camera axes, from the trunk outward.
  ///
  /// - Parameters:
  ///   - isUnseen: by joint, whether the camera does not see it.
  ///   - factor: what worsens all errors of the frame.
  func turn(_ directions: inout [Vector3], isUnseen: [Bool], factor: Double) {
    let all = whole.values.map { $0 * parameters.wholeTurn.value * factor }
    var turns = Array(repeating: Rotation3.identity, count: JointPositions.count)
    turns[Joint.root.index] = rotation(Vector3(all[0], all[1], all[2]))
    for bone in Bone.allCases {
      let far = bone.child.index
      let unseen = isUnseen[far] ? parameters.unseenFactor : 1
      let size = factor * unseen * (bone.isDistal ? parameters.distalFactor : 1)
      // Hips and shoulders share the turn of the left one, so that the middle stays the middle.
      let turned = rotation(error(of: bone.turnedWith, size: size))
      turns[far] = turns[bone.parent.index].composed(after: turned)
      directions[bone.rawValue] = turns[far](directions[bone.rawValue])
    }
  }

  private func error(of bone: Bone, size: Double) -> Vector3 {
    let own = 3 * bone.rawValue
    let colored = Vector3(
      colored.values[own], colored.values[own + 1], colored.values[own + 2])
    var error = colored * (parameters.coloredTurn.value * size)
    error = error + biases[bone.rawValue] * parameters.biasTurn.value
    guard parameters.whiteTurn.value > 0 else { return error }
    let white = Vector3(white.gaussian(), white.gaussian(), white.gaussian())
    return error + white * (parameters.whiteTurn.value * size)
  }

  /// The rotation by degrees about each of the camera's axes; about x and y by the depth's factor.
  private func rotation(_ degrees: Vector3) -> Rotation3 {
    let depth = parameters.depthFactor
    return Rotation3.aboutX(Degrees(degrees.x * depth)) * .aboutY(Degrees(degrees.y * depth))
      * .aboutZ(Degrees(degrees.z))
  }
}

extension Bone {
  /// Whether it leads from the root to a hip.
  fileprivate var isHip: Bool { self == .leftHip || self == .rightHip }

  /// Whether it is part of a leg.
  fileprivate var isLeg: Bool {
    [.leftThigh, .rightThigh, .leftShank, .rightShank].contains(self)
  }

  /// Whether it is a forearm or a shank.
  fileprivate var isDistal: Bool {
    [.leftForearm, .rightForearm, .leftShank, .rightShank].contains(self)
  }

  /// The bone whose error it shares: the left one of hips and shoulders, else itself.
  fileprivate var turnedWith: Bone {
    switch self {
    case .rightHip: .leftHip
    case .rightShoulder: .leftShoulder
    default: self
    }
  }
}

/// A filter over time that an estimator puts on its landmarks before anyone sees them.
package struct FilterParameters: ScriptParameters {
  /// Lowest cutoff; 0 switches the filter off.
  package var cutoff = Hertz(0)
  /// Growth of the cutoff with speed, in hertz per body height per second.
  package var slope = 40.0
  /// Cutoff of the speed's own low-pass.
  package var speedCutoff = Hertz(1)

  /// No filter.
  package init() {}

  package static let section = "filter"

  package static let fields: [ScriptField<Self>] = [
    ScriptField(
      "cutoff_hz", "Hz", 0...30, \.cutoff.value,
      "lowest cutoff of a one-euro filter on joints; 0 is none (Casiez 2012; MediaPipe: 0.1)"),
    ScriptField(
      "slope", "", 0...200, \.slope, "growth of the cutoff with speed in body heights/s"),
    ScriptField("speed_cutoff_hz", "Hz", 0.1...30, \.speedCutoff.value, "cutoff of that speed"),
  ]
}

/// A one-euro filter on every coordinate of every joint; it forgets at gaps over half a second.
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

  /// Lets a frame without a pose pass: time goes on, nothing is filtered.
  mutating func skip(_ step: Double) { pause += step }

  /// Filters the joints of the next frame, relative to the root.
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
