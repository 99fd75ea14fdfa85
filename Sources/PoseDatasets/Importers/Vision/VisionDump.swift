import Foundation
import PoseModel

protocol DumpedFrame: Decodable {
  static var format: String { get }
  /// What is allowed at the paths that start with a text, where the format has fields of its own.
  static var allowedForms: [String: String] { get }
  var timestamp: Double { get }
}

/// What applies to all frames of a dump; its first object, if that has a `format`.
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
    guard !frames.isEmpty else { throw PoseSourceError.emptyTable(file: source.name) }
    self.frames = frames
  }

  /// In whole microseconds, from 0 unless the dump's own clock is kept; throws unless they
  /// increase.
  func times(keepsClock: Bool) throws -> [Double] {
    let origin = keepsClock ? 0 : frames.first?.frame.timestamp ?? 0
    var times: [Double] = []
    for (place, frame) in frames {
      let time = roundedToMicroseconds(frame.timestamp - origin)
      guard time > times.last ?? -.infinity else {
        throw PoseSourceError.unexpectedValue(
          file: place.description, path: "timestamp", found: "\(frame.timestamp)",
          allowed: "a time at least a microsecond after the previous frame's: sort the frames")
      }
      times.append(time)
    }
    return times
  }

  func clockNote(keepsClock: Bool) -> String? {
    guard !keepsClock, let first = frames.first?.frame.timestamp, first != 0 else { return nil }
    return "times start at 0: the dump's clock showed \(first) s at the first frame"
  }
}

extension VisionDump {
  private static func decode<Value: Decodable>(
    _ type: Value.Type, from element: JSONObjects.Element, at place: SourcePlace
  ) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(element.bytes))
    } catch {
      let (path, found) = problem(of: error)
      throw PoseSourceError.unexpectedValue(
        file: place.description, path: path, found: found, allowed: allowed(at: path))
    }
  }

  private static func isHeader(_ element: JSONObjects.Element) -> Bool {
    (try? JSONDecoder().decode(DumpFormatProbe.self, from: Data(element.bytes))) != nil
  }

  private static func header(
    _ element: JSONObjects.Element, at place: SourcePlace
  ) throws -> DumpHeader {
    let header = try decode(DumpHeader.self, from: element, at: place)
    let found = "\(header.format ?? "none") version \(header.version ?? version)"
    guard header.format == Frame.format, header.version ?? version == version else {
      throw PoseSourceError.unexpectedValue(
        file: place.description, path: "`format`", found: found,
        allowed: "\(Frame.format) version \(version)")
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

  /// The translation: three numbers, or the last column of 16 in column-major order.
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
        in: container, debugDescription: "found \(pair.count), but a point has 2 numbers")
    }
    point = ImagePoint(x: pair[0], y: pair[1])
  }
}

struct DumpJoint: Decodable {
  let position: DumpNumbers
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

struct DumpHeightEstimation: Decodable {
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
