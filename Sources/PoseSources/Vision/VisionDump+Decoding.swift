import Foundation

extension VisionDump {
  /// Decodes one object and names its place in errors.
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

  /// Whether an object is a header: it names a format.
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
      return (path(context.codingPath + [key]), "missing")
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      let cause = context.underlyingError.map { ": \($0)" } ?? ""
      return (path(context.codingPath), "unreadable (\(context.debugDescription)\(cause))")
    @unknown default:
      return ("the object", "unreadable: \(error)")
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    let path = keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
    return path.isEmpty ? "the object" : "`\(path.joined().drop { $0 == "." })`"
  }

  private static func allowed(at path: String) -> String {
    let forms = [
      "the object": "valid JSON, one object a frame",
      "`timestamp": "seconds that grow from frame to frame",
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
