/// Control characters in texts are escaped, so that no name in a file steers the terminal.
struct TextRenderer: Sendable {
  var usesColor = false
  var width = Self.standardWidth

  static let standardWidth = 80

  func render(_ document: Document) -> String {
    document.blocks.map(render).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func render(_ block: Document.Block) -> String {
    switch block {
    case .heading(let title, let level):
      let text = PrintableText.of(title)
      let line = paint(text, .strong) + "\n"
      return level == 1 ? line + String(repeating: "=", count: min(width, text.count)) + "\n" : line
    case .paragraph(let text): return wrap(text, first: "", rest: "")
    case .list(let items): return items.map { wrap($0, first: "  - ", rest: "    ") }.joined()
    case .table(let table): return render(table)
    case .matrix(let matrix): return render(matrix.table)
    case .figure(let figure): return usesColor ? figure.sketch : render(figure.plain)
    case .code(let lines): return lines.map { "  " + PrintableText.of($0) + "\n" }.joined()
    }
  }

  private func render(_ table: Table) -> String {
    let header = table.columns.map { StyledText($0.title, .dim) }
    let rows = ([header] + table.rows).map { row in
      row.map { cell in
        var safe = cell
        safe.text = PrintableText.of(cell.text)
        return safe
      }
    }
    let layout = TableLayout(
      zip(table.columns, rows[0]).map { Table.Column(title: $1.text, isNumeric: $0.isNumeric) },
      rows.dropFirst().map { $0.map(\.text) }, width: width)
    return layout.parts.map { part in
      rows.map { row in
        let cells = part.columns.map { (text: row[$0], isNumeric: table.columns[$0].isNumeric) }
        return render(cells, widths: part.widths)
      }.joined()
    }.joined(separator: "\n")
  }

  private func render(_ cells: [(text: StyledText, isNumeric: Bool)], widths: [Int]) -> String {
    let lines = zip(cells, widths).map { WrappedText.lines(of: $0.text.text, width: $1) }
    return (0..<(lines.map(\.count).max() ?? 1)).map { index in
      var line = String(repeating: " ", count: TableLayout.indent)
      for (column, cell) in cells.enumerated() {
        var part = cell.text
        part.text = index < lines[column].count ? lines[column][index] : ""
        line += padded(part, to: widths[column], isNumeric: cell.isNumeric)
        line += String(repeating: " ", count: TableLayout.gap)
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private func padded(_ cell: StyledText, to width: Int, isNumeric: Bool) -> String {
    let padding = String(repeating: " ", count: max(0, width - cell.text.count))
    if usesColor, let ground = TerminalSketch.ground(of: cell) {
      return TerminalSketch.painted(isNumeric ? padding + cell.text : cell.text, on: ground)
        + (isNumeric ? "" : padding)
    }
    let text = paint(cell.text, cell.tone)
    return isNumeric ? padding + text : text + padding
  }

  private func wrap(_ text: StyledText, first: String, rest: String) -> String {
    var lines: [String] = []
    var line = first
    var isFresh = true
    for word in WrappedText.words(of: PrintableText.of(text.text)) {
      if !isFresh, line.count + 1 + word.count > width {
        lines.append(line)
        line = rest
        isFresh = true
      }
      line += (isFresh ? "" : " ") + word
      isFresh = false
    }
    lines.append(line)
    return lines.map { paint($0, text.tone) + "\n" }.joined()
  }

  private func paint(_ text: String, _ tone: StyledText.Tone) -> String {
    guard usesColor, !text.isEmpty, let code = Self.codes[tone] else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  private static let codes: [StyledText.Tone: String] = [
    .good: "32", .warning: "33", .bad: "31", .dim: "2", .strong: "1",
  ]
}
