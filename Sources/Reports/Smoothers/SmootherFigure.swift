internal import Evaluation
internal import PlankDetection
internal import Platform
internal import PoseModel

package struct SmootherFigure: Hashable, Sendable {
  package struct Picture {
    package let name: String
    let heading: String
    package let figure: SmootherFigure
  }

  package static func all(_ comparison: SmootherComparison, on dataset: String) -> [Picture] {
    let subtitle = "\(dataset), \(comparison.target.rawValue) smoothed"
    var pictures = [
      Picture(
        name: "jitter-lag", heading: SmootherComparison.jitterHeading,
        figure: SmootherFigure(
          comparison, title: "Jitter against lag", subtitle: subtitle,
          unit: "jitter in holds, share of raw"
        ) { $0.calm.step.number }),
      Picture(
        name: "spread-lag", heading: SmootherComparison.spreadHeading,
        figure: SmootherFigure(
          comparison, title: "Spread against lag", subtitle: subtitle,
          unit: "robust spread in holds, share of raw"
        ) { $0.calm.spread.number }),
    ]
    let key = MetricKey(.falseTransitionsPerMinute, in: .plank)
    let rates = comparison.points.compactMap { $0.answers?[key]?.number }
    if (rates.max() ?? 0) > 0 {
      pictures.append(
        Picture(
          name: "false-transitions-lag", heading: SmootherComparison.answersHeading,
          figure: SmootherFigure(
            comparison, title: "False transitions against lag", subtitle: subtitle,
            unit: "false plank transitions per minute"
          ) { $0.answers?[key]?.number }))
    }
    return pictures
  }

  package struct Place: Hashable, Sendable {
    let lag: Double
    let value: Double
  }

  struct Curve: Hashable, Sendable {
    let family: SmootherFamily
    let series: Int?
    let isCausal: Bool
    let points: [Place]

    var isTuned: Bool { family.origin == .search }

    var color: ThemeColor? {
      series.flatMap { Theme.series.indices.contains($0) ? Theme.series[$0] : nil }
    }
  }

  struct Recommended: Hashable, Sendable {
    let name: String
    let place: Place
    let meaning: String
  }

  private static let size = (width: 1040.0, height: 566.0)

  let title: String
  let subtitle: String
  let unit: String
  let curves: [Curve]
  let front: [Place]
  let recommended: Recommended?
  var scale: SmootherScale { SmootherScale(curves.flatMap(\.points)) }

  init(
    _ comparison: SmootherComparison, title: String, subtitle: String, unit: String,
    _ number: (SmootherPoint) -> Double?
  ) {
    func place(_ point: SmootherPoint) -> Place? {
      guard let lag = point.delay.lag.number, let value = number(point) else { return nil }
      return Place(lag: 1000 * lag, value: value)
    }
    self.title = title
    self.unit = unit
    self.subtitle = subtitle
    let front = comparison.front.front
    let colors = Self.colors(front + [comparison.marked].compactMap(\.self))
    curves = comparison.points.map(\.family).distinct.map { family in
      let members = comparison.points.filter { $0.family == family }
      return Curve(
        family: family, series: colors[family], isCausal: members.allSatisfy(\.isCausal),
        points: members.compactMap(place).sorted { $0.lag < $1.lag })
    }
    self.front = front.compactMap(place)
    let isTrade = comparison.marked == comparison.bestTrade
    recommended = comparison.marked.flatMap { point in
      place(point).map {
        Recommended(
          name: point.name, place: $0, meaning: isTrade ? "least jitter plus lag" : "recommended")
      }
    }
  }

  private static func colors(_ points: [SmootherPoint]) -> [SmootherFamily: Int] {
    var colors: [SmootherFamily: Int] = [:]
    for point in points where colors[point.family] == nil && colors.count < Theme.series.count {
      colors[point.family] = colors.count
    }
    return colors
  }

  package func svg(isInPage: Bool = false) -> String {
    let scale = scale
    var canvas = SVGCanvas()
    canvas.box(
      x: 0, y: 0, width: Self.size.width, height: Self.size.height, radius: 8, color: Theme.surface)
    canvas.text(title, at: .init(x: 24, y: 34), .init(size: 18, isBold: true))
    canvas.text(subtitle, at: .init(x: 24, y: 55), .init(size: 12, color: Theme.dim))
    scale.draw(on: &canvas, unit: unit)
    for curve in curves where curve.color == nil {
      canvas.group(curve.family.name) { draw(curve, on: &$0) }
    }
    for point in front {
      canvas.disk(scale.place(point), radius: 6, color: Theme.raised, outline: Theme.text)
    }
    for curve in curves where curve.color != nil {
      canvas.group(curve.family.name) { draw(curve, on: &$0) }
    }
    drawRecommended(on: &canvas)
    drawLegend(on: &canvas)
    return canvas.document(
      width: Self.size.width, height: Self.size.height, title: title, isInPage: isInPage)
  }

  private func draw(_ curve: Curve, on canvas: inout SVGCanvas) {
    let places = curve.points.map(scale.place)
    let color = curve.color ?? Theme.others
    canvas.path(
      places, color: color, width: curve.color == nil ? 1 : 2, dash: curve.isCausal ? nil : "4 4")
    for place in places {
      curve.isTuned
        ? Self.square(place, color, on: &canvas)
        : canvas.disk(place, radius: curve.color == nil ? 1.8 : 2.8, color: color)
    }
  }

  private func drawRecommended(on canvas: inout SVGCanvas) {
    guard let recommended else { return }
    let place = scale.place(recommended.place)
    let isLeft = place.x < 450
    canvas.disk(place, radius: 6, color: Theme.recommended, outline: Theme.surface)
    canvas.text(
      recommended.name, at: .init(x: place.x + (isLeft ? 11 : -11), y: place.y - 12),
      .init(size: 12, anchor: isLeft ? "start" : "end", isBold: true, hasHalo: true))
  }

  private func drawLegend(on canvas: inout SVGCanvas) {
    var y = 106.0
    func row(_ text: String, _ mark: (inout SVGCanvas, SVGCanvas.Point) -> Void) {
      mark(&canvas, .init(x: 811, y: y - 4))
      canvas.text(text, at: .init(x: 830, y: y), .init(size: 12))
      y += 21
    }
    func line(_ text: String, _ color: ThemeColor, dash: String? = nil) {
      row(text) { canvas, center in
        canvas.line(
          .init(x: center.x - 11, y: center.y), .init(x: center.x + 11, y: center.y),
          color: color, width: 2.5, dash: dash)
      }
    }
    for curve in curves where !curve.points.isEmpty {
      guard let color = curve.color else { continue }
      curve.isTuned
        ? row(curve.family.name) { Self.square($1, color, on: &$0) }
        : line(curve.family.name, color)
    }
    let others = curves.filter { $0.color == nil && !$0.points.isEmpty }
    if others.contains(where: { $0.isCausal && !$0.isTuned }) { line("others", Theme.others) }
    if others.contains(where: { !$0.isCausal }) {
      line("others, which look ahead", Theme.others, dash: "4 4")
    }
    if curves.contains(where: \.isTuned) {
      row("found by search") { Self.square($1, Theme.others, on: &$0) }
    }
    row("front of jitter and lag") {
      $0.disk($1, radius: 6, color: Theme.surface, outline: Theme.text)
    }
    if let recommended {
      row(recommended.meaning) {
        $0.disk($1, radius: 6, color: Theme.recommended, outline: Theme.surface)
      }
    }
  }

  private static func square(
    _ center: SVGCanvas.Point, _ color: ThemeColor, on canvas: inout SVGCanvas
  ) {
    canvas.box(
      x: center.x - 3.5, y: center.y - 3.5, width: 7, height: 7, radius: 0, color: color,
      outline: Theme.surface)
  }

  var places: [Place] { curves.flatMap(\.points) + front + [recommended?.place].compactMap(\.self) }

  var isEmpty: Bool { curves.allSatisfy(\.points.isEmpty) }

  private static let cells = (columns: 68, rows: 16)

  /// The picture in characters: `·` is a smoother, `o` is one on the front, and `●` is the
  /// recommended one.
  var sketch: String {
    let scale = scale
    let blank = Array(repeating: Character(" "), count: Self.cells.columns)
    var cells = Array(repeating: blank, count: Self.cells.rows)
    func mark(_ place: Place, _ character: Character) {
      let share = scale.share(place)
      let column = Int((share.x * Double(Self.cells.columns - 1)).rounded())
      let row = Int((share.y * Double(Self.cells.rows - 1)).rounded())
      cells[min(max(row, 0), Self.cells.rows - 1)][
        min(max(column, 0), Self.cells.columns - 1)] = character
    }
    for place in curves.flatMap(\.points) { mark(place, "·") }
    for place in front { mark(place, "o") }
    if let recommended { mark(recommended.place, "●") }
    let lines = cells.map { "  │" + String($0) }
    let axis = "  └" + String(repeating: "─", count: Self.cells.columns)
    let words =
      "   \(unit) upward (0 to \(NumberText.fixed(scale.greatestValue, 2))), lag to the "
      + "right (0 to \(NumberText.fixed(scale.greatestLag, 0)) ms, logarithmic)"
    let best = recommended.map { ["   ● " + PrintableText.of($0.name) + "   o front"] } ?? []
    return (lines + [axis, words] + best).map { $0 + "\n" }.joined()
  }
}

/// Axes for a lag in milliseconds and a nonnegative number.
///
/// Lags have a logarithmic scale from 5 ms up, with a column for smaller lags. The number has a
/// square-root scale, because smoothers differ most near 0.
struct SmootherScale {
  private static let left = 92.0
  private static let right = 780.0
  private static let top = 82.0
  private static let bottom = 506.0
  private static let leastLag = 5.0
  private static let column = 44.0

  let greatestLag: Double
  let greatestValue: Double

  init(_ points: [SmootherFigure.Place]) {
    greatestLag = max(100, points.map(\.lag).max() ?? 100) * 1.1
    greatestValue = max(points.map(\.value).max() ?? 1, 1e-6) * 1.03
  }

  func place(_ point: SmootherFigure.Place) -> SVGCanvas.Point {
    SVGCanvas.Point(x: x(point.lag), y: y(point.value))
  }

  func share(_ point: SmootherFigure.Place) -> (x: Double, y: Double) {
    let place = place(point)
    return (
      (place.x - Self.left) / (Self.right - Self.left),
      (place.y - Self.top) / (Self.bottom - Self.top)
    )
  }

  func draw(on canvas: inout SVGCanvas, unit: String) {
    canvas.box(
      x: Self.left, y: Self.top, width: Self.right - Self.left, height: Self.bottom - Self.top,
      radius: 0, color: Theme.raised)
    drawLags(on: &canvas)
    let side = SVGCanvas.TextStyle(size: 11, color: Theme.dim, anchor: "end")
    for tick in valueTicks {
      canvas.line(
        .init(x: Self.left, y: y(tick)), .init(x: Self.right, y: y(tick)), color: Theme.line,
        width: 0.6)
      canvas.text(NumberText.short(tick), at: .init(x: Self.left - 8, y: y(tick) + 4), side)
    }
    canvas.text(
      unit + " (square-root scale)", at: .init(x: Self.left - 56, y: (Self.top + Self.bottom) / 2),
      .init(size: 12, anchor: "middle", isUpward: true))
  }

  private func drawLags(on canvas: inout SVGCanvas) {
    let quiet = SVGCanvas.TextStyle(size: 11, color: Theme.dim, anchor: "middle")
    canvas.text("below 5", at: .init(x: x(0), y: Self.bottom + 18), quiet)
    let edge = Self.left + Self.column
    canvas.line(
      .init(x: edge, y: Self.top), .init(x: edge, y: Self.bottom), color: Theme.dim, width: 1,
      dash: "2 4")
    for lag in lagTicks.dropFirst() {
      canvas.line(
        .init(x: x(lag), y: Self.top), .init(x: x(lag), y: Self.bottom), color: Theme.line,
        width: 0.6)
      canvas.text(NumberText.short(lag), at: .init(x: x(lag), y: Self.bottom + 18), quiet)
    }
    canvas.text(
      "lag, ms (logarithmic scale)",
      at: .init(x: (Self.left + Self.right) / 2, y: Self.bottom + 40),
      .init(size: 12, anchor: "middle"))
  }

  var lagTicks: [Double] { [0] + Self.ladder(upTo: greatestLag).filter { $0 >= 10 } }

  var valueTicks: [Double] {
    var ticks = [0.0]
    var last = y(0)
    for tick in Self.ladder(upTo: greatestValue) where last - y(tick) >= 22 {
      ticks.append(tick)
      last = y(tick)
    }
    return ticks
  }

  private static func ladder(upTo greatest: Double) -> [Double] {
    var steps: [Double] = []
    var hundredths = 1.0
    while hundredths / 100 <= greatest {
      steps += [1, 2, 5].map { $0 * hundredths / 100 }.filter { $0 <= greatest }
      hundredths *= 10
    }
    return steps
  }

  private func x(_ lag: Double) -> Double {
    guard lag >= Self.leastLag else { return Self.left + Self.column / 2 }
    let share = log(lag / Self.leastLag) / log(greatestLag / Self.leastLag)
    return Self.left + Self.column + share * (Self.right - Self.left - Self.column)
  }

  private func y(_ value: Double) -> Double {
    Self.bottom - (max(0, value) / greatestValue).squareRoot() * (Self.bottom - Self.top)
  }
}
