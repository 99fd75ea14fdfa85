import PoseModel
import PoseRecording

struct JSONText: Sendable {
  let file: String
  let roots: [TableElement]
  private(set) var shape: JSONShape?
  private let rootElements: [TableElement]?
  private let bytes: [UInt8]

  private static let longestSurrounding = 64

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
    try parsed(element) { (parser) throws(JSONMistake) in try parser.value() }
  }

  func frame(_ element: TableElement) throws -> JSONNode {
    let node = try node(element)
    if case .split(let names, _, _) = shape, case .list(let values) = node.content,
      values.count == names.count
    {
      let row = JSONNode(.object(keys: names, values: values), line: node.line)
      return row.unpacked() ?? row
    }
    return node.unpacked() ?? node
  }

  func rows(_ elements: [TableElement]) throws -> JSONNode {
    JSONNode.frame(ofRows: try elements.map(frame))
  }

  func frames(_ layout: PoseTable.Layout) throws -> [TableFrame] {
    if case .images = shape, layout.plain == JSONShape.images.layout {
      return try annotatedImages(skip: layout.skip)
    }
    let found = try list(at: layout.frames, skip: layout.skip)
    guard layout.kind == .rows, let group = layout.group else { return found }
    let rows = found.compactMap { if case .value(let element) = $0 { element } else { nil } }
    let groups = try RowGroups.frames(
      of: rows, layout, by: group, node: frame, place: { SourcePlace(file: file, line: $0.line) })
    return groups.map { .values($0) }
  }

  private func list(at path: FieldPath?, skip: Int) throws -> [TableFrame] {
    if path == nil, roots.count > 1 { return roots.dropFirst(skip).map { .value($0) } }
    guard let element = try element(at: path) else {
      throw PoseSourceError.unexpectedValue(
        file: file, path: path?.text ?? "the file", found: "missing",
        allowed: "the list of frames; give its path as `frames`")
    }
    if let elements = try elements(of: element) {
      return elements.dropFirst(skip).map { .value($0) }
    }
    let members = try members(of: element)
    guard let order = FrameKeys.frames(among: members.map(\.0)),
      try order.count == members.count && Double(decimal: members[0].0) != nil
        || LayoutSearch.isContainer(node(members[order[0]].1))
    else {
      let documents = try KeyedDocuments(members, in: self)?.order ?? []
      return documents.isEmpty ? [.value(element)] : documents.map { .value(members[$0].1) }
    }
    return order.map { .member(members[$0].0, members[$0].1) }
  }

  func element(at path: FieldPath?) throws -> TableElement? {
    try (path?.steps ?? []).reduce(roots.first) { parent, step in
      try parent.flatMap { try child(of: $0, step) }
    }
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
      // A list of one session or one person may contain the list of frames.
      guard elements.count == 1, depth < 5 else { return }
      return try addLists(
        of: elements[0], path.appending(.element(0)), depth: depth + 1, to: &found)
    }
    guard depth < 5 else { return }
    for (key, member) in try members(of: element) {
      try addLists(of: member, path.appending(.key(key)), depth: depth + 1, to: &found)
    }
  }

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
    let fields = try members(of: element).map { ($0, try outline($1, depth: depth + 1)) }
    return JSONNode(fields: fields, line: element.line)
  }

  private func child(of element: TableElement, _ step: FieldPath.Step) throws -> TableElement? {
    switch step {
    case .key(let key): return try members(of: element).first { $0.0 == key }?.1
    case .element(let index): return try elements(of: element)?[safe: index]
    case .match(let key, let text):
      return try elements(of: element)?.first { try node($0)[key]?.text == text }
    }
  }

  func elements(of element: TableElement) throws -> [TableElement]? {
    guard bytes[element.range.lowerBound] == UInt8(ascii: "[") else { return nil }
    if let rootElements, element.range == roots.first?.range { return rootElements }
    return try parsed(element, Self.elements)
  }

  private static func elements(_ parser: inout JSONParser) throws(JSONMistake) -> [TableElement] {
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
    return try parsed(element) { (parser) throws(JSONMistake) in
      var members: [(String, TableElement)] = []
      try parser.members { (parser, key) throws(JSONMistake) in
        _ = parser.peek()
        let (start, line) = (parser.index, parser.line)
        try parser.skip()
        members.append((key, TableElement(range: start..<parser.index, line: line)))
      }
      return members
    }
  }

  private func parsed<Value>(
    _ element: TableElement, _ parse: (inout JSONParser) throws(JSONMistake) -> Value
  ) throws -> Value {
    var parser = JSONParser(bytes, range: element.range, line: element.line, allowsNotFinite: true)
    do { return try parse(&parser) } catch {
      throw PoseSourceError.field(FieldError(error, file: file))
    }
  }
}

extension JSONNode {
  static func frame(ofRows rows: [JSONNode]) -> JSONNode {
    let line = rows.first?.line ?? 1
    let own = rows.first?.fields.filter { $0.0 != PoseTable.rowsKey } ?? []
    return JSONNode(
      fields: [(PoseTable.rowsKey, JSONNode(.list(rows), line: line))] + own, line: line)
  }
}

struct JSONColumns: Sendable {
  private indirect enum Column: Sendable {
    case list([TableElement])
    case keys([String])
    case object([(String, Column)])
    case constant(JSONNode)
  }

  let text: JSONText
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
    guard let (name, length) = Self.uneven(root, longest) else { return }
    throw PoseSourceError.unexpectedValue(
      file: text.file, path: "the list `\(name)`",
      found: "\(length) long, but another list is \(longest) long, so frames do not match",
      allowed: "lists of one length, with null in frames where a joint is missing")
  }

  private static func uneven(
    _ column: Column, _ count: Int, isOfJoint: Bool = false
  ) -> (name: String, length: Int)? {
    guard case .object(let members) = column else { return nil }
    for (name, member) in members {
      let isOfJoint = isOfJoint || JointNames.isJoint(JointNames.split(name).name)
      if case .list(let elements) = member, isOfJoint, elements.count > longestPoint,
        elements.count != count
      {
        return (name, elements.count)
      }
      if let found = uneven(member, count, isOfJoint: isOfJoint) {
        return (name + "." + found.name, found.length)
      }
    }
    return nil
  }

  private static let longestPoint = 16

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
      let fields = try members.map { ($0, try node(index, of: $1)) }
      return JSONNode(fields: fields, line: fields.first?.1.line ?? 1)
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
    return .object(try members.map { ($0, try column($1, of: text, depth: depth + 1, &longest)) })
  }
}

enum JSONShape: Sendable {
  /// A list of column names, and rows without names, as in pandas' `split` format.
  case split(names: [String], list: String, rows: String)
  /// pandas' default format: one object per column, with one value per row.
  case indexedColumns
  /// COCO's annotations: separate lists of images and people, joined by image numbers.
  case images

  static let annotationsKey = "annotations"
  static let imagesKey = "images"

  init?(_ text: JSONText) throws {
    guard let root = text.roots.first, text.roots.count == 1 else { return nil }
    let members = try text.members(of: root)
    func member(_ key: String) -> TableElement? { members.first { $0.0 == key }?.1 }
    if let split = try Self.split(members, text) {
      self = split
    } else if let images = member(Self.imagesKey), let people = member(Self.annotationsKey),
      try text.firstKeys(of: images).contains("id"),
      try text.firstKeys(of: people).isSuperset(of: ["image_id", "keypoints"])
    {
      self = .images
    } else if try Self.areIndexed(members, text) {
      self = .indexedColumns
    } else {
      return nil
    }
  }

  /// Finds a list of column names with a list of rows of as many values beside it.
  private static func split(
    _ members: [(String, TableElement)], _ text: JSONText
  ) throws -> JSONShape? {
    let lists = try members.compactMap { key, member in
      try text.elements(of: member).map { (key: key, element: member, elements: $0) }
    }
    for rows in lists {
      guard let first = rows.elements.first, let count = try text.elements(of: first)?.count else {
        continue
      }
      for list in lists where list.elements.count == count && list.key != rows.key {
        guard let names = names(try text.node(list.element)), names.count == count,
          (list.key, rows.key) == ("columns", "data")
            || names.count(where: { FieldSearch.column($0) != nil }) > 5
        else { continue }
        return .split(names: names, list: list.key, rows: rows.key)
      }
    }
    return nil
  }

  var layout: PoseTable.Layout {
    var layout = PoseTable.Layout()
    switch self {
    case .split(_, _, let rows): layout.frames = FieldPath([.key(rows)])
    case .images: layout.frames = FieldPath([.key(Self.imagesKey)])
    case .indexedColumns: layout.kind = .columns
    }
    return layout
  }

  var remark: TableRemark {
    switch self {
    case .split(_, let list, let rows):
      TableRemark(
        finding: "named in the list `\(list)`", evidence: "rows of `\(rows)` have as many values")
    case .indexedColumns:
      TableRemark(
        finding: "one object per column", evidence: "as pandas writes tables unless told otherwise")
    case .images:
      TableRemark(
        finding: "people are in the `annotations` of their image, as in COCO",
        evidence: "`image_id` of the annotations is `id` of the images")
    }
  }

  static func name(_ node: JSONNode) -> String? {
    switch (PrintedValue.node(node.text ?? "", line: 1) ?? node).content {
    case .list(let levels):
      return levels.mapAll(\.text)?.joined(separator: "_")
    default: return node.text
    }
  }

  private static func names(_ node: JSONNode) -> [String]? {
    guard case .list(let nodes) = node.content, nodes.count > 1,
      let names = nodes.mapAll(name), Set(names).count == names.count
    else { return nil }
    return names
  }

  private static func areIndexed(
    _ members: [(String, TableElement)], _ text: JSONText
  ) throws -> Bool {
    guard members.count > 1, members.contains(where: { Int($0.0) == nil }) else { return false }
    var first: [String] = []
    for (_, member) in members {
      let keys = try text.members(of: member).map(\.0)
      guard keys.count > 1, first.isEmpty || keys == first else { return false }
      if first.isEmpty, !keys.allSatisfy({ Double(decimal: $0) != nil }) { return false }
      first = keys
    }
    return true
  }
}

extension JSONText {
  fileprivate func firstKeys(of list: TableElement) throws -> Set<String> {
    guard let first = try elements(of: list)?.first else { return [] }
    return Set(try members(of: first).map(\.0))
  }

  func annotatedImages(skip: Int) throws -> [TableFrame] {
    guard let root = roots.first else { return [] }
    let members = try members(of: root)
    func list(_ key: String) throws -> [TableElement] {
      try members.first { $0.0 == key }.flatMap { try elements(of: $0.1) } ?? []
    }
    let people = try Dictionary(grouping: list(JSONShape.annotationsKey)) {
      try node($0)["image_id"]?.text
    }
    let images = try Array(list(JSONShape.imagesKey).dropFirst(skip))
    let nodes = try images.map { try node($0) }
    return ImageOrder(nodes).places.map { place in
      .image(images[place], people: nodes[place]["id"]?.text.flatMap { people[$0] } ?? [])
    }
  }

  func image(_ image: TableElement, people: [TableElement]) throws -> JSONNode {
    let node = try node(image)
    guard case .object = node.content else { return node }
    let own = node.fields.filter { $0.0 != JSONShape.annotationsKey }
    let list = JSONNode(.list(try people.map(frame)), line: node.line)
    return JSONNode(fields: own + [(JSONShape.annotationsKey, list)], line: node.line)
  }
}
