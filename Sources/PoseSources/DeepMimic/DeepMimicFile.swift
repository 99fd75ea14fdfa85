import Foundation

/// One file of DeepMimic motion capture: a skeleton or a motion, told apart by its content.
struct DeepMimicFile: Decodable {
  /// The skeleton's joints, each after its parent.
  struct Skeleton: Decodable {
    /// One joint per entry.
    let joints: [SkeletonJoint]

    enum CodingKeys: String, CodingKey {
      case joints = "Joints"
    }
  }

  /// A joint and where it is attached to its parent.
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

  /// The skeleton, in a skeleton file.
  let skeleton: Skeleton?
  /// The frames, in a motion file.
  let frames: [[Double]]?

  enum CodingKeys: String, CodingKey {
    case skeleton = "Skeleton"
    case frames = "Frames"
  }

  /// Reads a text.
  ///
  /// - Throws: `PoseSourceError.unreadableJSON` with the place within the JSON.
  static func read(_ source: NamedText) throws(PoseSourceError) -> DeepMimicFile {
    do {
      let file = try JSONDecoder().decode(DeepMimicFile.self, from: Data(source.text.utf8))
      guard file.skeleton != nil || file.frames != nil else {
        throw PoseSourceError.unreadableJSON(
          file: source.name, problem: "it has neither `Skeleton` nor `Frames`")
      }
      return file
    } catch let error as PoseSourceError {
      throw error
    } catch {
      throw .unreadableJSON(file: source.name, problem: problem(of: error))
    }
  }

  private static func problem(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(path(context.codingPath)) has no `\(key.stringValue)`"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(path(context.codingPath)): \(context.debugDescription)"
    case .dataCorrupted(let context):
      let cause = context.underlyingError.map { " (\($0))" } ?? ""
      return "\(path(context.codingPath)): \(context.debugDescription)\(cause)"
    @unknown default:
      return "\(error)"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    let path = keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
    return path.isEmpty ? "the file" : String(path.joined().drop { $0 == "." })
  }
}
