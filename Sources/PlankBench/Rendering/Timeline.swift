struct Timeline: Hashable, Sendable, Codable {
  struct Span: Hashable, Sendable, Codable {
    var start: Double
    var end: Double
    var state: String
    var caption: String?

    private enum CodingKeys: String, CodingKey {
      case start = "start_s"
      case end = "end_s"
      case state, caption
    }
  }

  struct Ribbon: Hashable, Sendable, Codable {
    var name: String
    private(set) var spans: [Span] = []

    /// One state per frame, empty if nothing is known; times are in seconds; `end` is when the last
    /// frame's state ends.
    init(_ name: String, times: [Double], end: Double, states: [String]) {
      self.name = name
      for (index, state) in states.enumerated() {
        let until = index + 1 < times.count ? times[index + 1] : end
        if let last = spans.last, last.state == state {
          spans[spans.count - 1].end = until
        } else {
          spans.append(Span(start: times[index], end: until, state: state))
        }
      }
    }

    mutating func annotate(at time: Double, _ caption: String) {
      guard let index = spans.lastIndex(where: { $0.start <= time && time < $0.end }) else {
        return
      }
      spans[index].caption = caption
    }

    /// The state at a time; empty outside every span.
    func state(at time: Double) -> String {
      spans.last { $0.start <= time && time < $0.end }?.state ?? ""
    }
  }

  var title: String
  var subtitle: String
  var start: Double
  var end: Double
  var ribbons: [Ribbon]

  private enum CodingKeys: String, CodingKey {
    case title, subtitle
    case start = "start_s"
    case end = "end_s"
    case ribbons
  }
}

extension Timeline {
  var columns: Int {
    let names = ribbons.map { PrintableText.of($0.name).count }.max() ?? 0
    let room = TextRenderer.standardWidth - TableLayout.indent - names - TableLayout.gap
    return min(72, max(20, room))
  }

  var document: Document {
    var document = Document()
    guard end > start else { return document }
    let step = (end - start) / Double(columns)
    var table = Table([
      .words("ribbon"),
      .words(
        "\(NumberText.fixed(start, 1)) to \(NumberText.fixed(end, 1)) s, one letter per "
          + "\(NumberText.fixed(step, 2)) s"),
    ])
    for ribbon in ribbons {
      let letters = (0..<columns).map { column in
        letter(ribbon.state(at: start + (Double(column) + 0.5) * step))
      }
      table.row([StyledText(ribbon.name, .strong), StyledText(String(letters))])
    }
    document.table(table)
    let used = Set(ribbons.flatMap(\.spans).map(\.state))
    let legend = TimelineStyle.all.filter { used.contains($0.state) }
      .map { "\($0.letter) \($0.state)" }.joined(separator: ", ")
    document.paragraph(StyledText(legend + "; - nothing known.", .dim))
    return document
  }

  private func letter(_ state: String) -> Character { TimelineStyle.of(state)?.letter ?? "-" }
}

extension Timeline {
  private static let width = 1040.0
  private static let left = 196.0
  private static let right = 24.0
  private static let top = 74.0
  private static let rowHeight = 34.0

  func svg(isInPage: Bool = false) -> String {
    var canvas = SVGCanvas()
    let height = Self.top + Double(ribbons.count) * Self.rowHeight + 76
    canvas.box(x: 0, y: 0, width: Self.width, height: height, radius: 10, color: Theme.surface)
    canvas.text(
      title, at: SVGCanvas.Point(x: 20, y: 30), SVGCanvas.TextStyle(size: 18, isBold: true))
    canvas.text(
      subtitle, at: SVGCanvas.Point(x: 20, y: 51),
      SVGCanvas.TextStyle(size: 12.5, color: Theme.dim))
    for (row, ribbon) in ribbons.enumerated() {
      draw(ribbon, y: Self.top + Double(row) * Self.rowHeight, on: &canvas)
    }
    drawAxis(y: Self.top + Double(ribbons.count) * Self.rowHeight, on: &canvas)
    drawLegend(y: height - 20, on: &canvas)
    return canvas.document(
      width: Self.width, height: height, title: "\(title): \(subtitle)", isInPage: isInPage)
  }

  private func x(_ time: Double) -> Double {
    let share = end > start ? (time - start) / (end - start) : 0
    return Self.left + share * (Self.width - Self.left - Self.right)
  }

  private func draw(_ ribbon: Ribbon, y: Double, on canvas: inout SVGCanvas) {
    canvas.text(
      ribbon.name, at: SVGCanvas.Point(x: Self.left - 12, y: y + 17),
      SVGCanvas.TextStyle(size: 12.5, anchor: "end"))
    for span in ribbon.spans {
      guard let style = TimelineStyle.of(span.state) else { continue }
      let (from, to) = (x(span.start), x(span.end))
      canvas.box(
        x: from, y: y, width: max(0.6, to - from), height: Self.rowHeight - 10, radius: 0,
        color: style.color)
      let caption = span.caption ?? span.state
      if to - from > 6.4 * Double(caption.count) + 4 {
        canvas.text(
          caption, at: SVGCanvas.Point(x: (from + to) / 2, y: y + 16),
          SVGCanvas.TextStyle(size: 11, color: Theme.ink(on: span.state), anchor: "middle"))
      }
    }
  }

  private func drawAxis(y: Double, on canvas: inout SVGCanvas) {
    let line = SVGCanvas.Point(x: x(start), y: y)
    canvas.line(line, SVGCanvas.Point(x: x(end), y: y), color: Theme.dim, width: 1)
    let step = RoundStep(spanning: end - start, most: 15)
    for tick in step.multiples(from: start, to: end) {
      canvas.line(
        SVGCanvas.Point(x: x(tick), y: y), SVGCanvas.Point(x: x(tick), y: y + 5),
        color: Theme.dim, width: 1)
      canvas.text(
        NumberText.fixed(tick, step.decimals) + " s", at: SVGCanvas.Point(x: x(tick), y: y + 19),
        SVGCanvas.TextStyle(size: 11, color: Theme.dim, anchor: "middle"))
    }
  }

  private func drawLegend(y: Double, on canvas: inout SVGCanvas) {
    let used = Set(ribbons.flatMap(\.spans).map(\.state))
    var x = 20.0
    for style in TimelineStyle.all where used.contains(style.state) {
      canvas.box(x: x, y: y - 10, width: 12, height: 12, radius: 2, color: style.color)
      canvas.text(
        style.state, at: SVGCanvas.Point(x: x + 17, y: y),
        SVGCanvas.TextStyle(size: 11.5, color: Theme.dim))
      x += 30 + 7.2 * Double(style.state.count)
    }
  }
}

struct TimelineStyle: Hashable {
  let state: String
  let letter: Character
  var color: ThemeColor { Theme.color(of: state) ?? Theme.hole }

  static let all: [TimelineStyle] = [
    ("none", "."), ("forearm", "F"), ("high", "H"), ("sideLeft", "L"), ("sideRight", "R"),
    ("reverse", "V"), ("aligned", "a"), ("sag", "s"), ("pike", "p"), ("idle", "."),
    ("active", "A"), ("paused", "P"), ("ended", "E"),
  ].map { TimelineStyle(state: $0.0, letter: $0.1) }

  static func of(_ state: String) -> TimelineStyle? { all.first { $0.state == state } }
}
