struct MarkdownRenderer: Sendable {
  func render(_ document: Document) -> String {
    document.blocks.map(render).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func render(_ block: Document.Block) -> String {
    switch block {
    case .heading(let text, let level):
      String(repeating: "#", count: level) + " " + escape(text) + "\n"
    case .paragraph(let text): styled(text) + "\n"
    case .list(let items): items.map { "- " + styled($0) + "\n" }.joined()
    case .table(let table): render(table)
    case .matrix(let matrix): render(matrix.table)
    case .figure(let figure): render(figure.plain)
    // Indented, because no text can end an indented block as it could end a fence.
    case .code(let lines): lines.map { "    " + PrintableText.of($0) + "\n" }.joined()
    }
  }

  private func render(_ table: Table) -> String {
    let header = table.columns.map { escape($0.title) }
    let rule = table.columns.map { $0.isNumeric ? "---:" : "---" }
    let rows = table.rows.map { $0.map(styled) }
    return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  private func styled(_ text: StyledText) -> String {
    let body = escape(text.text)
    return text.tone == .bad || text.tone == .strong ? "**\(body)**" : body
  }

  private func escape(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\", "`", "*", "_", "[", "]", "|", "#": result += "\\\(character)"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\n", "\r\n", "\r": result += " "
      default: result += PrintableText.of(String(character))
      }
    }
    return result
  }
}
