/// A report as a sequence of blocks, before it has a face.
package struct Document: Hashable, Sendable {
  /// One block of a document.
  package enum Block: Hashable, Sendable {
    /// A title; level 1 is the document's.
    case heading(String, level: Int)
    /// Running text.
    case paragraph(StyledText)
    /// Rows and columns.
    case table(Table)
    /// A bulleted list.
    case list([StyledText])
  }

  /// The blocks in reading order.
  package private(set) var blocks: [Block] = []

  /// Makes an empty document.
  package init() {}

  /// Adds a title.
  package mutating func heading(_ text: String, level: Int = 2) {
    blocks.append(.heading(text, level: level))
  }

  /// Adds running text, unless it is empty.
  package mutating func paragraph(_ text: StyledText) {
    if !text.text.isEmpty { blocks.append(.paragraph(text)) }
  }

  /// Adds a table, unless it has no row.
  package mutating func table(_ table: Table) {
    if !table.rows.isEmpty { blocks.append(.table(table)) }
  }

  /// Adds a bulleted list, unless it is empty.
  package mutating func list(_ items: [StyledText]) {
    if !items.isEmpty { blocks.append(.list(items)) }
  }

  /// Adds all blocks of another document.
  package mutating func append(_ other: Document) { blocks += other.blocks }
}
