@_spi(Bench) import PoseModel

/// What the bodies of sampled frames show, in the units and the axes of a file.
struct BodySigns {
  /// The positions of each sampled frame with a pose.
  let frames: [[Joint: Vector3]]

  /// Takes positions; frames without any are left out.
  init(_ frames: [[Joint: Vector3]]) { self.frames = frames.filter { !$0.isEmpty } }

  /// The stature in units of the file, from the path shoulder-hip-knee-ankle; nil if no frame shows it.
  var stature: Double? {
    frames.compactMap { BodyPose(limbs: $0).trunkAndLegLength }.median
      .flatMap { $0 > 0 ? $0 / ReferenceBody.trunkAndLegShare : nil }
  }

  /// How much the lengths of limbs vary over the frames, as a share of their length: the median over
  /// bones; nil for fewer than three bones.
  ///
  /// Points in the order of another detector make bones out of joints that move against each other.
  var boneVariation: Double? {
    let bones: [(Joint, Joint)] = ["left", "right"].flatMap { side in
      [("Shoulder", "Elbow"), ("Elbow", "Wrist"), ("Hip", "Knee"), ("Knee", "Ankle")].compactMap {
        upper, lower in
        guard let one = Joint(name: side + upper), let other = Joint(name: side + lower) else {
          return nil
        }
        return (one, other)
      }
    }
    let variations = bones.compactMap { one, other -> Double? in
      let lengths = frames.compactMap { frame in
        frame[one].flatMap { a in frame[other].map { (a - $0).norm } }
      }
      guard let median = lengths.median, median > 0, lengths.count > 4 else { return nil }
      return lengths.map { ($0 - median).magnitude / median }.median
    }
    return variations.count < 3 ? nil : variations.median
  }

  /// How far the lengths of limbs are from those of people, as factors: the largest of a few; nil
  /// where bones are missing.
  var proportionError: Double? {
    func length(_ upper: String, _ lower: String) -> Double? {
      ["left", "right"].compactMap { side in
        frames.compactMap { frame -> Double? in
          guard let one = Joint(name: side + upper), let other = Joint(name: side + lower),
            let a = frame[one], let b = frame[other]
          else { return nil }
          return (a - b).norm
        }.median
      }.median
    }
    guard let thigh = length("Hip", "Knee"), let shank = length("Knee", "Ankle"),
      let upperArm = length("Shoulder", "Elbow"), let forearm = length("Elbow", "Wrist"),
      min(thigh, shank, upperArm, forearm) > 0
    else { return nil }
    let ratios = [thigh / shank, upperArm / forearm, thigh / upperArm / 1.4, shank / forearm / 1.5]
    return ratios.map { max($0, 1 / $0) }.max()
  }

  /// The share of frames in which wrists are on the other side of the shoulders than each axis
  /// points, by more than half of the way: x, y, z and their opposites.
  ///
  /// Arms hang in standing and support in a plank, so up is where this is most frequent.
  func armsDown(_ axes: [Vector3]) -> [Double] {
    let arms = frames.compactMap { frame -> Vector3? in
      func middle(_ left: Joint, _ right: Joint) -> Vector3? {
        switch (frame[left], frame[right]) {
        case (let one?, let other?): one.midpoint(other)
        case (let one, let other): one ?? other
        }
      }
      guard let shoulders = middle(.leftShoulder, .rightShoulder),
        let wrists = middle(.leftWrist, .rightWrist)
      else { return nil }
      let arm = shoulders - wrists
      return arm.norm > 0 ? arm / arm.norm : nil
    }
    guard !arms.isEmpty else { return axes.map { _ in 0 } }
    return axes.map { axis in
      Double(arms.count { $0.dot(axis) > 0.6 }) / Double(arms.count)
    }
  }

  /// Whether joints bend as those of people do, in axes taken for right-handed: knees to the front and
  /// elbows to the back of the chest.
  ///
  /// - Returns: how many bent limbs do, of how many; in left-handed axes hardly any does.
  var bends: (natural: Int, all: Int) {
    var counts = (natural: 0, all: 0)
    for frame in frames {
      guard let left = frame[.leftShoulder], let right = frame[.rightShoulder],
        let leftHip = frame[.leftHip], let rightHip = frame[.rightHip]
      else { continue }
      let trunk = left.midpoint(right) - leftHip.midpoint(rightHip)
      let front = (left - right).cross(trunk)
      guard front.norm > 0 else { continue }
      for side in ["left", "right"] {
        for (upper, middle, lower, sign) in [
          ("Hip", "Knee", "Ankle", 1.0), ("Shoulder", "Elbow", "Wrist", -1.0),
        ] {
          let names = [upper, middle, lower].compactMap { Joint(name: side + $0) }
          let points = names.compactMap { frame[$0] }
          guard points.count == 3 else { continue }
          let bend = points[1] - points[0].midpoint(points[2])
          let along = bend.dot(front) / front.norm
          guard along.magnitude > 0.04 * (points[0] - points[1]).norm + 0.02 * trunk.norm else {
            continue
          }
          counts.all += 1
          if along * sign > 0 { counts.natural += 1 }
        }
      }
    }
    return counts
  }

  /// The share of frames in which the body stands along an axis: ankles, hips and shoulders in a line.
  func standing(_ axis: Vector3) -> Double {
    let bodies = frames.compactMap { frame -> Bool? in
      guard let left = frame[.leftShoulder], let right = frame[.rightShoulder],
        let leftAnkle = frame[.leftAnkle], let rightAnkle = frame[.rightAnkle]
      else { return nil }
      let body = left.midpoint(right) - leftAnkle.midpoint(rightAnkle)
      return body.norm > 0 && body.dot(axis) >= 0.9 * body.norm
    }
    return bodies.isEmpty ? 0 : Double(bodies.count(where: { $0 })) / Double(bodies.count)
  }

  /// The share of frames in which hips lie on the x axis and the spine has no depth, as positions
  /// relative to Vision's pelvis do.
  var fixedToPelvis: Double {
    guard let stature, !frames.isEmpty else { return 0 }
    let limit = 1e-3 * stature / ReferenceBody.height.value
    let fixed = frames.count { frame in
      guard let hip = frame[.leftHip], let root = frame[.root] else { return false }
      let spine = frame[.spine] ?? root
      return (hip.y - root.y).magnitude < limit && (hip.z - root.z).magnitude < limit
        && (spine.z - root.z).magnitude < limit && (hip - root).norm > 10 * limit
    }
    return Double(fixed) / Double(frames.count)
  }

  /// Joints other than the root at exactly 0, as a share of all.
  var zeroShare: Double {
    let counts = frames.reduce((zero: 0, all: 0)) { sum, frame in
      let others = frame.filter { $0.key != .root }
      return (
        sum.zero + others.count { $0.value.x == 0 && $0.value.y == 0 && $0.value.z == 0 },
        sum.all + others.count
      )
    }
    return counts.all == 0 ? 0 : Double(counts.zero) / Double(counts.all)
  }

  /// The largest magnitude of a coordinate.
  var largest: Double {
    frames.flatMap(\.values).map { max($0.x.magnitude, $0.y.magnitude, $0.z.magnitude) }.max() ?? 0
  }

  /// Whether all points are in a plane of the third axis, as points of an image are.
  var isFlat: Bool { frames.allSatisfy { $0.values.allSatisfy { $0.z == 0 } } }
}
