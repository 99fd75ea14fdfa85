internal import Platform
package import PoseModel
import Statistics

/// Learns a recording's errors from stretches in which the body is still.
///
/// In such a stretch, the movement in the recording is the estimator's error and the body's own
/// sway, which cannot be separated. Bodies that replay the errors therefore do not sway by
/// themselves.
package struct ErrorLearner {
  /// The raw value describes the recordings that are refused.
  package enum Refusal: String, Error, Hashable, Sendable, CaseIterable {
    case imagePoints = "with points in an image"
    case worldAxes = "in the world's axes, which do not say where the camera was"
    case noAxes = "without poses in camera axes and an up direction"
    case nothingHeld = "in which nobody holds still for 1 s"

    package var reason: String { rawValue }
  }

  static let durations = 1.0...30.0
  /// In seconds; a plank may be shorter because the labeler saw that it was held.
  private static let shortestPlank = 0.5
  private static let block = 0.5
  /// The largest angles in degrees between a block's mean and the stretch so far: over all bones,
  /// and of any single bone.
  private static let (rmsLimit, largestLimit) = (10.0, 25.0)
  /// The largest spreads in degrees of frames about their stretch's mean: over all bones, and of
  /// any single bone.
  private static let (rmsSpread, largestSpread) = (7.0, 15.0)

  private let recording: Recording
  private let truth: FrameTruth?
  private let bones: [Vector3]
  private let isSeen: [[Bool]]
  private let ups: [Vector3?]

  package init(_ recording: Recording, labels: LabelTrack?) throws(Refusal) {
    guard recording.layout.dimension == 3 else { throw .imagePoints }
    guard recording.header.frame != .world else { throw .worldAxes }
    self.recording = recording
    truth = labels?.truth(at: recording.times)
    let axes = AxesReader(recording.header)
    ups = (0..<recording.frameCount).map { axes.axes(at: $0, of: recording)?.up }
    guard ups.contains(where: { $0 != nil }) else { throw .noAxes }
    var bones: [Vector3] = []
    bones.reserveCapacity(recording.frameCount * Bone.count)
    var isSeen = Array(
      repeating: Array(repeating: false, count: recording.frameCount), count: JointPositions.count)
    let unknown = Vector3(.nan, .nan, .nan)
    for frame in 0..<recording.frameCount {
      var joints = Array(repeating: unknown, count: JointPositions.count)
      if ups[frame] != nil {
        for joint in Skeleton.vision3d.joints {
          guard let position = recording.evaluatedPosition(of: joint, at: frame) else { continue }
          joints[joint.index] = position
          isSeen[joint.index][frame] = true
        }
        Self.complete(&joints)
      }
      for ends in Bone.ends { bones.append(joints[ends.child] - joints[ends.parent]) }
    }
    self.bones = bones
    self.isSeen = isSeen
  }

  private static func complete(_ joints: inout [Vector3]) {
    func middle(_ joint: Joint, _ a: Joint, _ b: Joint) {
      guard !joints[joint.index].isFinite else { return }
      joints[joint.index] = joints[a.index].midpoint(joints[b.index])
    }
    middle(.root, .leftHip, .rightHip)
    middle(.centerShoulder, .leftShoulder, .rightShoulder)
    middle(.spine, .root, .centerShoulder)
  }

  package func learned(person: Int) throws(Refusal) -> RecordedErrors {
    let pieces = stretches.map { piece($0) }
    guard !pieces.isEmpty else { throw .nothingHeld }
    let height = recording.header.bodyHeight ?? HeightEstimation.referenceHeight
    let lengths = Bone.allCases.map { bone -> Double in
      let known = pieces.map { $0.lengths[bone.rawValue] }.filter { $0 > 0 }.sorted()
      guard !known.isEmpty else { return 0 }
      return min(1, (known[known.count / 2] / height.value * 1e5).rounded() / 1e5)
    }
    return RecordedErrors(person: person, lengths: lengths, stretches: pieces.map(\.stretch))
  }

  private static let judged: [Bone] = [
    .lumbar, .leftThigh, .rightThigh, .leftShank, .rightShank, .leftUpperArm, .rightUpperArm,
    .leftForearm, .rightForearm,
  ]

  private func bone(_ bone: Bone, at frame: Int) -> Vector3 {
    bones[frame * Bone.count + bone.rawValue]
  }

  private func label(at frame: Int) -> TruthLabel? {
    truth.map { TruthLabel(plank: $0.plank(at: frame), form: $0.form(at: frame)) }
  }

  private struct TruthLabel: Hashable {
    let plank: PlankClass?
    let form: FormClass?
  }

  var stretches: [Range<Int>] {
    var result: [Range<Int>] = []
    var frame = 0
    while frame < recording.frameCount {
      let label = label(at: frame)
      var end = frame + 1
      while end < recording.frameCount, self.label(at: end) == label { end += 1 }
      result += steady(frame..<end)
      frame = end
    }
    return result
  }

  private func steady(_ range: Range<Int>) -> [Range<Int>] {
    let times = recording.times
    var result: [Range<Int>] = []
    var (start, block) = (range.lowerBound, range.lowerBound)
    var sums = Array(repeating: Vector3.zero, count: Self.judged.count)
    func close(at end: Int) {
      let isPlank = label(at: start)?.plank.map { $0 != .none } ?? false
      let shortest = isPlank ? Self.shortestPlank : Self.durations.lowerBound
      guard end > start + 1, times[end - 1] - times[start] >= shortest else { return }
      let poses = (start..<end).filter { ups[$0] != nil }.count
      if 2 * poses >= end - start, isStill(start..<end, around: sums) { result.append(start..<end) }
    }
    while block < range.upperBound {
      var end = block + 1
      while end < range.upperBound, times[end] - times[block] < Self.block { end += 1 }
      let means = means(block..<end)
      let isOn =
        Self.isSteady(means, sums) && times[end - 1] - times[start] <= Self.durations.upperBound
      let hasGap = (block..<end).contains { $0 > 0 && times[$0] - times[$0 - 1] >= 1 }
      if !isOn || hasGap {
        close(at: block)
        start = block
        sums = Array(repeating: .zero, count: Self.judged.count)
      }
      for (index, mean) in means.enumerated() { sums[index] = sums[index] + mean }
      block = end
    }
    close(at: range.upperBound)
    return result
  }

  private func isStill(_ range: Range<Int>, around sums: [Vector3]) -> Bool {
    var (squares, count) = (0.0, 0)
    for (bone, sum) in zip(Self.judged, sums) where sum.norm > 0 {
      var own = 0.0
      let known = range.map { self.bone(bone, at: $0) }.filter(\.isFinite)
      for vector in known {
        let angle = vector.angleDegrees(to: sum)
        own += angle * angle
      }
      if own > Self.largestSpread * Self.largestSpread * Double(known.count) { return false }
      squares += own
      count += known.count
    }
    return squares <= Self.rmsSpread * Self.rmsSpread * Double(count)
  }

  private func means(_ range: Range<Int>) -> [Vector3] {
    Self.judged.map { bone in
      let known = range.map { self.bone(bone, at: $0) }.filter(\.isFinite)
      return known.isEmpty ? .zero : known.reduce(.zero) { $0 + $1.unit() }.unit(or: .unitY)
    }
  }

  private static func isSteady(_ means: [Vector3], _ sums: [Vector3]) -> Bool {
    var (squares, count) = (0.0, 0)
    for (mean, sum) in zip(means, sums) where mean.norm > 0 && sum.norm > 0 {
      let angle = mean.angleDegrees(to: sum)
      if angle > largestLimit { return false }
      squares += angle * angle
      count += 1
    }
    return count == 0 || (squares / Double(count)).squareRoot() <= rmsLimit
  }
}

extension ErrorLearner {
  private struct Piece {
    let stretch: HeldStretch
    let lengths: [Double]
  }

  private func piece(_ range: Range<Int>) -> Piece {
    let middles = Bone.allCases.map { middle($0, range) }
    let lengths = middles.map { $0?.norm ?? 0 }
    let up = range.lazy.compactMap { self.ups[$0] }.first ?? .unitY
    let fit = PostureFit(
      middles.map { $0.map { LevelAxes.world(up)($0.unit()) } },
      label: label(at: range.lowerBound)?.plank)
    let label = label(at: range.lowerBound)
    return Piece(
      stretch: HeldStretch(
        posture: fit?.posture, isLabeled: label?.plank != nil, form: label?.form,
        azimuthDegrees: (fit?.azimuthDegrees ?? 0).rounded(per: 10),
        hipOffset: (fit?.hipOffset ?? 0).rounded(per: 1e4),
        directions: (fit?.directions ?? []).flatMap { direction -> [Double] in
          let d = direction ?? .zero
          return [d.x.rounded(per: 1e4), d.y.rounded(per: 1e4), d.z.rounded(per: 1e4)]
        },
        intervals: range.dropFirst().map {
          max(1e-3, (recording.times[$0] - recording.times[$0 - 1]).rounded(per: 1e4))
        }, residuals: residuals(range, middles), missing: missing(range)), lengths: lengths)
  }

  private func middle(_ bone: Bone, _ range: Range<Int>) -> Vector3? {
    let known = range.map { self.bone(bone, at: $0) }.filter(\.isFinite)
    guard !known.isEmpty else { return nil }
    func median(_ path: KeyPath<Vector3, Double>) -> Double {
      known.map { $0[keyPath: path] }.sorted()[known.count / 2]
    }
    let middle = Vector3(median(\.x), median(\.y), median(\.z))
    return middle.norm > 1e-4 ? middle : nil
  }

  private func residuals(_ range: Range<Int>, _ middles: [Vector3?]) -> [Int16] {
    var result: [Int16] = []
    result.reserveCapacity(range.count * Bone.count * HeldStretch.channels)
    for frame in range {
      let level = ups[frame].map(LevelAxes.image)
      for bone in Bone.allCases {
        let vector = self.bone(bone, at: frame)
        guard let level, let middle = middles[bone.rawValue], vector.isFinite, vector.norm > 1e-4
        else {
          result += [0, 0, 0, 0]
          continue
        }
        let turn = level(vector.unit() - middle.unit())
        result += [turn.x, turn.y, turn.z, log(vector.norm / middle.norm)].map {
          Int16(min(max(($0 / HeldStretch.step).rounded(), -32_000), 32_000))
        }
      }
    }
    return result
  }

  private func missing(_ range: Range<Int>) -> [HeldStretch.MissingRun] {
    var runs: [HeldStretch.MissingRun] = []
    func add(_ joint: Int, _ isMissing: (Int) -> Bool) {
      var frame = range.lowerBound
      while frame < range.upperBound {
        let start = frame
        while frame < range.upperBound, isMissing(frame) { frame += 1 }
        if frame > start {
          runs.append(.init(joint: joint, first: start - range.lowerBound, count: frame - start))
        }
        frame += 1
      }
    }
    add(-1) { ups[$0] == nil }
    for joint in 0..<JointPositions.count { add(joint) { ups[$0] != nil && !isSeen[joint][$0] } }
    return runs
  }
}

enum LevelAxes {
  static func image(_ up: Vector3) -> Rotation3 { .aboutZ(Degrees(radians: atan2(up.x, up.y))) }

  static func world(_ up: Vector3) -> Rotation3 {
    let toCamera = Vector3.unitZ.perpendicular(to: up).unit(
      or: Vector3.unitX.perpendicular(to: up).unit())
    return Rotation3(up.cross(toCamera), up, toCamera).transposed
  }
}

struct PostureFit {
  let posture: Posture?
  let azimuthDegrees: Double
  let hipOffset: Double
  let directions: [Vector3?]

  private static let limit = 30.0

  init?(_ bones: [Vector3?], label: PlankClass?) {
    guard bones.contains(where: { $0 != nil }) else { return nil }
    var best: (angle: Double, turn: Double, neutral: NeutralBody)?
    for neutral in NeutralBody.all where label == nil || neutral.posture.plankClass == label {
      let (turn, angle) = Self.compared(bones, neutral.directions)
      if best.map({ angle < $0.angle }) ?? true { best = (angle, turn, neutral) }
    }
    guard let best else { return nil }
    let turn = Rotation3.aboutY(Degrees(radians: best.turn))
    directions = bones.map { $0.map { turn($0) } }
    let degrees = best.turn * 180 / Double.pi
    azimuthDegrees = degrees < 0 ? degrees + 360 : degrees
    posture = best.angle <= Self.limit ? best.neutral.posture : nil
    hipOffset = posture == nil ? 0 : best.neutral.hipOffset
  }

  /// The turn is about the vertical, in radians; the angle is the root mean square that remains
  /// after it, in degrees.
  private static func compared(_ bones: [Vector3?], _ others: [Vector3]) -> (
    turn: Double, angle: Double
  ) {
    var (along, across) = (0.0, 0.0)
    for case (let bone?, let other) in zip(bones, others) {
      along += bone.x * other.x + bone.z * other.z
      across += bone.z * other.x - bone.x * other.z
    }
    let turn = atan2(across, along)
    let rotation = Rotation3.aboutY(Degrees(radians: turn))
    var (squares, count) = (0.0, 0)
    for (index, bone) in bones.enumerated() where !(Bone(rawValue: index)?.isHeadBone ?? true) {
      guard let bone else { continue }
      let angle = rotation(bone).angleDegrees(to: others[index])
      squares += angle * angle
      count += 1
    }
    return (turn, count == 0 ? 180 : (squares / Double(count)).squareRoot())
  }
}

struct NeutralBody: Sendable {
  let posture: Posture
  let hipOffset: Double
  let directions: [Vector3]

  static let all: [NeutralBody] = Posture.allCases.flatMap { posture in
    guard posture.isPlank else { return [NeutralBody(posture, hipOffset: 0)] }
    return (-20...25).map { NeutralBody(posture, hipOffset: Double($0) / 100 / stature) }
  }

  private static let stature = 1.75

  init(_ posture: Posture, hipOffset: Double) {
    self.posture = posture
    self.hipOffset = hipOffset
    var hold = Hold(posture, for: Seconds(1))
    hold.placement.angleSpread = Degrees(0)
    hold.form.hipOffset = Meters(hipOffset * Self.stature)
    let timeline = Timeline(SessionScript(holds: [hold]))
    var hint = 0
    let body = Body(height: Meters(Self.stature), proportions: .anatomical)
    let posed = BodyPoser(body: body, timeline: timeline, seed: 1)
      .posed(timeline.moment(at: 0, hint: &hint), motion: BodyMotion.Moment())
    directions = posed.shape.directions.map { posed.shape.orientation($0) }
  }
}

extension Bone {
  var isHeadBone: Bool { self == .neck || self == .head }
}
