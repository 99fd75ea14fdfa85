/// A table of texts.
package struct Table: Hashable, Sendable {
  /// One column's title and the side to which its cells are set.
  package struct Column: Hashable, Sendable {
    /// The title.
    package var title: String
    /// Whether cells are set to the right, as numbers are.
    package var isNumeric: Bool

    /// Makes a column of words.
    package static func words(_ title: String) -> Column {
      Column(title: title, isNumeric: false)
    }

    /// Makes a column of numbers.
    package static func number(_ title: String) -> Column {
      Column(title: title, isNumeric: true)
    }
  }

  /// The columns from left to right.
  package let columns: [Column]
  /// The rows, each with one cell a column.
  package private(set) var rows: [[StyledText]] = []

  /// Makes a table without rows.
  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row.
  ///
  /// - Precondition: one cell a column.
  package mutating func row(_ cells: [StyledText]) {
    precondition(cells.count == columns.count, "a row has one cell a column")
    rows.append(cells)
  }
}
