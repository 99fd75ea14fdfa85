/// A document for a terminal: aligned columns, and colors and pictures if wanted.
///
/// Control characters in texts are escaped, so that no name in a file steers the terminal.
struct TextRenderer: Sendable {
  /// Whether a person reads it in a terminal: tones become ANSI colors, matrices are shaded, and
  /// figures are sketched.
  var usesColor: Bool
  /// The column at which running text wraps.
  var width: Int

  /// Makes a renderer.
  init(usesColor: Bool = false, width: Int = 96) {
    self.usesColor = usesColor
    self.width = width
  }

  /// The document's text; it ends with a line break.
  func render(_ document: Document) -> String {
    document.blocks.map(render).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func render(_ block: Document.Block) -> String {
    switch block {
    case .heading(let title, let level):
      let text = PrintableText.of(title)
      let line = paint(text, .strong) + "\n"
      return level == 1 ? line + String(repeating: "=", count: text.count) + "\n" : line
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
    let widths = table.columns.indices.map { index in
      rows.map { $0[index].text.count }.max() ?? 0
    }
    return rows.map { row in
      var line = "  "
      for (index, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[index] - cell.text.count)
        let isNumeric = table.columns[index].isNumeric
        if usesColor, let ground = TerminalSketch.ground(of: cell) {
          line += TerminalSketch.painted(isNumeric ? padding + cell.text : cell.text, on: ground)
          line += (isNumeric ? "" : padding) + "  "
          continue
        }
        let text = paint(cell.text, cell.tone)
        line += (isNumeric ? padding + text : text + padding) + "  "
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private func wrap(_ text: StyledText, first: String, rest: String) -> String {
    var lines: [String] = []
    var line = first
    var isFresh = true
    for word in PrintableText.of(text.text).split(separator: " ") {
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
