package struct ResultPage: Hashable, Sendable {
  struct Section: Hashable, Sendable {
    let id: String
    let name: String
    let body: HTML

    init(_ name: String = "", id: String = "", body: HTML) {
      self.id = id
      self.name = name
      self.body = body
    }
  }

  package let title: String
  let command: String
  let line: String?
  private(set) var sections: [Section] = []

  package init(title: String, command: String, line: String? = nil) {
    self.title = title
    self.command = command
    self.line = line
  }

  package init(_ document: Document, name: String) {
    self.init(title: document.title ?? name, command: name)
    var parts = DocumentPart.all(of: document)
    append(Section(body: parts.removeFirst().verdict))
    for (index, part) in parts.enumerated() {
      append(Section(id: "part-\(index + 1)", body: part.panel))
    }
  }

  mutating func append(_ section: Section) { if !section.body.isEmpty { sections.append(section) } }

  private func bar(_ prefix: String) -> HTML {
    let jumps: [HTML] = sections.filter { !$0.name.isEmpty }.map {
      "<a href=\"#\(prefix)\($0.id)\">\($0.name)</a>"
    }
    let copy: HTML = line.map { CopyButton(lines: [$0], title: "Copy command").html } ?? .empty
    return """
      <header class="top"><p><b>PlankLab</b> <span>\(command)</span> <strong>\(title)</strong></p>
      <nav aria-label="Parts of the page">\(jumps)</nav>\(copy)</header>

      """
  }

  package var html: HTML { html(prefix: "") }

  /// Every id begins with `prefix`, which differs for each of several results in one file.
  package func html(prefix: String) -> HTML {
    let parts: [HTML] = sections.map { section in
      section.id.isEmpty
        ? section.body
        : "<div class=\"part\" id=\"\(prefix)\(section.id)\">\(section.body)</div>\n"
    }
    return "\(bar(prefix))<div class=\"column\">\n\(parts)</div>\n"
  }
}

private struct DocumentPart {
  var title = ""
  var blocks: [Document.Block] = []

  static func all(of document: Document) -> [DocumentPart] {
    var parts = [DocumentPart()]
    for (index, block) in document.blocks.enumerated() {
      if case .heading(let text, let level) = block, level <= 2 {
        if index == 0 { parts[0].title = text } else { parts.append(DocumentPart(title: text)) }
      } else {
        parts[parts.count - 1].blocks.append(block)
      }
    }
    return parts
  }

  var verdict: HTML {
    var rest = blocks[...]
    var headline = HTML.prose(title)
    var subject: HTML = .empty
    if case .paragraph(let text) = rest.first {
      rest.removeFirst()
      headline = HTML.prose(text.text)
      subject = "<p class=\"dim\">\(title)</p>\n"
    }
    let lead = Document(Array(rest)).html
    return VerdictPanel(headline: headline, lead: subject + lead).html
  }

  var panel: HTML {
    let body = Document(blocks).html
    return "<section class=\"panel\"><h2>\(prose: title)</h2>\n\(body)</section>\n"
  }
}

/// Markup in which interpolated text is escaped, and interpolated markup is not escaped again.
///
/// Text from data can therefore never become markup: `let cell: HTML = "<td>\(name)</td>"`.
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
  package private(set) var text: String

  init(markup text: String) { self.text = text }

  package init(stringLiteral value: String) { text = value }

  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  static let empty = HTML(markup: "")

  var isEmpty: Bool { text.isEmpty }

  static func + (first: HTML, second: HTML) -> HTML { HTML(markup: first.text + second.text) }

  static func += (first: inout HTML, second: HTML) { first.text += second.text }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    package mutating func appendInterpolation(_ value: String) { text += SVGCanvas.escaped(value) }

    package mutating func appendInterpolation(_ value: Int) { text += String(value) }

    package mutating func appendInterpolation(_ value: HTML) { text += value.text }

    package mutating func appendInterpolation(_ value: [HTML]) {
      for part in value { text += part.text }
    }

    package mutating func appendInterpolation(prose value: String) {
      text += HTML.prose(value).text
    }
  }

  static func percent(_ share: Double) -> String { NumberText.fixed(100 * share, 2) + "%" }

  static func prose(_ value: String) -> HTML {
    let parts = SVGCanvas.escaped(value).split(separator: "`", omittingEmptySubsequences: false)
    // An unpaired backquote stays as it is.
    let last = parts.count.isMultiple(of: 2) ? "`" + (parts.last ?? "") : parts.last ?? ""
    let body = parts.dropLast().enumerated().map { index, part in
      index.isMultiple(of: 2) ? String(part) : "<code>\(part)</code>"
    }
    return HTML(markup: body.joined() + last)
  }

  static func styled(_ text: StyledText) -> HTML {
    let body = prose(text.text)
    return switch text.tone {
    case .plain: body
    case .strong: "<strong>\(body)</strong>"
    case .dim, .good, .bad, .warning: "<span class=\"\(text.tone.rawValue)\">\(body)</span>"
    }
  }
}

extension [HTML] {
  func list(_ start: HTML, open: Int, _ noun: String, plural: String? = nil) -> HTML {
    let end = start.text.prefix { $0 != " " }
    func list(_ rows: some Sequence<HTML>) -> HTML { "<\(start)>\n\(Array(rows))</\(String(end))>" }
    guard count > open else { return list(self) + "\n" }
    let title = NumberText.count(
      count - open, "more \(noun)", plural: plural.map { "more \($0)" })
    return """
      \(list(prefix(open)))
      <details><summary>\(title)</summary>
      \(list(dropFirst(open)))</details>

      """
  }
}

extension Document {
  var html: HTML { HTML(markup: HTMLRenderer().body(self)) }
}
