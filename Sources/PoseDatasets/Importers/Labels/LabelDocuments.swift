import PoseModel
import PoseRecording

enum LabelDocuments {
  static func sheet(_ source: NamedText) throws -> LabelSheet {
    let root = try XMLText.root(of: source)
    let sheet: LabelSheet? =
      switch root.name {
      case "ANNOTATION_DOCUMENT": try elan(root, source.name)
      case "annotations": try cvat(root, source.name)
      case "annotation" where !root.children(named: "body").isEmpty: try anvil(root, source.name)
      default: try LabelJSON.sheet(of: node(root), file: source.name)
      }
    guard let sheet else {
      throw PoseSourceError.unusable(
        source.name, "this is XML of <\(root.name.prefix(60))>, which cannot be read",
        "export the labels as a table with columns for start, end and label; XML can be read only "
          + "from ELAN (.eaf), CVAT and Anvil, or if elements have a start, an end and a label")
    }
    guard !sheet.rows.isEmpty else {
      throw PoseSourceError.unusable(
        source.name, "\(sheet.form) has no labels with a start and an end",
        "label segments, and save the file again")
    }
    return sheet
  }

  private static func node(_ element: XMLElement) -> JSONNode {
    let words = element.text.trimmed
    let children = element.children
    let attributes = element.attributes.sorted { $0.key < $1.key }
    guard !children.isEmpty || !attributes.isEmpty else {
      return JSONNode(.text(words), line: element.line)
    }
    var fields = attributes.map { ($0.key, JSONNode(.text($0.value), line: element.line)) }
    for (index, child) in children.enumerated()
    where !children[..<index].contains(where: { $0.name == child.name }) {
      let nodes = element.children(named: child.name).map(node)
      fields.append(
        (child.name, nodes.count == 1 ? nodes[0] : JSONNode(.list(nodes), line: child.line)))
    }
    if !words.isEmpty { fields.append(("text", JSONNode(.text(words), line: element.line))) }
    return JSONNode(fields: fields, line: element.line)
  }

  // MARK: ELAN

  private static func elan(_ root: XMLElement, _ file: String) throws -> LabelSheet {
    var sheet = LabelSheet(file: file, form: "ELAN's XML")
    sheet.unit = .milliseconds
    sheet.unitEvidence = "ELAN's time slots"
    var slots: [String: Double] = [:]
    var origin: Double?
    for header in root.children(named: "HEADER") {
      if let unit = header.attributes["TIME_UNITS"], unit != "milliseconds" {
        throw PoseSourceError.unusable(
          "\(file):\(header.line)", "TIME_UNITS is `\(unit.prefix(40))`", "save it in milliseconds")
      }
      let media = header.children(named: "MEDIA_DESCRIPTOR")
      sheet.media += media.compactMap { $0.attributes["MEDIA_URL"] }
      origin = origin ?? media.first?.number("TIME_ORIGIN")
    }
    if let origin, origin != 0 {
      sheet.notes.append(
        "ELAN starts the video at \(origin / 1000) s (TIME_ORIGIN), which is added to all times")
    }
    for order in root.children(named: "TIME_ORDER") {
      for slot in order.children(named: "TIME_SLOT") {
        if let id = slot.attributes["TIME_SLOT_ID"], let value = slot.number("TIME_VALUE") {
          slots[id] = value + (origin ?? 0)
        }
      }
    }
    var segments: [String: (RawTime, RawTime)] = [:]
    for tier in root.children(named: "TIER") {
      let name = tier.attributes["TIER_ID"] ?? ""
      for annotation in tier.children(named: "ANNOTATION").flatMap(\.children) {
        let label = annotation.children(named: "ANNOTATION_VALUE").map(\.text).joined().trimmed
        let place = SourcePlace(file: file, line: annotation.line)
        let times: (RawTime, RawTime)
        if let start = annotation.attributes["TIME_SLOT_REF1"].flatMap({ slots[$0] }),
          let end = annotation.attributes["TIME_SLOT_REF2"].flatMap({ slots[$0] })
        {
          times = (.number(start), .number(end))
        } else if let parent = annotation.attributes["ANNOTATION_REF"].flatMap({ segments[$0] }) {
          times = parent
        } else {
          throw place.unusable(
            "the annotation `\(label.prefix(40))` has no times",
            "put its start and end on the timeline in ELAN, and save again")
        }
        if let id = annotation.attributes["ANNOTATION_ID"] { segments[id] = times }
        sheet.rows.append(
          LabelRow(place: place, start: times.0, end: times.1, label: label, tier: name))
      }
    }
    return sheet
  }

  // MARK: CVAT

  private static func cvat(_ root: XMLElement, _ file: String) throws -> LabelSheet {
    var sheet = LabelSheet(file: file, form: "CVAT's XML")
    sheet.unit = .frames
    sheet.unitEvidence = "CVAT's frames"
    sheet.firstFrame = 0
    var frames: [(frame: Double, label: String, line: Int)] = []
    let images = root.children(named: "image")
    let ids = images.map { $0.number("id") ?? -1 }
    let names = images.compactMap { ImageName($0.attributes["name"] ?? "")?.number }
    // Image numbers may have a step, for example 3 if every third frame was exported.
    let isStepped =
      names.count == ids.count && ClockGrowth(names).isStrict
      && Set(zip(names, ids).map { $0 - $1 }).count > 1
    if isStepped { sheet.notes.append("frames are the numbers in the names of the images") }
    let tags = Dictionary(grouping: images.flatMap(\.children)) { $0.attributes["label"] ?? "" }
    let attributes = tags.mapValues { shapes in
      (attributeOfClass(shapes, shapes[0].attributes["label"] ?? ""), attributesOfForm(shapes))
    }
    for (index, image) in images.enumerated() where ids[index] >= 0 {
      let id = isStepped ? names[index] : ids[index]
      let labels = image.children.compactMap { shape in
        shape.attributes["label"].map {
          label(shape, $0, attributes[$0]?.0, forms: attributes[$0]?.1 ?? [])
        }
      }
      frames += Set(labels).sorted().map { (id, $0, image.line) }
    }
    for track in root.children(named: "track") {
      guard let label = track.attributes["label"] else { continue }
      let shapes = track.children
      let attribute = attributeOfClass(shapes, label)
      let forms = attributesOfForm(shapes)
      if let attribute, !sheet.notes.contains(where: { $0.contains("`\(attribute)`") }) {
        sheet.notes.append("the attribute `\(attribute)` is the label of `\(label)`")
      }
      var start: (frame: Double, line: Int, label: String)?
      var last = 0.0
      func end(_ frame: Double) {
        guard let one = start else { return }
        var row = row(file, one.line, one.frame, frame, one.label)
        if attribute != nil { row.tier = label }
        sheet.rows.append(row)
        start = nil
      }
      for shape in shapes {
        guard let frame = shape.number("frame") else { continue }
        last = frame
        let isOutside = shape.attributes["outside"] == "1"
        let own = self.label(shape, label, attribute, forms: forms)
        if isOutside || own != start?.label { end(frame) }
        if start == nil, !isOutside { start = (frame, shape.line, own) }
      }
      end(last + 1)
    }
    let step = isStepped ? ClockGrowth(names).steps.median ?? 1 : 1
    var open: [String: (first: Double, last: Double, line: Int)] = [:]
    for (frame, label, line) in frames {
      if let run = open[label], frame <= run.last + step {
        open[label]?.last = frame
      } else {
        if let run = open[label] {
          sheet.rows.append(row(file, run.line, run.first, run.last + step, label))
        }
        open[label] = (frame, frame, line)
      }
    }
    for (label, run) in open.sorted(by: { ($0.value.line, $0.key) < ($1.value.line, $1.key) }) {
      sheet.rows.append(row(file, run.line, run.first, run.last + step, label))
    }
    sheet.includesEnd = false
    sheet.media = root.all(named: "source").map(\.text)
    return sheet
  }

  private static func attributeOfClass(_ shapes: [XMLElement], _ label: String) -> String? {
    guard LabelWords.target(label) == nil else { return nil }
    let attributes = shapes.flatMap { $0.children(named: "attribute") }
      .filter { !ColumnName($0.attributes["name"] ?? "").isOfRemark }
    let known = attributes.first { LabelWords.target($0.text.trimmed) != nil }
    let usual = attributes.first { ColumnName($0.attributes["name"] ?? "").isUsualLabel }
    return (known ?? usual)?.attributes["name"]
  }

  /// Returns the names of the attributes that hold forms; `good` alone may describe the light.
  private static func attributesOfForm(_ shapes: [XMLElement]) -> Set<String> {
    Set(
      shapes.flatMap { $0.children(named: "attribute") }.compactMap { attribute in
        let name = ColumnName(attribute.attributes["name"] ?? "")
        let isForm =
          LabelColumns.usualForms.contains(where: name.isNamed)
          || LabelWords.areForms([attribute.text.trimmed])
        return isForm && !name.isOfRemark ? name.name : nil
      })
  }

  private static func label(
    _ shape: XMLElement, _ label: String, _ attribute: String?, forms: Set<String>
  ) -> String {
    var label = label
    var found: [String] = []
    for child in shape.children(named: "attribute") {
      let name = child.attributes["name"] ?? ""
      let value = child.text.trimmed
      if name == attribute {
        label = value
      } else if forms.contains(name), LabelWords.form(value) != nil {
        found.append(value)
      } else if LabelShapes.mark(value) == true, LabelWords.namesForm(name) {
        found.append(name)
      }
    }
    var row = LabelRow(place: SourcePlace(file: "", line: 0), label: label)
    if let form = LabelWords.joined(found) { row.add(form: form) }
    return row.label
  }

  private static func row(
    _ file: String, _ line: Int, _ start: Double, _ end: Double, _ label: String
  ) -> LabelRow {
    LabelRow(
      place: SourcePlace(file: file, line: line), start: .number(start), end: .number(end),
      label: label)
  }

  // MARK: Anvil

  private static func anvil(_ root: XMLElement, _ file: String) throws -> LabelSheet {
    var sheet = LabelSheet(file: file, form: "Anvil's XML")
    sheet.unit = .seconds
    sheet.unitEvidence = "Anvil's tracks"
    for track in root.children(named: "body").flatMap({ $0.children(named: "track") }) {
      let elements = track.children(named: "el")
      let forms = attributesOfForm(elements)
      let attribute =
        attributeOfClass(elements, "")
        ?? elements.lazy.flatMap { $0.children(named: "attribute") }.first?.attributes["name"]
      for element in elements {
        guard let start = element.number("start"), let end = element.number("end") else {
          throw SourcePlace(file: file, line: element.line).unusable(
            "an element of a track has no start or no end", "save the file again in Anvil")
        }
        var row = row(file, element.line, start, end, label(element, "", attribute, forms: forms))
        row.tier = track.attributes["name"]
        sheet.rows.append(row)
      }
    }
    sheet.media = root.all(named: "video").compactMap { $0.attributes["src"] }
    return sheet
  }
}

extension NamedText {
  package init(labels source: NamedBytes) throws {
    guard !source.bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) else {
      throw PoseSourceError.unusable(
        source.name, "this is a ZIP archive, such as a spreadsheet workbook",
        "save the sheet with the labels as CSV")
    }
    let bytes = PlainText.bytes(of: source.bytes)
    let foreign =
      bytes.first == UInt8(ascii: "<")
      ? nil : ForeignFile(NamedBytes(name: source.name, bytes: bytes))
    let isBinary = bytes.prefix(ForeignFile.sampleSize).contains(0)
    if isBinary || foreign?.isEmpty == false {
      throw PoseSourceError.unusable(
        source.name, foreign?.found ?? "this is binary data, not text",
        foreign.flatMap { $0.isWideText ? $0.remedy : nil }
          ?? "export the labels as text, such as CSV")
    }
    try self.init(name: source.name, bytes: bytes)
  }
}

struct XMLElement: Sendable {
  let name: String
  let line: Int
  var attributes: [String: String] = [:]
  var text = ""
  var children: [XMLElement] = []

  func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }

  func number(_ key: String) -> Double? { attributes[key].flatMap { Double(decimal: $0) } }

  func all(named name: String) -> [XMLElement] {
    (self.name == name ? [self] : []) + children.flatMap { $0.all(named: name) }
  }
}

/// A strict scanner for the XML that programs write: elements, attributes, text, comments, CDATA.
///
/// Entity definitions are refused, so nothing is expanded or fetched.
struct XMLText: Sendable {
  private let file: String
  private var rest: Substring.UTF8View
  private var line = 1
  private var open: [XMLElement] = []
  private var root: XMLElement?

  private static let deepest = 64

  static func root(of source: NamedText) throws -> XMLElement {
    let text = try XMLText(source)
    guard text.open.isEmpty, let root = text.root else {
      throw text.mistake(
        text.open.last.map { "the end: <\($0.name.prefix(40))> does not end" } ?? "no element")
    }
    return root
  }

  private init(_ source: NamedText) throws {
    file = source.name
    rest = Substring(source.text).utf8
    while !rest.isEmpty {
      guard rest.first == UInt8(ascii: "<") else {
        let text = take(to: rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex)
        add(unescaped(Substring(text)))
        continue
      }
      if starts(with: "<!--") {
        _ = try take(through: "-->")
      } else if starts(with: "<![CDATA[") {
        let text = try take(through: "]]>")
        add(String(Substring(text)).dropFirst(9).dropLast(3))
      } else if starts(with: "<?") {
        _ = try take(through: "?>")
      } else if starts(with: "<!") {
        let definition = String(Substring(try take(through: ">")))
        guard !definition.contains("["), !definition.contains("ENTITY") else {
          throw mistake("entity definitions, which are not allowed", "remove the DOCTYPE")
        }
      } else {
        try readTag(try takeTag())
      }
    }
  }

  private mutating func add(_ text: some StringProtocol) {
    if !open.isEmpty { open[open.count - 1].text += text }
  }

  private mutating func close(_ element: XMLElement) {
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  private func mistake(
    _ found: String, _ remedy: String = "give the original file, or, if it is not XML, a table"
  ) -> PoseSourceError {
    .unusable("\(file):\(line)", "this XML has \(found)", remedy)
  }

  private func starts(with mark: String) -> Bool { rest.starts(with: mark.utf8) }

  private mutating func take(through mark: String) throws -> Substring.UTF8View {
    let mark = Array(mark.utf8)
    var index = rest.startIndex
    while index < rest.endIndex {
      if rest[index] == mark[0], rest[index...].starts(with: mark) {
        return take(to: rest.index(index, offsetBy: mark.count))
      }
      index = rest.index(after: index)
    }
    throw unended
  }

  private mutating func takeTag() throws -> Substring.UTF8View {
    var quote: UInt8?
    for index in rest.indices {
      let byte = rest[index]
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: ">") {
        return take(to: rest.index(after: index))
      } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
    }
    throw unended
  }

  private var unended: PoseSourceError { mistake("a tag or comment that does not end") }

  private mutating func take(to index: Substring.UTF8View.Index) -> Substring.UTF8View {
    let taken = rest[..<index]
    line += taken.count { $0 == UInt8(ascii: "\n") }
    rest = rest[index...]
    return taken
  }

  private mutating func readTag(_ tag: Substring.UTF8View) throws {
    var inside = tag.dropFirst().dropLast()
    if inside.first == UInt8(ascii: "/") {
      let name = Substring(inside.dropFirst()).trimmed
      guard let element = open.popLast(), element.name == name else {
        throw mistake("</\(name.prefix(40))> where another tag ends")
      }
      return close(element)
    }
    let isEmpty = inside.last == UInt8(ascii: "/")
    if isEmpty { inside = inside.dropLast() }
    let name = inside.prefix { $0 > 0x20 }
    var element = XMLElement(name: String(Substring(name)), line: line)
    var rest = inside[name.endIndex...]
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let key = Substring(rest[..<equals]).trimmed
      let after = rest[equals...].dropFirst().drop { $0 <= 0x20 }
      guard let quote = after.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = after.dropFirst().firstIndex(of: quote)
      else { throw mistake("an attribute without quotes") }
      element.attributes[key] = unescaped(Substring(after[..<end].dropFirst()))
      rest = after[end...].dropFirst()
    }
    guard !name.isEmpty, open.count < Self.deepest, !open.isEmpty || root == nil else {
      throw mistake("too many levels, or several roots")
    }
    if isEmpty { close(element) } else { open.append(element) }
  }

  private static let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

  private func unescaped(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
    var result = ""
    var rest = text
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...]
      guard let end = rest.prefix(12).firstIndex(of: ";") else {
        result += "&"
        rest = rest.dropFirst()
        continue
      }
      let name = rest[rest.index(after: start)..<end]
      if let plain = Self.entities[String(name)] {
        result += plain
      } else if let scalar = Self.scalar(name) {
        result.unicodeScalars.append(scalar)
      } else {
        result += rest[...end]
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func scalar(_ name: Substring) -> Unicode.Scalar? {
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let number =
      digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return number.flatMap { Unicode.Scalar($0) }
  }
}
