import Yams

/// A YAML text as a tree of nodes that know their lines.
///
/// A text has one document; aliases are resolved, merge keys (`<<`) are not supported, and keys are
/// plain texts that must not repeat.
package struct YAMLDocument: Hashable, Sendable {
  /// The root of the tree; null for an empty text.
  package let root: YAMLNode

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: the YAML text; a byte-order mark at its start is skipped.
  ///   - file: the text's name in errors.
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

/// Converts Yams' nodes into our own, so that no type of Yams leaves this module.
///
/// Yams compares keys by their whole content, so a key that is an alias of aliases can take
/// forever. So it never sees an alias: the asterisk of each is replaced by a character that does
/// not occur in the text, which makes it the start of a plain scalar, and aliases are resolved
/// here, where nodes are counted.
struct YAMLTreeBuilder {
  /// The most nodes of a document whose text has no more bytes than that.
  static let nodeLimit = 1_000_000
  /// The deepest nesting of lists and maps, including those from aliases.
  static let depthLimit = 200

  private let file: String
  /// The most nodes of the document once its aliases are resolved: as many as its text has bytes,
  /// but at least ``nodeLimit``.
  ///
  /// Otherwise ten nested aliases of ten elements would fill all memory from one kilobyte. Values
  /// that are written out take up bytes, so a large manifest may have as many as it needs.
  private let mostNodes: Int
  /// Replaces the asterisk; nil if the text has none.
  private let asterisk: Unicode.Scalar?
  /// Kept because the parser, not the nodes, has the names of the anchors.
  private var parser: Parser?
  /// The values of names so far; a name may be used again.
  private var anchors: [String: Node] = [:]
  /// The value of each alias, by its line and column: the same wherever it is copied to.
  private var aliased: [SIMD2<Int>: Node] = [:]
  /// Whether the value of an alias is being converted; its names are already known.
  private var isCopy = false
  private var nodes = 0
  private var depth = 0

  /// The tree of a text.
  static func tree(of text: String, file: String) throws(YAMLError) -> YAMLNode {
    let scalars = text.unicodeScalars
    let body = scalars.first == "\u{FEFF}" ? String(scalars.dropFirst()) : text
    var builder = YAMLTreeBuilder(file: file, text: body)
    guard let root = try builder.compose(JSONEscapes.joined(body)) else {
      return YAMLNode(
        content: .scalar(text: "", isPlain: true), file: file, line: 1, field: "")
    }
    return try builder.convert(root, field: "")
  }

  private init(file: String, text: String) {
    self.file = file
    mostNodes = max(Self.nodeLimit, text.utf8.count)
    let used = Set(text.unicodeScalars)
    // Of 6,400 characters without a meaning, one is free unless the text consists of them.
    asterisk =
      used.contains("*")
      ? (0xE000...0xF8FF).lazy.compactMap(Unicode.Scalar.init).first { !used.contains($0) }
      : nil
  }

  private mutating func compose(_ text: String) throws(YAMLError) -> Node? {
    do {
      let parser = try Parser(yaml: replacing("*", asterisk, in: text), encoding: .utf8)
      self.parser = parser
      return try parser.singleRoot()
    } catch let problem as YamlError {
      throw translated(problem)
    } catch {
      throw syntaxError(line: nil, problem: String(describing: error))
    }
  }

  private mutating func convert(_ node: Node, field: String) throws(YAMLError) -> YAMLNode {
    if case .scalar(let scalar) = node, let name = try aliasName(scalar) {
      return try resolved(name, at: scalar.mark, field: field)
    }
    nodes += 1
    depth += 1
    let line = node.mark?.line ?? 1
    guard nodes <= mostNodes, depth <= Self.depthLimit else {
      let found =
        depth > Self.depthLimit
        ? "more than \(Self.depthLimit) lists and maps in one another"
        : "more than \(mostNodes) values"
      throw YAMLError(
        file: file, line: line, found: found, allowed: "fewer",
        remedy: "split the file, or use fewer aliases")
    }
    let result = YAMLNode(
      content: try content(of: node, field: field), file: file, line: line, field: field)
    depth -= 1
    if let anchor = node.anchor, !isCopy { anchors[anchor.rawValue] = node }
    return result
  }

  /// The name behind the asterisk of an alias; nil for any other value.
  private func aliasName(_ scalar: Node.Scalar) throws(YAMLError) -> String? {
    guard let asterisk, scalar.style == .plain, scalar.string.unicodeScalars.first == asterisk
    else { return nil }
    let name = String(scalar.string.unicodeScalars.dropFirst())
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else {
      throw syntaxError(
        line: scalar.mark?.line, problem: "a value that begins with an asterisk and is no alias")
    }
    return name
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-".utf8.contains(byte)
  }

  /// The value of an alias, as a field of its own.
  private mutating func resolved(
    _ name: String, at mark: Mark?, field: String
  ) throws(YAMLError) -> YAMLNode {
    let place = SIMD2(mark?.line ?? 0, mark?.column ?? 0)
    guard let node = aliased[place] ?? anchors[name] else {
      throw syntaxError(line: mark?.line, problem: "the alias `*\(name)` of no value above it")
    }
    aliased[place] = node
    let wasCopy = isCopy
    isCopy = true
    defer { isCopy = wasCopy }
    return try convert(node, field: field)
  }

  private mutating func content(of node: Node, field: String) throws(YAMLError)
    -> YAMLNode.Content
  {
    switch node {
    case .scalar(let scalar):
      return .scalar(text: restored(scalar.string), isPlain: scalar.style == .plain)
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

  /// A text as originally written.
  private func restored(_ text: String) -> String { replacing(asterisk, "*", in: text) }

  /// A text with one character replaced by another; unchanged if there is none.
  private func replacing(
    _ old: Unicode.Scalar?, _ new: Unicode.Scalar?, in text: String
  ) -> String {
    guard asterisk != nil, let old, let new else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(scalar == old ? new : scalar) }
    return String(scalars)
  }

  private mutating func entries(of mapping: Node.Mapping, field: String) throws(YAMLError)
    -> [YAMLEntry]
  {
    var entries: [YAMLEntry] = []
    var seen: Set<String> = []
    for (keyNode, valueNode) in mapping {
      let line = keyNode.mark?.line ?? 1
      guard case .scalar(let key, _) = try convert(keyNode, field: field).content else {
        throw syntaxError(line: line, problem: "a key that is a list or a map")
      }
      guard seen.insert(key).inserted else { throw repeatedKeys([key], line: line) }
      let path = field.isEmpty ? key : "\(field).\(key)"
      entries.append(
        YAMLEntry(key: key, line: line, value: try convert(valueNode, field: path)))
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
      return repeatedKeys(keys.map(restored), line: context.mark.line)
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
      file: file, line: line, problem: "the YAML cannot be read: \(problem)",
      remedy: "check indentation, quotes and colons there")
  }
}

/// The differences between JSON and YAML, of which JSON is nearly a subset.
enum JSONEscapes {
  /// A JSON text in which characters beyond U+FFFF, which JSON may write as two UTF-16 escapes, are
  /// written as themselves; a text that is not a JSON object is returned unchanged.
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
        // An escape of two or more bytes: its second byte does not start another.
        result += bytes[index..<min(index + 2, bytes.count)]
        index += 2
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The code unit of an escape such as `\u00e9`.
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
