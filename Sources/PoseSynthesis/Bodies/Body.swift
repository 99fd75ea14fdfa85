import Platform
package import PoseModel
import Statistics

struct Body: Hashable, Sendable {
  let height: Meters
  let lengths: [Double]
  /// With tucked toes, as a fraction of stature.
  let tuckedAnkle: Double

  init(height: Meters, proportions: BodyProportions) {
    self.height = height
    lengths = proportions.fractions.map { $0 * height.value }
    tuckedAnkle = ContactHeights.tuckedToes
  }

  /// Each length varies by the factor N(1, spread), and left and right differ by N(0, asymmetry).
  ///
  /// The halves of the trunk share one draw, and so do both shoulders and both hips, so that the
  /// body's middle stays in place. Draws are limited to three standard deviations.
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
  /// Stature is N(1.62, 0.063) m (Huston's table).
  case female
  /// Stature is N(1.76, 0.067) m (Huston's table).
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
  package var proportionSpread = 0.03
  package var asymmetry = 0.01
  /// As a fraction of stature, from the acromion (Drillis and Contini).
  ///
  /// Pose estimators put the shoulder at the joint's center, which is lower: measured from there,
  /// the upper arm is 0.16 of stature (docs/studio.md).
  package var upperArm = 0.186
  package var hipWidth = 0.105
  package var tuckedAnkle = ContactHeights.tuckedToes

  package init() {}

  package static let section = "subject"

  package static let words: [ScriptWord<Self>] = [
    .init("sex", \.sex, "which statistics a studio's statures follow")
  ]

  package static let fields: [ScriptField<Self>] = [
    .init("height_m", 1.45...2.05, \.height.value, "stature"),
    .init(
      "proportion_spread", 0...0.06, \.proportionSpread,
      "relative standard deviation of each segment's fraction of stature"),
    .init(
      "asymmetry", 0...0.03, \.asymmetry,
      "relative standard deviation of left against right in each limb segment"),
    .init(
      "upper_arm", 0.13...0.2, \.upperArm,
      "upper arm over stature; 0.186 from the acromion, about 0.16 from the joint's center"),
    .init("hip_width", 0.08...0.2, \.hipWidth, "distance between the hip joints over stature"),
    .init(
      "tucked_ankle", 0.05...0.13, \.tuckedAnkle,
      "height of the ankles over tucked toes over stature"),
  ]
}

/// Segment lengths as fractions of stature.
///
/// Source: Drillis and Contini 1966, as in Winter 2009, figure 4.1: shoulder height 0.818, hip
/// 0.530, knee 0.285, ankle 0.039, elbow 0.630, wrist 0.485, eye 0.936. Lengths are differences of
/// those heights. The published half-widths of 0.1295 and 0.0955 reach the outer edges of the soft
/// tissue; between joint centers, the half-widths here are 0.105 for the shoulders and 0.0525 for
/// the hips.
struct BodyProportions: Hashable, Sendable {
  var fractions: [Double]

  static let anatomical = BodyProportions(of: SubjectParameters())

  /// The rigid template that Vision fits, with hips 0.1565 m to each side at a stature of 1.8 m, as
  /// observed.
  ///
  /// The rest of Vision's table is not public, so anatomical fractions stand in for it.
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

struct Quaternion {
  var w: Double
  var v: Vector3

  func turned(to end: Quaternion, share: Double) -> Quaternion {
    var cosine = w * end.w + v.dot(end.v)
    let sign: Double = cosine < 0 ? -1 : 1
    cosine *= sign
    var (near, far) = (1 - share, share)
    if cosine < 0.9999 {
      let angle = acos(cosine)
      (near, far) = (sin(near * angle) / sin(angle), sin(far * angle) / sin(angle))
    }
    let blend = Quaternion(w: w * near + end.w * far * sign, v: v * near + end.v * (far * sign))
    let length = (blend.w * blend.w + blend.v.dot(blend.v)).squareRoot()
    return Quaternion(w: blend.w / length, v: blend.v / length)
  }

  var rotation: Rotation3 {
    func image(_ u: Vector3) -> Vector3 {
      let t = v.cross(u) * 2
      return u + t * w + v.cross(t)
    }
    return Rotation3(image(.unitX), image(.unitY), image(.unitZ))
  }
}

extension Quaternion {
  /// Starts from the largest of w, x, y and z (Shepperd 1978).
  init(_ r: Rotation3) {
    let (a, b, c) = r.columns
    let trace = a.x + b.y + c.z
    if trace > 0 {
      let s = 2 * (trace + 1).squareRoot()
      self.init(w: s / 4, v: Vector3(b.z - c.y, c.x - a.z, a.y - b.x) / s)
    } else if a.x > b.y, a.x > c.z {
      let s = 2 * (1 + a.x - b.y - c.z).squareRoot()
      self.init(w: (b.z - c.y) / s, v: Vector3(s / 4, (b.x + a.y) / s, (c.x + a.z) / s))
    } else if b.y > c.z {
      let s = 2 * (1 + b.y - a.x - c.z).squareRoot()
      self.init(w: (c.x - a.z) / s, v: Vector3((b.x + a.y) / s, s / 4, (c.y + b.z) / s))
    } else {
      let s = 2 * (1 + c.z - a.x - b.y).squareRoot()
      self.init(w: (a.y - b.x) / s, v: Vector3((c.x + a.z) / s, (c.y + b.z) / s, s / 4))
    }
  }
}

extension Degrees {
  var radians: Double { value * (Double.pi / 180) }

  init(radians: Double) { self.init(radians * (180 / Double.pi)) }

  static func + (a: Degrees, b: Degrees) -> Degrees { Degrees(a.value + b.value) }

  static prefix func - (a: Degrees) -> Degrees { Degrees(-a.value) }
}

extension Rotation3 {
  init(about axis: Vector3, radians: Double) {
    self = Quaternion(w: cos(radians / 2), v: axis * sin(radians / 2)).rotation
  }

  static func aboutX(_ angle: Degrees) -> Rotation3 {
    let (c, s) = (cos(angle.radians), sin(angle.radians))
    return Rotation3(.unitX, Vector3(0, c, s), Vector3(0, -s, c))
  }

  static func aboutY(_ angle: Degrees) -> Rotation3 {
    let (c, s) = (cos(angle.radians), sin(angle.radians))
    return Rotation3(Vector3(c, 0, -s), .unitY, Vector3(s, 0, c))
  }

  static func aboutZ(_ angle: Degrees) -> Rotation3 {
    let (c, s) = (cos(angle.radians), sin(angle.radians))
    return Rotation3(Vector3(c, s, 0), Vector3(-s, c, 0), .unitZ)
  }

  func inverse(_ v: Vector3) -> Vector3 {
    Vector3(columns.0.dot(v), columns.1.dot(v), columns.2.dot(v))
  }

  static func * (a: Rotation3, b: Rotation3) -> Rotation3 { a.composed(after: b) }
}

extension Double {
  /// The nearest multiple of 1 / `unit`, never -0.
  func rounded(per unit: Double) -> Double { (self * unit).rounded() / unit + 0 }
}

extension Vector3 {
  static let unitZ = Vector3(0, 0, 1)
  static let zero = Vector3(0, 0, 0)

  func unit(or fallback: Vector3 = .unitY) -> Vector3 {
    let length = norm
    return length > 1e-9 ? self / length : fallback
  }

  func perpendicular(to direction: Vector3) -> Vector3 { self - direction * dot(direction) }

  func rounded(per unit: Double) -> Vector3 {
    Vector3(x.rounded(per: unit), y.rounded(per: unit), z.rounded(per: unit))
  }

  /// Returns the direction a fraction of the way along the great circle to another direction.
  ///
  /// Between nearly opposite directions, the great circle is not unique; the path then goes through
  /// `hint`.
  func turned(to end: Vector3, share: Double, through hint: Vector3) -> Vector3 {
    if share <= 0 { return self }
    if share >= 1 { return end }
    var side = end.perpendicular(to: self)
    if side.norm < 1e-6 {
      if dot(end) > 0 { return self }
      side = hint.perpendicular(to: self)
    }
    let angle = atan2(end.perpendicular(to: self).norm, dot(end)) * share
    return self * cos(angle) + side.unit(or: .unitX) * sin(angle)
  }
}
