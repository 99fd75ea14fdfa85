import CSimdjson
@_spi(Bench) import PoseModel
@_spi(Bench) import PoseRecording

/// The single parser of a reader: it turns lines of JSON into frames or objects.
///
/// Its memory is reused from line to line.
final class JSONLineParser {
  /// How many bytes after a line must be readable.
  static let padding = csimdjson_padding()

  private let parser: OpaquePointer

  /// Makes a parser, or returns nil if there is no memory.
  init?() {
    guard let parser = csimdjson_parser_make() else { return nil }
    self.parser = parser
  }

  deinit { csimdjson_parser_free(parser) }

  /// Reads a line as a frame.
  ///
  /// - Returns: nil if the line is valid.
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
  /// - Returns: nil if the line is valid.
  func readObject(_ line: UnsafeRawBufferPointer) -> csimdjson_problem? {
    var problem = csimdjson_problem()
    let bytes = line.assumingMemoryBound(to: UInt8.self)
    let code = csimdjson_read_object(parser, bytes.baseAddress, bytes.count, &problem)
    return code == CSIMDJSON_OK ? nil : problem
  }

  /// The members of the last object, by key.
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

extension JSONValue {
  /// A value from the parser; lists in lists come as empty lists.
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
}

extension String {
  /// A copy of a text from the parser, which has checked that it is UTF-8.
  init(_ text: csimdjson_text) {
    let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.length)
    self = String(decoding: bytes, as: UTF8.self)
  }
}

extension RecordingProblem {
  /// The problem that the parser found in a line.
  ///
  /// - Parameter layout: the joints of a frame; nil for the header line.
  init(_ problem: csimdjson_problem, layout: JointLayout?) {
    let field = String(problem.field)
    let element = problem.index < 0 ? nil : Int(problem.index)
    let joints = layout?.joints ?? []
    switch problem.code {
    case CSIMDJSON_INVALID_UTF8: self = .notUTF8
    case CSIMDJSON_NOT_AN_OBJECT: self = .notAnObject
    case CSIMDJSON_REPEATED_KEY: self = .repeatedKey(field)
    case CSIMDJSON_MISSING_FIELD: self = .missingField(field)
    case CSIMDJSON_WRONG_TYPE:
      self = .wrongType(
        field: field, element: element, found: Self.name(of: problem.kind),
        allowed: Self.allowed(field, layout: layout))
    case CSIMDJSON_NOT_FINITE:
      let joint = (element ?? 0) / (field == "p" ? layout?.dimension ?? 1 : 1)
      self = .notFinite(field: field, joint: joint < joints.count ? joints[joint].name : "?")
    case CSIMDJSON_WRONG_COUNT:
      self = .wrongCount(
        field: field, found: Int(problem.found), allowed: Self.allowed(field, layout: layout))
    case CSIMDJSON_PARTLY_NULL:
      let joint = element ?? 0
      self = .partlyNull(joint: joint < joints.count ? joints[joint].name : "?")
    default: self = .notJSON(Self.fault(problem.code))
    }
  }

  private static func fault(_ code: csimdjson_code) -> JSONFault {
    switch code {
    case CSIMDJSON_INVALID_NUMBER: .number
    case CSIMDJSON_INVALID_LITERAL: .literal
    case CSIMDJSON_INVALID_STRING: .string
    case CSIMDJSON_INCOMPLETE: .incomplete
    case CSIMDJSON_TOO_DEEP: .tooDeep
    default: .structure
    }
  }

  private static func name(of kind: csimdjson_kind) -> String {
    switch kind {
    case CSIMDJSON_BOOLEAN: "a Boolean value"
    case CSIMDJSON_NUMBER: "a number"
    case CSIMDJSON_STRING: "text"
    case CSIMDJSON_ARRAY: "a list"
    case CSIMDJSON_OBJECT: "an object"
    default: "null"
    }
  }
}
