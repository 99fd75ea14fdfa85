package struct IntervalFigure: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    let name: String
    let unit: String
    let value: Double
    let lower: Double?
    let upper: Double?
    package let limit: Double?
    let tone: StyledText.Tone

    var numbers: [Double] { [value, lower, upper, limit].compactMap(\.self) }
  }

  let title: String
  let rows: [Row]

  fileprivate var panels: [(unit: String, rows: [Row])] {
    rows.reduce(into: []) { panels, row in
      guard let index = panels.firstIndex(where: { $0.unit == row.unit }) else {
        return panels.append((unit: row.unit, rows: [row]))
      }
      panels[index].rows.append(row)
    }
  }

  fileprivate static func axis(_ rows: [Row]) -> PlotAxis {
    PlotAxis(rows.flatMap(\.numbers) + [0])
  }

  fileprivate static func unitText(_ unit: String) -> String {
    unit == "-" ? "difference" : "difference, \(unit)"
  }

  private static let numbers = 196.0
  private static let plotWidth = 500.0
  private static let rowHeight = 24.0
  private static let panelHeight = 58.0
  private static let top = 46.0

  private var plot: (left: Double, right: Double) {
    let longest = min(rows.map(\.name.count).max() ?? 0, 48)
    let left = 40 + 7 * Double(longest)
    return (left, left + Self.plotWidth)
  }

  func svg() -> String {
    let width = plot.right + Self.numbers
    var canvas = SVGCanvas()
    let panels = panels
    let height = panels.reduce(Self.top + 8) {
      $0 + Double($1.rows.count) * Self.rowHeight + Self.panelHeight
    }
    canvas.box(x: 0, y: 0, width: width, height: height, radius: 8, color: Theme.surface)
    canvas.text(title, at: .init(x: 20, y: 28), .init(size: 15, isBold: true))
    var y = Self.top
    for panel in panels {
      draw(panel.rows, unit: panel.unit, at: y, on: &canvas)
      y += Double(panel.rows.count) * Self.rowHeight + Self.panelHeight
    }
    return canvas.document(width: width, height: height, title: title, isInPage: true)
  }

  private func draw(_ rows: [Row], unit: String, at top: Double, on canvas: inout SVGCanvas) {
    let (axis, plot) = (Self.axis(rows), plot)
    func x(_ value: Double) -> Double { plot.left + axis.share(value) * (plot.right - plot.left) }
    let bottom = top + Double(rows.count) * Self.rowHeight
    canvas.box(
      x: plot.left, y: top, width: plot.right - plot.left, height: bottom - top,
      radius: 0, color: Theme.raised)
    let quiet = SVGCanvas.TextStyle(size: 11, color: Theme.dim, anchor: "middle")
    for tick in axis.ticks {
      canvas.line(
        .init(x: x(tick), y: top), .init(x: x(tick), y: bottom), color: Theme.line, width: 0.6)
      canvas.text(axis.text(tick), at: .init(x: x(tick), y: bottom + 15), quiet)
    }
    canvas.line(.init(x: x(0), y: top), .init(x: x(0), y: bottom), color: Theme.dim, width: 1.5)
    canvas.text(
      Self.unitText(unit), at: .init(x: (plot.left + plot.right) / 2, y: bottom + 33),
      .init(size: 12, anchor: "middle"))
    for (index, row) in rows.enumerated() {
      let y = top + (Double(index) + 0.5) * Self.rowHeight
      canvas.group("\(row.name): \(row.text)") { draw(row, y: y, x: x, on: &$0) }
    }
  }

  private func draw(_ row: Row, y: Double, x: (Double) -> Double, on canvas: inout SVGCanvas) {
    let color = row.color
    canvas.text(row.name, at: .init(x: plot.left - 12, y: y + 4), .init(size: 12, anchor: "end"))
    if let limit = row.limit {
      canvas.line(
        .init(x: x(limit), y: y - 9), .init(x: x(limit), y: y + 9), color: Theme.threshold,
        width: 2, dash: "3 3")
    }
    if let lower = row.lower, let upper = row.upper {
      canvas.line(.init(x: x(lower), y: y), .init(x: x(upper), y: y), color: color, width: 3)
    }
    canvas.disk(.init(x: x(row.value), y: y), radius: 5, color: color, outline: Theme.surface)
    canvas.text(row.text, at: .init(x: plot.right + 14, y: y + 4), .init(size: 12))
  }

  private static let columns = 41
  private static let leastColumns = 12

  var sketch: String {
    let longest = rows.map { PrintableText.of($0.name).count }.max() ?? 0
    let texts = rows.map(\.text.count).max() ?? 0
    // A name that leaves no room for its interval gets its own line.
    let isBeside = longest + texts + Self.leastColumns + 6 <= TextRenderer.standardWidth
    let width = isBeside ? longest : 0
    let columns = min(
      Self.columns, max(Self.leastColumns, TextRenderer.standardWidth - width - texts - 6))
    return panels.map { panel in
      let axis = Self.axis(panel.rows)
      let head = NumberText.short(axis.low) + " to " + NumberText.short(axis.high)
      let margin = String(repeating: " ", count: width + 4)
      let lines = panel.rows.map { row in
        let name = PrintableText.of(row.name)
        let start = isBeside ? String(repeating: " ", count: width - name.count) : "\n  "
        return "  " + name + start + "  " + Self.line(row, axis, columns) + "  " + row.text
      }
      return ([margin + "\(Self.unitText(panel.unit)), \(head)"] + lines).map { $0 + "\n" }.joined()
    }.joined()
  }

  private static func line(_ row: Row, _ axis: PlotAxis, _ columns: Int) -> String {
    func column(_ value: Double) -> Int { Int((axis.share(value) * Double(columns - 1)).rounded()) }
    var cells = Array(repeating: Character(" "), count: columns)
    if let lower = row.lower, let upper = row.upper {
      for index in column(min(lower, upper))...column(max(lower, upper)) { cells[index] = "─" }
    }
    cells[column(0)] = "│"
    if let limit = row.limit { cells[column(limit)] = "┆" }
    cells[column(row.value)] = "●"
    return String(cells)
  }
}

extension IntervalFigure.Row {
  fileprivate var text: String {
    let sign = value > 0 ? "+" : ""
    let number = sign + NumberText.fixed(value, 3)
    guard let lower, let upper else { return number }
    return number + " (\(NumberText.fixed(lower, 3)) to \(NumberText.fixed(upper, 3)))"
  }

  fileprivate var color: ThemeColor {
    switch tone {
    case .good: Theme.good
    case .bad: Theme.threshold
    case .warning: Theme.warning
    case .plain, .dim, .strong: Theme.middle
    }
  }
}
