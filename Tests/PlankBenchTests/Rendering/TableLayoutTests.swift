import TestSupport
import Testing

@testable import PlankBench

/// Tables in the columns of a terminal.
@Suite("Layout of tables")
struct TableLayoutTests {
  private static func render(_ table: Table, width: Int = 80) -> [Substring] {
    var document = Document()
    document.table(table)
    return TextRenderer(width: width).render(document).split(separator: "\n")
  }

  /// A table of random words and numbers, up to 12 columns of up to 12 words.
  private static func table(seed: UInt64) -> Table {
    var random = SplitMix64(seed: seed)
    func word() -> String {
      String(
        (0..<Int.random(in: 1...14, using: &random)).map { _ in
          "abcdefg_./".randomElement(using: &random) ?? "a"
        })
    }
    let columns = (0..<Int.random(in: 1...12, using: &random)).map { index -> Table.Column in
      let title = (0..<Int.random(in: 1...4, using: &random)).map { _ in word() }
        .joined(separator: " ")
      return index > 0 && Bool.random(using: &random) ? .number(title) : .words(title)
    }
    var table = Table(columns)
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      table.row(
        columns.map { column in
          let words = (0..<Int.random(in: 1...12, using: &random)).map { _ in word() }
          return StyledText(
            column.isNumeric
              ? "\(Int.random(in: 0...99_999_999, using: &random))" : words.joined(separator: " "))
        })
    }
    return table
  }

  @Test("Every table fits, and no character of it is lost", arguments: 0..<200)
  func fits(seed: Int) {
    let table = Self.table(seed: UInt64(seed))
    let lines = Self.render(table)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.joined(separator: "\n"))")
    // A column of the key is repeated in each part: there may be more, never fewer.
    func counts(_ text: some StringProtocol) -> [Character: Int] {
      text.filter { $0 != " " && $0 != "\n" }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    let shown = counts(lines.joined())
    let said = counts((table.columns.map(\.title) + table.rows.flatMap { $0.map(\.text) }).joined())
    #expect(said.allSatisfy { shown[$0.key, default: 0] >= $0.value })
  }

  @Test("A table that fits stays as it is")
  func untouched() {
    var table = Table([.words("name"), .number("value")])
    table.row(["a name of several words", "1"])
    #expect(
      Self.render(table) == [
        "  name                     value", "  a name of several words      1",
      ])
  }

  @Test("Cells of words wrap before a column goes below, and a number keeps its unit")
  func wraps() {
    var table = Table([.words("key"), .number("value"), .words("meaning")])
    table.row(["sag", "0.05", "lasts for 2 s at most"])
    #expect(
      Self.render(table, width: 26) == [
        "  key  value  meaning", "  sag   0.05  lasts for", "              2 s at most",
      ])
  }

  @Test("Columns that do not fit follow below, behind those that tell the rows apart")
  func folds() {
    var table = Table([.words("name"), .number("first"), .number("second"), .number("third")])
    table.row(["a", "11111111", "22222222", "33333333"])
    table.row(["b", "44444444", "55555555", "66666666"])
    #expect(
      Self.render(table, width: 28) == [
        "  name     first    second", "  a     11111111  22222222", "  b     44444444  55555555",
        "  name     third", "  a     33333333", "  b     66666666",
      ])
  }

  @Test("A word that is longer than a line breaks behind its punctuation")
  func longWords() {
    #expect(
      WrappedText.lines(of: "plank.excess_transitions", width: 12) == [
        "plank.", "excess_", "transitions",
      ])
    #expect(WrappedText.lines(of: "abcdefgh", width: 3) == ["abc", "def", "gh"])
  }
}
