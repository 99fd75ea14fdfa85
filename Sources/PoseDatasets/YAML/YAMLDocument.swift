import Yams

/// A YAML text as a tree of nodes that know their lines.
///
/// One document a text; aliases are resolved, merge keys (`<<`) are not known, keys are plain
/// texts and may not repeat.
package struct YAMLDocument: Hashable, Sendable {
  /// The root of the tree; null for an empty text.
  package let root: YAMLNode

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: the YAML text; a byte-order mark at its start is skipped.
  ///   - file: how errors name the text.
  package init(text: String, file: String) throws(YAMLError) {
    root = try YAMLTreeBuilder.tree(of: text, file: file)
  }

  /// Reads bytes, which must be UTF-8.
  package init(bytes: [UInt8], file: String) throws(YAMLError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw YAMLError(
        file: file, line: Self.firstInvalidLine(bytes), found: "bytes that are not UTF-8",
        allowed: "UTF-8 text", remedy: "save the file as UTF-8")
    }
    try self.init(text: text, file: file)
  }

  /// The line of the first byte that is not UTF-8.
  private static func firstInvalidLine(_ bytes: [UInt8]) -> Int? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
  }
}

/// A YAML text that cannot be used: where, what was found, what is allowed, what to do.
package struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file as it was named by the caller.
  package let file: String
  /// The line, from 1; nil where the problem has no line.
  package let line: Int?
  /// The field concerned, such as `sequences[2].starts`; empty for the document as a whole.
  package let field: String
  /// What was found.
  package let found: String
  /// What is allowed.
  package let allowed: String
  /// What to do about it.
  package let remedy: String

  /// Makes an error.
  package init(
    file: String, line: Int?, field: String = "", found: String, allowed: String, remedy: String
  ) {
    self.file = file
    self.line = line
    self.field = field
    self.found = found
    self.allowed = allowed
    self.remedy = remedy
  }

  /// The problem without its place and remedy.
  package var message: String {
    (field.isEmpty ? "" : "`\(field)`: ") + "found \(found); allowed: \(allowed)"
  }

  /// Place, problem and remedy.
  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(message); \(remedy)"
  }
}

/// Turns what Yams reads into our nodes, so that no type of Yams leaves this module.
struct YAMLTreeBuilder {
  /// The most nodes that a document may have once its aliases are resolved.
  ///
  /// Ten nested aliases of ten elements would otherwise fill all memory from one kilobyte.
  static let nodeLimit = 1_000_000

  private let file: String
  private var nodes = 0

  /// The tree of a text.
  static func tree(of text: String, file: String) throws(YAMLError) -> YAMLNode {
    let scalars = text.unicodeScalars
    let body = scalars.first == "\u{FEFF}" ? String(scalars.dropFirst()) : text
    var builder = YAMLTreeBuilder(file: file)
    guard let root = try builder.compose(JSONEscapes.joined(body)) else {
      return YAMLNode(
        content: .scalar(text: "", isPlain: true), file: file, line: 1, field: "")
    }
    return try builder.convert(root, field: "")
  }

  private init(file: String) { self.file = file }

  private func compose(_ text: String) throws(YAMLError) -> Node? {
    do {
      return try Parser(yaml: text, encoding: .utf8).singleRoot()
    } catch let problem as YamlError {
      throw translated(problem)
    } catch {
      throw syntaxError(line: nil, problem: String(describing: error))
    }
  }

  private mutating func convert(_ node: Node, field: String) throws(YAMLError) -> YAMLNode {
    nodes += 1
    let line = node.mark?.line ?? 1
    guard nodes <= Self.nodeLimit else {
      throw YAMLError(
        file: file, line: line, found: "more than \(Self.nodeLimit) values",
        allowed: "fewer", remedy: "split the file, or use fewer aliases")
    }
    return YAMLNode(
      content: try content(of: node, field: field), file: file, line: line, field: field)
  }

  private mutating func content(of node: Node, field: String) throws(YAMLError)
    -> YAMLNode.Content
  {
    switch node {
    case .scalar(let scalar):
      return .scalar(text: scalar.string, isPlain: scalar.style == .plain)
    case .sequence(let sequence):
      var elements: [YAMLNode] = []
      for (index, element) in sequence.enumerated() {
        elements.append(try convert(element, field: "\(field)[\(index)]"))
      }
      return .sequence(elements)
    case .mapping(let mapping):
      return .mapping(try entries(of: mapping, field: field))
    case .alias(let alias):
      throw syntaxError(line: alias.mark?.line, problem: "an alias that is not resolved")
    }
  }

  private mutating func entries(of mapping: Node.Mapping, field: String) throws(YAMLError)
    -> [YAMLEntry]
  {
    var entries: [YAMLEntry] = []
    var seen: Set<String> = []
    for (keyNode, valueNode) in mapping {
      let line = keyNode.mark?.line ?? 1
      guard case .scalar(let key) = keyNode else {
        throw syntaxError(line: line, problem: "a key that is a list or a map")
      }
      guard seen.insert(key.string).inserted else {
        throw repeatedKeys([key.string], line: line)
      }
      let path = field.isEmpty ? key.string : "\(field).\(key.string)"
      entries.append(
        YAMLEntry(key: key.string, line: line, value: try convert(valueNode, field: path)))
    }
    return entries
  }

  private func translated(_ error: YamlError) -> YAMLError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      return syntaxError(line: mark.line, problem: problem)
    case .reader(let problem, let offset, _, let text):
      let line = offset.map { text.prefix($0).count { $0.isNewline } + 1 }
      return syntaxError(line: line, problem: problem)
    case .duplicatedKeysInMapping(let keys, let context):
      return repeatedKeys(keys, line: context.mark.line)
    default:
      return syntaxError(line: nil, problem: String(describing: error))
    }
  }

  private func repeatedKeys(_ keys: [String], line: Int) -> YAMLError {
    let names = keys.map { "`\($0)`" }.joined(separator: ", ")
    return YAMLError(
      file: file, line: line, found: "\(names) more than once in one map",
      allowed: "each key once", remedy: "remove or rename the repeated key")
  }

  private func syntaxError(line: Int?, problem: String) -> YAMLError {
    YAMLError(
      file: file, line: line, found: "no readable YAML (\(problem))", allowed: "YAML 1.1",
      remedy: "check indentation, quotes and colons there")
  }
}

/// What JSON writes otherwise than YAML, of which it is nearly a part.
enum JSONEscapes {
  /// A JSON text whose characters beyond U+FFFF, which JSON may write as two escapes of UTF-16, stand
  /// as themselves; a text that is no JSON object comes back as it is.
  ///
  /// - Complexity: O(bytes).
  static func joined(_ text: String) -> String {
    guard text.utf8.first(where: { !isSpace($0) }) == UInt8(ascii: "{"), text.contains("\\u") else {
      return text
    }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] != UInt8(ascii: "\\") {
        result.append(bytes[index])
        index += 1
      } else if let high = unit(bytes, index), let low = unit(bytes, index + escapeLength),
        UTF16.isLeadSurrogate(high), UTF16.isTrailSurrogate(low)
      {
        result += String(decoding: [high, low], as: UTF16.self).utf8
        index += 2 * escapeLength
      } else {
        // An escape of two bytes or more: its second byte begins none.
        result += bytes[index..<min(index + 2, bytes.count)]
        index += 2
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The unit that an escape such as `\u00e9` stands for.
  private static func unit(_ bytes: [UInt8], _ start: Int) -> UInt16? {
    guard start + escapeLength <= bytes.count, bytes[start] == UInt8(ascii: "\\"),
      bytes[start + 1] == UInt8(ascii: "u")
    else { return nil }
    return UInt16(
      String(decoding: bytes[(start + 2)..<(start + escapeLength)], as: UTF8.self), radix: 16)
  }

  private static let escapeLength = 6

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
