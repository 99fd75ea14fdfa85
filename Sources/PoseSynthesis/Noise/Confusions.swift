import PoseModel
import Statistics

/// Swaps, depth mirrors and occlusions of one session, in camera axes.
struct Confusions {
  private let parameters: ConfusionParameters
  private var swap: Burst
  private var mirror: Burst
  private var occlusion: Burst
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
  }

  /// Confuses the joints of the next frame, relative to the root.
  mutating func apply(to joints: inout JointPositions, _ context: NoiseContext) {
    var hidden = self.hidden
    let sd = parameters.occlusionOffset.value
    let isHidden = occlusion.advance(by: context.step) { stream in
      hidden = context.farSide.limb(isArm: stream.bernoulli(0.5)).map { joint in
        let offset = Vector3(
          stream.gaussian(standardDeviation: sd), stream.gaussian(standardDeviation: sd),
          stream.gaussian(standardDeviation: sd))
        return (joint, offset)
      }
    }
    self.hidden = hidden
    if isHidden { for (joint, offset) in hidden { joints[joint] = joints[joint] + offset } }
    if mirror.advance(by: context.step) {
      let root = joints[.root].z
      for index in joints.values.indices {
        joints.values[index].z = 2 * root - joints.values[index].z
      }
    }
    applySwap(to: &joints, step: context.step)
  }

  private mutating func applySwap(to joints: inout JointPositions, step: Double) {
    var swapped = self.swapped
    let limbShare = parameters.limbSwapShare
    let isSwapped = swap.advance(by: step) { stream in
      let isLimb = stream.bernoulli(limbShare)
      let isArms = stream.bernoulli(0.5)
      swapped = isLimb ? (isArms ? Self.arms : Self.legs) : Self.arms + Self.legs
    }
    self.swapped = swapped
    guard isSwapped else { return }
    for (left, right) in swapped {
      joints.values.swapAt(left.index, right.index)
    }
  }

  private static let arms: [(Joint, Joint)] = [
    (.leftShoulder, .rightShoulder), (.leftElbow, .rightElbow), (.leftWrist, .rightWrist),
  ]
  private static let legs: [(Joint, Joint)] = [
    (.leftHip, .rightHip), (.leftKnee, .rightKnee), (.leftAnkle, .rightAnkle),
  ]
}
