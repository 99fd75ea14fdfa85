import PoseModel
import PoseRecording

struct JSONText: Sendable {
  let file: String
  let roots: [TableElement]
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
  }

  func node(_ element: TableElement) throws -> JSONNode {
    do throws(JSONMistake) {
      var parser = parser(element)
      return try parser.value()
    } catch {
      throw failure(error)
    }
  }

  func rows(_ elements: [TableElement]) throws -> JSONNode {
    var rows: [JSONNode] = []
    for element in elements { rows.append(try node(element)) }
    return JSONNode.frame(ofRows: rows)
  }

  func frames(_ layout: PoseTable.Layout) throws -> [TableFrame] {
    let found = try list(at: layout.frames, skip: layout.skip)
    guard layout.kind == .rows, let group = layout.group else { return found }
    var reader = FieldReader(group)
    var groups: [String: Int] = [:]
    var rows: [[TableElement]] = []
    for case .value(let range, let line) in found {
      let element = TableElement(range: range, line: line)
      guard let key = reader.field(of: try node(element))?.text else {
        throw PoseSourceError.unexpectedValue(
          file: "\(file):\(line)", path: group.text, found: "missing",
          allowed: "the field that the rows of one frame share")
      }
      if let index = groups[key] {
        rows[index].append(element)
      } else {
        groups[key] = rows.count
        rows.append([element])
      }
    }
    return rows.map { .values($0) }
  }

  private func list(at path: FieldPath?, skip: Int) throws -> [TableFrame] {
    var element = roots.first
    if let path {
      for step in path.steps {
        element = try element.flatMapThrowing { one in
          try child(of: one, step)
        }
      }
    } else if roots.count > 1 {
      return roots.dropFirst(skip).map { .value($0.range, line: $0.line) }
    }
    guard let element else {
      throw PoseSourceError.unexpectedValue(
        file: file, path: path?.text ?? "the file", found: "missing",
        allowed: "the list of frames: write its path as `frames`")
    }
    let elements = try elements(of: element)
    if let elements { return elements.dropFirst(skip).map { .value($0.range, line: $0.line) } }
    let members = try members(of: element)
    let areNumbers = members.first.map { Double(decimal: $0.0) != nil } ?? false
    guard let numbers = FrameKeys.numbers(members.map(\.0)),
      try areNumbers || LayoutSearch.kind(of: node(members[0].1)) == .container
    else { return [.value(element.range, line: element.line)] }
    return zip(numbers, members).sorted { $0.0 < $1.0 }
      .map { .member($0.1.0, $0.1.1) }
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

struct JSONColumns: Sendable {
  private indirect enum Column: Sendable {
    case list([TableElement])
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
    var longest = 0
    root = try Self.column(element, of: text, depth: 0, &longest)
    count = longest
  }

  func node(_ index: Int) throws -> JSONNode { try node(index, of: root) }

  private func node(_ index: Int, of column: Column) throws -> JSONNode {
    switch column {
    case .list(let elements):
      guard elements.count == count else { return JSONNode(.null, line: 1) }
      return try text.node(elements[index])
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

struct CSVRows: Sendable {
  let text: CSVText
  let columns: [String]?
  /// As spreadsheets write them in many countries: fields are separated by semicolons or tabs, and
  /// some number has a comma.
  let hasDecimalCommas: Bool
  private let first: Int
  private static let sampleSize = 50

  /// Lines at the start that begin with `#` are comments; the first line is a header unless all its
  /// fields are numbers or empty.
  init(_ source: NamedText) throws {
    var text = CSVText(source)
    let start = text.lines.prefix { $0.hasPrefix("#") }.count
    guard start < text.lines.count else { throw PoseSourceError.emptyTable(file: source.name) }
    text.separator = CSVText.likelySeparator(of: text.lines[start])
    let names = text.fields(ofLine: start).map(String.init)
    let hasFreeCommas = text.separator != UInt8(ascii: ",")
    let isHeader = names.contains { name in
      !name.isEmpty && JSONNode(.text(name), line: 1).number == nil
        && !(hasFreeCommas && Self.withPoint(name[...]) != nil)
    }
    if isHeader {
      var seen: Set<String> = []
      for name in names where !seen.insert(name).inserted {
        throw PoseSourceError.repeatedColumn(
          SourcePlace(file: source.name, line: start + 1), column: name)
      }
    }
    self.text = text
    columns = isHeader ? names : nil
    first = start + (isHeader ? 1 : 0)
    hasDecimalCommas =
      hasFreeCommas
      && text.lines[first...].prefix(Self.sampleSize).indices.contains {
        text.fields(ofLine: $0).contains { Self.withPoint($0) != nil }
      }
    for index in first..<max(first, text.lines.count) {
      let count = text.fieldCount(ofLine: index)
      guard count == names.count else {
        throw PoseSourceError.wrongFieldCount(
          SourcePlace(file: source.name, line: index + 1), found: count, expected: names.count)
      }
    }
  }

  func line(ofRow row: Int) -> Int { first + row + 1 }

  func frames(_ layout: PoseTable.Layout) throws -> [TableFrame] {
    let rows = Array(0..<max(0, text.lines.count - first)).dropFirst(layout.skip)
    guard layout.kind == .rows, let group = layout.group else { return rows.map { .row($0) } }
    var reader = FieldReader(group)
    var groups: [String: Int] = [:]
    var frames: [[Int]] = []
    for row in rows {
      guard let key = reader.field(of: node(ofRow: row))?.text else {
        throw PoseSourceError.unexpectedValue(
          file: SourcePlace(file: text.file, line: line(ofRow: row)).description,
          path: group.text, found: "missing", allowed: "the column that rows of one frame share")
      }
      if let index = groups[key] {
        frames[index].append(row)
      } else {
        groups[key] = frames.count
        frames.append([row])
      }
    }
    return frames.map { .rows($0) }
  }

  func node(ofRow row: Int) -> JSONNode {
    let line = line(ofRow: row)
    let values = text.fields(ofLine: line - 1).map { field in
      let text = hasDecimalCommas ? Self.withPoint(field) ?? String(field) : String(field)
      return JSONNode(field.isEmpty ? .null : .text(text), line: line)
    }
    guard let columns else { return JSONNode(.list(values), line: line) }
    return JSONNode(.object(keys: columns, values: values), line: line)
  }

  private static func withPoint(_ field: Substring) -> String? {
    let parts = field.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[1].utf8.first, (48...57).contains(first) else {
      return nil
    }
    let text = parts[0] + "." + parts[1]
    return Double(decimal: text) == nil ? nil : String(text)
  }

  func node(ofRows rows: [Int]) -> JSONNode { .frame(ofRows: rows.map(node(ofRow:))) }
}

/// Arrays of NumPy whose first axis is the frames.
struct ArrayColumns: Sendable {
  let file: String
  /// How many frames there are: the first axis of the largest array.
  let count: Int
  let unread: [String]
  private let arrays: [(name: String, array: NumpyArray)]
  private let isSingle: Bool

  init(_ source: NamedBytes) throws {
    let archive = try NumpyArchive(source)
    var arrays: [(name: String, array: NumpyArray)] = []
    var unread: [String] = []
    for name in archive.names {
      do {
        if let array = try archive.array(name) { arrays.append((name, array)) }
      } catch let error as PoseSourceError {
        guard case .unusableArray(_, .elementType) = error, archive.names.count > 1 else {
          throw error
        }
        unread.append("\(error)")
      }
    }
    file = source.name
    isSingle = source.bytes.starts(with: [0x93])
    self.arrays = arrays
    self.unread = unread
    count = arrays.max { $0.array.count < $1.array.count }?.array.shape.first ?? 0
  }

  /// The n-th slices of all arrays with that many, and the other arrays whole if they are short.
  func node(_ index: Int) -> JSONNode {
    if isSingle, let array = arrays.first?.array { return Self.slice(index, of: array) }
    let values = arrays.map { one in
      if one.array.shape.first == count { return Self.slice(index, of: one.array) }
      return one.array.shape.isEmpty
        ? JSONNode(.number(one.array[0]), line: 1) : JSONNode(.null, line: 1)
    }
    return JSONNode(.object(keys: arrays.map(\.name), values: values), line: 1)
  }

  private static func slice(_ index: Int, of array: NumpyArray) -> JSONNode {
    let shape = Array(array.shape.dropFirst())
    let size = shape.reduce(1, *)
    return node(array, shape[...], at: index * size)
  }

  private static func node(_ array: NumpyArray, _ shape: ArraySlice<Int>, at start: Int) -> JSONNode
  {
    guard let count = shape.first else { return JSONNode(.number(array[start]), line: 1) }
    let size = shape.dropFirst().reduce(1, *)
    return JSONNode(
      .list((0..<count).map { node(array, shape.dropFirst(), at: start + $0 * size) }), line: 1)
  }
}

extension Optional {
  fileprivate func flatMapThrowing<Result, Failure: Error>(
    _ transform: (Wrapped) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    guard let self else { return nil }
    return try transform(self)
  }
}
