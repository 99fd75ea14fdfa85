package struct TextRenderer: Sendable {
  var usesColor = false
  var width = Self.standardWidth

  package init(usesColor: Bool = false, width: Int = Self.standardWidth) {
    self.usesColor = usesColor
    self.width = width
  }

  package static let standardWidth = 80

  package func render(_ document: Document) -> String {
    document.blocks.map(render).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func render(_ block: Document.Block) -> String {
    switch block {
    case .heading(let title, let level):
      let length = min(width, PrintableText.of(title).count)
      return wrap(StyledText(title, .strong), first: "", rest: "")
        + (level == 1 ? String(repeating: "=", count: length) + "\n" : "")
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

/// A table that is too wide first wraps the words of its entries and titles.
///
/// If that is not enough, it becomes several tables, each with the columns that distinguish the
/// rows.
struct TableLayout: Hashable, Sendable {
  struct Part: Hashable, Sendable {
    var columns: [Int] = []
    var widths: [Int] = []
  }

  private(set) var parts: [Part] = []

  static let indent = 2
  static let gap = 2
  private static let narrowest = [16, 8]
  private static let widestWord = 30

  private let columns: [Table.Column]
  private let rows: [[String]]
  private let width: Int

  init(_ columns: [Table.Column], _ rows: [[String]], width: Int) {
    self.columns = columns
    self.rows = rows
    self.width = width
    let natural = columns.indices.map { self.natural($0) }
    let candidates =
      [natural] + Self.narrowest.map { limit in columns.indices.map { self.least($0, limit) } }
    let fitting = candidates.first { fits($0) }
    let least = fitting ?? columns.indices.map { self.least($0, Self.narrowest[0]) }
    let groups = fitting == nil ? self.groups(least) : [Array(columns.indices)]
    parts = groups.map { group in
      let widths = spread(group.map { least[$0] }, toward: group.map { natural[$0] })
      return Part(columns: group, widths: widths)
    }
  }

  private func fits(_ widths: [Int]) -> Bool { Self.room(widths) <= width }

  private static func room(_ widths: [Int]) -> Int {
    indent + widths.reduce(0, +) + gap * max(0, widths.count - 1)
  }

  private func natural(_ column: Int) -> Int {
    max(columns[column].title.count, rows.map { $0[column].count }.max() ?? 0)
  }

  private func least(_ column: Int, _ narrowest: Int) -> Int {
    let title = WrappedText.pieces(of: columns[column].title).map(\.count).max() ?? 0
    let cells = rows.map { row -> Int in
      if columns[column].isNumeric { return row[column].count }
      let words = WrappedText.words(of: row[column]).map(\.count).max() ?? 0
      return max(min(words, Self.widestWord), min(row[column].count, narrowest))
    }
    return min(max(title, cells.max() ?? 0), max(1, width - Self.indent))
  }

  private func groups(_ least: [Int]) -> [[Int]] {
    let key = keyColumns(least)
    var (groups, group) = ([[Int]](), key)
    for column in columns.indices.dropFirst(key.count) {
      if group.count > key.count, !fits((group + [column]).map { least[$0] }) {
        groups.append(group)
        group = key
      }
      group.append(column)
    }
    return groups + [group]
  }

  private func keyColumns(_ least: [Int]) -> [Int] {
    var key: [Int] = []
    for column in columns.indices.dropLast() {
      guard Self.room((key + [column]).map { least[$0] }) <= width / 2 else { break }
      key.append(column)
      if Set(rows.map { row in key.map { row[$0] } }).count == rows.count { return key }
    }
    return Array(key.prefix(1))
  }

  private func spread(_ least: [Int], toward natural: [Int]) -> [Int] {
    var widths = fits(natural) ? natural : least
    while Self.room(widths) < width {
      let open = widths.indices.filter { widths[$0] < natural[$0] }
      let tallest = open.max { natural[$0] * widths[$1] < natural[$1] * widths[$0] }
      guard let tallest else { break }
      widths[tallest] += 1
    }
    while Self.room(widths) > width,
      let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > 1
    { widths[widest] -= 1 }
    return widths
  }
}

enum WrappedText {
  /// A word longer than a line breaks after its punctuation, or else anywhere.
  static func lines(of text: String, width: Int) -> [String] {
    guard text.count > width else { return [text] }
    var lines: [String] = []
    var line = ""
    let words = words(of: text).flatMap { word in
      word.count > width ? word.split(separator: " ").map(String.init) : [word]
    }
    for word in words {
      if !line.isEmpty, line.count + 1 + word.count <= width {
        line += " " + word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = ""
      for piece in word.count > width ? pieces(of: word) : [word] {
        var rest = Substring(piece)
        if line.count + rest.count > width, !line.isEmpty {
          lines.append(line)
          line = ""
        }
        while rest.count > width {
          lines.append(String(rest.prefix(width)))
          rest = rest.dropFirst(width)
        }
        line += rest
      }
    }
    return lines + [line]
  }

  static func words(of text: String) -> [String] {
    text.split(separator: " ").reduce(into: []) { words, word in
      if let last = words.last?.last, last.isNumber, units.contains(word.trimming(",.;:)")) {
        words[words.count - 1] += " " + word
      } else {
        words.append(String(word))
      }
    }
  }

  private static let units: Set<Substring> = ["s", "ms", "min", "m", "cm", "deg", "Hz", "%", "kB"]

  static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var piece = ""
    for character in text {
      if character != " " { piece.append(character) }
      if !piece.isEmpty, character == " " || "_./,:=+@".contains(character) {
        pieces.append(piece)
        piece = ""
      }
    }
    return piece.isEmpty ? pieces : pieces + [piece]
  }
}

extension Substring {
  fileprivate func trimming(_ characters: String) -> Substring {
    var rest = self
    while let last = rest.last, characters.contains(last) { rest.removeLast() }
    return rest
  }
}

package struct MarkdownRenderer: Sendable {
  package init() {}

  package func render(_ document: Document) -> String {
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
    // No text can end an indented block, while a text could end a fence.
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
    case .heading(let text, let level): "<h\(level)>\(SVGCanvas.escaped(text))</h\(level)>\n"
    case .paragraph(let text): "<p>\(styled(text))</p>\n"
    case .list(let items): "<ul>\n" + items.map { "<li>\(styled($0))</li>\n" }.joined() + "</ul>\n"
    case .table(let table): folded(table, under: heading)
    case .matrix(let matrix): scrolling(render(matrix), label: "\(heading): \(matrix.caption)")
    case .figure(let figure):
      figure.html.isEmpty
        ? ""
        : "<figure>\n" + scrolling(figure.html.text, label: "\(heading): picture") + "</figure>\n"
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
        // Screen readers must not announce a heading without words.
        let element = cell.text.isEmpty ? "td" : tag
        return "<\(element)\(style)>\(styled(cell))</\(element)>"
      }
      return "<tr>" + parts.joined() + "</tr>\n"
    }
    return "<table>\n<thead>\n" + row(table.columns.map { StyledText($0.title) }, "th")
      + "</thead>\n<tbody>\n" + table.rows.map { row($0, "td") }.joined() + "</tbody>\n</table>\n"
  }

  private func styled(_ text: StyledText) -> String { HTML.styled(text).text }
}
