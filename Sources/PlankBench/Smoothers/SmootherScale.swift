internal import Evaluation
internal import Platform

/// Axes for a lag in milliseconds and a number that is never negative.
///
/// Lags have a logarithmic scale from 5 ms up, with a column of their own for smaller ones; the
/// number has a square-root scale, since smoothers differ most near 0.
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
      unit + " (square-root scale)",
      at: .init(x: Self.left - 56, y: (Self.top + Self.bottom) / 2),
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
