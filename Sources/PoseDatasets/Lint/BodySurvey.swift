package import PoseModel

/// Mistakes in units, axes, names and times show in bodies before they show in scores.
///
/// Nothing here is a verdict: `BodyLint` has the limits. Joints exactly at the origin count as
/// missing.
package struct BodySurvey: Codable, Hashable, Sendable {
  package let poses: Int
  /// The height of the body, if positions are in meters: the median path shoulder-hip-knee-ankle
  /// over 0.779; nil if no pose shows that path.
  package let stature: Meters?
  /// The unit in which the body is as tall as people are; nil if none fits.
  package let lengthUnit: LengthUnit?
  package let proportions: BodyProportions
  package let fillers: FillerCounts
  package let directions: [DirectionCounts]
  package let labeledPlanks: Int
  package let posesWithHeight: Int
  package let knees: KneeCounts
  package let clock: ClockSurvey

  private enum CodingKeys: String, CodingKey {
    case poses, proportions, fillers, directions, knees, clock
    case stature = "stature_m"
    case lengthUnit = "length_unit"
    case labeledPlanks = "labeled_planks"
    case posesWithHeight = "poses_with_height"
  }

  /// Where times are in another unit or count from a date, `labels` are taken to be in seconds from
  /// the recording's start; O(n log n).
  package init(_ recording: Recording, labels: LabelTrack? = nil) {
    let clock = ClockSurvey(recording.times)
    let truth = labels?.truth(at: clock.corrected(recording.times))
    var tally = SurveyTally(recording)
    let axes = AxesReader(recording.header)
    var heights = 0
    for frame in 0..<recording.frameCount where recording.layout.dimension == 3 {
      guard let up = axes.axes(at: frame, of: recording)?.up else { continue }
      tally.add(LimbPositions(recording, frame: frame), up: up, label: truth?.plank(at: frame))
      if recording.bodyHeight(at: frame) != nil { heights += 1 }
    }
    self.clock = clock
    fillers = FillerCounts(recording)
    poses = tally.poses
    stature = tally.paths.median.map(ReferenceBody.height(trunkAndLegLength:))
    lengthUnit = stature.flatMap { LengthUnit(ofStature: $0.value) }
    proportions = tally.proportions
    directions = tally.directions
    labeledPlanks = tally.labeledPlanks
    posesWithHeight = heights
    knees = tally.knees
  }

  /// The fewest poses of a kind that say anything about a recording; ours.
  package static let fewestPoses = 10

  package var planksConfirmUp: Bool? {
    labeledPlanks >= Self.fewestPoses ? 2 * self[.up].carried >= labeledPlanks : nil
  }

  /// The direction along which poses that are labeled as planks look like planks, and most of them
  /// do; nil if there is none or too few are labeled.
  package var upByPlanks: UpCandidate? {
    guard labeledPlanks >= Self.fewestPoses else { return nil }
    let best = directions.max { $0.carried < $1.carried }
    return best.flatMap { 2 * $0.carried >= labeledPlanks ? $0.direction : nil }
  }

  package var isUpConfirmed: Bool {
    self[.up].along >= Self.fewestPoses || planksConfirmUp == true
  }

  /// The smallest share of poses that a turn within the image must make stand, unless poses along up
  /// or against it have the arms of planks.
  private static let smallestShare = 0.3

  /// Whoever lies with the arms along the body looks like somebody who stands in a turned image;
  /// nobody hangs head down, so that upside down needs a few poses only.
  package var upByStanding: UpCandidate? {
    guard self[.up].along == 0 else { return nil }
    let best = directions.filter { $0.direction.rotation != nil }.max { $0.standing < $1.standing }
    guard let best, best.standing >= Self.fewestPoses else { return nil }
    let isCommon = Double(best.standing) >= Self.smallestShare * Double(poses)
    let planks = self[.up].plankAlong + self[.turned180].plankAlong
    let isPlain = best.direction == .turned180 || planks >= Self.fewestPoses
    return isCommon || isPlain ? best.direction : nil
  }

  package subscript(_ direction: UpCandidate) -> DirectionCounts {
    directions.first { $0.direction == direction } ?? DirectionCounts(direction)
  }
}

package enum LengthUnit: String, Codable, CaseIterable, Hashable, Sendable {
  case meters
  case centimeters
  case millimeters
  case inches
  case feet

  /// In meters, from small children to the tallest adults; the bodies of our data sets have 1.5 to
  /// 1.93; estimated skeletons lose up to a tenth.
  package static let statures = 1.0...2.3

  /// The unit in which a stature is that of a person, nil where none is; the ranges do not overlap.
  package init?(ofStature stature: Double) {
    guard
      let unit = Self.allCases.first(where: { Self.statures.contains(stature * $0.meters) })
    else { return nil }
    self = unit
  }

  package var meters: Double {
    switch self {
    case .meters: 1
    case .centimeters: 0.01
    case .millimeters: 0.001
    case .inches: 0.0254
    case .feet: 0.3048
    }
  }
}

/// How long limbs are: medians over poses of ratios within a pose; nil where no pose shows both.
package struct BodyProportions: Codable, Hashable, Sendable {
  package let upperArmToTrunk: Double?
  package let forearmToUpperArm: Double?
  package let thighToTrunk: Double?
  package let shankToThigh: Double?
  package let shoulderWidth: Double?
  package let hipWidth: Double?
  /// How many times longer a limb is than that of the other side, of the four kinds of limbs the
  /// most: 1 or more.
  package let unevenness: Double?

  private enum CodingKeys: String, CodingKey {
    case unevenness
    case upperArmToTrunk = "upper_arm_to_trunk"
    case forearmToUpperArm = "forearm_to_upper_arm"
    case thighToTrunk = "thigh_to_trunk"
    case shankToThigh = "shank_to_thigh"
    case shoulderWidth = "shoulder_width_bh"
    case hipWidth = "hip_width_bh"
  }
}

package struct FillerCounts: Codable, Hashable, Sendable {
  package private(set) var atOrigin = 0
  package private(set) var jointAtOrigin: String?
  package private(set) var firstAtOrigin: Int?
  package private(set) var frozenJoint: String?
  package private(set) var frozenSteps = 0
  package private(set) var movingSteps = 0
  package private(set) var repeatedPoses = 0
  package private(set) var positions = 0

  private enum CodingKeys: String, CodingKey {
    case positions
    case atOrigin = "at_origin"
    case jointAtOrigin = "joint_at_origin"
    case firstAtOrigin = "first_at_origin"
    case frozenJoint = "frozen_joint"
    case frozenSteps = "frozen_steps"
    case movingSteps = "moving_steps"
    case repeatedPoses = "repeated_poses"
  }

  /// Counts in the recorded positions, before pelvis axes are turned.
  init(_ recording: Recording) {
    // In pelvis axes the hips and the root never move.
    let still: Set<Joint> =
      recording.header.frame == .pelvis ? [.root, .leftHip, .rightHip, .spine] : [.root]
    let joints = recording.header.joints
    let measured = joints.indices.filter { joints[$0] != .root }
    let free = measured.filter { !still.contains(joints[$0]) }
    var zeros = Array(repeating: 0, count: joints.count)
    var frozen = zeros
    var previous: [Slot]?
    for frame in 0..<recording.frameCount where recording.hasPose(at: frame) {
      let pose = recording.slots(at: frame)
      for slot in measured where !pose[slot].isMissing {
        positions += 1
        guard pose[slot].isOrigin else { continue }
        zeros[slot] += 1
        firstAtOrigin = firstAtOrigin ?? frame
      }
      defer { previous = pose }
      guard let before = previous else { continue }
      let both = free.filter { !pose[$0].isMissing && !before[$0].isMissing && !pose[$0].isOrigin }
      let same = both.filter { pose[$0] == before[$0] }
      if !both.isEmpty, same.count == both.count { repeatedPoses += 1 }
      guard !both.isEmpty, 2 * same.count <= both.count else { continue }
      movingSteps += 1
      for slot in same { frozen[slot] += 1 }
    }
    atOrigin = zeros.reduce(0, +)
    jointAtOrigin = Self.most(zeros, joints)
    frozenJoint = Self.most(frozen, joints)
    frozenSteps = frozen.max() ?? 0
  }

  private static func most(_ counts: [Int], _ joints: [Joint]) -> String? {
    guard let most = counts.max(), most > 0 else { return nil }
    return counts.firstIndex(of: most).map { joints[$0].name }
  }
}

/// A direction that might be up, compared with the one that a recording says.
package enum UpCandidate: String, Codable, CaseIterable, Hashable, Sendable {
  case up
  case turned90
  case turned180
  case turned270
  case towardCamera
  case awayFromCamera

  package var rotation: BufferRotation? {
    switch self {
    case .up: .upright
    case .turned90: BufferRotation(quarterTurns: 1)
    case .turned180: BufferRotation(quarterTurns: 2)
    case .turned270: BufferRotation(quarterTurns: 3)
    case .towardCamera, .awayFromCamera: nil
    }
  }

  func callAsFunction(_ up: Vector3) -> Vector3 {
    switch self {
    case .towardCamera: Vector3(0, 0, 1)
    case .awayFromCamera: Vector3(0, 0, -1)
    default: rotation?(up) ?? up
    }
  }
}

package struct DirectionCounts: Codable, Hashable, Sendable {
  package let direction: UpCandidate
  /// Poses whose shoulders are above their ankles, to within 26 degrees, and whose arms are not those
  /// of a plank.
  package var along = 0
  /// Of those, poses whose arms hang along the body: people who stand.
  package var standing = 0
  /// Poses along it with the arms of a plank, across the body: planks in turned axes look so.
  package var plankAlong = 0
  /// Poses along it or against it that are labeled as planks.
  package var labeledAlong = 0
  /// Poses that are labeled as planks, lie across it, and have an elbow below its shoulder.
  package var carried = 0
  /// Carried poses labeled as forearm, high or reverse planks.
  package var judgedFacing = 0
  /// Of those, poses that face the floor (reverse: the other way), as their labels say.
  package var facing = 0
  /// Carried poses labeled as side planks.
  package var judgedSides = 0
  /// Of those, poses with the shoulder up that their label says.
  package var sides = 0

  private enum CodingKeys: String, CodingKey {
    case direction, along, standing, carried, facing, sides
    case plankAlong = "plank_along"
    case labeledAlong = "labeled_along"
    case judgedFacing = "judged_facing"
    case judgedSides = "judged_sides"
  }

  init(_ direction: UpCandidate) { self.direction = direction }
}

/// Knees bend forward: where they do not, left and right are swapped or one axis is reversed.
package struct KneeCounts: Codable, Hashable, Sendable {
  /// Knees bent by more than about 50 degrees that point to the front, to within 60 degrees.
  package var forward = 0
  package var backward = 0
}

private struct Slot: Equatable {
  let x: Float
  let y: Float
  let z: Float

  var isMissing: Bool { x.isNaN }
  var isOrigin: Bool { x == 0 && y == 0 && z == 0 }
}

extension Recording {
  fileprivate func slots(at frame: Int) -> [Slot] {
    let start = frame * layout.stride
    let dimension = layout.dimension
    return layout.joints.indices.map { slot in
      let first = start + slot * dimension
      return Slot(
        x: positions[first], y: positions[first + 1],
        z: dimension == 3 ? positions[first + 2] : 0)
    }
  }
}
