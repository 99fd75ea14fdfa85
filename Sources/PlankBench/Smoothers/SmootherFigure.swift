internal import Evaluation

/// A picture of every smoother's lag against another number, a curve a family.
struct SmootherFigure {
  /// A picture with its place in the report.
  struct Picture {
    /// The file's name without ending.
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
            unit: "false plank transitions a minute"
          ) { $0.answers?.value(key).number }.svg()))
    }
    return pictures
  }

  /// A lag in milliseconds with the number against it.
  typealias Place = (lag: Double, value: Double)

  /// The points of a family, in order of lag.
  private struct Curve {
    let family: String
    let color: String
    let isCausal: Bool
    let isTuned: Bool
    let points: [Place]
  }

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
    var palette = SmootherPalette()
    var order: [String] = []
    for point in comparison.points where !order.contains(point.family) {
      order.append(point.family)
    }
    curves = order.compactMap { family in
      let members = comparison.points.filter { $0.family == family }
      guard let first = members.first else { return nil }
      return Curve(
        family: family, color: palette.color(first), isCausal: members.allSatisfy(\.isCausal),
        isTuned: members.allSatisfy(\.isTuned),
        points: members.compactMap(place).sorted { $0.lag < $1.lag })
    }
    front = comparison.front.front.compactMap(place)
    recommended = comparison.recommended.flatMap { point in
      place(point).map { (point.name, $0) }
    }
    scale = SmootherScale(curves.flatMap(\.points))
  }

  /// The picture as SVG.
  func svg() -> String {
    var canvas = SVGCanvas()
    canvas.box(x: 0, y: 0, width: 1040, height: 566, radius: 8, color: "#ffffff")
    canvas.text(title, at: .init(x: 24, y: 34), .init(size: 18, isBold: true))
    let isCut = curves.contains { $0.points.contains { scale.isCut($0.lag) } }
    let subtitle = subtitle + (isCut ? "; lags above 600 ms are drawn at the edge" : "")
    canvas.text(subtitle, at: .init(x: 24, y: 55), .init(size: 12, color: "#52606d"))
    scale.draw(on: &canvas, unit: unit)
    for point in front {
      canvas.disk(scale.place(point), radius: 6, color: "#ffffff", outline: "#1f2933")
    }
    for curve in curves { draw(curve, on: &canvas) }
    drawRecommended(on: &canvas)
    drawLegend(on: &canvas)
    return canvas.document(width: 1040, height: 566, title: title)
  }

  private func draw(_ curve: Curve, on canvas: inout SVGCanvas) {
    let places = curve.points.map(scale.place)
    for (a, b) in zip(places, places.dropFirst()) {
      canvas.line(a, b, color: curve.color, width: 1.8, dash: curve.isCausal ? nil : "4 4")
    }
    for place in places {
      curve.isTuned
        ? Self.square(place, curve.color, on: &canvas)
        : canvas.disk(place, radius: 2.4, color: curve.color)
    }
  }

  private func drawRecommended(on canvas: inout SVGCanvas) {
    guard let recommended else { return }
    let place = scale.place(recommended.place)
    let isLeft = place.x < 450
    canvas.disk(place, radius: 6, color: "#de3a11", outline: "#ffffff")
    canvas.text(
      recommended.name, at: .init(x: place.x + (isLeft ? 11 : -11), y: place.y + 16),
      .init(size: 12, anchor: isLeft ? "start" : "end", isBold: true, hasHalo: true))
  }

  private func drawLegend(on canvas: inout SVGCanvas) {
    var y = 100.0
    func row(_ text: String, _ mark: (inout SVGCanvas, SVGCanvas.Point) -> Void) {
      mark(&canvas, .init(x: 811, y: y - 4))
      canvas.text(text, at: .init(x: 830, y: y), .init(size: 12))
      y += 19
    }
    for curve in curves where !curve.isTuned {
      row(curve.family) { canvas, center in
        canvas.line(
          .init(x: center.x - 11, y: center.y), .init(x: center.x + 11, y: center.y),
          color: curve.color, width: 2.5, dash: curve.isCausal ? nil : "4 4")
      }
    }
    if curves.contains(where: \.isTuned) {
      row("found by search") { Self.square($1, "#52606d", on: &$0) }
    }
    row("front of jitter and lag") {
      $0.disk($1, radius: 6, color: "#ffffff", outline: "#1f2933")
    }
    if recommended != nil {
      row("least jitter plus lag") {
        $0.disk($1, radius: 6, color: "#de3a11", outline: "#ffffff")
      }
    }
  }

  private static func square(
    _ center: SVGCanvas.Point, _ color: String, on canvas: inout SVGCanvas
  ) {
    canvas.box(
      x: center.x - 3.5, y: center.y - 3.5, width: 7, height: 7, radius: 0, color: color,
      outline: "#ffffff")
  }
}

/// Colors of curves: one hue a kind of filter, from light to dark where it has several curves.
struct SmootherPalette {
  private static let hues: [String: [String]] = [
    "none": ["#1f2933"],
    "moving-average": ["#0967d2"],
    "median": ["#147d64"],
    "hampel": ["#8d6e00"],
    "ema": ["#7c3aed"],
    "butterworth": ["#b83280"],
    "kalman": ["#0e9aa7"],
    "ml-kit": ["#6b4423"],
    "median + ema": ["#5f8a1f"],
    "one-euro": ["#f9a08b", "#ef5b3c", "#ba2505", "#610316", "#ff9b00", "#ff1f8f"],
    "holt": ["#f7c948", "#de911d", "#a35200"],
    "savitzky-golay": ["#63b3ed", "#0b3d77"],
  ]
  private static let others = ["#52606d", "#4c63b6", "#a368fc", "#2680c2", "#b44d12"]

  private var used: [String: Int] = [:]

  /// The color of the next curve of a point's kind; of what looks ahead always gray.
  mutating func color(_ point: SmootherPoint) -> String {
    guard point.isCausal else { return "#9aa5b1" }
    let hues = Self.hues[point.kind] ?? Self.others
    let key = Self.hues[point.kind] == nil ? "" : point.kind
    let index = used[key, default: 0]
    if point.isTuned { return hues[min(2, hues.count / 2)] }
    used[key] = index + 1
    return hues[index % hues.count]
  }
}

/// Axes of a lag in milliseconds and of a number of either size, on a square-root scale: near 0 is
/// where smoothers differ.
struct SmootherScale {
  private static let left = 84.0
  private static let right = 780.0
  private static let top = 94.0
  private static let bottom = 506.0

  private let greatestLag: Double
  private let greatestValue: Double

  /// Fits all points; lags beyond 600 ms are cut off at the edge.
  init(_ points: [(lag: Double, value: Double)]) {
    greatestLag = min(600, max(50, points.map(\.lag).max() ?? 50)) * 1.03
    greatestValue = max(points.map(\.value).max() ?? 1, 1e-6) * 1.03
  }

  /// Whether a lag is beyond the axis and drawn at its end.
  func isCut(_ lag: Double) -> Bool { lag > greatestLag }

  /// Where a point is drawn.
  func place(_ point: (lag: Double, value: Double)) -> SVGCanvas.Point {
    SVGCanvas.Point(x: x(point.lag), y: y(point.value))
  }

  /// Draws both axes with their ticks.
  func draw(on canvas: inout SVGCanvas, unit: String) {
    canvas.box(
      x: Self.left, y: Self.top, width: Self.right - Self.left, height: Self.bottom - Self.top,
      radius: 0, color: "#f5f7fa")
    let quiet = SVGCanvas.TextStyle(size: 11, color: "#52606d", anchor: "middle")
    for lag in stride(from: 0.0, through: greatestLag, by: greatestLag > 250 ? 100 : 50) {
      canvas.line(
        .init(x: x(lag), y: Self.top), .init(x: x(lag), y: Self.bottom), color: "#e4e7eb",
        width: 1)
      canvas.text(NumberText.fixed(lag, 0), at: .init(x: x(lag), y: Self.bottom + 18), quiet)
    }
    var side = quiet
    side.anchor = "end"
    for share in [0, 0.01, 0.04, 0.1, 0.2, 0.4, 0.7, 1] {
      let value = share * greatestValue / 1.03
      canvas.line(
        .init(x: Self.left, y: y(value)), .init(x: Self.right, y: y(value)), color: "#e4e7eb",
        width: 1)
      canvas.text(
        NumberText.fixed(value, greatestValue < 20 ? 2 : 0),
        at: .init(x: Self.left - 8, y: y(value) + 4), side)
    }
    canvas.text(
      "lag, ms", at: .init(x: (Self.left + Self.right) / 2, y: Self.bottom + 40),
      .init(size: 12, anchor: "middle"))
    canvas.text(unit, at: .init(x: Self.left, y: Self.top - 6), .init(size: 12))
  }

  private func x(_ lag: Double) -> Double {
    Self.left + min(1, max(0, lag) / greatestLag) * (Self.right - Self.left)
  }

  private func y(_ value: Double) -> Double {
    Self.bottom - (max(0, value) / greatestValue).squareRoot() * (Self.bottom - Self.top)
  }
}
