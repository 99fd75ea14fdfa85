import Foundation
package import PoseModel

/// Reads motion of the SMPL family of body models, as AMASS and MOYO publish it.
///
/// A file (`.npz`) either holds `joints` as [frames, joints, 3] in meters, in the order of SMPL,
/// SMPL-H or SMPL-X, whose first 22 joints are the same, or, as published, `poses` as axis-angle
/// vectors and `trans`. Poses turn joints about positions that only the licensed body model knows,
/// so they need a file (`.npy`) with the joints of the subject's body at rest. Recordings are in
/// meters, with y up in the world and the root at the origin.
package struct BodyModelSource: PoseSource {
  package static let name = "amass"

  package let options: BodyModelOptions

  package init(options: BodyModelOptions) { self.options = options }

  package func sequences(from files: [NamedBytes]) throws -> [ImportedSequence] {
    var rest: [Vector3]?
    var motions: [NumpyArchive] = []
    for file in files {
      guard file.name.hasSuffix(".npy") else {
        motions.append(try NumpyArchive(file))
        continue
      }
      guard rest == nil else {
        throw PoseSourceError.unusable(
          file.name, "a second file of joints at rest", "import the motions of one body at a time")
      }
      rest = try Self.restJoints(NumpyArray(name: file.name, bytes: file.bytes))
    }
    guard !motions.isEmpty else {
      throw PoseSourceError.unusable(
        files.first?.name ?? "the import", "no motion", "give at least one .npz file")
    }
    let sequences = try motions.map { try sequence(of: $0, rest: rest) }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }

  private func sequence(of motion: NumpyArchive, rest: [Vector3]?) throws -> ImportedSequence {
    let name = NamedBytes(name: motion.file, bytes: []).stem
    let (frames, how) = try joints(of: motion, rest: rest)
    let rate = try rate(of: motion)
    let times = frames.indices.map { roundedToMicroseconds(Double($0) / rate.value) }
    let poses = frames.map { joints in
      BodyPose(
        limbs: Dictionary(
          uniqueKeysWithValues: BodyModel.limbs.map { ($1, options.up.worldVector(joints[$0])) }))
    }
    let recording = recording(of: poses, times: times, rate: rate)
    let labels = try options.label.map { label in
      try LabelTrack.runs(
        of: poses.map { _ in label }, times: times,
        end: roundedToMicroseconds(Double(frames.count) / rate.value), in: name)
    }
    return ImportedSequence(
      name: name, recording: recording, labels: labels ?? LabelTrack(), startsMid: false,
      tags: ["source": name],
      notes: [
        "\(how), \(rate); the file's \(options.up.rawValue) axis points up",
        "body height is not measured but estimated as the path shoulder-hip-knee-ankle divided by "
          + "\(ReferenceBody.trunkAndLegShare)",
      ])
  }

  private func recording(of poses: [BodyPose], times: [Double], rate: Hertz) -> Recording {
    var header = RecordingHeader(
      skeleton: .vision3d, joints: BodyPose.joints(from: Set(BodyModel.limbs.map(\.joint))),
      frame: .world)
    header.subject = options.subject
    header.nominalRate = rate
    header.bodyHeight = poses.compactMap(\.trunkAndLegLength).median
      .flatMap { $0 > 0 ? ReferenceBody.height(trunkAndLegLength: $0) : nil }
    return Recording(
      header, times: times,
      poses.map { pose in
        let root = pose.positions[.root] ?? Vector3(0, 0, 0)
        return pose.map { $0 - root }
      })
  }

  private func joints(
    of motion: NumpyArchive, rest: [Vector3]?
  ) throws -> (frames: [[Vector3]], how: String) {
    if let joints = try motion.array("joints") {
      return (try Self.frames(joints), "joints as given")
    }
    guard let poses = try motion.array("poses"), let translations = try motion.array("trans") else {
      throw PoseSourceError.missingArrays(
        file: motion.file, missing: ["joints", "poses", "trans"], found: motion.names)
    }
    guard let rest else {
      throw PoseSourceError.unusable(
        motion.file,
        "axis-angle poses without the joints of the body at rest, which only the body model knows",
        "give them as well, as a .npy of at least 22 joints: "
          + "numpy.save('rest.npy', body_model(betas=betas).joints[0])")
    }
    let body = BodyModel(rest: rest)
    return (
      try body.frames(poses: poses, translations: translations), "posed by forward kinematics"
    )
  }

  private static func frames(_ joints: NumpyArray) throws -> [[Vector3]] {
    let shape = joints.shape
    guard shape.count == 3, shape[0] > 0, shape[1] >= BodyModel.jointCount, shape[2] == 3 else {
      throw PoseSourceError.unusable(
        joints.name, "shape \(ArrayProblem.text(shape))",
        "give [frames, joints, 3] with at least 22 joints")
    }
    return (0..<shape[0]).map { frame in
      (0..<BodyModel.jointCount).map { joints.vector(3 * (frame * shape[1] + $0)) }
    }
  }

  private static let farthestJoint = Meters(10)

  private static func restJoints(_ array: NumpyArray) throws -> [Vector3] {
    let shape = array.shape
    guard shape.count == 2, shape[0] >= BodyModel.jointCount, shape[1] == 3 else {
      throw PoseSourceError.unusable(
        array.name, "shape \(ArrayProblem.text(shape))",
        "give [joints, 3] with at least 22 joints of the body at rest")
    }
    let rest = (0..<BodyModel.jointCount).map { array.vector(3 * $0) }
    guard rest.allSatisfy({ $0.norm <= farthestJoint.value }) else {
      throw PoseSourceError.unusable(
        array.name, "a joint that is not finite, or more than \(farthestJoint) from the root",
        "save the joints of one body again, in meters")
    }
    return rest
  }

  private func rate(of motion: NumpyArchive) throws -> Hertz {
    var rate = options.frameRate
    for name in ["mocap_frame_rate", "mocap_framerate"] where rate == nil {
      if let array = try motion.array(name), array.count == 1 { rate = Hertz(array[0]) }
    }
    guard let rate, (0.1...1000).contains(rate.value) else {
      throw PoseSourceError.unusable(
        motion.file, rate.map { "a rate of \($0)" } ?? "no mocap_frame_rate",
        "give the rate of the frames, 0.1 to 1000 Hz")
    }
    return rate
  }
}

package struct BodyModelOptions: Hashable, Sendable {
  package enum UpAxis: String, CaseIterable, Hashable, Sendable {
    case z
    case y

    func worldVector(_ vector: Vector3) -> Vector3 {
      self == .y ? vector : Vector3(vector.x, vector.z, -vector.y)
    }
  }

  package let up: UpAxis
  package let frameRate: Hertz?
  package let label: LabelTarget?
  package let subject: String?

  package init(
    up: UpAxis = .z, frameRate: Hertz? = nil, label: LabelTarget? = nil, subject: String? = nil
  ) {
    self.up = up
    self.frameRate = frameRate
    self.label = label
    self.subject = subject
  }
}

/// The joints that SMPL, SMPL-H and SMPL-X have in common (Loper et al., 2015, doi
/// 10.1145/2816795.2818013; Pavlakos et al., "Expressive Body Capture", 2019).
struct BodyModel {
  static let jointCount = 22

  static let limbs: [(number: Int, joint: Joint)] = [
    (1, .leftHip), (2, .rightHip), (4, .leftKnee), (5, .rightKnee), (7, .leftAnkle),
    (8, .rightAnkle), (16, .leftShoulder), (17, .rightShoulder), (18, .leftElbow),
    (19, .rightElbow), (20, .leftWrist), (21, .rightWrist),
  ]

  private static let parents = [
    0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19,
  ]

  let rest: [Vector3]

  /// Returns the joints of each frame of a motion.
  ///
  /// A joint turns the whole chain below it: p(j) = p(parent) + R(parent) (rest(j) - rest(parent)),
  /// where R is the product of the rotations from the pelvis to the joint.
  func frames(poses: NumpyArray, translations: NumpyArray) throws -> [[Vector3]] {
    let (shape, needed) = (poses.shape, 3 * Self.jointCount)
    guard shape.count == 2, shape[0] > 0, shape[1] >= needed, translations.shape == [shape[0], 3]
    else {
      throw PoseSourceError.unusable(
        poses.name,
        "poses \(ArrayProblem.text(shape)), trans \(ArrayProblem.text(translations.shape))",
        "give [frames, 66 or more] axis-angle numbers and [frames, 3] translations")
    }
    return (0..<shape[0]).map { frame in
      joints(
        turns: (0..<Self.jointCount).map {
          Rotation3(axisAngle: poses.vector(frame * shape[1] + 3 * $0))
        }, translation: translations.vector(3 * frame))
    }
  }

  private func joints(turns: [Rotation3], translation: Vector3) -> [Vector3] {
    var places = [rest[0] + translation]
    var whole = [turns[0]]
    for joint in 1..<Self.jointCount {
      let parent = Self.parents[joint]
      places.append(places[parent] + whole[parent](rest[joint] - rest[parent]))
      whole.append(whole[parent].composed(after: turns[joint]))
    }
    return places
  }
}

extension Rotation3 {
  fileprivate init(axisAngle vector: Vector3) {
    let angle = vector.norm
    guard angle > 0 else {
      self = .identity
      return
    }
    let (axis, cosine, sine) = (vector / angle, cos(angle), sin(angle))
    func turned(_ v: Vector3) -> Vector3 {
      v * cosine + axis.cross(v) * sine + axis * (axis.dot(v) * (1 - cosine))
    }
    self.init(turned(.unitX), turned(.unitY), turned(Vector3(0, 0, 1)))
  }
}

extension NumpyArray {
  func vector(_ position: Int) -> Vector3 {
    Vector3(self[position], self[position + 1], self[position + 2])
  }
}
