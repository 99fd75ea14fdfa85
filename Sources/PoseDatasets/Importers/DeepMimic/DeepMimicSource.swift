import Foundation
import PoseModel

/// One file is the skeleton, every other one a motion.
///
/// Recordings are in meters with the root at the origin, y up in the world; a rotation turns them
/// into camera recordings. Times are the sums of the preceding intervals.
package struct DeepMimicSource: PoseSource {
  package static let name = "deepmimic"
  package static let summary = "JSON motion capture of DeepMimic with its skeleton file"

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
    var sequences: [ImportedSequence] = []
    for motion in motions {
      let clip = MotionClip(file: motion.file, frames: motion.frames, chain: chain)
      sequences.append(try clip.sequence(options: options))
    }
    try ImportedSequence.requireUniqueNames(sequences)
    return sequences
  }
}

package struct DeepMimicOptions: Hashable, Sendable {
  package let label: LabelTarget
  /// A turn of the camera: positions and the up vector turn together.
  package let rotation: AxisRotation?
  /// x is negated and sides are swapped, before any rotation: the person did everything with the
  /// other side.
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

  var nameSuffix: String {
    (isReflected ? "-reflected" : "") + (rotation == nil ? "" : "-rotated")
  }
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
    @unknown default:
      return "\(error)"
    }
  }
}
