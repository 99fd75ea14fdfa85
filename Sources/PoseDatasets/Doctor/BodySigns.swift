import PoseModel

struct BodySigns {
  let frames: [[Joint: Vector3]]

  init(_ frames: [[Joint: Vector3]]) { self.frames = frames.filter { !$0.isEmpty } }

  func recording(metersPerUnit: Double, up: Vector3) -> Recording {
    let present = Set(frames.flatMap(\.keys))
    var header = RecordingHeader(
      skeleton: .vision3d, joints: BodyPose.joints(from: present), frame: .camera)
    header.up = up
    var recording = Recording(header: header)
    for (index, frame) in frames.enumerated() {
      let root = frame[.root]
      var pose = BodyPose(limbs: frame)
      if let root { pose = pose.with(root, at: .root) }
      recording.append(
        time: Seconds(Double(index) / 30),
        pose: pose.numbers(in: header.joints, origin: Vector3(0, 0, 0), scale: metersPerUnit))
    }
    return recording
  }

  /// The median over bones; nil for fewer than three.
  ///
  /// Points in the order of another detector make bones out of joints that move against each other.
  var boneVariation: Double? {
    let variations = Self.limbs.compactMap { variation($0, $1) { $0 } }
    return variations.count < 3 ? nil : variations.median
  }

  private static let limbs: [(Joint, Joint)] = [
    (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist), (.leftHip, .leftKnee),
    (.leftKnee, .leftAnkle), (.rightShoulder, .rightElbow), (.rightElbow, .rightWrist),
    (.rightHip, .rightKnee), (.rightKnee, .rightAnkle),
  ]

  private func variation(
    _ one: Joint, _ other: Joint, _ kept: (Vector3) -> Vector3
  ) -> Double? {
    let lengths = frames.compactMap { frame in
      frame[one].flatMap { a in frame[other].map { kept(a - $0).norm } }
    }
    guard let median = lengths.median, median > 0, lengths.count > 4 else { return nil }
    return lengths.map { ($0 - median).magnitude / median }.median
  }

  /// Of bones and widths that change in length in the image, those that the third number makes clearly
  /// more or less constant.
  ///
  /// Widths tell most: from the side they are nothing in an image, and all of them is depth.
  var depthVotes: (depth: Int, score: Int, all: Int) {
    let widths: [(Joint, Joint)] = [(.leftShoulder, .rightShoulder), (.leftHip, .rightHip)]
    let arm = length(.leftShoulder, .leftElbow) ?? length(.rightShoulder, .rightElbow) ?? 0
    var votes = (depth: 0, score: 0, all: 0)
    for (one, other) in Self.limbs + widths + widths {
      guard let with = variation(one, other, { $0 }),
        length(one, other) ?? 0 > 0.3 * arm
      else { continue }
      let flat = variation(one, other) { Vector3($0.x, $0.y, 0) } ?? 1
      guard max(with, flat) > 0.03 else { continue }
      votes.all += 1
      if with < 0.25 && with < 0.7 * flat { votes.depth += 1 }
      if with > 1.3 * flat { votes.score += 1 }
    }
    return votes
  }

  private func length(_ one: Joint, _ other: Joint) -> Double? {
    frames.compactMap { frame in frame[one].flatMap { a in frame[other].map { (a - $0).norm } } }
      .median
  }

  /// How deep bodies are along the third axis, as a share of their larger side in the first two.
  var thickness: Double? {
    frames.compactMap { frame -> Double? in
      func side(_ axis: (Vector3) -> Double) -> Double {
        let all = frame.values.map(axis)
        return (all.max() ?? 0) - (all.min() ?? 0)
      }
      let larger = max(side(\.x), side(\.y))
      return frame.count > 3 && larger > 0 ? side(\.z) / larger : nil
    }.median
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

  /// The mean over frames of the cosine between each axis and the way from elbows to shoulders;
  /// upper arms hang in standing and support in a plank, so up is where this is largest.
  func armsBelow(_ axes: [Vector3]) -> [Double] {
    let arms = frames.compactMap(Self.arms)
    guard !arms.isEmpty else { return axes.map { _ in 0 } }
    return axes.map { axis in arms.reduce(0) { $0 + $1.dot(axis) } / Double(arms.count) }
  }

  /// The way from elbows to shoulders, of length 1; nil without arms, or where they cancel.
  static func arms(_ frame: [Joint: Vector3]) -> Vector3? {
    let sides: [(Joint, Joint, Joint)] = [
      (.leftShoulder, .leftElbow, .leftWrist), (.rightShoulder, .rightElbow, .rightWrist),
    ]
    let both = sides.compactMap { shoulder, elbow, wrist -> Vector3? in
      guard let shoulder = frame[shoulder], let end = frame[elbow] ?? frame[wrist] else {
        return nil
      }
      let arm = shoulder - end
      return arm.norm > 0 ? arm / arm.norm : nil
    }
    let sum = both.reduce(Vector3(0, 0, 0), +)
    return sum.norm > 0.2 ? sum / sum.norm : nil
  }

  /// Whether x and y are shares of an image, beside a depth that counts from the hips, as MediaPipe's
  /// image landmarks are: hips are well inside the image in both, and near 0 in depth.
  var areShares: Bool {
    let hips = frames.compactMap { frame -> Vector3? in
      guard let left = frame[.leftHip], let right = frame[.rightHip] else { return nil }
      return left.midpoint(right)
    }
    let inside = hips.count {
      (0.02...0.98).contains($0.x) && (0.02...0.98).contains($0.y) && $0.z.magnitude < 0.05
    }
    return hips.count > 4 && inside * 10 >= hips.count * 9 && largest < 4
      && (hips.map(\.x).median ?? 0) > 0.1 && (hips.map(\.y).median ?? 0) > 0.1
  }

  var stature: Double? {
    let height = BodySurvey(recording(metersPerUnit: 1, up: .unitY)).stature?.value
    return height.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Whether bodies reach out of an image of width and height 1 in most frames.
  var reachBeyondImage: Bool {
    let inside = -0.1...1.1
    let beyond = frames.count { frame in
      frame.values.contains { !inside.contains($0.x) || !inside.contains($0.y) }
    }
    return 2 * beyond > frames.count
  }

  var largest: Double {
    frames.flatMap(\.values).map { max($0.x.magnitude, $0.y.magnitude, $0.z.magnitude) }.max() ?? 0
  }
}
