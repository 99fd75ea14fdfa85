/// A document as one HTML page that needs nothing else: no script, no request.
struct HTMLRenderer: Sendable {
  /// The page; it ends with a line break.
  ///
  /// - Parameters:
  ///   - document: the text.
  ///   - title: the page's title.
  ///   - figures: SVG pictures by the heading that they follow.
  func render(
    _ document: Document, title: String, figures: [String: String] = [:]
  ) -> String {
    let body = document.blocks.map { block -> String in
      guard case .heading(let text, _) = block, let figure = figures[text] else {
        return render(block)
      }
      return render(block) + "<figure>\n" + figure + "</figure>\n"
    }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(SVGCanvas.escaped(title))</title>
      <style>\(Self.style)</style>
      \(body.joined())</html>

      """
  }

  private static let style =
    Theme.css + """
      body{font:15px/1.5 system-ui,sans-serif;max-width:1080px;margin:2em auto;padding:0 1em;\
      background:var(--surface);color:var(--text)}table{border-collapse:collapse;margin:1em 0;\
      font-size:13px;display:block;overflow-x:auto}td,th{padding:.25em .7em;\
      border-bottom:1px solid var(--line);text-align:left}.n{text-align:right;white-space:nowrap;\
      font-variant-numeric:tabular-nums}.dim{color:var(--dim)}.good{color:var(--good)}\
      .bad{color:var(--threshold)}.warning{color:var(--warning)}figure{margin:1em 0}\
      svg{max-width:100%;height:auto}
      """

  private func render(_ block: Document.Block) -> String {
    switch block {
    case .heading(let text, let level):
      "<h\(level)>\(SVGCanvas.escaped(text))</h\(level)>\n"
    case .paragraph(let text): "<p>\(styled(text))</p>\n"
    case .list(let items):
      "<ul>\n" + items.map { "<li>\(styled($0))</li>\n" }.joined() + "</ul>\n"
    case .table(let table): render(table)
    case .code(let lines):
      "<pre>" + lines.map { SVGCanvas.escaped($0) + "\n" }.joined() + "</pre>\n"
    }
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
    let escaped = SVGCanvas.escaped(text.text)
    return switch text.tone {
    case .plain: escaped
    case .strong: "<strong>\(escaped)</strong>"
    case .dim: "<span class=\"dim\">\(escaped)</span>"
    case .good: "<span class=\"good\">\(escaped)</span>"
    case .bad: "<span class=\"bad\">\(escaped)</span>"
    case .warning: "<span class=\"warning\">\(escaped)</span>"
    }
  }
}
