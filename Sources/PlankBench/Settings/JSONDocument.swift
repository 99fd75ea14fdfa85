internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import PoseRecording
internal import Reports

/// Checks a text against the grammar (RFC 8259) before it is decoded, to know the line of each
/// field.
///
/// `JSONDecoder` reports the field of a mistake but not its line, silently keeps one of two equal
/// keys, and accepts a trailing comma.
struct JSONDocument {
  let places: SettingPlaces
  let keys: [String]
  private let text: String

  init(_ text: String, file: String) throws(FieldError) {
    let scalars = text.unicodeScalars
    let body = scalars.first == "\u{FEFF}" ? String(scalars.dropFirst()) : text
    let root = try JSONNode(body, file: file)
    var lines: [String: Int] = [:]
    root.addLines("", to: &lines)
    places = SettingPlaces(file: file, lines: lines)
    if case .object(let keys, _) = root.content { self.keys = keys } else { keys = [] }
    self.text = body
  }

  func rejectUnknownKeys(known: [String]) throws(FieldError) {
    guard let key = keys.first(where: { !known.contains($0) }) else { return }
    throw placed(.unknownKey(key, known: known))
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws(FieldError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch let error as FieldError {
      throw placed(error)
    } catch let error as DecodingError {
      throw placed(FieldError(error))
    } catch { throw placed(FieldError(field: "", problem: "\(error)")) }
  }

  private func placed(_ error: FieldError) -> FieldError {
    error.placed(in: places.file, line: places.line(of: error.field))
  }
}

extension FieldError {
  init(field: String, problem: String, remedy: String = "") {
    self.init(file: "", line: nil, field: field, problem: problem, remedy: remedy)
  }

  init(_ path: [any CodingKey], found: String, allowed: String, remedy: String) {
    self.init(
      file: "", line: nil, field: Self.field(path), found: found, allowed: allowed, remedy: remedy)
  }

  fileprivate static func unknownKey(_ key: String, known: [String]) -> FieldError {
    FieldError(
      file: "", line: nil, field: key, found: "the key `\(key)`",
      allowed: known.joined(separator: ", "),
      remedy: NearestNames.hint(key, among: known) + "correct or remove the key")
  }

  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      self.init(
        context.codingPath, found: "no `\(key.stringValue)`",
        allowed: "an object with `\(key.stringValue)`", remedy: "add `\(key.stringValue)`")
    case .valueNotFound(let type, let context):
      self.init(
        context.codingPath, found: "nothing", allowed: Self.name(of: type), remedy: "add the value")
    case .typeMismatch(let type, let context):
      let allowed = Self.name(of: type)
      self.init(
        context.codingPath, found: "another kind of value", allowed: allowed,
        remedy: "write \(allowed) there")
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      // The grammar is valid, so a number must be out of range; the decoder does not say which one.
      self.init(
        field: "", problem: "a number is out of range",
        remedy: "write counts as whole numbers")
    case .dataCorrupted(let context):
      self.init(
        field: Self.field(context.codingPath), problem: Self.shortened(context.debugDescription))
    @unknown default:
      self.init(field: "", problem: "\(error)")
    }
  }

  private static func shortened(_ text: String) -> String {
    text.count > 300 ? text.prefix(300) + " ..." : text
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text in double quotes"
    case is Bool.Type: "true or false"
    case is Double.Type: "a number"
    case is Int.Type: "a whole number"
    default: "\(type)".hasPrefix("Array") ? "a list" : "an object"
    }
  }

  static func field(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { field, key in
      if let index = key.intValue {
        field += "[\(index)]"
      } else {
        field += (field.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}

extension KeyedDecodingContainer {
  func wholeNumber(forKey key: Key) throws -> Int {
    let number = try decode(Double.self, forKey: key)
    guard let whole = Int(exactly: number) else {
      throw FieldError(
        codingPath + [key], found: NumberText.shortest(number), allowed: "a whole number",
        remedy: "write a whole number such as 30")
    }
    return whole
  }

  func checkFormat(
    _ format: (key: Key, word: String), _ version: (key: Key, number: Int), remedy: String
  ) throws {
    let word = try decode(String.self, forKey: format.key)
    guard word == format.word else {
      throw FieldError(
        codingPath + [format.key], found: "`\(word)`", allowed: format.word,
        remedy: "give a file of this format")
    }
    let number = try wholeNumber(forKey: version.key)
    guard number == version.number else {
      throw FieldError(
        codingPath + [version.key], found: "\(number)", allowed: "\(version.number)",
        remedy: remedy)
    }
  }
}

extension JSONNode {
  fileprivate func addLines(_ field: String, to lines: inout [String: Int]) {
    lines[field] = line
    switch content {
    case .object(let keys, let values):
      for (key, value) in zip(keys, values) {
        value.addLines(field.isEmpty ? key : "\(field).\(key)", to: &lines)
      }
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        element.addLines("\(field)[\(index)]", to: &lines)
      }
    default: break
    }
  }
}
