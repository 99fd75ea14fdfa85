import PoseModel

struct JointPair {
  let left: Vector3?
  let right: Vector3?

  var middle: Vector3? { left.flatMap { left in right.map(left.midpoint) } }

  var leftward: Vector3? { left.flatMap { left in right.map { left - $0 } } }

  func lengths(to next: JointPair) -> (left: Double, right: Double)? {
    guard let left, let right, let nextLeft = next.left, let nextRight = next.right else {
      return nil
    }
    return ((left - nextLeft).norm, (right - nextRight).norm)
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
        guard let recorded = recording.position(of: joint, at: frame),
          recorded != Vector3(0, 0, 0)
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

  /// From the ankles to the shoulders; nil if one of the four is missing or they meet.
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

  /// The larger cosine between upper arm and down: whatever plank it is, the arm that carries it is
  /// below the shoulder.
  func support(along direction: Vector3) -> Double? {
    let arms = [(shoulders.left, elbows.left), (shoulders.right, elbows.right)]
    return arms.compactMap { top, bottom in
      top.flatMap { top in bottom.map { top - $0 } }
    }.filter { $0.norm > 0 }.map { $0.dot(direction) / $0.norm }.max()
  }
}

struct SurveyTally {
  private static let alongCosine = 0.9
  /// How far the wrists of a standing body hang below the shoulders, as a fraction of the distance
  /// from ankles to shoulders.
  private static let armShare = 0.2
  private static let supportCosine = 0.6
  private static let bentShare = 0.12
  private static let kneeCosine = 0.5

  private(set) var poses = 0
  private(set) var paths: [Double] = []
  private(set) var directions = UpCandidate.allCases.map(DirectionCounts.init)
  private(set) var labeledPlanks = 0
  private(set) var knees = KneeCounts()
  private var ratios: [[Double]] = Array(repeating: [], count: 6)
  private var sides: [[Double]] = Array(repeating: [], count: 4)

  init(_ recording: Recording) {
    paths.reserveCapacity(recording.layout.dimension == 3 ? recording.frameCount : 0)
  }

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
    let unevenness = sides.compactMap(\.median).map { max($0, 1 / $0) }.max()
    return BodyProportions(
      upperArmToTrunk: ratios[0].median, forearmToUpperArm: ratios[1].median,
      thighToTrunk: ratios[2].median, shankToThigh: ratios[3].median,
      shoulderWidth: ratios[4].median, hipWidth: ratios[5].median, unevenness: unevenness)
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
    var height: Double?
    if let trunk, let thigh = means[2], let shank = means[3], trunk + thigh + shank > 0 {
      paths.append(trunk + thigh + shank)
      height = (trunk + thigh + shank) / ReferenceBody.trunkAndLegShare
    }
    let pairs = [
      (means[0], trunk), (means[1], means[0]), (means[2], trunk), (means[3], means[2]),
      (body.shoulders.leftward?.norm, height), (body.hips.leftward?.norm, height),
    ]
    for (index, pair) in pairs.enumerated() {
      if let part = pair.0, let whole = pair.1, whole > 0 { ratios[index].append(part / whole) }
    }
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
    // The arms of a plank are across the body, and long: raised arms point the other way.
    let reach = arm.map { ($0 - direction * $0.dot(direction)).norm / axis.norm }
    if let hang, let reach, hang < armShare / 2, reach >= max(armShare, hang.magnitude) {
      plankAlong += 1
      return
    }
    along += 1
    if let hang, hang >= armShare { standing += 1 }
  }

  mutating func addCarried(
    _ body: LimbPositions, _ plank: PlankClass, _ direction: Vector3
  ) {
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
