struct XMLElement: Sendable {
  let name: String
  let line: Int
  var attributes: [String: String] = [:]
  var text = ""
  /// The positions of the elements inside, in `XMLText.elements`.
  var children: [Int] = []
}

/// A small, strict scan of XML as programs write it: elements, attributes, text, comments, CDATA.
///
/// Definitions of entities are refused, so that nothing expands; nothing is fetched.
struct XMLText: Sendable {
  /// In the order of their start tags; the first one is the root.
  private(set) var elements: [XMLElement] = []
  private let file: String
  private var rest: Substring.UTF8View
  private var line = 1
  private var open: [Int] = []

  private static let deepest = 64

  init(_ source: NamedText) throws {
    file = source.name
    rest = Substring(source.text).utf8
    while !rest.isEmpty {
      guard rest.first == UInt8(ascii: "<") else {
        readText(takeText())
        continue
      }
      if starts(with: "<!--") {
        _ = try take(through: "-->")
      } else if starts(with: "<![CDATA[") {
        let text = try take(through: "]]>")
        if let index = open.last {
          elements[index].text += String(Substring(text)).dropFirst(9).dropLast(3)
        }
      } else if starts(with: "<?") {
        _ = try take(through: "?>")
      } else if starts(with: "<!") {
        let definition = String(Substring(try take(through: ">")))
        guard !definition.contains("["), !definition.contains("ENTITY") else {
          throw mistake("definitions of entities, which are not read", "remove the DOCTYPE")
        }
      } else {
        try readTag(try takeTag())
      }
    }
    guard open.isEmpty, !elements.isEmpty else {
      throw mistake(
        open.last.map { "the end: <\(elements[$0].name.prefix(40))> does not end" } ?? "no element",
        "give the file as it was written")
    }
  }

  func children(of element: XMLElement, named name: String? = nil) -> [XMLElement] {
    element.children.map { elements[$0] }.filter { name == nil || $0.name == name }
  }

  private func mistake(_ found: String, _ remedy: String) -> PoseSourceError {
    .unusableValues(name: "\(file):\(line)", found: "this XML has \(found)", remedy: remedy)
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

  /// A tag may have `>` in quotes.
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

  private var unended: PoseSourceError {
    mistake("a tag or comment that does not end", "give the file as it was written")
  }

  private mutating func takeText() -> Substring.UTF8View {
    take(to: rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex)
  }

  private mutating func take(to index: Substring.UTF8View.Index) -> Substring.UTF8View {
    let taken = rest[..<index]
    line += taken.count { $0 == UInt8(ascii: "\n") }
    rest = rest[index...]
    return taken
  }

  private mutating func readText(_ text: Substring.UTF8View) {
    guard let index = open.last else { return }
    elements[index].text += unescaped(Substring(text))
  }

  private mutating func readTag(_ tag: Substring.UTF8View) throws {
    var inside = tag.dropFirst().dropLast()
    if inside.first == UInt8(ascii: "/") {
      let name = LabelDocuments.trimmed(Substring(inside.dropFirst()))
      guard let index = open.popLast(), elements[index].name == name else {
        throw mistake(
          "</\(name.prefix(40))> where another tag ends", "give the file as it was written")
      }
      return
    }
    let isEmpty = inside.last == UInt8(ascii: "/")
    if isEmpty { inside = inside.dropLast() }
    let name = inside.prefix { $0 > 0x20 }
    var element = XMLElement(name: String(Substring(name)), line: line)
    var rest = inside[name.endIndex...]
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let key = LabelDocuments.trimmed(Substring(rest[..<equals]))
      let after = rest[equals...].dropFirst().drop { $0 <= 0x20 }
      guard let quote = after.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = after.dropFirst().firstIndex(of: quote)
      else { throw mistake("an attribute without quotes", "give the file as it was written") }
      element.attributes[key] = unescaped(Substring(after[..<end].dropFirst()))
      rest = after[end...].dropFirst()
    }
    guard !name.isEmpty, open.count < Self.deepest, open.isEmpty ? elements.isEmpty : true else {
      throw mistake("more levels or roots than are read", "give the file as it was written")
    }
    if let parent = open.last { elements[parent].children.append(elements.count) }
    if !isEmpty { open.append(elements.count) }
    elements.append(element)
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
