import Foundation
import PoseModel

protocol DumpedFrame: Decodable {
  static var format: String { get }
  static var allowedForms: [String: String] { get }
  var timestamp: Double { get }
}

struct DumpHeader: Decodable {
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

struct VisionDump<Frame: DumpedFrame> {
  static var version: Int { 1 }

  let file: String
  let header: DumpHeader
  let frames: [(place: SourcePlace, frame: Frame)]

  init(_ source: NamedText) throws {
    file = source.name
    var elements = try JSONObjects(source).elements[...]
    var header = DumpHeader()
    if let first = elements.first,
      (try? JSONDecoder().decode(DumpFormatProbe.self, from: Data(first.bytes))) != nil
    {
      header = try Self.header(first, at: SourcePlace(file: source.name, line: first.line))
      elements = elements.dropFirst()
    }
    self.header = header
    frames = try elements.map { element in
      let place = SourcePlace(file: source.name, line: element.line)
      return (place, try Self.decode(Frame.self, from: element, at: place))
    }
    guard !frames.isEmpty else { throw PoseSourceError.emptyTable(file: source.name) }
  }

  func times(keepsClock: Bool) throws -> [Double] {
    let origin = keepsClock ? 0 : frames.first?.frame.timestamp ?? 0
    var times: [Double] = []
    for (place, frame) in frames {
      let time = roundedToMicroseconds(frame.timestamp - origin)
      guard time > times.last ?? -.infinity else {
        throw place.unexpected(
          "timestamp", "\(frame.timestamp)",
          "a time at least a microsecond after the previous frame's; sort the frames")
      }
      times.append(time)
    }
    return times
  }

  func clockNote(keepsClock: Bool) -> String? {
    guard !keepsClock, let first = frames.first?.frame.timestamp, first != 0 else { return nil }
    return "times start at 0, which is \(first) s on the dump's clock"
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, from element: JSONObjects.Element, at place: SourcePlace
  ) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(element.bytes))
    } catch {
      let (path, found) = problem(of: error)
      throw place.unexpected(path, found, allowed(at: path))
    }
  }

  private static func header(
    _ element: JSONObjects.Element, at place: SourcePlace
  ) throws -> DumpHeader {
    let header = try decode(DumpHeader.self, from: element, at: place)
    let found = "\(header.format ?? "none") version \(header.version ?? version)"
    guard header.format == Frame.format, header.version ?? version == version else {
      throw place.unexpected("`format`", found, "\(Frame.format) version \(version)")
    }
    return header
  }

  private static func problem(of error: any Error) -> (path: String, found: String) {
    guard let error = error as? DecodingError else { return ("the object", "unreadable: \(error)") }
    switch error {
    case .keyNotFound(let key, let context): return (quoted(context.codingPath + [key]), "missing")
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      let cause = context.underlyingError.map { ": \($0)" } ?? ""
      return (quoted(context.codingPath), "unreadable (\(context.debugDescription)\(cause))")
    @unknown default: return ("the object", "unreadable: \(error)")
    }
  }

  private static func quoted(_ keys: [any CodingKey]) -> String {
    keys.isEmpty ? "the object" : "`\(keys.jsonPath)`"
  }

  private static func allowed(at path: String) -> String {
    let forms = [
      "the object": "valid JSON, one object per frame",
      "`timestamp": "seconds that increase from frame to frame",
    ].merging(Frame.allowedForms) { $1 }
    return forms.first { path.hasPrefix($0.key) }?.value
      ?? "a value as the format of the dump describes it"
  }
}

private struct DumpFormatProbe: Decodable {
  let format: String
}

struct DumpNumbers: Decodable {
  let values: [Double]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let columns = try? container.decode([[Double]].self) {
      values = columns.flatMap(\.self)
    } else {
      values = try container.decode([Double].self)
    }
  }

  /// The position: three numbers, or the last column of a 4x4 matrix in column-major order.
  var position: Vector3? {
    switch values.count {
    case 3: Vector3(values[0], values[1], values[2])
    case 16: Vector3(values[12], values[13], values[14])
    default: nil
    }
  }
}

struct DumpPoint: Decodable {
  let point: ImagePoint

  private enum Keys: String, CodingKey { case x, y }

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
        in: container, debugDescription: "found \(pair.count), but a point has 2 numbers")
    }
    point = ImagePoint(x: pair[0], y: pair[1])
  }
}

struct DumpJoint: Decodable {
  let position: DumpNumbers
  let pointInImage: DumpPoint?

  private enum Keys: String, CodingKey { case position, pointInImage }

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

struct DumpHeightEstimation: Decodable {
  let estimation: HeightEstimation

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let byNumber: [Int: HeightEstimation] = [0: .reference, 1: .measured]
    let number = try? container.decode(Int.self)
    let word = try? container.decode(String.self)
    guard let found = number.flatMap({ byNumber[$0] }) ?? word.flatMap(HeightEstimation.init) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "neither reference (0) nor measured (1)")
    }
    estimation = found
  }
}

struct Vision3DFrame: DumpedFrame {
  static let format = "vision3d-dump"
  static let allowedForms = [
    "`joints`": "an object of joints, or null where no pose was found",
    "`joints.": "three numbers, 16 in column-major order, or {\"position\": [...], "
      + "\"pointInImage\": [x, y]}",
    "`cameraOriginMatrix": "16 finite numbers in column-major order, or four columns of four",
    "`heightEstimation": "\"reference\" or \"measured\", or Vision's raw value 0 or 1",
    "`up": "three numbers",
  ]

  let timestamp: Double
  let joints: [String: DumpJoint]?
  let bodyHeight: Double?
  let heightEstimation: DumpHeightEstimation?
  let cameraOriginMatrix: DumpNumbers?
  let up: [Double]?
  let imageWidth: Int?
  let imageHeight: Int?

  private enum CodingKeys: String, CodingKey {
    case timestamp, joints, bodyHeight, heightEstimation, cameraOriginMatrix, up, imageWidth
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

extension Skeleton {
  /// The joint with a raw key of Vision or with a name of PlankLab.
  func joint(called name: String) -> Joint? {
    (joint(visionKey: name) ?? Joint(name: name)).flatMap { joints.contains($0) ? $0 : nil }
  }
}

struct VisionFrame {
  let place: SourcePlace
  let positions: [Joint: Vector3]
  let points: [Joint: ImagePoint]
  let matrix: CameraMatrix?
  let up: Vector3?
  let bodyHeight: Meters?
  let heightEstimation: HeightEstimation?
  let imageSize: (width: Int, height: Int)?

  init(_ frame: Vision3DFrame, at place: SourcePlace) throws {
    self.place = place
    positions = try Self.positions(frame.joints ?? [:], at: place)
    points = Self.points(frame.joints ?? [:])
    matrix = try Self.matrix(frame.cameraOriginMatrix, at: place)
    up = try Self.up(frame.up, at: place)
    bodyHeight = frame.bodyHeight.map(Meters.init)
    if let height = frame.bodyHeight, !(height > 0 && height.isFinite) {
      throw place.unexpected("bodyHeight", "\(height)", "meters above 0, or omit it")
    }
    heightEstimation = frame.heightEstimation?.estimation
    let width = try Self.pixels(frame.imageWidth, "imageWidth", in: place.description)
    let height = try Self.pixels(frame.imageHeight, "imageHeight", in: place.description)
    if let width, let height { imageSize = (width, height) } else { imageSize = nil }
  }

  static func pixels(_ number: Int?, _ field: String, in file: String) throws -> Int? {
    guard let number else { return nil }
    guard (1...1_000_000).contains(number) else {
      throw PoseSourceError.unexpectedValue(
        file: file, path: field, found: "\(number)", allowed: "1 to 1000000 pixels")
    }
    return number
  }

  private static func positions(
    _ joints: [String: DumpJoint], at place: SourcePlace
  ) throws -> [Joint: Vector3] {
    var positions: [Joint: Vector3] = [:]
    for (name, value) in joints.sorted(by: { $0.key < $1.key }) {
      guard let joint = Skeleton.vision3d.joint(called: name) else {
        throw place.unexpected(
          "the joint `\(name)`", "unknown",
          "a raw key such as human_left_elbow_3D or a name such as leftElbow")
      }
      guard let position = value.position.position else {
        throw place.unexpected(
          "joints.\(name)", CountText.of(value.position.values.count, "number"),
          "3, or 16 in column-major order")
      }
      guard position.isFinite, positions.updateValue(position, forKey: joint) == nil else {
        throw place.unexpected("joints.\(name)", "not finite or given twice", "each joint once")
      }
    }
    let missing = Skeleton.vision3d.joints.filter { positions[$0] == nil }
    guard missing.isEmpty || positions.isEmpty else {
      throw place.unexpected(
        "joints", "without \(missing.map(\.name).joined(separator: ", "))",
        "all 17 joints, or null where no pose was found")
    }
    return positions
  }

  private static func points(_ joints: [String: DumpJoint]) -> [Joint: ImagePoint] {
    var points: [Joint: ImagePoint] = [:]
    for (name, value) in joints {
      if let joint = Skeleton.vision3d.joint(called: name) {
        points[joint] = value.pointInImage?.point
      }
    }
    return points
  }

  private static func matrix(
    _ numbers: DumpNumbers?, at place: SourcePlace
  ) throws -> CameraMatrix? {
    guard let numbers else { return nil }
    guard let matrix = CameraMatrix(columnMajor: numbers.values) else {
      throw place.unexpected(
        "cameraOriginMatrix", CountText.of(numbers.values.count, "number"),
        "16 finite ones in column-major order")
    }
    guard matrix.turnsRigidly else {
      let off = matrix.rotation.orthonormalityError
      throw place.unexpected(
        "cameraOriginMatrix", "off a rotation by \(off), or a reflection",
        "the matrix by columns, with the translation in the last four numbers")
    }
    return matrix
  }

  private static func up(_ numbers: [Double]?, at place: SourcePlace) throws -> Vector3? {
    guard let numbers else { return nil }
    let up = numbers.count == 3 ? Vector3(numbers[0], numbers[1], numbers[2]) : nil
    guard let up, UpDirection.acceptedNorms ~= up.norm else {
      throw place.unexpected("up", "\(numbers)", "three numbers, a vector of length 1")
    }
    return up / up.norm
  }
}
