extension Timeline {
  private static let width = 1040.0
  private static let left = 196.0
  private static let right = 24.0
  private static let top = 74.0
  private static let rowHeight = 34.0

  /// The ribbons as a picture, each span with its state.
  package func svg() -> String {
    var canvas = SVGCanvas()
    let height = Self.top + Double(ribbons.count) * Self.rowHeight + 76
    canvas.box(x: 0, y: 0, width: Self.width, height: height, radius: 10, color: "#ffffff")
    canvas.text(
      title, at: SVGCanvas.Point(x: 20, y: 30), SVGCanvas.TextStyle(size: 18, isBold: true))
    canvas.text(
      subtitle, at: SVGCanvas.Point(x: 20, y: 51),
      SVGCanvas.TextStyle(size: 12.5, color: FigureColors.quiet))
    for (row, ribbon) in ribbons.enumerated() {
      draw(ribbon, y: Self.top + Double(row) * Self.rowHeight, on: &canvas)
    }
    drawAxis(y: Self.top + Double(ribbons.count) * Self.rowHeight, on: &canvas)
    drawLegend(y: height - 20, on: &canvas)
    return canvas.document(width: Self.width, height: height, title: "\(title): \(subtitle)")
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
      if to - from > 6.4 * Double(caption.count) {
        canvas.text(
          caption, at: SVGCanvas.Point(x: (from + to) / 2, y: y + 16),
          SVGCanvas.TextStyle(size: 11, anchor: "middle", hasHalo: true))
      }
    }
  }

  private func drawAxis(y: Double, on canvas: inout SVGCanvas) {
    let line = SVGCanvas.Point(x: x(start), y: y)
    canvas.line(line, SVGCanvas.Point(x: x(end), y: y), color: FigureColors.quiet, width: 1)
    let step = Self.tickStep(end - start)
    var tick = (start / step).rounded(.up) * step
    while tick <= end + 1e-9 {
      canvas.line(
        SVGCanvas.Point(x: x(tick), y: y), SVGCanvas.Point(x: x(tick), y: y + 5),
        color: FigureColors.quiet, width: 1)
      canvas.text(
        NumberText.shortest(tick) + " s", at: SVGCanvas.Point(x: x(tick), y: y + 19),
        SVGCanvas.TextStyle(size: 11, color: FigureColors.quiet, anchor: "middle"))
      tick += step
    }
  }

  private func drawLegend(y: Double, on canvas: inout SVGCanvas) {
    let used = Set(ribbons.flatMap(\.spans).map(\.state))
    var x = 20.0
    for style in TimelineStyle.all where used.contains(style.state) {
      canvas.box(x: x, y: y - 10, width: 12, height: 12, radius: 2, color: style.color)
      canvas.text(
        style.state, at: SVGCanvas.Point(x: x + 17, y: y),
        SVGCanvas.TextStyle(size: 11.5, color: FigureColors.quiet))
      x += 30 + 7.2 * Double(style.state.count)
    }
  }

  /// A step of 1, 2 or 5 times a power of ten that gives 6 to 15 ticks.
  private static func tickStep(_ length: Double) -> Double {
    var power = 0.01
    while true {
      for step in [power, 2 * power, 5 * power] where length / step <= 15 { return step }
      power *= 10
    }
  }
}
