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
