import Platform
import PoseModel
import PoseRecording

struct BodySigns {
  let frames: [[Joint: Vector3]]

  init(_ frames: [[Joint: Vector3]]) { self.frames = frames.filter { !$0.isEmpty } }

  /// Reads samples by a map, without those that it cannot read.
  init(_ samples: some Sequence<JSONNode>, _ map: TableMap) {
    var reader = FrameReader(map: map, joints: map.mappedJoints)
    let place = SourcePlace(file: "", line: 0)
    self.init(
      samples.compactMap { try? reader.frame($0, at: place) }
        .map { $0.positions(of: map.mappedJoints) })
  }

  func recording(metersPerUnit: Double, up: Vector3) -> Recording {
    let present = Set(frames.flatMap(\.keys))
    var header = RecordingHeader(
      skeleton: .vision3d, joints: BodyPose.joints(from: present), frame: .camera)
    header.up = up
    let bodies = frames.map { frame in
      let body = BodyPose(limbs: frame)
      return frame[.root].map { body.with($0, at: .root) } ?? body
    }
    return Recording(
      header, times: frames.indices.map { Double($0) / 30 }, bodies, scale: metersPerUnit)
  }

  private static let fewestTurns = 20

  /// Whether every pose resembles the last but one far more than the last, as if two bodies or two
  /// cameras took turns.
  var takeTurns: Bool {
    func steps(_ count: Int) -> [Double] {
      zip(frames.dropFirst(count), frames).compactMap { frame, earlier in
        frame.compactMap { joint, point in earlier[joint].map { (point - $0).norm } }.median
      }
    }
    let (last, lastButOne) = (steps(1), steps(2))
    guard lastButOne.count >= Self.fewestTurns, let near = last.median, let far = lastButOne.median
    else { return false }
    return near > 5 * far
  }

  var boneVariation: Double? {
    let variations = Self.limbs.compactMap { variation($0, $1) { $0 } }
    return variations.count < 3 ? nil : variations.median
  }

  static let limbs: [(Joint, Joint)] = [
    (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist), (.leftHip, .leftKnee),
    (.leftKnee, .leftAnkle), (.rightShoulder, .rightElbow), (.rightElbow, .rightWrist),
    (.rightHip, .rightKnee), (.rightKnee, .rightAnkle),
  ]

  private func variation(_ one: Joint, _ other: Joint, _ kept: (Vector3) -> Vector3) -> Double? {
    let lengths = frames.compactMap { frame in
      frame[one].flatMap { a in frame[other].map { kept(a - $0).norm } }
    }
    guard let median = lengths.median, median > 0, lengths.count > 4 else { return nil }
    return lengths.map { ($0 - median).magnitude / median }.median
  }

  var strangeBones: String? {
    let percent = TableExamination.percent
    if let all = boneVariation, all > 0.2 {
      return "bone lengths vary by \(percent(all)), more than any body's"
    }
    let bones = Self.limbs.compactMap { bone in
      variation(bone.0, bone.1) { $0 }.map { (bone, $0) }
    }
    if let (bone, worst) = bones.max(by: { $0.1 < $1.1 }), worst > 0.25 {
      return "the distance from \(bone.0.name) to \(bone.1.name) varies by \(percent(worst))"
    }
    return proportionError.flatMap { $0 > 1.8 ? Self.disproportion($0) : nil }
  }

  static func disproportion(_ error: Double) -> String {
    "lengths of limbs differ from those of people by a factor of \(TableExamination.short(error))"
  }

  var mixesScores: Bool {
    // A point at 0 is missing; its y is 1 if the y axis was reversed.
    let numbers = frames.flatMap { $0.values.flatMap { [$0.x, $0.y] } }
    return largest > 20 && numbers.count { $0 > 0 && $0 < 1 } * 10 > numbers.count
  }

  var isEmpty: Bool { frames.allSatisfy { $0.values.allSatisfy { $0.norm == 0 } } }
  var isFrozen: Bool { frames.count > 1 && frames.allSatisfy { $0 == frames[0] } }

  /// Whether positions are relative to the parent joint.
  ///
  /// Such joints keep their distance from the origin, but not from each other.
  var areOffsets: Bool {
    // Some bones keep their lengths: those at a fixed joint, and those of limbs at rest.
    let bones = Self.limbs.compactMap { variation($0, $1) { $0 } }.sorted().suffix(2).first ?? 0
    guard bones > 0.2 else { return false }
    let reaches = Set(Self.limbs.flatMap { [$0, $1] }).compactMap { joint -> (Double, Double)? in
      let norms = frames.compactMap { $0[joint]?.norm }
      return norms.median.flatMap { median in
        norms.map { ($0 - median).magnitude / max(median, 1e-9) }.median.map { (median, $0) }
      }
    }
    let longest = Self.limbs.compactMap { length($0, $1) }.max() ?? 0
    return reaches.map(\.1).max() ?? 1 < 0.25 * bones
      && reaches.map(\.0).median ?? .infinity < 2 * longest
  }

  /// Counts the limbs and widths whose lengths the third number makes clearly more constant, as a
  /// depth does, or clearly less constant, as a score does.
  ///
  /// Widths count twice: from the side, they are zero in the image and consist only of depth.
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

  func length(_ one: Joint, _ other: Joint) -> Double? {
    frames.compactMap { $0.distance(one, other) }.median
  }

  var thickness: Double? {
    frames.compactMap { frame -> Double? in
      let larger = max(frame.side(\.x), frame.side(\.y))
      return frame.count > 3 && larger > 0 ? frame.side(\.z) / larger : nil
    }.median
  }

  /// Whether shoulders are about as far apart as people's: 0.8 of a thigh's length.
  ///
  /// A depth in a unit other than that of x and y makes them too wide or too narrow.
  var hasShouldersOfPeople: Bool {
    guard let shoulders = length(.leftShoulder, .rightShoulder),
      let thigh = length(.leftHip, .leftKnee), thigh > 0
    else { return true }
    return (0.5...1.2).contains(shoulders / thigh)
  }

  /// The largest factor by which ratios of limb lengths differ from usual ones; nil if bones are
  /// missing.
  var proportionError: Double? {
    let lengths = zip(Self.limbs.prefix(4), Self.limbs.suffix(4)).mapAll { left, right in
      [length(left.0, left.1), length(right.0, right.1)].compactMap(\.self).median
    }
    guard let lengths, lengths.allSatisfy({ $0 > 0 }) else { return nil }
    let (upperArm, forearm, thigh, shank) = (lengths[0], lengths[1], lengths[2], lengths[3])
    let ratios = [thigh / shank, upperArm / forearm, thigh / upperArm / 1.4, shank / forearm / 1.5]
    return ratios.map { max($0, 1 / $0) }.max()
  }

  /// The median ratio, at least 1, between the lengths of a limb on the two sides; nil without
  /// limbs on both sides.
  ///
  /// Perspective mostly shortens both sides alike: in 81 of 85 films of exercises, the ratio is
  /// below 1.5. It is above 2 where points are not the joints assumed.
  var unevenness: Double? {
    zip(Self.limbs.prefix(4), Self.limbs.suffix(4)).compactMap { left, right -> Double? in
      guard let one = length(left.0, left.1), let other = length(right.0, right.1),
        min(one, other) > 0
      else { return nil }
      return max(one, other) / min(one, other)
    }.median
  }

  /// The distance from the nose to the farthest eye or ear, in longer sides of the box around the
  /// body; nil without a face.
  ///
  /// Eyes and ears are at the nose in every pose: in 85 films, the share is at most 0.18.
  var headShare: Double? {
    frames.compactMap { all -> Double? in
      // Points at 0 or -1 are missing; a reversed y makes these 1 and 2.
      let frame = all.filter { ![0, -1].contains($0.value.x) || !(-1...2).contains($0.value.y) }
      let face = [Joint.leftEye, .rightEye, .leftEar, .rightEar].compactMap {
        frame.distance(.nose, $0)
      }
      let larger = max(frame.side(\.x), frame.side(\.y))
      return larger > 0 ? face.max().map { $0 / larger } : nil
    }.median
  }

  private func ratio(_ one: Double?, _ other: Double?) -> Double? {
    one.flatMap { one in other.flatMap { one > 0 && $0 > 0 ? one / $0 : nil } }
  }

  /// The widths of hips and shoulders, in thighs.
  private var widths: (hips: Double?, shoulders: Double?) {
    let thigh = length(.leftHip, .leftKnee)
    return (
      ratio(length(.leftHip, .rightHip), thigh), ratio(length(.leftShoulder, .rightShoulder), thigh)
    )
  }

  private static let usualWidths = (hips: 0.2...1.3, shoulders: 0.3...1.8)

  var hasStrangeWidths: Bool {
    let (hips, shoulders) = widths
    return hips.map { !Self.usualWidths.hips.contains($0) } ?? false
      || shoulders.map { !Self.usualWidths.shoulders.contains($0) } ?? false
  }

  var strangeness: Double {
    let sides = [
      ratio(length(.leftHip, .leftKnee), length(.rightHip, .rightKnee)),
      ratio(length(.leftKnee, .leftAnkle), length(.rightKnee, .rightAnkle)),
      ratio(length(.leftShoulder, .leftElbow), length(.rightShoulder, .rightElbow)),
    ].compactMap(\.self)
    let uneven = sides.count { !(0.75...1.33).contains($0) }
    let (hips, shoulders) = (widths.hips ?? 0.6, widths.shoulders ?? 0.8)
    let twist = frames.compactMap { frame -> Double? in
      guard let left = frame[.leftShoulder], let right = frame[.rightShoulder],
        let leftHip = frame[.leftHip], let rightHip = frame[.rightHip]
      else { return nil }
      return (left - right).dot(leftHip - rightHip)
    }.median
    return 0.5 * Double(uneven) + (Self.usualWidths.hips.contains(hips) ? 0 : 1)
      + (Self.usualWidths.shoulders.contains(shoulders) ? 0 : 1) + (twist ?? 1 < 0 ? 2 : 0)
  }

  /// Returns the mean direction, as a unit vector, from the elbows (from the wrists if elbows are
  /// missing) to the shoulders.
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

  /// Whether x and y are fractions of the image and depth is relative to the hips, as in
  /// MediaPipe's image landmarks.
  var areShares: Bool {
    let hips = frames.compactMap { $0.middle(.leftHip, .rightHip) }
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

extension TableExamination {
  mutating func blockUnitChange(_ frames: [[Joint: Vector3]]) -> Bool {
    let sizes = frames.enumerated().compactMap { index, frame -> (index: Int, size: Double)? in
      BodyPose(limbs: frame).trunkAndLegLength.flatMap { $0 > 0 ? (index, $0) : nil }
    }
    let head = min(Self.fewestAlike, sizes.count / 2)
    guard head >= 5, let first = sizes.prefix(head).map(\.size).median else { return false }
    // A cut in a film changes the size of people, but by a smaller factor.
    let factor = map.skeleton.dimension == 3 ? 4.0 : 20
    func isAnother(_ size: Double) -> Bool { size > factor * first || size < first / factor }
    var run = 0
    for (place, one) in sizes.enumerated() {
      run = isAnother(one.size) ? run + 1 : 0
      guard run == head else { continue }
      let start = place - head + 1
      let after = sizes[start...].map(\.size).median ?? one.size
      let frame = sizes[start].index * table.count / max(samples.count, 1)
      diagnosis.block(
        "the unit changes: trunk and legs are \(Self.short(first)) long at first, and "
          + "\(Self.short(after)) from about frame \(frame) on",
        "divide the positions from there on by \(Self.short(after / first)), or split the file "
          + "there and import its parts one by one")
      return true
    }
    return false
  }

  mutating func blockUnevenSides(_ frames: [[Joint: Vector3]]) -> Bool {
    let signs = BodySigns(frames)
    guard map.skeleton.dimension == 3, let left = signs.length(.leftHip, .leftKnee),
      let right = signs.length(.rightHip, .rightKnee), min(left, right) > 0,
      max(left, right) > 5 * min(left, right)
    else { return false }
    diagnosis.block(
      "the left thigh is \(Self.short(left)) long and the right one \(Self.short(right)), so "
        + "joints are in different units",
      "write all joints in the same unit")
    return true
  }

  private static let fewestAlike = 10
  private static let largestLean = 13.0

  mutating func examineLean(_ signs: BodySigns) {
    guard map.up == nil, map.upField == nil else { return }
    let up = map.axes[1].vector
    let arms = signs.frames.compactMap { BodySigns.arms($0) }
    let sum = arms.reduce(Vector3(0, 0, 0), +)
    // Arms that always point the same way hang down or carry the body. A straight body that is
    // parallel to them stands.
    let areSteady = sum.norm > 0.9 * Double(arms.count)
    let ways = signs.frames.compactMap(Self.standingWay).filter { way in
      areSteady ? way.dot(up) > 0.64 && way.dot(sum) > 0.9 * sum.norm : way.dot(up) > 0.75
    }
    guard ways.count >= Self.fewestAlike, let x = ways.map(\.x).median,
      let y = ways.map(\.y).median, let z = ways.map(\.z).median
    else { return }
    let middle = Vector3(x, y, z)
    let way = middle / middle.norm
    // People sway and bend, but two thirds of upright poses are within eight degrees of the
    // vertical.
    guard ways.count(where: { $0.dot(way) > 0.99 }) * 3 > ways.count * 2 else { return }
    let lean = acos(min(1, way.dot(up))) * 180 / .pi
    guard lean > Self.largestLean else { return }
    let own = map.axes.map { (($0(way)) * 1000).rounded() / 1000 }
    let vector = "[\(own.map { "\($0)" }.joined(separator: ", "))]"
    diagnosis.conclude(
      "floor", "tilted: people stand at \(Int(lean.rounded())) degrees to the up axis",
      .unsure, "in \(CountText.of(ways.count, "frame")) with straight trunk and legs",
      alternatives: [
        "`up: \(vector)` in the map, if the camera was tilted; or record the camera's matrix or "
          + "gravity with every frame"
      ])
  }

  private static func standingWay(_ frame: [Joint: Vector3]) -> Vector3? {
    let body = BodyPose(limbs: frame).positions
    guard let ankles = frame.middle(.leftAnkle, .rightAnkle),
      let knees = frame.middle(.leftKnee, .rightKnee), let hips = body[.root],
      let shoulders = body[.centerShoulder]
    else { return nil }
    let (trunk, thighs, shanks) = (shoulders - hips, hips - knees, knees - ankles)
    let way = shoulders - ankles
    guard way.norm > 0,
      [trunk, thighs, shanks].allSatisfy({ $0.norm > 0 && $0.dot(way) > 0.97 * $0.norm * way.norm })
    else { return nil }
    return way / way.norm
  }
}

struct UprightSigns {
  struct Candidate {
    let axis: TableMap.Axis
    /// The mean cosine between the axis and the direction of the arms toward the shoulders.
    var arms = 0.0
    var standing = 0.0
    var planks = 0.0
    var fours = 0.0
    var carried = 0.0
  }

  let candidates: [Candidate]
  let frames: Int

  init(_ signs: BodySigns, among axes: [TableMap.Axis]) {
    let bodies = signs.frames.compactMap { Body($0) }
    let lengths = signs.frames.compactMap { BodyPose(limbs: $0).trunkAndLegLength }
    let height = (lengths.median ?? 0) / ReferenceBody.trunkAndLegShare
    let count = Double(max(bodies.count, 1))
    frames = bodies.count
    let parts: [WritableKeyPath<Candidate, Double>] = [
      \.arms, \.standing, \.planks, \.fours, \.carried,
    ]
    candidates = axes.map { axis in
      var one = Candidate(axis: axis)
      for body in bodies { body.add(to: &one, along: axis.vector, height: height) }
      for part in parts { one[keyPath: part] /= count }
      return one
    }
  }

  private struct Body {
    let frame: [Joint: Vector3]
    let arms: Vector3
    let trunk: Vector3?
    let isStraight: Bool

    init?(_ frame: [Joint: Vector3]) {
      guard let arms = BodySigns.arms(frame) else { return nil }
      self.frame = frame
      self.arms = arms
      let body = BodyPose(limbs: frame).positions
      guard let shoulders = body[.centerShoulder], let hips = body[.root], shoulders != hips else {
        (trunk, isStraight) = (nil, false)
        return
      }
      let trunk = shoulders - hips
      self.trunk = trunk / trunk.norm
      let thigh = frame.middle(.leftKnee, .rightKnee).map { hips - $0 } ?? Vector3(0, 0, 0)
      // The cosine is above 0.64 if the hips are bent by less than 50 degrees.
      isStraight = thigh.norm > 0 && thigh.dot(trunk) / thigh.norm / trunk.norm > 0.64
    }

    func add(to candidate: inout Candidate, along up: Vector3, height: Double) {
      let cosine = arms.dot(up)
      candidate.arms += cosine
      func heights(_ joints: [Joint]) -> [Double] { joints.compactMap { frame[$0]?.dot(up) } }
      let shoulders = heights([.leftShoulder, .rightShoulder])
      let hips = heights([.leftHip, .rightHip])
      guard height > 0, let trunk, let feet = heights([.leftAnkle, .rightAnkle]).min(),
        let hands = heights([.leftWrist, .rightWrist, .leftElbow, .rightElbow]).min(),
        let knees = heights([.leftKnee, .rightKnee]).min(), let shoulder = shoulders.mean,
        let hip = hips.mean, let core = (shoulders + hips).min()
      else { return }
      let legs = min(feet, knees)
      if core - min(hands, legs) > 0.05 * height { candidate.carried += 1 }
      guard cosine > 0.5 else { return }
      if trunk.dot(up) > 0.6 {
        if shoulder - legs > 0.3 * height { candidate.standing += 1 }
      } else if trunk.dot(up) > -0.6, shoulder - hands > 0.1 * height {
        if (hands - feet).magnitude < 0.2 * height, isStraight {
          candidate.planks += 1
        } else if (hands - legs).magnitude < 0.2 * height, hip - legs > 0.1 * height {
          candidate.fours += 1
        }
      }
    }
  }
}

struct UprightChoice {
  let best: UprightSigns.Candidate
  let others: [UprightSigns.Candidate]
  let isSure: Bool
  let isClear: Bool

  /// Chooses the up axis; nil if there are no candidates.
  ///
  /// `usual` lists the axes that point up in files of the kind, the most likely first. If no
  /// direction is sure, `convention` comes first unless planks contradict it.
  init?(_ signs: UprightSigns, usual: [TableMap.Axis], convention: TableMap.Axis? = nil) {
    func score(_ one: UprightSigns.Candidate) -> Double {
      one.arms + 2 * one.planks + 0.4 * one.fours + (usual.contains(one.axis) ? 0.8 : 0)
    }
    func isBefore(_ a: UprightSigns.Candidate, _ b: UprightSigns.Candidate) -> Bool {
      if score(a) != score(b) { return score(a) > score(b) }
      return (usual.firstIndex(of: a.axis) ?? 9) < (usual.firstIndex(of: b.axis) ?? 9)
    }
    let sorted = signs.candidates.sorted(by: isBefore)
    guard let best = sorted.first else { return nil }
    let rest = sorted.dropFirst()
    let nextArms = rest.map(\.arms).max() ?? 0
    let otherPlanks = rest.map(\.planks).max() ?? 0
    let isClear = best.arms >= 0.5 && best.arms >= nextArms + 0.2
    let isSure: Bool
    let isEnough = signs.frames >= BodySurvey.fewestPoses
    let planks = best.planks >= 0.5 && otherPlanks < best.planks / 4 && best.arms > 0.3
    if usual.contains(best.axis) {
      let kinds = best.standing >= 0.1 || best.planks >= 0.2 || best.standing + best.planks >= 0.15
      let carries = usual.count == 1 && best.carried > 0.5
      isSure =
        isEnough
        && (planks
          || otherPlanks < 0.2
            && (isClear && (kinds || carries) || best.standing >= 0.5 && best.arms >= nextArms))
    } else {
      isSure =
        isEnough && isClear && otherPlanks < 0.2 && best.planks >= 0.1 && best.standing >= 0.1
    }
    let usualOne = sorted.first { $0.axis == convention }
    let first = isSure || best.planks >= 0.1 ? best : usualOne ?? best
    self.best = first
    self.isSure = isSure
    self.isClear = isClear && first.axis == best.axis
    let others = sorted.filter { $0.axis != first.axis }
    self.others = Array(
      (others.filter { usual.contains($0.axis) } + others.filter { !usual.contains($0.axis) })
        .prefix(2))
  }

  var evidence: String {
    func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
    var parts = [
      "elbows are below shoulders along it (mean cosine \(TableExamination.short(best.arms)))"
    ]
    if best.standing > 0 {
      parts.append("and people stand along it in \(percent(best.standing)) of the frames")
    }
    if best.planks > 0 { parts.append("and they plank across it in \(percent(best.planks))") }
    return parts.joined(separator: ", ")
  }
}

extension Array where Element == Double {
  fileprivate var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}

extension TableMap.Axis {
  var vector: Vector3 {
    let length = isNegative ? -1.0 : 1
    return switch index {
    case 0: Vector3(length, 0, 0)
    case 1: Vector3(0, length, 0)
    default: Vector3(0, 0, length)
    }
  }

  static let everyDirection = (0..<3).flatMap { [Self($0), Self($0, isNegative: true)] }
}

extension [Joint: Vector3] {
  /// The length along an axis of the box around all points.
  fileprivate func side(_ axis: (Vector3) -> Double) -> Double {
    let all = values.map(axis)
    return (all.max() ?? 0) - (all.min() ?? 0)
  }
}
