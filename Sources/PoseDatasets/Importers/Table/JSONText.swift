import PoseModel
import PoseRecording

struct JSONText: Sendable {
  let file: String
  let roots: [TableElement]
  private(set) var shape: JSONShape?
  private let rootElements: [TableElement]?
  private let bytes: [UInt8]

  private static let longestSurrounding = 64

  /// Commas between values are skipped; throws for text that is not UTF-8 or is cut off.
  init(_ source: NamedBytes) throws {
    file = source.name
    guard String(validating: source.bytes, as: UTF8.self) != nil else {
      _ = try NamedText(name: source.name, bytes: source.bytes)
      throw PoseSourceError.notText(SourcePlace(file: source.name, line: 1))
    }
    let hasMark = source.bytes.starts(with: NamedText.byteOrderMark)
    bytes = hasMark ? Array(source.bytes.dropFirst(3)) : source.bytes
    var roots: [TableElement] = []
    var list: [TableElement]?
    var parser = JSONParser(bytes, allowsNotFinite: true)
    do throws(JSONMistake) {
      while let byte = parser.peek() {
        guard byte != UInt8(ascii: ",") || roots.isEmpty else {
          parser.passComma()
          continue
        }
        let (start, line) = (parser.index, parser.line)
        if roots.isEmpty, byte == UInt8(ascii: "[") {
          list = try Self.elements(&parser)
        } else {
          try parser.skip()
        }
        roots.append(TableElement(range: start..<parser.index, line: line))
      }
    } catch {
      let mistake = parser.peek() == nil ? parser.mistake(.rest) : error
      throw PoseSourceError.field(FieldError(mistake, file: source.name))
    }
    self.roots = roots
    rootElements = roots.count == 1 ? list : nil
    shape = try JSONShape(self)
  }

  func node(_ element: TableElement) throws -> JSONNode {
    do throws(JSONMistake) {
      var parser = parser(element)
      return try parser.value()
    } catch {
      throw failure(error)
    }
  }

  /// A frame, with lists and points that were printed into texts as lists.
  func frame(_ element: TableElement) throws -> JSONNode {
    let node = try node(element)
    if case .split(let names) = shape, case .list(let values) = node.content,
      values.count == names.count
    {
      let row = JSONNode(.object(keys: names, values: values), line: node.line)
      return row.unpacked() ?? row
    }
    return node.unpacked() ?? node
  }

  func rows(_ elements: [TableElement]) throws -> JSONNode {
    var rows: [JSONNode] = []
    for element in elements { rows.append(try frame(element)) }
    return JSONNode.frame(ofRows: rows)
  }

  func frames(_ layout: PoseTable.Layout) throws -> [TableFrame] {
    if case .images = shape, layout == JSONShape.images.layout {
      return try annotatedImages(skip: layout.skip)
    }
    let found = try list(at: layout.frames, skip: layout.skip)
    guard layout.kind == .rows, let group = layout.group else { return found }
    let rows = found.compactMap { if case .value(let element) = $0 { element } else { nil } }
    let groups = try RowGroups(rows, by: group, node: frame) {
      SourcePlace(file: file, line: $0.line)
    }
    return groups.sorted.map { .values($0) }
  }

  private func list(at path: FieldPath?, skip: Int) throws -> [TableFrame] {
    var element = roots.first
    if let path {
      for step in path.steps {
        guard let parent = element else { break }
        element = try child(of: parent, step)
      }
    } else if roots.count > 1 {
      return roots.dropFirst(skip).map { .value($0) }
    }
    guard let element else {
      throw PoseSourceError.unexpectedValue(
        file: file, path: path?.text ?? "the file", found: "missing",
        allowed: "the list of frames: write its path as `frames`")
    }
    let elements = try elements(of: element)
    if let elements { return elements.dropFirst(skip).map { .value($0) } }
    let members = try members(of: element)
    guard let order = FrameKeys.order(of: members.map(\.0)),
      try Double(decimal: members[0].0) != nil || LayoutSearch.isContainer(node(members[0].1))
    else { return [.value(element)] }
    return order.map { .member(members[$0].0, members[$0].1) }
  }

  struct FoundList {
    let path: FieldPath
    let elements: [TableElement]
  }

  func lists() throws -> [FoundList] {
    guard let root = roots.first else { return [] }
    var found: [FoundList] = []
    try addLists(of: root, FieldPath(), depth: 0, to: &found)
    return found
  }

  private func addLists(
    of element: TableElement, _ path: FieldPath, depth: Int, to found: inout [FoundList]
  ) throws {
    if let elements = try elements(of: element) {
      found.append(FoundList(path: path, elements: elements))
      // A list of one session or one person, with the frames inside.
      guard elements.count == 1, depth < 5 else { return }
      return try addLists(
        of: elements[0], path.appending(.element(0)), depth: depth + 1, to: &found)
    }
    guard depth < 5 else { return }
    for (key, member) in try members(of: element) {
      try addLists(of: member, path.appending(.key(key)), depth: depth + 1, to: &found)
    }
  }

  /// What stands around the frames: short lists, and everything that is no list.
  func surroundings(skip: Int) throws -> JSONNode {
    guard let first = roots.first, roots.count == 1 || skip > 0 else {
      return JSONNode(.null, line: 1)
    }
    return try outline(first, depth: 0)
  }

  private func outline(_ element: TableElement, depth: Int) throws -> JSONNode {
    if let list = try elements(of: element) {
      let isShort = list.count <= Self.longestSurrounding && element.range.count < 1 << 14
      return isShort ? try node(element) : JSONNode(.null, line: element.line)
    }
    guard bytes[element.range.lowerBound] == UInt8(ascii: "{") else { return try node(element) }
    guard depth < 4 else { return JSONNode(.null, line: element.line) }
    var keys: [String] = []
    var values: [JSONNode] = []
    for (key, value) in try members(of: element) {
      keys.append(key)
      values.append(try outline(value, depth: depth + 1))
    }
    return JSONNode(.object(keys: keys, values: values), line: element.line)
  }

  private func child(of element: TableElement, _ step: FieldPath.Step) throws -> TableElement? {
    switch step {
    case .key(let key): return try members(of: element).first { $0.0 == key }?.1
    case .element(let index):
      let elements = try elements(of: element) ?? []
      return elements.indices.contains(index) ? elements[index] : nil
    case .match(let key, let text):
      for one in try elements(of: element) ?? [] where try node(one)[key]?.text == text {
        return one
      }
      return nil
    }
  }

  func elements(of element: TableElement) throws -> [TableElement]? {
    guard bytes[element.range.lowerBound] == UInt8(ascii: "[") else { return nil }
    if let rootElements, element.range == roots.first?.range { return rootElements }
    do throws(JSONMistake) {
      var parser = parser(element)
      return try Self.elements(&parser)
    } catch {
      throw failure(error)
    }
  }

  private static func elements(
    _ parser: inout JSONParser
  ) throws(JSONMistake) -> [TableElement] {
    var elements: [TableElement] = []
    try parser.elements { (parser) throws(JSONMistake) in
      let (start, line) = (parser.index, parser.line)
      try parser.skip()
      elements.append(TableElement(range: start..<parser.index, line: line))
    }
    return elements
  }

  func members(of element: TableElement) throws -> [(String, TableElement)] {
    guard bytes[element.range.lowerBound] == UInt8(ascii: "{") else { return [] }
    var members: [(String, TableElement)] = []
    do throws(JSONMistake) {
      var parser = parser(element)
      try parser.members { (parser, key) throws(JSONMistake) in
        _ = parser.peek()
        let (start, line) = (parser.index, parser.line)
        try parser.skip()
        members.append((key, TableElement(range: start..<parser.index, line: line)))
      }
    } catch {
      throw failure(error)
    }
    return members
  }

  private func parser(_ element: TableElement) -> JSONParser {
    JSONParser(bytes, range: element.range, line: element.line, allowsNotFinite: true)
  }

  private func failure(_ mistake: JSONMistake) -> PoseSourceError {
    .field(FieldError(mistake, file: file))
  }
}

extension JSONNode {
  /// Rows of one frame as an object: the fields of the first row, and all of them under `rows`.
  static func frame(ofRows rows: [JSONNode]) -> JSONNode {
    let line = rows.first?.line ?? 1
    var keys = [PoseTable.rowsKey]
    var values = [JSONNode(.list(rows), line: line)]
    if case .object(let own, let fields)? = rows.first?.content {
      for (key, field) in zip(own, fields) where key != PoseTable.rowsKey {
        keys.append(key)
        values.append(field)
      }
    }
    return JSONNode(.object(keys: keys, values: values), line: line)
  }
}
