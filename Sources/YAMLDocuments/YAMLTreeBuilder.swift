import Yams

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
