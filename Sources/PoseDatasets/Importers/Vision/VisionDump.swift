import Foundation
import PoseModel

/// Vision's 3D observations as an app wrote them: an optional header, and frames.
struct VisionDump {
  /// What applies to all frames; the first object, if it has a `format`.
  struct Header: Decodable {
    var format: String?
    var version: Int?
    var orientation: String?
    var cameraPosition: String?
    var buffer: String?
    var bufferRotation: Double?
    var mirrored: Bool?
    var subject: String?
    var nominalRate: Double?
    var imageWidth: Int?
    var imageHeight: Int?
  }

  /// One frame.
  struct Frame: Decodable {
    let timestamp: Double
    /// Positions by Vision's raw key or Swift name; nil if no pose was found.
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
  /// What applies to all frames.
  let header: Header
  /// The frames, each with the place where it starts.
  let frames: [(place: SourcePlace, frame: Frame)]

  /// Reads a text.
  ///
  /// - Throws: `PoseSourceError` with file and line of the first mistake.
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

extension VisionDump {
  /// Decodes one object and adds its place to errors.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from element: JSONObjects.Element, at place: SourcePlace
  ) throws(PoseSourceError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(element.bytes))
    } catch {
      let (path, found) = problem(of: error)
      throw .unexpectedValue(
        file: place.description, path: path, found: found, allowed: allowed(at: path))
    }
  }

  /// Whether an object is a header: it has a format.
  static func isHeader(_ element: JSONObjects.Element) -> Bool {
    struct Probe: Decodable { let format: String }
    return (try? JSONDecoder().decode(Probe.self, from: Data(element.bytes))) != nil
  }

  /// Decodes the header and checks its format.
  static func header(
    _ element: JSONObjects.Element, at place: SourcePlace
  ) throws(PoseSourceError) -> Header {
    let header = try decode(Header.self, from: element, at: place)
    let found = "\(header.format ?? "none") version \(header.version ?? version)"
    guard header.format == format, header.version ?? version == version else {
      throw .unexpectedValue(
        file: place.description, path: "`format`", found: found,
        allowed: "\(format) version \(version)")
    }
    return header
  }

  private static func problem(of error: any Error) -> (path: String, found: String) {
    guard let error = error as? DecodingError else { return ("the object", "unreadable: \(error)") }
    switch error {
    case .keyNotFound(let key, let context):
      return (quoted(context.codingPath + [key]), "missing")
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      let cause = context.underlyingError.map { ": \($0)" } ?? ""
      return (quoted(context.codingPath), "unreadable (\(context.debugDescription)\(cause))")
    @unknown default:
      return ("the object", "unreadable: \(error)")
    }
  }

  private static func quoted(_ keys: [any CodingKey]) -> String {
    keys.isEmpty ? "the object" : "`\(keys.jsonPath)`"
  }

  private static func allowed(at path: String) -> String {
    let forms = [
      "the object": "valid JSON, one object per frame",
      "`timestamp": "seconds that increase from frame to frame",
      "`joints`": "an object of joints, or null where no pose was found",
      "`joints.": "three numbers, 16 in column-major order, or {\"position\": [...], "
        + "\"pointInImage\": [x, y]}",
      "`cameraOriginMatrix": "16 finite numbers in column-major order, or four columns of four",
      "`heightEstimation": "\"reference\" or \"measured\", or Vision's raw value 0 or 1",
      "`up": "three numbers",
    ]
    return forms.first { path.hasPrefix($0.key) }?.value
      ?? "a value as the format of the dump describes it"
  }
}

/// The numbers of a position or of a matrix, however they are nested.
struct DumpNumbers: Decodable {
  /// The numbers in order.
  let values: [Double]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let columns = try? container.decode([[Double]].self) {
      values = columns.flatMap(\.self)
    } else {
      values = try container.decode([Double].self)
    }
  }

  /// The translation: three numbers, or the last column of 16 in column-major order.
  var position: Vector3? {
    switch values.count {
    case 3: Vector3(values[0], values[1], values[2])
    case 16: Vector3(values[12], values[13], values[14])
    default: nil
    }
  }
}

/// A point of an image, as a pair of numbers or as named coordinates.
struct DumpPoint: Decodable {
  /// The normalized point, from the lower left corner.
  let point: ImagePoint

  private enum Keys: String, CodingKey {
    case x
    case y
  }

  init(from decoder: any Decoder) throws {
    if let named = try? decoder.container(keyedBy: Keys.self) {
      point = ImagePoint(
        x: try named.decode(Double.self, forKey: .x), y: try named.decode(Double.self, forKey: .y))
      return
    }
    let container = try decoder.singleValueContainer()
    let pair = try container.decode([Double].self)
    guard pair.count == 2 else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(pair.count) numbers where a point has 2")
    }
    point = ImagePoint(x: pair[0], y: pair[1])
  }
}

/// A joint of a frame: its numbers alone, or an object that also has its image point.
struct DumpJoint: Decodable {
  /// The position relative to the root, in meters.
  let position: DumpNumbers
  /// The image point to which Vision projects the joint, if logged.
  let pointInImage: DumpPoint?

  private enum Keys: String, CodingKey {
    case position
    case pointInImage
  }

  init(from decoder: any Decoder) throws {
    if let named = try? decoder.container(keyedBy: Keys.self) {
      position = try named.decode(DumpNumbers.self, forKey: .position)
      pointInImage = try named.decodeIfPresent(DumpPoint.self, forKey: .pointInImage)
      return
    }
    position = try DumpNumbers(from: decoder)
    pointInImage = nil
  }
}

/// Vision's word for where a height comes from, or its raw value.
struct DumpHeightEstimation: Decodable {
  /// Where the height comes from.
  let estimation: HeightEstimation

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let byNumber: [Int: HeightEstimation] = [0: .reference, 1: .measured]
    let number = try? container.decode(Int.self)
    let word = try? container.decode(String.self)
    guard let found = number.flatMap({ byNumber[$0] }) ?? word.flatMap(HeightEstimation.init)
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "neither reference (0) nor measured (1)")
    }
    estimation = found
  }
}
