import PoseModel
package import PoseRecording

/// The frames of a file from another program: JSON, JSON lines, CSV, NumPy arrays, or C3D markers.
///
/// Frames are made one at a time; only the file's bytes and the positions of frames stay in memory.
package struct PoseTable: Sendable {
  package enum Form: Sendable {
    case json
    case jsonLines
    case csv
    case arrays
    case markers
  }

  package struct Layout: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
      /// Each element of a list, or each row, is a frame.
      case frames
      /// Parallel lists have one element per frame.
      case columns
      /// Rows with the same value in a field are one frame.
      case rows
    }

    package var kind = Kind.frames
    /// The path to the list of frames, or to the object with parallel lists; nil for the whole
    /// file.
    package var frames: FieldPath?
    package var group: FieldPath?
    package var skip = 0
    package var isFramePerFile = false
    package var recordings: FieldPath?

    package init() {}

    var plain: Layout {
      var layout = self
      layout.recordings = nil
      return layout
    }
  }

  package static let rowsKey = "rows"
  package static let keyKey = "key"
  package static let valueKey = "value"

  struct Part {
    let key: String
    let frames: Range<Int>
  }

  package let file: String
  package let form: Form
  let layout: Layout
  let parts: [Part]
  private let content: TableContent
  private let frames: [TableFrame]

  package init(_ source: NamedBytes, layout: Layout) throws {
    self = try PoseTable([TableContent(source)], layout: layout)
  }

  init(_ contents: [TableContent], layout: Layout) throws {
    guard let first = contents.first else { throw PoseSourceError.emptyTable(file: "no file") }
    let name = first.file
    file = name
    self.layout = layout
    form = (contents.first { !$0.isEmpty } ?? first).form
    if layout.isFramePerFile {
      content = .files(contents)
    } else if layout.kind == .columns, case .json(let text) = first {
      content = .columns(try JSONColumns(text, at: layout.frames))
    } else {
      content = first
    }
    let found = try content.frames(layout)
    (frames, parts) = try Self.parts(of: found, in: content, by: layout.recordings)
    guard !frames.isEmpty else { throw PoseSourceError.emptyTable(file: name) }
  }

  private static func parts(
    of frames: [TableFrame], in content: TableContent, by field: FieldPath?
  ) throws -> ([TableFrame], [Part]) {
    guard let field else { return (frames, [Part(key: "", frames: frames.indices)]) }
    var reader = FieldReader(field)
    var texts: [String] = []
    for frame in frames {
      texts.append(reader.field(of: try content.node(of: frame))?.text ?? texts.last ?? "")
    }
    let groups = zip(RecordingKeys.keys(texts), frames).grouped { $0.0 }
    var start = 0
    let parts = groups.map { group in
      defer { start += group.elements.count }
      return Part(key: group.key, frames: start..<start + group.elements.count)
    }
    return (groups.flatMap { $0.elements.map(\.1) }, parts)
  }

  package var count: Int { frames.count }
  var hasDecimalCommas: Bool {
    if case .csv(let rows) = content { rows.hasDecimalCommas } else { false }
  }

  var remarks: [TableRemark] { content.remarks }
  var declaredUnit: String? { content.declaredUnit }
  var declaredRate: Double? { content.declaredRate }

  package func frame(_ index: Int) throws -> JSONNode { try content.node(of: frames[index]) }

  /// The first frame, in which values that were printed as texts are still texts.
  var written: JSONNode? { frames.first.flatMap { try? content.written($0) } }

  func place(_ index: Int) -> SourcePlace { content.place(of: frames[index]) }
}

enum TableFrame: Sendable {
  case value(TableElement)
  case row(Int)
  case rows([Int])
  case values([TableElement])
  case member(String, TableElement)
  case slice(Int)
  case file(Int)
  case image(TableElement, people: [TableElement])
}

struct TableElement: Sendable {
  let range: Range<Int>
  let line: Int
}

indirect enum TableContent: Sendable {
  case json(JSONText)
  case csv(CSVRows)
  case arrays(ArrayColumns)
  case columns(JSONColumns)
  case markers(MarkerFrames)
  case files([TableContent])

  init(_ packed: NamedBytes) throws {
    let source = try packed.unpacked()
    let bytes = source.bytes
    if bytes.starts(with: [0x50, 0x4B]) || bytes.starts(with: [0x93, 0x4E]) {
      self = .arrays(try ArrayColumns(source))
      return
    }
    if MarkerFrames.isC3D(bytes) {
      self = .markers(try MarkerFrames(source))
      return
    }
    guard !bytes.allSatisfy({ $0 <= 0x20 }) else {
      self = .csv(CSVRows(nothingIn: source.name))
      return
    }
    let end = (bytes.lastIndex { $0 != 0 } ?? bytes.endIndex - 1) + 1
    let text = NamedBytes(name: source.name, bytes: Array(bytes[..<end]))
    let start = bytes.starts(with: NamedText.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    if let inner = Self.unquoted(start) {
      self = try TableContent(NamedBytes(name: source.name, bytes: inner))
      return
    }
    let isJSON = start.first { $0 > 0x20 }.map { "{[".utf8.contains($0) } ?? false
    if !isJSON { try CSVRows.checkLines(of: source) }
    self =
      isJSON
      ? .json(try JSONText(text))
      : .csv(try CSVRows(try NamedText(name: text.name, bytes: text.bytes), cut: bytes.count - end))
  }

  /// JSON that was encoded twice, as the text of one JSON string or of one per line.
  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard let quote = bytes.firstIndex(where: { $0 > 0x20 }), bytes[quote] == UInt8(ascii: "\""),
      let next = bytes[(quote + 1)...].first, "{[ \\".utf8.contains(next)
    else { return nil }
    var parser = JSONParser(Array(bytes), allowsNotFinite: true)
    var texts: [String] = []
    while parser.peek() != nil {
      let start = parser.index
      guard case .text(let text)? = (try? parser.value())?.content,
        text.utf8.first(where: { $0 > 0x20 }).map("{[".utf8.contains) ?? false
      else {
        guard !texts.isEmpty else { return nil }
        // Anything else is a mistake in JSON, not a table.
        texts.append(String(decoding: bytes.dropFirst(start), as: UTF8.self))
        break
      }
      texts.append(text)
    }
    return Array(texts.joined(separator: "\n").utf8)
  }

  var form: PoseTable.Form {
    switch self {
    case .json(let text): text.roots.count > 1 ? .jsonLines : .json
    case .csv: .csv
    case .arrays: .arrays
    case .columns: .json
    case .markers: .markers
    case .files(let files): files.first?.form ?? .json
    }
  }

  var isEmpty: Bool {
    if case .csv(let rows) = self { rows.count == 0 } else { false }
  }

  func frames(_ layout: PoseTable.Layout) throws -> [TableFrame] {
    switch self {
    case .json(let text): return try text.frames(layout)
    case .csv(let rows): return try rows.frames(layout)
    case .arrays(let arrays): return (0..<arrays.count).map { .slice($0) }
    case .markers(let markers): return (0..<markers.count).map { .slice($0) }
    case .columns(let columns): return (0..<columns.count).map { .slice($0) }
    case .files(let files): return files.indices.map { .file($0) }
    }
  }

  func node(of frame: TableFrame) throws -> JSONNode {
    switch (self, frame) {
    case (.files(let files), .file(let index)): return try files[index].whole()
    case (.json(let text), .value(let element)): return try text.frame(element)
    case (.json(let text), .values(let elements)): return try text.rows(elements)
    case (.json(let text), .member(let key, let element)):
      let value = try text.frame(element)
      let name = JSONNode(.text(key), line: value.line)
      return JSONNode(
        fields: [(PoseTable.keyKey, name), (PoseTable.valueKey, value)], line: value.line)
    case (.json(let text), .image(let image, let people)):
      return try text.image(image, people: people)
    case (.csv(let rows), .row(let index)): return rows.node(ofRow: index)
    case (.csv(let rows), .rows(let indices)): return rows.node(ofRows: indices)
    case (.arrays(let arrays), .slice(let index)): return arrays.node(index)
    case (.markers(let markers), .slice(let index)): return markers.node(index)
    case (.columns(let columns), .slice(let index)): return try columns.node(index)
    default: preconditionFailure("a frame belongs to the content that found it")
    }
  }

  func written(_ frame: TableFrame) throws -> JSONNode? {
    switch (self, frame) {
    case (.json(let text), .value(let element)), (.json(let text), .member(_, let element)):
      try text.node(element)
    case (.csv(let rows), .row(let index)): rows.texts(ofRow: index)
    default: nil
    }
  }

  func place(of frame: TableFrame) -> SourcePlace {
    switch (self, frame) {
    case (.files(let files), .file(let index)): SourcePlace(file: files[index].file, line: 1)
    case (_, .value(let element)), (_, .image(let element, _)), (_, .member(_, let element)):
      SourcePlace(file: file, line: element.line)
    case (.csv(let rows), .row(let index)): SourcePlace(file: file, line: rows.line(ofRow: index))
    case (.csv(let rows), .rows(let indices)):
      SourcePlace(file: file, line: rows.line(ofRow: indices.first ?? 0))
    case (_, .values(let elements)): SourcePlace(file: file, line: elements.first?.line ?? 1)
    case (_, .slice(let index)): SourcePlace(file: file + ", frame", line: index)
    default: SourcePlace(file: file, line: 1)
    }
  }

  func surroundings(_ layout: PoseTable.Layout) throws -> JSONNode {
    if case .arrays(let arrays) = self { return arrays.surroundings }
    guard case .json(let text) = self else { return JSONNode(.null, line: 1) }
    return try text.surroundings(skip: layout.skip)
  }

  private func whole() throws -> JSONNode {
    if case .csv(let rows) = self { return rows.whole() }
    if case .arrays(let arrays) = self { return arrays.whole }
    guard case .json(let text) = self, let root = text.roots.first, text.roots.count == 1 else {
      throw PoseSourceError.unexpectedValue(
        file: file, path: "the file", found: "not a single JSON value",
        allowed: "one JSON value per file, because every file is a frame")
    }
    return try text.frame(root)
  }

  var remarks: [TableRemark] {
    switch self {
    case .csv(let rows): rows.remarks
    case .json(let text): text.shape.map { [$0.remark] } ?? []
    case .columns(let columns): columns.text.shape.map { [$0.remark] } ?? []
    case .arrays(let arrays): arrays.remarks
    case .files(let files): files.first?.remarks ?? []
    case .markers: []
    }
  }

  var declaredRate: Double? { if case .csv(let rows) = self { rows.declaredRate } else { nil } }

  var declaredUnit: String? {
    switch self {
    case .csv(let rows): rows.declaredUnit
    case .markers(let markers): markers.unit
    default: nil
    }
  }

  var file: String {
    switch self {
    case .json(let text): text.file
    case .csv(let rows): rows.text.file
    case .arrays(let arrays): arrays.file
    case .columns(let columns): columns.text.file
    case .markers(let markers): markers.file
    case .files(let files): files.first?.file ?? ""
    }
  }
}
