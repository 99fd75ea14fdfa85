/// A report as a sequence of blocks, before it is rendered in a format.
struct Document: Hashable, Sendable {
  /// One block of a document.
  enum Block: Hashable, Sendable {
    /// A title; level 1 is the document's.
    case heading(String, level: Int)
    /// Running text.
    case paragraph(StyledText)
    /// Rows and columns.
    case table(Table)
    /// A bulleted list.
    case list([StyledText])
    /// Lines to copy, kept as they are.
    case code([String])
    /// A confusion matrix.
    case matrix(Matrix)
    /// A picture on pages and in terminals; other faces say it in words, or leave it out.
    case figure(Figure)
  }

  /// A confusion matrix: rows are true classes, columns answers.
  struct Matrix: Hashable, Sendable {
    /// What is classified.
    let title: String
    /// Whose answers they are; empty where the document is about one detector.
    let side: String
    /// The classes.
    let labels: [String]
    /// Frames by truth and answer.
    let frames: [[Int]]
    /// Seconds by truth and answer.
    let seconds: [[Double]]

    /// Makes a matrix; nil unless both numbers are present for every pair of classes.
    init?(
      title: String, side: String = "", labels: [String], frames: [[Int]], seconds: [[Double]]
    ) {
      let sizes = frames.map(\.count) + seconds.map(\.count)
      guard frames.count == labels.count, seconds.count == labels.count,
        sizes.allSatisfy({ $0 == labels.count })
      else { return nil }
      self.title = title
      self.side = side
      self.labels = labels
      self.frames = frames
      self.seconds = seconds
    }

    /// What is classified, and by whom.
    var caption: String { side.isEmpty ? title : "\(title), \(side)" }

    /// Whether a class is never true and never answered.
    func isUnused(_ label: Int) -> Bool {
      frames[label].allSatisfy { $0 == 0 } && frames.allSatisfy { $0[label] == 0 }
    }

    /// The frames as a table.
    var table: Table {
      var table = Table([.words("truth \\ answer")] + labels.map { .number($0) })
      for (truth, row) in frames.enumerated() {
        let total = row.reduce(0, +)
        let cells = row.enumerated().map { answer, count in
          StyledText(NumberText.count(count), truth == answer ? .good : count > 0 ? .bad : .dim)
            .shaded(count, of: total)
        }
        table.row([StyledText(labels[truth], .strong)] + cells)
      }
      return table
    }
  }

  /// The blocks in reading order.
  private(set) var blocks: [Block] = []

  /// Makes a document, an empty one unless blocks are given.
  init(_ blocks: [Block] = []) { self.blocks = blocks }

  /// The title: the first heading; nil without one.
  var title: String? {
    for case .heading(let text, _) in blocks { return text }
    return nil
  }

  /// The document from its first heading of level 2 on.
  var afterOpening: Document {
    Document(
      Array(
        blocks.drop { block in
          if case .heading(_, level: 2) = block { false } else { true }
        }))
  }

  /// Adds a title.
  mutating func heading(_ text: String, level: Int = 2) {
    blocks.append(.heading(text, level: level))
  }

  /// Adds running text unless it is empty.
  mutating func paragraph(_ text: StyledText) {
    if !text.text.isEmpty { blocks.append(.paragraph(text)) }
  }

  /// Adds a table unless it has no rows.
  mutating func table(_ table: Table) {
    if !table.rows.isEmpty { blocks.append(.table(table)) }
  }

  /// Adds a bulleted list unless it is empty.
  mutating func list(_ items: [StyledText]) {
    if !items.isEmpty { blocks.append(.list(items)) }
  }

  /// Adds lines to copy unless there are none.
  mutating func code(_ lines: [String]) {
    if !lines.isEmpty { blocks.append(.code(lines)) }
  }

  /// Adds a confusion matrix unless it has no classes.
  mutating func matrix(_ matrix: Matrix) {
    if !matrix.labels.isEmpty { blocks.append(.matrix(matrix)) }
  }

  /// Adds a picture, unless it shows nothing, or numbers that no picture can show.
  mutating func figure(_ figure: Figure) {
    if !figure.isEmpty, figure.isDrawable { blocks.append(.figure(figure)) }
  }

  /// Adds all blocks of another document.
  mutating func append(_ other: Document) { blocks += other.blocks }
}

/// A text with a tone that some formats show as color.
struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral,
  ExpressibleByStringInterpolation
{
  /// How a text is meant.
  enum Tone: String, Hashable, Sendable {
    /// Neither good nor bad.
    case plain
    /// As it should be.
    case good
    /// Worth a look.
    case warning
    /// Wrong.
    case bad
    /// Of less interest.
    case dim
    /// Of more interest.
    case strong
  }

  /// The characters.
  var text: String
  /// How they are meant.
  var tone: Tone
  /// How strongly a terminal colors the ground, 0...1: a cell's share of its row in a matrix.
  var shade = 0.0

  /// Makes a text.
  init(_ text: String, _ tone: Tone = .plain) {
    self.text = text
    self.tone = tone
  }

  /// Makes a plain text from a literal.
  init(stringLiteral value: String) { self.init(value) }

  /// The text on a ground as strong as its share of a total.
  func shaded(_ count: Int, of total: Int) -> StyledText {
    shaded(Double(count), of: Double(total))
  }

  /// The same for a part of a total in any unit, such as seconds.
  func shaded(_ part: Double, of total: Double) -> StyledText {
    var text = self
    text.shade = total > 0 ? part / total : 0
    return text
  }
}

/// A table of texts.
struct Table: Hashable, Sendable {
  /// A column's title and the side to which its cells are aligned.
  struct Column: Hashable, Sendable {
    /// The title.
    var title: String
    /// Whether cells are aligned to the right, as numbers are.
    var isNumeric: Bool

    /// Makes a column of words.
    static func words(_ title: String) -> Column {
      Column(title: title, isNumeric: false)
    }

    /// Makes a column of numbers.
    static func number(_ title: String) -> Column {
      Column(title: title, isNumeric: true)
    }
  }

  /// The columns from left to right.
  let columns: [Column]
  /// The rows, each with one cell per column.
  private(set) var rows: [[StyledText]] = []

  /// Makes a table without rows.
  init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row.
  ///
  /// - Precondition: one cell per column.
  mutating func row(_ cells: [StyledText]) {
    precondition(cells.count == columns.count, "a row has one cell per column")
    rows.append(cells)
  }
}
