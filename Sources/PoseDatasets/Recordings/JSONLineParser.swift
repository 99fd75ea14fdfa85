import CSimdjson

/// The one parser of a reader: lines of JSON into frames or objects.
///
/// Its memory is reused from line to line.
final class JSONLineParser {
  /// How many bytes behind a line must be readable.
  static let padding = csimdjson_padding()

  private let parser: OpaquePointer

  /// Makes a parser, or nil if there is no memory.
  init?() {
    guard let parser = csimdjson_parser_make() else { return nil }
    self.parser = parser
  }

  deinit { csimdjson_parser_free(parser) }

  /// Reads a line as a frame.
  ///
  /// - Returns: nil if all is well.
  func readFrame(
    _ line: UnsafeRawBufferPointer, into frame: inout csimdjson_frame
  ) -> csimdjson_problem? {
    var problem = csimdjson_problem()
    let bytes = line.assumingMemoryBound(to: UInt8.self)
    let code = csimdjson_read_frame(parser, bytes.baseAddress, bytes.count, &frame, &problem)
    return code == CSIMDJSON_OK ? nil : problem
  }

  /// Reads a line as an object of any fields.
  ///
  /// - Returns: nil if all is well.
  func readObject(_ line: UnsafeRawBufferPointer) -> csimdjson_problem? {
    var problem = csimdjson_problem()
    let bytes = line.assumingMemoryBound(to: UInt8.self)
    let code = csimdjson_read_object(parser, bytes.baseAddress, bytes.count, &problem)
    return code == CSIMDJSON_OK ? nil : problem
  }

  /// The members of the object that was read last, by key.
  func members() -> [String: JSONValue] {
    var result: [String: JSONValue] = [:]
    for index in 0..<csimdjson_member_count(parser) {
      var key = csimdjson_text()
      let value = csimdjson_member(parser, index, &key)
      result[String(key)] = JSONValue(value, elements: elements(of: value, at: index))
    }
    return result
  }

  private func elements(of value: csimdjson_value, at index: Int) -> [JSONValue] {
    guard value.kind == CSIMDJSON_ARRAY else { return [] }
    return [csimdjson_value](unsafeUninitializedCapacity: value.count) { buffer, count in
      csimdjson_member_elements(parser, index, buffer.baseAddress)
      count = value.count
    }.map { JSONValue($0, elements: []) }
  }
}

/// A value of the header line; lists in lists come as empty lists, objects without members.
enum JSONValue: Hashable {
  case null
  case boolean(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object

  fileprivate init(_ value: csimdjson_value, elements: [JSONValue]) {
    switch value.kind {
    case CSIMDJSON_BOOLEAN: self = .boolean(value.number != 0)
    case CSIMDJSON_NUMBER: self = .number(value.number)
    case CSIMDJSON_STRING: self = .text(String(value.text))
    case CSIMDJSON_ARRAY: self = .list(elements)
    case CSIMDJSON_OBJECT: self = .object
    default: self = .null
    }
  }

  /// What the value is, for messages.
  var summary: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    case .text(let value): "\"\(value.prefix(80))\""
    case .list: "a list"
    case .object: "an object"
    }
  }
}

extension String {
  /// A copy of a text that the parser handed out; it has been checked to be UTF-8.
  init(_ text: csimdjson_text) {
    let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.length)
    self = String(decoding: bytes, as: UTF8.self)
  }
}

/// Why a line is not JSON.
package enum JSONFault: String, Hashable, Sendable {
  /// A number that JSON does not know, or one too large for a `Double`.
  case number = "a number that is malformed or out of range"
  /// A bare word other than true, false and null: NaN, for example.
  case literal = "a word other than true, false and null"
  /// A string with bad escapes or control characters.
  case string = "a string with a bad escape or a raw control character"
  /// A string, list or object that does not end.
  case incomplete = "a string, list or object that does not end"
  /// More than 1,024 lists in one another.
  case tooDeep = "more than 1,024 levels of nesting"
  /// Anything else.
  case structure = "no readable JSON"

  /// What to do about it.
  var remedy: String {
    switch self {
    case .number: "write finite decimal numbers, and null three times for a missing 3D joint"
    case .literal: "write null where a value is missing; JSON has no NaN"
    case .string: "escape quotes, backslashes and control characters"
    case .incomplete, .tooDeep, .structure: "write one JSON object a line"
    }
  }

  /// The fault of a line, told more exactly than the parser does.
  ///
  /// Words that begin with a capital letter are no literals to it.
  func refined(for line: UnsafeRawBufferPointer) -> JSONFault {
    guard self == .structure else { return self }
    let text = String(decoding: line, as: UTF8.self)
    return ["NaN", "Infinity"].contains { text.contains($0) } ? .literal : self
  }
}
