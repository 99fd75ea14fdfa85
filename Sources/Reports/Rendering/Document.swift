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

  private(set) var blocks: [Block] = []

  init(_ blocks: [Block] = []) { self.blocks = blocks }

  var title: String? {
    for case .heading(let text, _) in blocks { return text }
    return nil
  }

  var afterOpening: Document {
    Document(
      Array(blocks.drop { block in if case .heading(_, level: 2) = block { false } else { true } }))
  }

  mutating func heading(_ text: String, level: Int = 2) {
    blocks.append(.heading(text, level: level))
  }

  mutating func paragraph(_ text: StyledText) {
    if !text.text.isEmpty { blocks.append(.paragraph(text)) }
  }

  mutating func paragraph(_ text: String, _ tone: StyledText.Tone = .plain) {
    paragraph(StyledText(text, tone))
  }

  mutating func table(_ table: Table) {
    if !table.rows.isEmpty { blocks.append(.table(table)) }
  }

  mutating func list(_ items: [StyledText]) {
    if !items.isEmpty { blocks.append(.list(items)) }
  }

  mutating func code(_ lines: [String]) {
    if !lines.isEmpty { blocks.append(.code(lines)) }
  }

  mutating func matrix(_ matrix: Matrix) {
    if !matrix.labels.isEmpty { blocks.append(.matrix(matrix)) }
  }

  mutating func figure(_ figure: Figure) {
    if !figure.isEmpty, figure.isDrawable { blocks.append(.figure(figure)) }
  }

  mutating func append(_ other: Document) { blocks += other.blocks }
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

  func shaded(_ count: Int, of total: Int) -> StyledText {
    shaded(Double(count), of: Double(total))
  }

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

  let columns: [Column]
  private(set) var rows: [[StyledText]] = []

  init(_ columns: [Column]) { self.columns = columns }

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
