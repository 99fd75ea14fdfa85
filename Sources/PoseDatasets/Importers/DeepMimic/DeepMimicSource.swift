import Foundation
package import PoseModel

/// Reads DeepMimic's files: one skeleton and any number of motions.
///
/// Recordings are in meters in world axes, with the root at the origin and y up; the option
/// `rotation` turns them into camera axes. A frame's time is the sum of the preceding intervals.
package struct DeepMimicSource: PoseSource {
  package static let name = "deepmimic"

  package let options: DeepMimicOptions

  package init(options: DeepMimicOptions = DeepMimicOptions()) { self.options = options }

  package func sequences(from files: [NamedText]) throws -> [ImportedSequence] {
    var skeletons: [(file: String, joints: [DeepMimicFile.SkeletonJoint])] = []
    var motions: [(file: NamedText, frames: [[Double]])] = []
    for file in files {
      let content = try DeepMimicFile.read(file)
      if let skeleton = content.skeleton { skeletons.append((file.name, skeleton.joints)) }
      if let frames = content.frames { motions.append((file, frames)) }
    }
    guard let skeleton = skeletons.first, skeletons.count == 1 else {
      throw PoseSourceError.skeletonCount(found: skeletons.map(\.file))
    }
    guard !motions.isEmpty else { throw PoseSourceError.noMotion(skeleton: skeleton.file) }
    let chain = try KinematicChain(skeleton.joints, file: skeleton.file)
    let sequences = try motions.map { file, frames in
      try MotionClip(file: file, frames: frames, chain: chain).sequence(options: options)
    }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }
}

package struct DeepMimicOptions: Hashable, Sendable {
  package let label: LabelTarget
  package let rotation: AxisRotation?
  package let isReflected: Bool
  package let subject: String?

  package init(
    label: LabelTarget = .noPlank, rotation: AxisRotation? = nil, isReflected: Bool = false,
    subject: String? = nil
  ) {
    self.label = label
    self.rotation = rotation
    self.isReflected = isReflected
    self.subject = subject
  }

  var nameSuffix: String { (isReflected ? "-reflected" : "") + (rotation == nil ? "" : "-rotated") }
}

struct DeepMimicFile: Decodable {
  struct Skeleton: Decodable {
    let joints: [SkeletonJoint]

    enum CodingKeys: String, CodingKey {
      case joints = "Joints"
    }
  }

  struct SkeletonJoint: Decodable {
    let id: Int
    let name: String
    let type: String
    let parent: Int
    let attachX: Double
    let attachY: Double
    let attachZ: Double
    let attachThetaX: Double?
    let attachThetaY: Double?
    let attachThetaZ: Double?

    enum CodingKeys: String, CodingKey {
      case id = "ID"
      case name = "Name"
      case type = "Type"
      case parent = "Parent"
      case attachX = "AttachX"
      case attachY = "AttachY"
      case attachZ = "AttachZ"
      case attachThetaX = "AttachThetaX"
      case attachThetaY = "AttachThetaY"
      case attachThetaZ = "AttachThetaZ"
    }
  }

  let skeleton: Skeleton?
  let frames: [[Double]]?

  enum CodingKeys: String, CodingKey {
    case skeleton = "Skeleton"
    case frames = "Frames"
  }

  static func read(_ source: NamedText) throws -> DeepMimicFile {
    do {
      let file = try JSONDecoder().decode(DeepMimicFile.self, from: Data(source.text.utf8))
      guard file.skeleton != nil || file.frames != nil else {
        throw PoseSourceError.unreadableJSON(
          file: source.name, problem: "it has neither `Skeleton` nor `Frames`")
      }
      return file
    } catch let error where !(error is PoseSourceError) {
      throw PoseSourceError.unreadableJSON(file: source.name, problem: problem(of: error))
    }
  }

  private static func place(_ keys: [any CodingKey]) -> String {
    keys.isEmpty ? "the file" : keys.jsonPath
  }

  private static func problem(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(place(context.codingPath)) has no `\(key.stringValue)`"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(place(context.codingPath)): \(context.debugDescription)"
    case .dataCorrupted(let context):
      let cause = context.underlyingError.map { " (\($0))" } ?? ""
      return "\(place(context.codingPath)): \(context.debugDescription)\(cause)"
    @unknown default: return "\(error)"
    }
  }
}

package struct AxisRotation: Hashable, Sendable {
  package let axis: Vector3
  package let angle: Degrees

  package init(axis: Vector3, angle: Degrees) throws {
    guard axis.isFinite, axis.norm > 1e-6, angle.value.isFinite else {
      throw Self.error("\(axis.x),\(axis.y),\(axis.z)=\(angle.value)")
    }
    self.axis = axis
    self.angle = angle
  }

  package init(_ text: String) throws {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    let named = ["x": Vector3(1, 0, 0), "y": Vector3(0, 1, 0), "z": Vector3(0, 0, 1)]
    let numbers = sides[0].split(separator: ",").compactMap { Double($0) }
    let listed = numbers.count == 3 ? Vector3(numbers[0], numbers[1], numbers[2]) : nil
    guard sides.count == 2, let axis = named[String(sides[0])] ?? listed,
      let angle = Double(sides[1])
    else { throw Self.error(text) }
    try self.init(axis: axis, angle: Degrees(angle))
  }

  package var matrix: Rotation3 {
    let half = angle.value * Double.pi / 360
    let direction = axis * (sin(half) / axis.norm)
    return Rotation3(quaternion: SIMD4(cos(half), direction.x, direction.y, direction.z))
  }

  package var text: String {
    let names = [("x", Vector3(1, 0, 0)), ("y", Vector3(0, 1, 0)), ("z", Vector3(0, 0, 1))]
    let name = names.first { $0.1 == axis }?.0 ?? "\(axis.x),\(axis.y),\(axis.z)"
    return "\(name)=\(angle.value)"
  }

  private static func error(_ found: String) -> PoseSourceError {
    .invalidOption(
      "a rotation", found: found, allowed: "an axis and degrees, such as `x=30` or `1,1,0=45`")
  }
}

extension Rotation3 {
  init(quaternion q: SIMD4<Double>) {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3])
    self.init(
      Vector3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
      Vector3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
      Vector3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))
  }

  init(aboutZ radians: Double) {
    let (c, s) = (cos(radians), sin(radians))
    self.init(Vector3(c, s, 0), Vector3(-s, c, 0), Vector3(0, 0, 1))
  }
}

struct KinematicChain {
  enum Motion: String, CaseIterable {
    case root = "none"
    /// Any rotation, given by a quaternion (w, x, y, z) per frame.
    case spherical
    /// A rotation about z, given by an angle in radians per frame.
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
  let frameLength: Int

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

  /// Returns the pose of a frame in meters, with the root at the origin.
  ///
  /// A joint's rotation is its own rotation followed by its parent's. Its position is its parent's
  /// position plus the offset, turned by the parent's rotation.
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

struct MotionClip {
  let file: NamedText
  let frames: [[Double]]
  let chain: KinematicChain

  /// The quaternion lengths that rounding explains; a note counts quaternions with other lengths.
  private static let unitLengths = 0.999...1.001
  private static let shortestQuaternion = 1e-6
  /// The interval, in seconds, of a single frame that gives none: that of the published files.
  private static let usualInterval = 1.0 / 60

  func sequence(options: DeepMimicOptions) throws -> ImportedSequence {
    guard !frames.isEmpty else {
      throw PoseSourceError.unexpectedValue(
        file: file.name, path: "Frames", found: "empty", allowed: "at least one frame")
    }
    for (index, frame) in frames.enumerated() { try check(frame, index: index) }
    let times = try frameTimes()
    let poses = frames.map { frame in
      let pose = chain.pose(of: frame)
      let reflected = options.isReflected ? pose.mirrored : pose
      guard let turn = options.rotation?.matrix else { return reflected }
      return reflected.map { turn($0) }
    }
    let recording = recording(of: poses, times: times.frames, options: options)
    let name = file.stem + options.nameSuffix
    let labels = try LabelTrack.runs(
      of: poses.map { _ in options.label }, times: times.frames, end: times.end, in: name)
    return ImportedSequence(
      name: name, recording: recording, labels: labels, startsMid: false,
      tags: tags(options), notes: notes(recording, options: options))
  }

  private func check(_ frame: [Double], index: Int) throws {
    guard frame.count == chain.frameLength else {
      throw error(
        index, "", CountText.of(frame.count, "number"),
        "\(chain.frameLength): interval, root and the entries of the skeleton's moving joints")
    }
    for (name, value) in chain.quaternions(in: frame) {
      let norm = (value * value).sum().squareRoot()
      guard norm >= Self.shortestQuaternion, norm.isFinite else {
        throw error(
          index, ", quaternion of \(name)", "of length \(norm)",
          "a quaternion that is not zero: its length is made 1")
      }
    }
  }

  /// Returns frame times and the end of the last frame, in seconds rounded to microseconds.
  ///
  /// The last frame's interval is often 0; the median of the other intervals then replaces it.
  private func frameTimes() throws -> (frames: [Double], end: Double) {
    var intervals = frames.map { $0[0] }
    if intervals.last == 0 {
      intervals[intervals.count - 1] = intervals.dropLast().median ?? Self.usualInterval
    }
    var times = [0.0]
    var sum = 0.0
    for (index, interval) in intervals.enumerated() {
      sum += interval
      guard roundedToMicroseconds(sum) > times[index] else {
        throw error(index, "[0]", "\(interval)", "seconds to the next frame, 1e-6 or more")
      }
      times.append(roundedToMicroseconds(sum))
    }
    let end = times.removeLast()
    return (times, end)
  }

  private func recording(
    of poses: [BodyPose], times: [Double], options: DeepMimicOptions
  ) -> Recording {
    var header = RecordingHeader(
      skeleton: .vision3d, joints: BodyPose.joints(from: Set(BodyPose.limbs.map(\.joint))),
      frame: options.rotation == nil ? .world : .camera)
    header.up = options.rotation.map { $0.matrix(.unitY) }
    header.orientation = options.rotation == nil ? nil : .portrait
    header.subject = options.subject
    header.bodyHeight = chain.restPose.trunkAndLegLength
      .map(ReferenceBody.height(trunkAndLegLength:))
    return Recording(header, times: times, poses)
  }

  private func tags(_ options: DeepMimicOptions) -> [String: String] {
    var tags = ["source": file.stem]
    if options.isReflected { tags["reflected"] = "yes" }
    if let rotation = options.rotation { tags["rotation"] = rotation.text }
    return tags
  }

  private func notes(_ recording: Recording, options: DeepMimicOptions) -> [String] {
    var notes = [
      "\(CountText.of(frames.count, "frame")) of \(file.name), in meters by forward kinematics"
    ]
    if let height = recording.header.bodyHeight {
      notes.append(
        "body height \((height.value * 1000).rounded() / 1000) m is not measured but estimated as "
          + "the path shoulder-hip-knee-ankle divided by \(ReferenceBody.trunkAndLegShare)")
    }
    if let normalized { notes.append(normalized) }
    if options.isReflected { notes.append("reflected: x was negated and sides swapped") }
    if let rotation = options.rotation {
      notes.append("positions and up were turned by \(rotation.text) degrees")
    }
    return notes
  }

  private var normalized: String? {
    let lengths = frames.flatMap { frame in
      chain.quaternions(in: frame).map { ($0.value * $0.value).sum().squareRoot() }
    }.filter { !Self.unitLengths.contains($0) }
    guard let shortest = lengths.min(), let longest = lengths.max() else { return nil }
    func rounded(_ length: Double) -> Double { (length * 1000).rounded() / 1000 }
    return
      "normalized \(CountText.of(lengths.count, "quaternion")), as DeepMimic's own loader does: "
      + "lengths range from \(rounded(shortest)) to \(rounded(longest))"
  }

  private func error(
    _ frame: Int, _ part: String, _ found: String, _ allowed: String
  ) -> PoseSourceError {
    .unexpectedValue(
      file: file.name, path: "Frames[\(frame)]\(part)", found: found, allowed: allowed)
  }
}
