import Foundation
import PoseModel

/// What an app wrote of Vision's 3D observations: a header, if any, and frames.
struct VisionDump {
  /// What holds for all frames; the first object, where it has a `format`.
  struct Header: Decodable {
    var format: String?
    var version: Int?
    var orientation: String?
    var cameraPosition: String?
    var buffer: String?
    var mirrored: Bool?
    var subject: String?
    var nominalRate: Double?
    var imageWidth: Int?
    var imageHeight: Int?
  }

  /// One frame.
  struct Frame: Decodable {
    let timestamp: Double
    /// Positions by Vision's raw key or Swift name; nil where no pose was found.
    let joints: [String: DumpJoint]?
    let bodyHeight: Double?
    let heightEstimation: DumpHeightEstimation?
    let cameraOriginMatrix: DumpNumbers?
    let up: [Double]?
    let imageWidth: Int?
    let imageHeight: Int?

    private enum CodingKeys: String, CodingKey {
      case timestamp
      case joints
      case bodyHeight
      case heightEstimation
      case cameraOriginMatrix
      case up
      case imageWidth
      case imageHeight
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      guard container.contains(.joints) else {
        throw DecodingError.keyNotFound(
          CodingKeys.joints, .init(codingPath: decoder.codingPath, debugDescription: ""))
      }
      timestamp = try container.decode(Double.self, forKey: .timestamp)
      joints = try container.decodeIfPresent([String: DumpJoint].self, forKey: .joints)
      bodyHeight = try container.decodeIfPresent(Double.self, forKey: .bodyHeight)
      heightEstimation = try container.decodeIfPresent(
        DumpHeightEstimation.self, forKey: .heightEstimation)
      cameraOriginMatrix = try container.decodeIfPresent(
        DumpNumbers.self, forKey: .cameraOriginMatrix)
      up = try container.decodeIfPresent([Double].self, forKey: .up)
      imageWidth = try container.decodeIfPresent(Int.self, forKey: .imageWidth)
      imageHeight = try container.decodeIfPresent(Int.self, forKey: .imageHeight)
    }
  }

  /// The name of the format in the header.
  static let format = "vision3d-dump"
  /// The version of the format.
  static let version = 1

  /// The text's name.
  let file: String
  /// What holds for all frames.
  let header: Header
  /// The frames, each with the place where it begins.
  let frames: [(place: SourcePlace, frame: Frame)]

  /// Reads a text.
  ///
  /// - Throws: `PoseSourceError` with file and line of the first fault.
  init(_ source: NamedText) throws(PoseSourceError) {
    file = source.name
    var elements = try JSONObjects(source).elements[...]
    var header = Header()
    if let first = elements.first, Self.isHeader(first) {
      header = try Self.header(first, at: SourcePlace(file: source.name, line: first.line))
      elements = elements.dropFirst()
    }
    self.header = header
    var frames: [(place: SourcePlace, frame: Frame)] = []
    for element in elements {
      let place = SourcePlace(file: source.name, line: element.line)
      frames.append((place, try Self.decode(Frame.self, from: element, at: place)))
    }
    guard !frames.isEmpty else { throw .emptyTable(file: source.name) }
    self.frames = frames
  }
}
