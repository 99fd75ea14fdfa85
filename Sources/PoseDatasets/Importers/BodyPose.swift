package import PoseModel

struct BodyPose {
  private(set) var positions: [Joint: Vector3]

  /// Adds `root` and `centerShoulder` as midpoints where both sides exist, and leaves out positions
  /// that are not finite.
  init(limbs: [Joint: Vector3]) {
    positions = limbs.filter { $1.isFinite }
    positions[.root] = positions.middle(.leftHip, .rightHip)
    positions[.centerShoulder] = positions.middle(.leftShoulder, .rightShoulder)
  }

  static let limbs: [(name: String, joint: Joint)] = ["left", "right"].flatMap { side in
    ["Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle"].compactMap { part in
      Joint(name: side + part).map { (name: "\(side)_\(part.lowercased())", joint: $0) }
    }
  }

  static func joints(from limbs: Set<Joint>) -> [Joint] {
    var joints = limbs
    if limbs.isSuperset(of: [.leftHip, .rightHip]) { joints.insert(.root) }
    if limbs.isSuperset(of: [.leftShoulder, .rightShoulder]) { joints.insert(.centerShoulder) }
    return Skeleton.vision3d.joints.filter(joints.contains)
  }

  /// The length of the path shoulder-hip-knee-ankle, with the mean of both legs; nil if a joint is
  /// missing.
  var trunkAndLegLength: Double? {
    guard let trunk = positions.distance(.centerShoulder, .root),
      let leftThigh = positions.distance(.leftHip, .leftKnee),
      let leftShank = positions.distance(.leftKnee, .leftAnkle),
      let rightThigh = positions.distance(.rightHip, .rightKnee),
      let rightShank = positions.distance(.rightKnee, .rightAnkle)
    else { return nil }
    return trunk + (leftThigh + rightThigh) / 2 + (leftShank + rightShank) / 2
  }

  private init(positions: [Joint: Vector3]) { self.positions = positions }

  func with(_ position: Vector3, at joint: Joint) -> BodyPose {
    BodyPose(positions: positions.merging([joint: position]) { $1 })
  }

  func map(_ transform: (Vector3) -> Vector3) -> BodyPose {
    BodyPose(positions: positions.mapValues(transform))
  }

  var mirrored: BodyPose {
    let flipped = positions.map { ($0.mirrored, Vector3(-$1.x, $1.y, $1.z)) }
    return BodyPose(positions: Dictionary(uniqueKeysWithValues: flipped))
  }
}

extension [Joint: Vector3] {
  func numbers(in joints: [Joint], scale: Double = 1) -> [Float] {
    joints.flatMap { joint in
      guard let scaled = self[joint].map({ $0 * scale }) else { return [Float.nan, .nan, .nan] }
      return [Float(scaled.x), Float(scaled.y), Float(scaled.z)]
    }
  }

  func middle(_ one: Joint, _ other: Joint) -> Vector3? {
    self[one].flatMap { first in self[other].map { first.midpoint($0) } }
  }

  func distance(_ one: Joint, _ other: Joint) -> Double? {
    self[one].flatMap { first in self[other].map { (first - $0).norm } }
  }
}

extension Recording {
  init(_ header: RecordingHeader, times: [Double], _ bodies: [BodyPose], scale: Double = 1) {
    self.init(header: header)
    reserveCapacity(bodies.count)
    for (time, body) in zip(times, bodies) {
      append(time: Seconds(time), pose: body.positions.numbers(in: header.joints, scale: scale))
    }
  }
}

package enum ReferenceBody {
  package static let height = HeightEstimation.referenceHeight
  package static let trunkAndLegShare = 0.779

  package static var trunkAndLegLength: Meters { Meters(trunkAndLegShare * height.value) }

  /// Returns the factor from a clip's units to meters that gives its median trunk and leg length
  /// the reference body's value; nil if there is no such length.
  static func metersPerUnit(of clip: some Sequence<BodyPose>) -> Double? {
    let lengths = clip.compactMap(\.trunkAndLegLength)
    guard let median = lengths.median, median > 0, median.isFinite else { return nil }
    let factor = trunkAndLegLength.value / median
    return factor.isFinite && factor > 0 ? factor : nil
  }

  static func height(trunkAndLegLength length: Double) -> Meters {
    Meters(length / trunkAndLegShare)
  }
}

/// Rounds seconds to whole microseconds, ties away from zero, so that writing six decimals and
/// reading them back changes nothing.
package func roundedToMicroseconds(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }
