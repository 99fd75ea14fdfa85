import PoseModel

/// Measurements of a recording's bodies, in which wrong units, axes, names and times become
/// visible.
///
/// Joints exactly at the origin count as missing.
struct BodySurvey: Hashable, Sendable {
  let poses: Int
  /// The body height if positions are in meters; nil if no pose shows the path
  /// shoulder-hip-knee-ankle.
  let stature: Meters?
  let lengthUnit: LengthUnit?
  let proportions: BodyProportions
  let fillers: FillerCounts
  let directions: [DirectionCounts]
  let labeledPlanks: Int
  let posesWithHeight: Int
  let knees: KneeCounts
  let clock: ClockSurvey

  /// Surveys a recording in O(n log n); `labels` are in seconds from its start if its times are in
  /// another unit or count from a date.
  init(_ recording: Recording, labels: LabelTrack? = nil) {
    let clock = ClockSurvey(recording.times)
    let truth = labels?.truth(at: clock.corrected(recording.times))
    var tally = SurveyTally()
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

  /// The smallest number of poses of a kind that count as evidence; chosen by PlankLab.
  static let fewestPoses = 10

  var planksConfirmUp: Bool? {
    labeledPlanks >= Self.fewestPoses ? 2 * self[.up].carried >= labeledPlanks : nil
  }

  /// The direction along which at least half of the poses labeled as planks look like planks; nil
  /// if there is none, or if too few poses are labeled.
  var upByPlanks: UpCandidate? {
    guard labeledPlanks >= Self.fewestPoses else { return nil }
    let best = directions.max { $0.carried < $1.carried }
    return best.flatMap { 2 * $0.carried >= labeledPlanks ? $0.direction : nil }
  }

  var isUpConfirmed: Bool { self[.up].along >= Self.fewestPoses || planksConfirmUp == true }

  /// The share of poses that must stand along a direction turned by a quarter, unless poses along
  /// up or down have the arms of planks.
  private static let smallestShare = 0.3

  /// The direction within the image along which people stand, if nobody stands along up.
  ///
  /// A person lying with arms at the sides looks like a standing person in a rotated image, so this
  /// conclusion needs many poses. Nobody hangs head down, so a few poses show an image that is
  /// upside down.
  var upByStanding: UpCandidate? {
    guard self[.up].along == 0 else { return nil }
    let best = directions.filter { $0.direction.rotation != nil }.max { $0.standing < $1.standing }
    guard let best, best.standing >= Self.fewestPoses else { return nil }
    let isCommon = Double(best.standing) >= Self.smallestShare * Double(poses)
    let planks = self[.up].plankAlong + self[.turned180].plankAlong
    let isPlain = best.direction == .turned180 || planks >= Self.fewestPoses
    return isCommon || isPlain ? best.direction : nil
  }

  subscript(_ direction: UpCandidate) -> DirectionCounts {
    directions.first { $0.direction == direction } ?? DirectionCounts(direction)
  }
}

package enum LengthUnit: String, CaseIterable, Hashable, Sendable {
  case meters
  case centimeters
  case millimeters
  case inches
  case feet

  /// The range of body heights in meters, from small children to the tallest adults.
  ///
  /// The bodies in PlankLab's datasets are 1.5 to 1.93 m tall, and estimated skeletons are up to a
  /// tenth shorter.
  package static let statures = 1.0...2.3

  package init?(ofStature stature: Double) {
    guard let unit = Self.allCases.first(where: { Self.statures.contains(stature * $0.meters) })
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

struct BodyProportions: Hashable, Sendable {
  let upperArmToTrunk: Double?
  /// The distance between the shoulders in body heights.
  let shoulderWidth: Double?
  let unevenness: Double?
}

struct FillerCounts: Hashable, Sendable {
  private(set) var atOrigin = 0
  private(set) var jointAtOrigin: String?
  private(set) var firstAtOrigin: Int?
  private(set) var frozenJoint: String?
  private(set) var frozenSteps = 0
  private(set) var movingSteps = 0
  private(set) var repeatedPoses = 0
  private(set) var positions = 0

  init(_ recording: Recording) {
    // In pelvis axes, the hips and the root never move.
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

enum UpCandidate: CaseIterable, Hashable, Sendable {
  case up
  case turned90
  case turned180
  case turned270
  case towardCamera
  case awayFromCamera

  private static let turns = [Self.up, .turned90, .turned180, .turned270]

  var rotation: BufferRotation? {
    Self.turns.firstIndex(of: self).map(BufferRotation.init(quarterTurns:))
  }

  func callAsFunction(_ up: Vector3) -> Vector3 {
    switch self {
    case .towardCamera: Vector3(0, 0, 1)
    case .awayFromCamera: Vector3(0, 0, -1)
    default: rotation?(up) ?? up
    }
  }
}

struct DirectionCounts: Hashable, Sendable {
  let direction: UpCandidate
  /// Poses with the shoulders above the ankles, to within 26 degrees, without the arms of a plank.
  var along = 0
  var standing = 0
  /// Poses whose shoulders are above the ankles but whose arms reach across the body, as in planks
  /// if the axes are turned.
  var plankAlong = 0
  var labeledAlong = 0
  /// Poses labeled as planks that lie across the direction with an elbow below its shoulder.
  var carried = 0
  var judgedFacing = 0
  var facing = 0
  var judgedSides = 0
  var sides = 0

  init(_ direction: UpCandidate) { self.direction = direction }
}

/// Counts of bent knees, which point forward unless sides are swapped or an axis is reversed.
struct KneeCounts: Hashable, Sendable {
  /// Knees that are bent by more than about 50 degrees and point to within 60 degrees of the front.
  var forward = 0
  var backward = 0
}

private typealias Slot = SIMD3<Float>

extension Slot {
  fileprivate var isMissing: Bool { x.isNaN }
  fileprivate var isOrigin: Bool { self == .zero }
}

extension Recording {
  fileprivate func slots(at frame: Int) -> [Slot] {
    let start = frame * layout.stride
    let dimension = layout.dimension
    return layout.joints.indices.map { slot in
      let first = start + slot * dimension
      return Slot(positions[first], positions[first + 1], dimension == 3 ? positions[first + 2] : 0)
    }
  }
}

struct JointPair {
  let left: Vector3?
  let right: Vector3?

  var middle: Vector3? { left.flatMap { left in right.map(left.midpoint) } }

  var leftward: Vector3? { left.flatMap { left in right.map { left - $0 } } }

  func lengths(to next: JointPair) -> (left: Double, right: Double)? {
    guard let left, let right, let below = next.left, let other = next.right else { return nil }
    return ((left - below).norm, (right - other).norm)
  }
}

struct LimbPositions {
  let shoulders: JointPair
  let elbows: JointPair
  let wrists: JointPair
  let hips: JointPair
  let knees: JointPair
  let ankles: JointPair

  init(_ recording: Recording, frame: Int) {
    func pair(_ left: Joint, _ right: Joint) -> JointPair {
      func position(_ joint: Joint) -> Vector3? {
        guard let recorded = recording.position(of: joint, at: frame), recorded != Vector3(0, 0, 0)
        else { return nil }
        return recording.evaluatedPosition(of: joint, at: frame)
      }
      return JointPair(left: position(left), right: position(right))
    }
    shoulders = pair(.leftShoulder, .rightShoulder)
    elbows = pair(.leftElbow, .rightElbow)
    wrists = pair(.leftWrist, .rightWrist)
    hips = pair(.leftHip, .rightHip)
    knees = pair(.leftKnee, .rightKnee)
    ankles = pair(.leftAnkle, .rightAnkle)
  }

  var axis: Vector3? {
    guard let shoulders = shoulders.middle, let ankles = ankles.middle,
      (shoulders - ankles).norm > 0
    else { return nil }
    return shoulders - ankles
  }

  var front: Vector3? {
    guard let leftward = hips.leftward ?? shoulders.leftward, let top = shoulders.middle,
      let bottom = hips.middle
    else { return nil }
    let front = leftward.cross(top - bottom)
    return front.norm > 0 ? front / front.norm : nil
  }

  /// Returns the larger cosine between the opposite of `direction` and an upper arm.
  ///
  /// In any plank, the arm that carries the body is below its shoulder.
  func support(along direction: Vector3) -> Double? {
    let arms = [(shoulders.left, elbows.left), (shoulders.right, elbows.right)]
    return arms.compactMap { top, bottom in
      top.flatMap { top in bottom.map { top - $0 } }
    }.filter { $0.norm > 0 }.map { $0.dot(direction) / $0.norm }.max()
  }
}

struct SurveyTally {
  private static let alongCosine = 0.9
  /// The smallest distance by which a standing body's wrists hang below its shoulders, as a
  /// fraction of the distance from ankles to shoulders.
  private static let armShare = 0.2
  private static let supportCosine = 0.6
  private static let bentShare = 0.12
  private static let kneeCosine = 0.5

  private(set) var poses = 0
  private(set) var paths: [Double] = []
  private(set) var directions = UpCandidate.allCases.map(DirectionCounts.init)
  private(set) var labeledPlanks = 0
  private(set) var knees = KneeCounts()
  private var upperArmsToTrunk: [Double] = []
  private var shoulderWidths: [Double] = []
  private var sides: [[Double]] = Array(repeating: [], count: 4)

  mutating func add(_ body: LimbPositions, up: Vector3, label: PlankClass?) {
    poses += 1
    measure(body)
    countKnees(body)
    guard let axis = body.axis else { return }
    let plank = label == PlankClass.none ? nil : label
    let arm = body.wrists.middle.flatMap { wrists in body.shoulders.middle.map { $0 - wrists } }
    let isCarriable = body.support(along: up) != nil
    if plank != nil, isCarriable { labeledPlanks += 1 }
    for index in directions.indices {
      let direction = directions[index].direction(up)
      let isAcross = axis.dot(direction).magnitude < Self.alongCosine * axis.norm
      if !isAcross, plank != nil { directions[index].labeledAlong += 1 }
      if !isAcross, axis.dot(direction) > 0 {
        directions[index].addAlong(axis, arm, direction, Self.armShare)
      }
      guard let plank, isCarriable, isAcross,
        body.support(along: direction) ?? 0 >= Self.supportCosine
      else { continue }
      directions[index].addCarried(body, plank, direction)
    }
  }

  var proportions: BodyProportions {
    BodyProportions(
      upperArmToTrunk: upperArmsToTrunk.median, shoulderWidth: shoulderWidths.median,
      unevenness: sides.compactMap(\.median).map { max($0, 1 / $0) }.max())
  }

  private mutating func measure(_ body: LimbPositions) {
    let trunk = body.shoulders.middle.flatMap { top in body.hips.middle.map { (top - $0).norm } }
    let limbs = [
      body.shoulders.lengths(to: body.elbows), body.elbows.lengths(to: body.wrists),
      body.hips.lengths(to: body.knees), body.knees.lengths(to: body.ankles),
    ]
    for (index, limb) in limbs.enumerated() {
      if let limb, limb.left > 0, limb.right > 0 { sides[index].append(limb.left / limb.right) }
    }
    let means = limbs.map { $0.map { ($0.left + $0.right) / 2 } }
    if let upperArm = means[0], let trunk, trunk > 0 { upperArmsToTrunk.append(upperArm / trunk) }
    guard let trunk, let thigh = means[2], let shank = means[3], trunk + thigh + shank > 0 else {
      return
    }
    paths.append(trunk + thigh + shank)
    let height = (trunk + thigh + shank) / ReferenceBody.trunkAndLegShare
    if let width = body.shoulders.leftward?.norm { shoulderWidths.append(width / height) }
  }

  private mutating func countKnees(_ body: LimbPositions) {
    guard let front = body.front else { return }
    let legs = [
      (body.hips.left, body.knees.left, body.ankles.left),
      (body.hips.right, body.knees.right, body.ankles.right),
    ]
    for case (let hip?, let knee?, let ankle?) in legs {
      let line = ankle - hip
      guard line.norm > 0 else { continue }
      let along = line / line.norm
      let off = (knee - hip) - along * (knee - hip).dot(along)
      let length = (knee - hip).norm + (ankle - knee).norm
      guard off.norm > Self.bentShare * length else { continue }
      let cosine = off.dot(front) / off.norm
      if cosine > Self.kneeCosine { knees.forward += 1 }
      if cosine < -Self.kneeCosine { knees.backward += 1 }
    }
  }
}

extension DirectionCounts {
  mutating func addAlong(
    _ axis: Vector3, _ arm: Vector3?, _ direction: Vector3, _ armShare: Double
  ) {
    let hang = arm.map { $0.dot(direction) / axis.norm }
    // Raised arms do not hang low either, but they point along the body; a plank's reach across it.
    let reach = arm.map { ($0 - direction * $0.dot(direction)).norm / axis.norm }
    if let hang, let reach, hang < armShare / 2, reach >= max(armShare, hang.magnitude) {
      plankAlong += 1
      return
    }
    along += 1
    if let hang, hang >= armShare { standing += 1 }
  }

  mutating func addCarried(_ body: LimbPositions, _ plank: PlankClass, _ direction: Vector3) {
    carried += 1
    switch plank {
    case .none: break
    case .forearm, .high, .reverse:
      guard let front = body.front else { return }
      judgedFacing += 1
      let facesFloor = front.dot(direction) < 0
      if facesFloor == (plank != .reverse) { facing += 1 }
    case .sideLeft, .sideRight:
      guard let leftward = body.shoulders.leftward else { return }
      judgedSides += 1
      if (leftward.dot(direction) > 0) == (plank == .sideLeft) { sides += 1 }
    }
  }
}
