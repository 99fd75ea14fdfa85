/// A result as a page of components, readable without a script.
struct ResultPage: Hashable, Sendable {
  /// A part of a page that the bar at the top can jump to.
  struct Section: Hashable, Sendable {
    /// The address within the page; empty for a part to which nothing jumps.
    let id: String
    /// The short name in the bar; empty for a part to which nothing jumps.
    let name: String
    /// What is shown.
    let body: HTML

    /// Makes a part; without a name, nothing jumps to it.
    init(_ name: String = "", id: String = "", body: HTML) {
      self.id = id
      self.name = name
      self.body = body
    }
  }

  /// The title in the browser, and what the result is about.
  let title: String
  /// The command that made the result, as it is typed after `planklab`.
  let command: String
  /// A command line that gives the result again; nil where it is not known.
  let line: String?
  /// The parts from top to bottom.
  private(set) var sections: [Section] = []

  /// Makes a page without parts.
  init(title: String, command: String, line: String? = nil) {
    self.title = title
    self.command = command
    self.line = line
  }

  /// Makes a page of a document: what stands before its second part is the verdict, every heading of
  /// level 2 begins a panel, and the provenance ends it.
  ///
  /// - Parameter state: how good it is, with the word for it; nil if the document judges nothing.
  init(
    _ document: Document, _ origin: ResultOrigin,
    state: (state: VerdictPanel.State, word: String)? = nil
  ) {
    self.init(document, name: origin.command, state: state)
    append(Section(body: ProvenancePanel(origin: origin, line: line).html))
  }

  /// The same for a document of which nothing is known but a name, such as the command's.
  init(
    _ document: Document, name: String, state: (state: VerdictPanel.State, word: String)? = nil
  ) {
    self.init(title: document.title ?? name, command: name)
    var parts = DocumentPart.all(of: document)
    append(Section(body: parts.removeFirst().verdict(state)))
    for (index, part) in parts.enumerated() {
      append(Section(id: "part-\(index + 1)", body: part.panel))
    }
  }

  /// Adds a part unless it shows nothing.
  mutating func append(_ section: Section) {
    if !section.body.isEmpty { sections.append(section) }
  }

  /// The bar at the top: what this is, where to jump, the command, the keys.
  private var bar: HTML {
    let jumps: [HTML] = sections.filter { !$0.name.isEmpty }.map {
      "<a href=\"#\($0.id)\">\($0.name)</a>"
    }
    let copy: HTML = line.map { CopyButton(lines: [$0], title: "Copy command").html } ?? .empty
    return """
      <header class="top"><p><b>PlankLab</b> <span>\(command)</span> <strong>\(title)</strong></p>
      <nav aria-label="Parts of the page">\(jumps)</nav>\(copy)</header>

      """
  }

  /// The bar and the parts.
  var html: HTML {
    let parts: [HTML] = sections.map { section in
      section.id.isEmpty
        ? section.body : "<div class=\"part\" id=\"\(section.id)\">\(section.body)</div>\n"
    }
    return "\(bar)<div class=\"column\">\n\(parts)</div>\n"
  }
}

/// A heading of a document with the blocks up to the next one.
private struct DocumentPart {
  /// The heading; empty for what stands before any.
  var title = ""
  /// The blocks.
  var blocks: [Document.Block] = []

  /// The parts of a document; the first one has the title and what follows it.
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

  /// The first part: its heading says what the result is about, its first paragraph is the answer.
  func verdict(_ state: (state: VerdictPanel.State, word: String)?) -> HTML {
    var rest = blocks[...]
    var headline = HTML.prose(title)
    var subject: HTML = .empty
    if case .paragraph(let text) = rest.first {
      rest.removeFirst()
      headline = HTML.prose(text.text)
      subject = "<p class=\"dim\">\(title)</p>\n"
    }
    let lead = HTML(markup: HTMLRenderer().body(Document(Array(rest))))
    return VerdictPanel(
      state: state?.state, word: state?.word ?? "", headline: headline, lead: subject + lead
    ).html
  }

  /// A later part.
  var panel: HTML {
    let body = HTML(markup: HTMLRenderer().body(Document(blocks)))
    return "<section class=\"panel\"><h2>\(prose: title)</h2>\n\(body)</section>\n"
  }
}
