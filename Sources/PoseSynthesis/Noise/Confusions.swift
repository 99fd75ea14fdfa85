internal import Platform
package import PoseModel
import Statistics

package struct ConfusionParameters: ScriptParameters {
  package var swapsPerMinute = 0.0
  package var swapFrames = 10.0
  package var limbSwapShare = 0.5
  package var mirrorsPerMinute = 0.0
  package var mirrorFrames = 10.0
  package var occlusionsPerMinute = 0.0
  package var occlusionOffset = Meters(0.12)
  package var occlusionMinimum = Seconds(0.2)
  package var occlusionMaximum = Seconds(2)
  package var jumpsPerMinute = 0.0
  package var reflectionsPerMinute = 0.0
  package var jumpMinimum = Seconds(0.3)
  package var jumpMaximum = Seconds(4)

  package init() {}

  package static let section = "confusions"

  package static let fields: [ScriptField<Self>] = [
    .init("swaps_per_minute", 0...60, \.swapsPerMinute, "left-right swaps; 0.2 to 2"),
    .init("swap_frames", 1...100, \.swapFrames, "longest swap; 1 to 10"),
    .init("limb_swap_share", 0...1, \.limbSwapShare, "swaps of arms or legs only"),
    .init("mirrors_per_minute", 0...60, \.mirrorsPerMinute, "depth mirrors; 0.2 to 2"),
    .init("mirror_frames", 1...100, \.mirrorFrames, "longest mirror; 1 to 10"),
    .init("occlusions_per_minute", 0...60, \.occlusionsPerMinute, "occlusions of a far arm or leg"),
    .init(
      "occlusion_offset_m", 0...0.5, \.occlusionOffset.value,
      "sd of a hidden joint's guessed position; 8 to 15 cm"),
    .init("occlusion_minimum_s", 0.02...10, \.occlusionMinimum.value, "shortest occlusion"),
    .init("occlusion_maximum_s", 0.02...10, \.occlusionMaximum.value, "longest occlusion"),
    .init("jumps_per_minute", 0...60, \.jumpsPerMinute, "poses of someone standing nearby"),
    .init(
      "reflections_per_minute", 0...60, \.reflectionsPerMinute,
      "poses of the reflection in a mirror"),
    .init("jump_minimum_s", 0.02...60, \.jumpMinimum.value, "shortest such pose"),
    .init("jump_maximum_s", 0.02...60, \.jumpMaximum.value, "longest such pose"),
  ]

  package static let limits = [
    (lower: "occlusion_minimum_s", upper: "occlusion_maximum_s"),
    (lower: "jump_minimum_s", upper: "jump_maximum_s"),
  ]
}

struct Confusions {
  private let parameters: ConfusionParameters
  private var swap: Burst
  private var mirror: Burst
  private var occlusion: Burst
  private var reflection: Burst
  private var swapped: [(Joint, Joint)] = []
  private var hidden: [(joint: Joint, offset: Vector3)] = []

  init(_ parameters: ConfusionParameters, seed: UInt64) {
    self.parameters = parameters
    swap = Burst(
      perMinute: parameters.swapsPerMinute, length: .frames(Int(parameters.swapFrames)),
      stream: RandomStream(seed: seed, purpose: "noise.swaps"))
    mirror = Burst(
      perMinute: parameters.mirrorsPerMinute, length: .frames(Int(parameters.mirrorFrames)),
      stream: RandomStream(seed: seed, purpose: "noise.mirrors"))
    let range = parameters.occlusionMinimum.value...parameters.occlusionMaximum.value
    occlusion = Burst(
      perMinute: parameters.occlusionsPerMinute, length: .seconds(range),
      stream: RandomStream(seed: seed, purpose: "noise.occlusions"))
    reflection = Burst(
      perMinute: parameters.reflectionsPerMinute, length: .seconds(parameters.jumpRange),
      stream: RandomStream(seed: seed, purpose: "noise.reflections"))
  }

  mutating func apply(to joints: inout JointPositions, _ context: NoiseContext) {
    let isHidden = occlusion.advance(by: context.step)
    if occlusion.isNew {
      let (stream, sd) = (occlusion.stream, parameters.occlusionOffset.value)
      hidden = context.farSide.limb(isArm: stream.bernoulli(0.5)).map { joint in
        let offset = Vector3(
          stream.gaussian(standardDeviation: sd), stream.gaussian(standardDeviation: sd),
          stream.gaussian(standardDeviation: sd))
        return (joint, offset)
      }
    }
    if isHidden { for (joint, offset) in hidden { joints[joint] = joints[joint] + offset } }
    if mirror.advance(by: context.step) {
      let root = joints[.root].z
      for index in joints.values.indices {
        joints.values[index].z = 2 * root - joints.values[index].z
      }
    }
    let isSwapped = swap.advance(by: context.step)
    if swap.isNew { swapped = drawnSwap() }
    if isSwapped { joints.swap(swapped) }
    if reflection.advance(by: context.step) {
      let root = joints[.root].x
      for index in joints.values.indices {
        joints.values[index].x = 2 * root - joints.values[index].x
      }
      joints.swap(Self.arms + Self.legs)
    }
  }

  private func drawnSwap() -> [(Joint, Joint)] {
    let isLimb = swap.stream.bernoulli(parameters.limbSwapShare)
    let isArms = swap.stream.bernoulli(0.5)
    guard isLimb else { return Self.arms + Self.legs }
    return isArms ? Self.arms : Self.legs
  }

  private static let arms: [(Joint, Joint)] = [
    (.leftShoulder, .rightShoulder), (.leftElbow, .rightElbow), (.leftWrist, .rightWrist),
  ]
  private static let legs: [(Joint, Joint)] = [
    (.leftHip, .rightHip), (.leftKnee, .rightKnee), (.leftAnkle, .rightAnkle),
  ]
}

extension JointPositions {
  fileprivate mutating func swap(_ pairs: [(Joint, Joint)]) {
    for (left, right) in pairs { values.swapAt(left.index, right.index) }
  }
}

extension ConfusionParameters {
  fileprivate var jumpRange: ClosedRange<Double> { jumpMinimum.value...jumpMaximum.value }
}

struct Strangers {
  struct Sighting {
    var posed: BodyPoser.Posed
    var place: Vector3
  }

  private var jump: Burst
  private var sighting: Sighting?

  init(_ parameters: ConfusionParameters, seed: UInt64) {
    jump = Burst(
      perMinute: parameters.jumpsPerMinute, length: .seconds(parameters.jumpRange),
      stream: RandomStream(seed: seed, purpose: "noise.jumps"))
  }

  mutating func posed(step: Double) -> Sighting? {
    let isOn = jump.advance(by: step)
    if jump.isNew { sighting = Self.standing(jump.stream) }
    return isOn ? sighting : nil
  }

  private static func standing(_ stream: RandomStream) -> Sighting {
    let (full, away) = (2 * Double.pi, stream.uniform(in: 0.8...1.5))
    let direction = stream.uniform(in: 0...full)
    let body = Body(height: Meters(1.7), proportions: .anatomical)
    var (shape, height) = Posture.standing.free(phase: 0, lean: Degrees(0)).settled(
      body: body, extraPitch: Degrees(0), extraRoll: Degrees(0))
    let facing = Rotation3.aboutY(Degrees(stream.uniform(in: 0...360)))
    shape.orientation = facing.composed(after: shape.orientation)
    return Sighting(
      posed: BodyPoser.Posed(shape: shape, rootHeight: height),
      place: Vector3(away * sin(direction), 0, away * cos(direction)))
  }
}

package struct DropoutParameters: ScriptParameters {
  package var probability = 0.0
  package var burstsPerMinute = 0.0
  package var burstMinimum = Seconds(0.2)
  package var burstMaximum = Seconds(3)
  package var entryLoss = Seconds(0)
  package var headOnBurstsPerMinute = 0.0

  package init() {}

  package static let section = "dropouts"

  package static let fields: [ScriptField<Self>] = [
    .init("probability", 0...0.5, \.probability, "frames without a pose; 1 to 5 %"),
    .init("bursts_per_minute", 0...60, \.burstsPerMinute, "bursts without a pose"),
    .init("burst_minimum_s", 0.02...10, \.burstMinimum.value, "shortest burst"),
    .init("burst_maximum_s", 0.02...10, \.burstMaximum.value, "longest burst"),
    .init("entry_loss_s", 0...10, \.entryLoss.value, "no pose at the session's start"),
    .init(
      "head_on_bursts_per_minute", 0...60, \.headOnBurstsPerMinute,
      "losses while a low camera looks along the body"),
  ]

  package static let limits = [(lower: "burst_minimum_s", upper: "burst_maximum_s")]
}

struct Dropouts {
  private let parameters: DropoutParameters
  private let single: RandomStream
  private var burst: Burst
  private var headOn: Burst

  init(_ parameters: DropoutParameters, seed: UInt64) {
    self.parameters = parameters
    single = RandomStream(seed: seed, purpose: "noise.drops")
    let range = parameters.burstMinimum.value...parameters.burstMaximum.value
    burst = Burst(
      perMinute: parameters.burstsPerMinute, length: .seconds(range),
      stream: RandomStream(seed: seed, purpose: "noise.losses"))
    headOn = Burst(
      perMinute: parameters.headOnBurstsPerMinute, length: .seconds(range),
      stream: RandomStream(seed: seed, purpose: "noise.headOnLosses"))
  }

  mutating func isLost(_ context: NoiseContext) -> Bool {
    let isSingle = single.bernoulli(parameters.probability)
    let isBurst = burst.advance(by: context.step)
    let isHeadOn = headOn.advance(by: context.step, isAllowed: context.isHeadOn)
    return isSingle || isBurst || isHeadOn || context.time < parameters.entryLoss.value
  }
}

struct Burst {
  enum Length {
    case frames(Int)
    case seconds(ClosedRange<Double>)
  }

  let perMinute: Double
  let length: Length
  let stream: RandomStream
  private(set) var framesLeft = 0
  private(set) var secondsLeft = 0.0
  /// Whether the burst began with the last step.
  private(set) var isNew = false

  mutating func advance(by step: Double, isAllowed: Bool = true) -> Bool {
    isNew = false
    guard perMinute > 0 else { return false }
    framesLeft -= 1
    secondsLeft -= step
    let begins = stream.bernoulli(1 - exp(-perMinute * step / 60))
    if framesLeft > 0 || secondsLeft > 0 { return true }
    guard begins, isAllowed else { return false }
    switch length {
    case .frames(let most): framesLeft = 1 + stream.index(below: most)
    case .seconds(let range): secondsLeft = stream.uniform(in: range)
    }
    isNew = true
    return true
  }
}
