import PoseModel
import PoseRecording

/// The path to a field of a frame, such as `joints.left_hip.x`, `landmarks[11]` or
/// `rows[joint=left_hip]`.
///
/// Keys are separated by dots. `[n]` is an element of a list, counted from 0; `[key=text]` is the
/// first element whose field `key` has the value `text`. A key with a dot, a bracket or a quote is
/// in double quotes, as in JSON. The empty path is the frame itself.
package struct FieldPath: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    case key(String)
    case element(Int)
    case match(key: String, text: String)
  }

  package var steps: [Step]

  var parent: FieldPath { FieldPath(steps.dropLast()) }
  var yaml: String { TableMap.scalar(text) }

  var lastKey: String { steps.reversed().lazy.compactMap(\.name).first ?? "" }

  package init(_ steps: [Step] = []) { self.steps = steps }

  package func appending(_ step: Step) -> FieldPath { FieldPath(steps + [step]) }

  package init?(_ text: String) {
    var scanner = PathScanner(rest: Array(text.unicodeScalars)[...])
    guard let steps = scanner.steps() else { return nil }
    self.steps = steps
  }

  package var text: String {
    var text = ""
    for step in steps {
      switch step {
      case .key(let key): text += (text.isEmpty ? "" : ".") + Self.quoted(key)
      case .element(let index): text += "[\(index)]"
      case .match(let key, let value): text += "[\(Self.quoted(key))=\(Self.quoted(value))]"
      }
    }
    return text
  }

  private static func quoted(_ key: String) -> String {
    let special: (Unicode.Scalar) -> Bool = { ".[]=\"\\".unicodeScalars.contains($0) || $0 < " " }
    guard key.isEmpty || key.unicodeScalars.contains(where: special) else { return key }
    return String(quoting: key)
  }
}

extension FieldPath.Step {
  var name: String? { if case .key(let key) = self { key } else { nil } }
}

private struct PathScanner {
  var rest: ArraySlice<Unicode.Scalar>

  mutating func steps() -> [FieldPath.Step]? {
    var steps: [FieldPath.Step] = []
    while let scalar = rest.first {
      if scalar == "[" {
        guard let step = bracket() else { return nil }
        steps.append(step)
        continue
      }
      if !steps.isEmpty {
        guard scalar == "." else { return nil }
        rest = rest.dropFirst()
      }
      guard let key = word(until: ".[") else { return nil }
      steps.append(.key(key))
    }
    return steps
  }

  private mutating func bracket() -> FieldPath.Step? {
    rest = rest.dropFirst()
    guard let first = word(until: "=]"), let end = rest.popFirst() else { return nil }
    if end == "]" {
      guard let index = Int(first), index >= 0 else { return nil }
      return .element(index)
    }
    guard let text = word(until: "]"), rest.popFirst() == "]" else { return nil }
    return .match(key: first, text: text)
  }

  private mutating func word(until marks: String) -> String? {
    guard rest.first == "\"" else {
      let word = rest.prefix { !marks.unicodeScalars.contains($0) && $0 != "]" && $0 != "\"" }
      rest = rest[word.endIndex...]
      return word.isEmpty ? nil : String(String.UnicodeScalarView(word))
    }
    var end = rest.startIndex + 1
    while end < rest.endIndex, rest[end] != "\"" { end += rest[end] == "\\" ? 2 : 1 }
    guard end < rest.endIndex else { return nil }
    let text = String(String.UnicodeScalarView(rest[...end]))
    rest = rest[(end + 1)...]
    return (try? JSONNode(text, file: ""))?.ownText
  }
}

/// Reads a field from frame after frame and remembers where it found keys, because most frames have
/// the same keys.
struct FieldReader {
  let path: FieldPath
  private var hints: [Int]

  init(_ path: FieldPath) {
    self.path = path
    hints = Array(repeating: 0, count: path.steps.count)
  }

  mutating func field(of frame: JSONNode) -> JSONNode? {
    var node = frame
    for (position, step) in path.steps.enumerated() {
      let found: JSONNode? =
        switch step {
        case .key(let key): node.member(key, hint: &hints[position])
        case .element(let index): node.element(index)
        case .match(let key, let text): node.element(key, text)
        }
      guard let found else { return nil }
      node = found
    }
    return node
  }
}

extension FieldPath {
  func fields(of frames: some Sequence<JSONNode>) -> [JSONNode?] {
    var reader = FieldReader(self)
    return frames.map { reader.field(of: $0) }
  }

  func nodes(in frames: some Sequence<JSONNode>) -> [JSONNode] {
    fields(of: frames).compactMap(\.self)
  }

  func node(in frame: JSONNode) -> JSONNode? { nodes(in: CollectionOfOne(frame)).first }
}

extension JSONNode {
  var isEmpty: Bool {
    switch content {
    case .null: true
    case .text(let text): text.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
    default: false
    }
  }

  var number: Double? {
    switch content {
    case .number(let number): number
    case .text(let text):
      Double(decimal: text) ?? (Self.notFinite.contains(text.lowercased()) ? .nan : nil)
    default: nil
    }
  }

  var text: String? {
    switch content {
    case .text(let text): text
    case .number(let number): number.plain
    case .boolean(let value): "\(value)"
    default: nil
    }
  }

  var ownText: String? {
    if case .text(let text) = content { text } else { nil }
  }

  var summary: String {
    switch content {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number, .text: "`\((text ?? "").prefix(60))`"
    case .list(let elements): "a list of \(elements.count)"
    case .object(let keys, _): keys.isEmpty ? "an empty object" : "an object"
    }
  }

  private static let notFinite = [
    "nan", "inf", "-inf", "infinity", "-infinity", "none", "null",
  ]

  init(fields: [(String, JSONNode)], line: Int) {
    self.init(.object(keys: fields.map(\.0), values: fields.map(\.1)), line: line)
  }

  var fields: [(String, JSONNode)] {
    guard case .object(let keys, let values) = content else { return [] }
    return Array(zip(keys, values))
  }

  var elements: [JSONNode]? { if case .list(let elements) = content { elements } else { nil } }

  func element(_ index: Int) -> JSONNode? { elements?[safe: index] }

  func element(_ key: String, _ text: String) -> JSONNode? {
    elements?.first { $0[key]?.text == text }
  }
}
