struct HTMLRenderer: Sendable {
  private static let longestOpenTable = 24
  private static let longestUnbrokenCell = 40

  func body(_ document: Document) -> String {
    var heading = "Table"
    return document.blocks.map { block in
      if case .heading(let text, _) = block { heading = text }
      return render(block, under: heading)
    }.joined()
  }

  private func render(_ block: Document.Block, under heading: String) -> String {
    switch block {
    case .heading(let text, let level):
      "<h\(level)>\(SVGCanvas.escaped(text))</h\(level)>\n"
    case .paragraph(let text): "<p>\(styled(text))</p>\n"
    case .list(let items):
      "<ul>\n" + items.map { "<li>\(styled($0))</li>\n" }.joined() + "</ul>\n"
    case .table(let table): folded(table, under: heading)
    case .matrix(let matrix):
      scrolling(render(matrix), label: "\(heading): \(matrix.caption)")
    case .figure(let figure):
      "<figure>\n" + scrolling(figure.svg, label: "\(heading): picture") + "</figure>\n"
    case .code(let lines): CopyLine(lines: lines).html.text
    }
  }

  private func folded(_ table: Table, under heading: String) -> String {
    let text = scrolling(render(table), label: heading)
    guard table.rows.count > Self.longestOpenTable else { return text }
    return "<details><summary>\(NumberText.count(table.rows.count)) rows</summary>\n"
      + text + "</details>\n"
  }

  private func scrolling(_ table: String, label: String) -> String {
    "<div class=\"scroll\" role=\"group\" tabindex=\"0\" "
      + "aria-label=\"\(SVGCanvas.escaped(label))\">\n" + table + "</div>\n"
  }

  private func render(_ matrix: Document.Matrix) -> String {
    let labels = matrix.labels.map(SVGCanvas.escaped)
    let unused = labels.indices.map { matrix.isUnused($0) ? " unused" : "" }
    let head = labels.indices.map { "<th scope=\"col\" class=\"\(unused[$0])\">\(labels[$0])</th>" }
    let rows = labels.indices.map { truth in
      let cells = labels.indices.map { answer in
        let seconds = matrix.seconds[truth][answer]
        return "<td class=\"\(truth == answer ? "right" : "wrong")\(unused[answer])\" "
          + "data-frames=\"\(matrix.frames[truth][answer])\" data-seconds=\"\(seconds)\">"
          + (seconds == 0 ? "·" : NumberText.grouped(seconds, 1)) + "</td>"
      }
      return "<tr class=\"\(unused[truth])\"><th scope=\"row\">\(labels[truth])</th>"
        + "\(cells.joined())</tr>\n"
    }
    let (title, side) = (SVGCanvas.escaped(matrix.title), SVGCanvas.escaped(matrix.side))
    return "<table class=\"matrix\" data-title=\"\(title)\" data-side=\"\(side)\">\n"
      + "<caption>\(SVGCanvas.escaped(matrix.caption)), seconds by truth and answer</caption>\n"
      + "<thead><tr><th class=\"corner\">truth \\ answer</th>\(head.joined())</tr></thead>\n"
      + "<tbody>\n\(rows.joined())</tbody>\n</table>\n"
  }

  private func render(_ table: Table) -> String {
    func row(_ cells: [StyledText], _ tag: String) -> String {
      let parts = zip(cells, table.columns).map { cell, column in
        let isLong = cell.text.count > Self.longestUnbrokenCell
        let style = column.isNumeric ? " class=\"n\"" : isLong ? " class=\"long\"" : ""
        // A heading without words is no heading for a screen reader.
        let element = cell.text.isEmpty ? "td" : tag
        return "<\(element)\(style)>\(styled(cell))</\(element)>"
      }
      return "<tr>" + parts.joined() + "</tr>\n"
    }
    return "<table>\n<thead>\n" + row(table.columns.map { StyledText($0.title) }, "th")
      + "</thead>\n<tbody>\n" + table.rows.map { row($0, "td") }.joined()
      + "</tbody>\n</table>\n"
  }

  private func styled(_ text: StyledText) -> String { HTML.styled(text).text }
}
