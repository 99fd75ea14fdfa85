import PoseModel

struct KinematicChain {
  enum Motion: String, CaseIterable {
    case root = "none"
    /// Any rotation: a quaternion (w, x, y, z) per frame.
    case spherical
    /// A rotation about z: an angle in radians per frame.
    case revolute
    case fixed

    var numberCount: Int {
      switch self {
      case .root: 7
      case .spherical: 4
      case .revolute: 1
      case .fixed: 0
      }
    }
  }

  struct Link {
    let name: String
    let motion: Motion
    let parent: Int?
    let offset: Vector3
    let firstNumber: Int
  }

  let links: [Link]
  /// How many numbers a frame has: the interval, the root's and those of all joints.
  let frameLength: Int

  /// Throws for a type, parent or attachment that is not supported, and if joints of a recording
  /// are missing.
  init(_ joints: [DeepMimicFile.SkeletonJoint], file: String) throws {
    var links: [Link] = []
    var positions: [Int: Int] = [:]
    var next = 1
    for (index, joint) in joints.enumerated() {
      let fault = SkeletonFault(file: file, path: "Skeleton.Joints[\(index)]")
      let motion = try fault.motion(of: joint, isFirst: index == 0)
      let parent = positions[joint.parent]
      guard motion == .root || parent != nil else {
        throw fault.error("Parent", "\(joint.parent)", "the ID of a joint above this one")
      }
      guard positions.updateValue(index, forKey: joint.id) == nil else {
        throw fault.error("ID", "\(joint.id)", "every joint its own ID")
      }
      links.append(
        Link(
          name: joint.name, motion: motion, parent: parent,
          offset: Vector3(joint.attachX, joint.attachY, joint.attachZ), firstNumber: next))
      next += motion.numberCount
    }
    self.links = links
    frameLength = next
    let names = Set(links.map(\.name))
    let missing = BodyPose.limbs.map(\.name).filter { !names.contains($0) }
    guard missing.isEmpty else { throw PoseSourceError.missingJoints(file: file, missing) }
  }

  /// A joint's rotation is its own followed by its parent's; its position is the parent's plus the
  /// offset turned by the parent's rotation.
  ///
  /// The root is at the origin.
  func pose(of frame: [Double]) -> BodyPose {
    pose { Self.rotation($0.motion, numbers: frame[$0.firstNumber...]) }
  }

  var restPose: BodyPose { pose { _ in .identity } }

  private func pose(rotation: (Link) -> Rotation3) -> BodyPose {
    var rotations: [Rotation3] = []
    var positions: [Vector3] = []
    for link in links {
      let own = rotation(link)
      guard let parent = link.parent else {
        rotations.append(own)
        positions.append(Vector3(0, 0, 0))
        continue
      }
      rotations.append(rotations[parent].composed(after: own))
      positions.append(positions[parent] + rotations[parent](link.offset))
    }
    let byName = Dictionary(
      zip(links.map(\.name), positions), uniquingKeysWith: { first, _ in first })
    var limbs: [Joint: Vector3] = [:]
    for (name, joint) in BodyPose.limbs { limbs[joint] = byName[name] }
    let pose = BodyPose(limbs: limbs)
    let root = pose.positions[.root] ?? Vector3(0, 0, 0)
    return pose.map { $0 - root }
  }

  func quaternions(in frame: [Double]) -> [(name: String, value: SIMD4<Double>)] {
    links.compactMap { link in
      guard let start = Self.quaternionStart(link.motion, link.firstNumber) else { return nil }
      return (link.name, SIMD4(frame[start..<start + 4]))
    }
  }

  private static func quaternionStart(_ motion: Motion, _ firstNumber: Int) -> Int? {
    switch motion {
    case .root: firstNumber + 3
    case .spherical: firstNumber
    case .revolute, .fixed: nil
    }
  }

  private static func rotation(_ motion: Motion, numbers: ArraySlice<Double>) -> Rotation3 {
    if let start = quaternionStart(motion, numbers.startIndex) {
      let q = SIMD4(numbers[start..<start + 4])
      return Rotation3(quaternion: q / (q * q).sum().squareRoot())
    }
    return motion == .revolute ? Rotation3(aboutZ: numbers[numbers.startIndex]) : .identity
  }
}

private struct SkeletonFault {
  let file: String
  let path: String

  func error(_ field: String, _ found: String, _ allowed: String) -> PoseSourceError {
    .unexpectedValue(file: file, path: "\(path).\(field)", found: found, allowed: allowed)
  }

  func motion(
    of joint: DeepMimicFile.SkeletonJoint, isFirst: Bool
  ) throws -> KinematicChain.Motion {
    guard let motion = KinematicChain.Motion(rawValue: joint.type), (motion == .root) == isFirst
    else {
      let allowed = KinematicChain.Motion.allCases.map { "`\($0.rawValue)`" }
      throw error(
        "Type", "`\(joint.type)`",
        "`none` only for the first joint, else \(allowed.dropFirst().joined(separator: ", "))")
    }
    let turns = [joint.attachThetaX, joint.attachThetaY, joint.attachThetaZ]
    guard turns.allSatisfy({ $0 == nil || $0 == 0 }) else {
      throw error("AttachTheta", "not zero", "joints attached without a rotation")
    }
    return motion
  }
}
