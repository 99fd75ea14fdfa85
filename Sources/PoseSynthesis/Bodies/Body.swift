package import PoseModel
import Statistics

struct Body: Hashable, Sendable {
  let height: Meters
  let lengths: [Double]
  /// Height of the ankles over the floor when the toes are tucked, over stature.
  let tuckedAnkle: Double

  init(height: Meters, proportions: BodyProportions) {
    self.height = height
    lengths = proportions.fractions.map { $0 * height.value }
    tuckedAnkle = ContactHeights.tuckedToes
  }

  /// A subject's body: every fraction varied by N(1, spread), left against right by N(0,
  /// asymmetry).
  ///
  /// The trunk's halves, the shoulders and the hips share one draw each, so that the middle stays
  /// in the middle. Draws beyond three standard deviations are cut to three.
  init(_ subject: SubjectParameters) {
    let stream = RandomStream(seed: subject.seed, purpose: "subject.proportions")
    func draw(_ spread: Double) -> Double { spread * min(max(stream.gaussian(), -3), 3) }
    var factors = Array(repeating: 1.0, count: Bone.count)
    for (left, right, isLimb) in Self.pairs {
      let factor = 1 + draw(subject.proportionSpread)
      let difference = isLimb ? draw(subject.asymmetry) : 0
      factors[left.rawValue] = factor * (1 + difference / 2)
      factors[right.rawValue] = factor * (1 - difference / 2)
    }
    height = subject.height
    lengths = zip(BodyProportions(of: subject).fractions, factors).map {
      $0 * $1 * subject.height.value
    }
    tuckedAnkle = subject.tuckedAnkle
  }

  func length(_ bone: Bone) -> Double { lengths[bone.rawValue] }

  private static let pairs: [(Bone, Bone, Bool)] = [
    (.lumbar, .thoracic, false), (.neck, .neck, false), (.head, .head, false),
    (.leftHip, .rightHip, false), (.leftShoulder, .rightShoulder, false),
    (.leftThigh, .rightThigh, true), (.leftShank, .rightShank, true),
    (.leftUpperArm, .rightUpperArm, true), (.leftForearm, .rightForearm, true),
  ]
}

package enum Sex: String, CaseIterable, Hashable, Sendable {
  /// Stature N(1.62, 0.063) m (Huston's table).
  case female
  /// Stature N(1.76, 0.067) m (Huston's table).
  case male

  var stature: (mean: Double, standardDeviation: Double) {
    self == .female ? (1.62, 0.063) : (1.76, 0.067)
  }
}

package struct SubjectParameters: ScriptParameters {
  package var name = "s01"
  package var seed: UInt64 = 1
  package var sex = Sex.male
  package var height = Meters(1.75)
  /// Relative standard deviation of every segment's fraction.
  package var proportionSpread = 0.03
  /// Relative standard deviation of the difference between left and right.
  package var asymmetry = 0.01
  /// Length of the upper arm over stature.
  ///
  /// Drillis and Contini measure it from the acromion. The joint's center, where pose estimators
  /// put the shoulder, hangs lower: the upper arm is then 0.16 of stature (docs/studio.md).
  package var upperArm = 0.186
  package var hipWidth = 0.105
  package var tuckedAnkle = ContactHeights.tuckedToes

  package init() {}

  package static let section = "subject"

  package static let words: [ScriptWord<Self>] = [
    ScriptWord("sex", \.sex, "which statistics a studio's statures follow")
  ]

  package static let fields: [ScriptField<Self>] = [
    ScriptField("height_m", "m", 1.45...2.05, \.height.value, "stature"),
    ScriptField(
      "proportion_spread", "", 0...0.06, \.proportionSpread,
      "relative standard deviation of each segment's fraction of stature"),
    ScriptField(
      "asymmetry", "", 0...0.03, \.asymmetry,
      "relative standard deviation of left against right in each limb segment"),
    ScriptField(
      "upper_arm", "", 0.13...0.2, \.upperArm,
      "upper arm over stature; 0.186 from the acromion, about 0.16 from the joint's center"),
    ScriptField(
      "hip_width", "", 0.08...0.2, \.hipWidth, "distance between the hip joints over stature"),
    ScriptField(
      "tucked_ankle", "", 0.05...0.13, \.tuckedAnkle,
      "height of the ankles over tucked toes over stature"),
  ]
}

/// Segment lengths as fractions of stature.
///
/// Source: Drillis and Contini 1966, as in Winter 2009, figure 4.1: shoulder height 0.818, hip
/// 0.530, knee 0.285, ankle 0.039, elbow 0.630, wrist 0.485, eye 0.936. Lengths are differences of
/// those heights. Widths are between joint centers, which are narrower than the published soft
/// tissue (0.259 and 0.191): half-widths 0.105 and 0.0525.
struct BodyProportions: Hashable, Sendable {
  /// Length of every bone over stature, by `Bone`.
  var fractions: [Double]

  static let anatomical = BodyProportions(of: SubjectParameters())

  /// The rigid template that Vision fits: hips 0.1565 m to each side at 1.8 m, as observed; the
  /// rest of Vision's table is not public; anatomy stands in for it until a capture provides it.
  static let template = BodyProportions(shoulderHalfWidth: 0.105, hipHalfWidth: 0.087)

  init(of subject: SubjectParameters) {
    self.init(
      shoulderHalfWidth: 0.105, hipHalfWidth: subject.hipWidth / 2, upperArm: subject.upperArm)
  }

  private init(shoulderHalfWidth: Double, hipHalfWidth: Double, upperArm: Double = 0.186) {
    let (thigh, shank, forearm) = (0.245, 0.246, 0.146)
    let (trunk, headAndNeck, topOfHead) = (0.288, 0.182, 0.065)
    fractions = [
      trunk / 2, trunk / 2, headAndNeck - topOfHead, topOfHead,
      hipHalfWidth, hipHalfWidth, shoulderHalfWidth, shoulderHalfWidth,
      thigh, thigh, shank, shank, upperArm, upperArm, forearm, forearm,
    ]
  }
}

/// A bone of the 3D skeleton; parents come before their children.
enum Bone: Int, CaseIterable {
  case lumbar, thoracic, neck, head
  case leftHip, rightHip, leftShoulder, rightShoulder
  case leftThigh, rightThigh, leftShank, rightShank
  case leftUpperArm, rightUpperArm, leftForearm, rightForearm

  static let count = allCases.count

  var parent: Joint { Self.joints[rawValue].parent }

  var child: Joint { Self.joints[rawValue].child }

  private static let joints: [(parent: Joint, child: Joint)] = [
    (.root, .spine), (.spine, .centerShoulder), (.centerShoulder, .centerHead),
    (.centerHead, .topHead), (.root, .leftHip), (.root, .rightHip),
    (.centerShoulder, .leftShoulder), (.centerShoulder, .rightShoulder),
    (.leftHip, .leftKnee), (.rightHip, .rightKnee), (.leftKnee, .leftAnkle),
    (.rightKnee, .rightAnkle), (.leftShoulder, .leftElbow), (.rightShoulder, .rightElbow),
    (.leftElbow, .leftWrist), (.rightElbow, .rightWrist),
  ]

  static let ends: [(parent: Int, child: Int)] = joints.map { ($0.parent.index, $0.child.index) }
}

package enum SkeletonModel: String, CaseIterable, Hashable, Sendable {
  case anatomical
  case template

  /// With the reference height everyone is 1.8 m tall; proportions stay.
  ///
  /// A measured height scales all bones.
  func recordedBody(of subject: Body, height: Meters) -> Body {
    switch self {
    case .anatomical: Body(scaling: subject, to: height)
    case .template: Body(height: height, proportions: .template)
    }
  }
}

extension Body {
  init(scaling body: Body, to height: Meters) {
    let factor = height.value / body.height.value
    self.height = height
    lengths = body.lengths.map { $0 * factor }
    tuckedAnkle = body.tuckedAnkle
  }
}
