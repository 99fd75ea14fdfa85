package struct Document: Hashable, Sendable {
  enum Block: Hashable, Sendable {
    case heading(String, level: Int)
    case paragraph(StyledText)
    case table(Table)
    case list([StyledText])
    case code([String])
    case matrix(Matrix)
    case figure(Figure)
  }

  struct Matrix: Hashable, Sendable {
    let title: String
    let side: String
    let labels: [String]
    let frames: [[Int]]
    let seconds: [[Double]]

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

    var caption: String { side.isEmpty ? title : "\(title), \(side)" }

    func isUnused(_ label: Int) -> Bool {
      frames[label].allSatisfy { $0 == 0 } && frames.allSatisfy { $0[label] == 0 }
    }

    var table: Table {
      Table(labels.indices) { row, truth in
        row.words("truth \\ answer", labels[truth], .strong)
        let total = Double(frames[truth].reduce(0, +))
        for (answer, count) in frames[truth].enumerated() {
          let tone: StyledText.Tone = truth == answer ? .good : count > 0 ? .bad : .dim
          let cell = StyledText(NumberText.count(count), tone)
          row.number(labels[answer], cell.shaded(Double(count), of: total))
        }
      }
    }
  }

  /// What a screen of few lines does with a block that does not fit.
  ///
  /// A screen first shortens or drops remarks, then reasons; it always shows answers, and it never
  /// shows details. With `--verbose`, in files and in Markdown, a document is whole.
  enum Priority: Int, Comparable, Sendable {
    case answer
    case reason
    case remark
    case detail

    static func < (one: Priority, other: Priority) -> Bool { one.rawValue < other.rawValue }
  }

  private struct Part: Hashable, Sendable {
    var block: Block
    let priority: Priority
    var omitted = 0

    /// Leaves out what cannot fit, however short: every item takes a line or more.
    func limited(to lines: Int) -> Part {
      guard priority > .answer else { return self }
      var part = self
      switch block {
      case .list(let items) where items.count > max(1, lines):
        part.block = .list(Array(items.prefix(max(1, lines))))
        part.omitted = items.count - max(1, lines)
      case .table(let table) where table.rows.count > max(1, lines):
        part.block = .table(table.prefix(max(1, lines)))
        part.omitted = table.rows.count - max(1, lines)
      default: break
      }
      return part
    }
  }

  private var parts: [Part] = []

  var blocks: [Block] {
    parts.map { part in
      guard part.omitted > 0 else { return part.block }
      switch part.block {
      case .list(var items):
        items[items.count - 1].text += " (\(part.omitted) more)"
        return .list(items)
      case .table(let table):
        return .table(table.with(lastRow: StyledText("and \(part.omitted) more", .dim)))
      default: return part.block
      }
    }
  }

  init(_ blocks: [Block] = []) { parts = blocks.map { Part(block: $0, priority: .detail) } }

  /// The document without its details, and with fewer remarks and reasons until it fits.
  ///
  /// `closing` is a comment below it.
  package func screen(lines: Int = Self.screenLines, closing: [String]) -> Document {
    var screen = Document()
    screen.parts = parts.filter { $0.priority < .detail }.map { $0.limited(to: lines) }
    while screen.lineCount + 1 + closing.count > lines, screen.shorten() {}
    screen.code(closing, .answer)
    return screen
  }

  /// The lines of a terminal of 40 lines that remain beside the command and the prompt.
  package static let screenLines = 36

  var lineCount: Int { TextRenderer().render(self).count { $0 == "\n" } }

  /// A list and a table lose their last item, code its last comment with the commands below it.
  private mutating func shorten() -> Bool {
    let least = parts.map(\.priority).max() ?? .answer
    guard least > .answer, let last = parts.lastIndex(where: { $0.priority == least }) else {
      return false
    }
    switch parts[last].block {
    case .list(let items) where items.count > 1: parts[last].block = .list(items.dropLast())
    case .table(let table) where table.rows.count > 1:
      parts[last].block = .table(table.prefix(table.rows.count - 1))
    case .code(let lines):
      let comment = lines.lastIndex { $0.hasPrefix("#") } ?? 0
      if comment > 0 { parts[last].block = .code(Array(lines[..<comment])) }
      if comment == 0 { parts.remove(at: last) }
      return true
    default:
      parts.remove(at: last)
      return true
    }
    parts[last].omitted += 1
    return true
  }

  var title: String? {
    for case .heading(let text, _) in blocks { return text }
    return nil
  }

  var afterOpening: Document {
    var rest = self
    rest.parts = Array(
      parts.drop { if case .heading(_, level: 2) = $0.block { false } else { true } })
    return rest
  }

  private mutating func append(_ block: Block, _ priority: Priority) {
    parts.append(Part(block: block, priority: priority))
  }

  mutating func heading(_ text: String, level: Int = 2, _ priority: Priority = .detail) {
    append(.heading(text, level: level), priority)
  }

  mutating func paragraph(_ text: StyledText, _ priority: Priority = .detail) {
    if !text.text.isEmpty { append(.paragraph(text), priority) }
  }

  mutating func paragraph(
    _ text: String, _ tone: StyledText.Tone = .plain, _ priority: Priority = .detail
  ) {
    paragraph(StyledText(text, tone), priority)
  }

  mutating func table(_ table: Table, _ priority: Priority = .detail) {
    if !table.rows.isEmpty { append(.table(table), priority) }
  }

  mutating func table<Element>(
    _ elements: some Sequence<Element>, priority: Priority = .detail,
    _ fill: (inout Table.Row, Element) -> Void
  ) {
    table(Table(elements, fill), priority)
  }

  mutating func list(_ items: [StyledText], _ priority: Priority = .detail) {
    if !items.isEmpty { append(.list(items), priority) }
  }

  mutating func code(_ lines: [String], _ priority: Priority = .detail) {
    if !lines.isEmpty { append(.code(lines), priority) }
  }

  mutating func matrix(_ matrix: Matrix) {
    if !matrix.labels.isEmpty { append(.matrix(matrix), .detail) }
  }

  mutating func figure(_ figure: Figure) {
    if !figure.isEmpty, figure.isDrawable { append(.figure(figure), .detail) }
  }

  mutating func append(_ other: Document) { parts += other.parts }
}

struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral,
  ExpressibleByStringInterpolation
{
  enum Tone: String, Hashable, Sendable {
    case plain
    case good
    case warning
    case bad
    case dim
    case strong
  }

  var text: String
  var tone: Tone
  var shade = 0.0

  init(_ text: String, _ tone: Tone = .plain) {
    self.text = text
    self.tone = tone
  }

  init(stringLiteral value: String) { self.init(value) }

  func shaded(_ part: Double, of total: Double) -> StyledText {
    var text = self
    text.shade = total > 0 ? part / total : 0
    return text
  }
}

struct Table: Hashable, Sendable {
  struct Column: Hashable, Sendable {
    var title: String
    var isNumeric: Bool

    static func words(_ title: String) -> Column { Column(title: title, isNumeric: false) }

    static func number(_ title: String) -> Column { Column(title: title, isNumeric: true) }
  }

  /// A row whose cells name their columns.
  struct Row {
    fileprivate var columns: [Column] = []
    fileprivate var cells: [StyledText] = []

    mutating func words(_ title: String, _ cell: StyledText) {
      columns.append(.words(title))
      cells.append(cell)
    }

    mutating func words(_ title: String, _ text: String, _ tone: StyledText.Tone = .plain) {
      words(title, StyledText(text, tone))
    }

    mutating func number(_ title: String, _ cell: StyledText) {
      columns.append(.number(title))
      cells.append(cell)
    }

    mutating func number(_ title: String, _ text: String, _ tone: StyledText.Tone = .plain) {
      number(title, StyledText(text, tone))
    }

    mutating func number(
      _ title: String, _ value: Double?, _ decimals: Int, _ tone: StyledText.Tone = .plain
    ) {
      number(title, NumberText.fixed(value, decimals), tone)
    }
  }

  private(set) var columns: [Column]
  private(set) var rows: [[StyledText]] = []

  init(_ columns: [Column] = []) { self.columns = columns }

  /// Has no row for an element to which `fill` gives no cell; all other rows need the same columns.
  init<Element>(_ elements: some Sequence<Element>, _ fill: (inout Row, Element) -> Void) {
    self.init()
    for element in elements { row { fill(&$0, element) } }
  }

  /// Adds a row unless `fill` gives it no cell; the first row names the columns.
  mutating func row(_ fill: (inout Row) -> Void) {
    var row = Row()
    fill(&row)
    guard !row.cells.isEmpty else { return }
    if rows.isEmpty { columns = row.columns }
    precondition(row.columns == columns, "all rows of a table have the same columns")
    rows.append(row.cells)
  }

  fileprivate func prefix(_ count: Int) -> Table {
    var table = self
    table.rows = Array(rows.prefix(count))
    return table
  }

  fileprivate func with(lastRow title: StyledText) -> Table {
    var table = self
    table.row([title] + columns.dropFirst().map { _ in "" })
    return table
  }

  mutating func row(_ cells: [StyledText]) {
    precondition(cells.count == columns.count, "a row has one cell per column")
    rows.append(cells)
  }
}

enum Figure: Hashable, Sendable {
  case intervals(IntervalFigure)
  case timeline(Timeline)
  case objective(ObjectiveFigure)
  case smoothers(SmootherFigure)

  var isEmpty: Bool {
    switch self {
    case .intervals(let figure): figure.rows.isEmpty
    case .timeline(let timeline): timeline.end <= timeline.start
    case .objective(let figure): figure.known.isEmpty
    case .smoothers(let figure): figure.isEmpty
    }
  }

  /// Empty for an objective, which pages draw themselves with the settings that matter.
  var html: HTML {
    switch self {
    case .intervals(let figure): HTML(markup: figure.svg())
    case .timeline(let timeline): timeline.html
    case .objective: .empty
    case .smoothers(let figure): LagPlot(figure: figure).html
    }
  }

  var plain: Document {
    switch self {
    case .intervals, .objective, .smoothers: Document()
    case .timeline(let timeline): timeline.document
    }
  }

  var sketch: String {
    switch self {
    case .intervals(let figure): figure.sketch
    case .timeline(let timeline): timeline.sketch
    case .objective(let figure): figure.sketch
    case .smoothers(let figure): figure.sketch
    }
  }

  var isDrawable: Bool {
    let numbers: [Double]
    switch self {
    case .intervals(let figure): numbers = figure.rows.flatMap(\.numbers)
    case .timeline(let timeline):
      numbers =
        [timeline.start, timeline.end]
        + timeline.ribbons.flatMap { $0.spans.flatMap { [$0.start, $0.end] } }
    case .objective(let figure): numbers = figure.known
    case .smoothers(let figure): numbers = figure.places.flatMap { [$0.lag, $0.value] }
    }
    return numbers.allSatisfy { $0.magnitude < 1e9 }
  }
}
