/// A table that is too wide first wraps cells of words and titles; if that is not enough, it
/// becomes several tables, each with the columns that tell the rows apart.
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

  /// - Complexity: O(characters + columns * width).
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
      let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > 1
    { widths[widest] -= 1 }
    return widths
  }
}

enum WrappedText {
  /// A word longer than a line breaks after its punctuation, or else anywhere; `width` is at least
  /// 1.
  static func lines(of text: String, width: Int) -> [String] {
    guard text.count > width else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in words(of: text) {
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

  /// The words of a text; a number and its unit are one word.
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
