internal import Evaluation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A picture of every smoother's lag against another number, one curve per family.
struct SmootherFigure {
  /// A picture with its place in the report.
  struct Picture {
    /// The file's name without its extension.
    let name: String
    /// The heading that it follows.
    let heading: String
    /// The picture.
    let svg: String
  }

  /// The pictures of a comparison.
  static func all(_ comparison: SmootherComparison) -> [Picture] {
    var pictures = [
      Picture(
        name: "jitter-lag", heading: SmootherComparison.jitterHeading,
        svg: SmootherFigure(
          comparison, title: "Jitter against lag", unit: "jitter on holds, share of raw"
        ) { $0.calm.step.number }.svg()),
      Picture(
        name: "spread-lag", heading: SmootherComparison.spreadHeading,
        svg: SmootherFigure(
          comparison, title: "Spread against lag", unit: "robust spread on holds, share of raw"
        ) { $0.calm.spread.number }.svg()),
    ]
    let key = "plank.false_transitions_per_minute"
    let rates = comparison.points.compactMap { $0.answers?.value(key).number }
    if (rates.max() ?? 0) > 0 {
      pictures.append(
        Picture(
          name: "false-transitions-lag", heading: SmootherComparison.answersHeading,
          svg: SmootherFigure(
            comparison, title: "False transitions against lag",
            unit: "false plank transitions per minute"
          ) { $0.answers?.value(key).number }.svg()))
    }
    return pictures
  }

  /// A lag in milliseconds with the number against it.
  typealias Place = (lag: Double, value: Double)

  /// The points of a family, in order of lag.
  private struct Curve {
    let family: String
    /// The color of a family that is highlighted; gray for others.
    let color: ThemeColor?
    let isCausal: Bool
    let isTuned: Bool
    let points: [Place]
  }

  private static let size = (width: 1040.0, height: 566.0)

  private let title: String
  private let subtitle: String
  private let unit: String
  private let curves: [Curve]
  private let front: [Place]
  private let recommended: (name: String, place: Place)?
  private let scale: SmootherScale

  init(
    _ comparison: SmootherComparison, title: String, unit: String,
    _ number: (SmootherPoint) -> Double?
  ) {
    func place(_ point: SmootherPoint) -> Place? {
      guard let lag = point.delay.lag.number, let value = number(point) else { return nil }
      return (1000 * lag, value)
    }
    self.title = title
    self.unit = unit
    subtitle = "\(comparison.dataset.name), \(comparison.target) smoothed"
    let front = comparison.front.front
    let colors = Self.colors(front + [comparison.recommended].compactMap(\.self))
    var order: [String] = []
    for point in comparison.points where !order.contains(point.family) {
      order.append(point.family)
    }
    curves = order.map { family in
      let members = comparison.points.filter { $0.family == family }
      return Curve(
        family: family, color: colors[family], isCausal: members.allSatisfy(\.isCausal),
        isTuned: members.allSatisfy(\.isTuned),
        points: members.compactMap(place).sorted { $0.lag < $1.lag })
    }
    self.front = front.compactMap(place)
    recommended = comparison.recommended.flatMap { point in
      place(point).map { (point.name, $0) }
    }
    scale = SmootherScale(curves.flatMap(\.points))
  }

  /// A color for every family among some points, as far as colors suffice.
  private static func colors(_ points: [SmootherPoint]) -> [String: ThemeColor] {
    var colors: [String: ThemeColor] = [:]
    for point in points where colors[point.family] == nil && colors.count < Theme.series.count {
      colors[point.family] = Theme.series[colors.count]
    }
    return colors
  }

  /// The picture as SVG.
  func svg() -> String {
    var canvas = SVGCanvas()
    canvas.box(
      x: 0, y: 0, width: Self.size.width, height: Self.size.height, radius: 8,
      color: Theme.surface)
    canvas.text(title, at: .init(x: 24, y: 34), .init(size: 18, isBold: true))
    canvas.text(subtitle, at: .init(x: 24, y: 55), .init(size: 12, color: Theme.dim))
    scale.draw(on: &canvas, unit: unit)
    for curve in curves where curve.color == nil {
      canvas.group(curve.family) { draw(curve, on: &$0) }
    }
    for point in front {
      canvas.disk(scale.place(point), radius: 6, color: Theme.raised, outline: Theme.text)
    }
    for curve in curves where curve.color != nil {
      canvas.group(curve.family) { draw(curve, on: &$0) }
    }
    drawRecommended(on: &canvas)
    drawLegend(on: &canvas)
    return canvas.document(width: Self.size.width, height: Self.size.height, title: title)
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
        ? row(curve.family) { Self.square($1, color, on: &$0) } : line(curve.family, color)
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
    if recommended != nil {
      row("least jitter plus lag") {
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
}
