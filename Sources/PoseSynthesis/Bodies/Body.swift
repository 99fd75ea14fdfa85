import PoseModel
import Statistics

/// A body: stature and the length of every bone in meters.
struct Body: Hashable, Sendable {
  let height: Meters
  /// Meters by `Bone`.
  let lengths: [Double]

  /// A body with given proportions and no deviation.
  init(height: Meters, proportions: BodyProportions) {
    self.height = height
    lengths = proportions.fractions.map { $0 * height.value }
  }

  /// A subject's body: every fraction times N(1, spread), left against right N(0, asymmetry).
  ///
  /// The trunk's halves, the shoulders and the hips share one draw each, so that the middle stays
  /// the middle. Draws beyond three standard deviations are pulled back to three.
  init(_ subject: SubjectParameters) {
    let stream = RandomStream(seed: subject.seed, purpose: "subject.proportions")
    func draw(_ spread: Double) -> Double {
      spread * min(max(stream.gaussian(), -3), 3)
    }
    var factors = Array(repeating: 1.0, count: Bone.count)
    for (left, right, isLimb) in Self.pairs {
      let factor = 1 + draw(subject.proportionSpread)
      let difference = isLimb ? draw(subject.asymmetry) : 0
      factors[left.rawValue] = factor * (1 + difference / 2)
      factors[right.rawValue] = factor * (1 - difference / 2)
    }
    height = subject.height
    lengths = zip(BodyProportions.anatomical.fractions, factors).map {
      $0 * $1 * subject.height.value
    }
  }

  /// The length of a bone in meters.
  func length(_ bone: Bone) -> Double { lengths[bone.rawValue] }

  /// Bones that vary together, and whether left and right differ within the pair.
  private static let pairs: [(Bone, Bone, Bool)] = [
    (.lumbar, .thoracic, false), (.neck, .neck, false), (.head, .head, false),
    (.leftHip, .rightHip, false), (.leftShoulder, .rightShoulder, false),
    (.leftThigh, .rightThigh, true), (.leftShank, .rightShank, true),
    (.leftUpperArm, .rightUpperArm, true), (.leftForearm, .rightForearm, true),
  ]
}
