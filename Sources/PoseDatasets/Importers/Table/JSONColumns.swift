import PoseModel
import PoseRecording

struct JSONColumns: Sendable {
  private indirect enum Column: Sendable {
    case list([TableElement])
    case keys([String])
    case object([(String, Column)])
    case constant(JSONNode)
  }

  let text: JSONText
  /// How many frames there are: the length of the longest list.
  let count: Int
  private let root: Column

  private static let depthLimit = 5

  init(_ text: JSONText, at path: FieldPath?) throws {
    self.text = text
    guard var element = text.roots.first else { throw PoseSourceError.emptyTable(file: text.file) }
    for case .key(let key) in path?.steps ?? [] {
      guard let member = try text.members(of: element).first(where: { $0.0 == key }) else {
        throw PoseSourceError.unexpectedValue(
          file: text.file, path: path?.text ?? "", found: "missing",
          allowed: "the object that holds the lists")
      }
      element = member.1
    }
    if case .indexedColumns = text.shape, path == nil {
      (root, count) = try Self.indexed(text.members(of: element), text)
      return
    }
    var longest = 0
    root = try Self.column(element, of: text, depth: 0, &longest)
    count = longest
  }

  /// The values of objects whose keys are the rows; the keys, too, where they do not only count.
  private static func indexed(
    _ members: [(String, TableElement)], _ text: JSONText
  ) throws -> (Column, count: Int) {
    var columns: [(String, Column)] = []
    var keys: [String] = []
    for (name, member) in members {
      let cells = try text.members(of: member)
      if keys.isEmpty { keys = cells.map(\.0) }
      let name = JSONShape.name(JSONNode(.text(name), line: 1)) ?? name
      columns.append((name, .list(cells.map(\.1))))
    }
    let isCounting = keys.enumerated().allSatisfy { Int($1) == $0 }
    if !isCounting, !columns.contains(where: { $0.0 == PoseTable.keyKey }) {
      columns.append((PoseTable.keyKey, .keys(keys)))
    }
    return (.object(columns), keys.count)
  }

  func node(_ index: Int) throws -> JSONNode { try node(index, of: root) }

  private func node(_ index: Int, of column: Column) throws -> JSONNode {
    switch column {
    case .list(let elements):
      guard elements.count == count else { return JSONNode(.null, line: 1) }
      return try text.frame(elements[index])
    case .keys(let keys): return JSONNode(.text(keys[index]), line: 1)
    case .object(let members):
      var values: [JSONNode] = []
      for member in members { values.append(try node(index, of: member.1)) }
      return JSONNode(
        .object(keys: members.map(\.0), values: values), line: values.first?.line ?? 1)
    case .constant(let node): return node
    }
  }

  private static func column(
    _ element: TableElement, of text: JSONText, depth: Int, _ longest: inout Int
  ) throws -> Column {
    if let elements = try text.elements(of: element) {
      longest = max(longest, elements.count)
      return .list(elements)
    }
    let members = try text.members(of: element)
    guard !members.isEmpty, depth < depthLimit else { return .constant(try text.node(element)) }
    var columns: [(String, Column)] = []
    for (key, member) in members {
      columns.append((key, try column(member, of: text, depth: depth + 1, &longest)))
    }
    return .object(columns)
  }
}
