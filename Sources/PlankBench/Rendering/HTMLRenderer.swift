/// A document as one self-contained HTML page: no script, no request.
struct HTMLRenderer: Sendable {
  /// Whether long tables are shown when they are opened.
  var foldsLongTables = false

  /// The most rows of a table that is shown open.
  private static let longestOpenTable = 24

  /// The blocks of a document, for the body of a page.
  ///
  /// - Parameter figures: SVG pictures by the heading that they follow.
  func body(_ document: Document, figures: [String: String] = [:]) -> String {
    var heading = "Table"
    var body = ""
    for block in document.blocks {
      guard case .heading(let text, _) = block else {
        body += render(block, under: heading)
        continue
      }
      heading = text
      body += render(block, under: heading)
      if let figure = figures[text] { body += "<figure>\n" + figure + "</figure>\n" }
    }
    return body
  }

  /// The page; it ends with a line break.
  ///
  /// - Parameters:
  ///   - document: the text.
  ///   - title: the page's title.
  ///   - figures: SVG pictures by the heading that they follow.
  func render(
    _ document: Document, title: String, figures: [String: String] = [:]
  ) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(SVGCanvas.escaped(title))</title>
    <style>\(Self.style)</style>
    <main>
    \(body(document, figures: figures))</main>
    </html>

    """
  }

  private static let style =
    Theme.css + """
      body{font:15px/1.5 system-ui,sans-serif;max-width:1080px;margin:2em auto;padding:0 1em;\
      background:var(--surface);color:var(--text)}.scroll{margin:1em 0;overflow-x:auto}\
      table{border-collapse:collapse;font-size:13px}td,th{padding:.25em .7em;\
      border-bottom:1px solid var(--line);text-align:left}.n{text-align:right;white-space:nowrap;\
      font-variant-numeric:tabular-nums}.dim{color:var(--dim)}.good{color:var(--good)}\
      .bad{color:var(--threshold)}.warning{color:var(--warning)}figure{margin:1em 0}\
      svg{max-width:100%;height:auto}
      """

  private func render(_ block: Document.Block, under heading: String) -> String {
    switch block {
    case .heading(let text, let level):
      "<h\(level)>\(SVGCanvas.escaped(text))</h\(level)>\n"
    case .paragraph(let text): "<p>\(styled(text))</p>\n"
    case .list(let items):
      "<ul>\n" + items.map { "<li>\(styled($0))</li>\n" }.joined() + "</ul>\n"
    case .table(let table): folded(table, under: heading)
    case .matrix(let matrix): scrolling(render(matrix), label: heading)
    case .code(let lines):
      "<pre>" + lines.map { SVGCanvas.escaped($0) + "\n" }.joined() + "</pre>\n"
    }
  }

  private func folded(_ table: Table, under heading: String) -> String {
    let text = scrolling(render(table), label: heading)
    guard foldsLongTables, table.rows.count > Self.longestOpenTable else { return text }
    return "<details><summary>\(NumberText.count(table.rows.count)) rows</summary>\n"
      + text + "</details>\n"
  }

  /// A table that may be wider than the page, which the keyboard can reach and scroll.
  private func scrolling(_ table: String, label: String) -> String {
    "<div class=\"scroll\" role=\"group\" tabindex=\"0\" "
      + "aria-label=\"\(SVGCanvas.escaped(label))\">\n" + table + "</div>\n"
  }

  /// A matrix as a table with headings for its rows and columns; a script finds both numbers of a
  /// cell in its attributes.
  private func render(_ matrix: Document.Matrix) -> String {
    let labels = matrix.labels.map(SVGCanvas.escaped)
    let head = labels.map { "<th scope=\"col\">\($0)</th>" }.joined()
    let rows = labels.indices.map { truth in
      let cells = labels.indices.map { answer in
        "<td class=\"\(truth == answer ? "right" : "wrong")\" "
          + "data-frames=\"\(matrix.frames[truth][answer])\" "
          + "data-seconds=\"\(matrix.seconds[truth][answer])\">"
          + "\(NumberText.count(matrix.frames[truth][answer]))</td>"
      }
      return "<tr><th scope=\"row\">\(labels[truth])</th>\(cells.joined())</tr>\n"
    }
    let title = SVGCanvas.escaped(matrix.title)
    return "<table class=\"matrix\" data-title=\"\(title)\">\n"
      + "<caption>\(title), frames by truth and answer</caption>\n"
      + "<thead><tr><th class=\"corner\">truth \\ answer</th>\(head)</tr></thead>\n"
      + "<tbody>\n\(rows.joined())</tbody>\n</table>\n"
  }

  private func render(_ table: Table) -> String {
    func row(_ cells: [String], _ tag: String) -> String {
      let parts = zip(cells, table.columns).map { cell, column in
        "<\(tag)\(column.isNumeric ? " class=\"n\"" : "")>\(cell)</\(tag)>"
      }
      return "<tr>" + parts.joined() + "</tr>\n"
    }
    return "<table>\n" + row(table.columns.map { SVGCanvas.escaped($0.title) }, "th")
      + table.rows.map { row($0.map(styled), "td") }.joined() + "</table>\n"
  }

  private func styled(_ text: StyledText) -> String {
    let escaped = Self.marked(SVGCanvas.escaped(text.text))
    return switch text.tone {
    case .plain: escaped
    case .strong: "<strong>\(escaped)</strong>"
    case .dim: "<span class=\"dim\">\(escaped)</span>"
    case .good: "<span class=\"good\">\(escaped)</span>"
    case .bad: "<span class=\"bad\">\(escaped)</span>"
    case .warning: "<span class=\"warning\">\(escaped)</span>"
    }
  }

  /// An escaped text in which the parts between backticks are set as code.
  private static func marked(_ escaped: String) -> String {
    let parts = escaped.split(separator: "`", omittingEmptySubsequences: false)
    // An unpaired backtick stays as it is.
    let last = parts.count.isMultiple(of: 2) ? "`" + (parts.last ?? "") : parts.last ?? ""
    return parts.dropLast().enumerated().map { index, part in
      index.isMultiple(of: 2) ? String(part) : "<code>\(part)</code>"
    }.joined() + last
  }
}
