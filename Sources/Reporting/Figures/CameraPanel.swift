import PoseModel

/// A body as the camera's axes hold it: x right, y up on paper; up is an arrow.
struct CameraPanel {
  let frame: FigureFrame
  let body: FigureBody

  /// Draws the panel.
  func draw(on canvas: inout SVGCanvas) {
    let inner = FigureFrame(
      x: frame.x + 56, y: frame.y + 14, width: frame.width - 66, height: frame.height - 28)
    let view = FigureProjection(
      right: .unitX, up: .unitY, points: body.all, frame: inner, pixelsPerMeter: 240)
    view.draw(body, on: &canvas)
    drawUp(on: &canvas)
  }

  /// An arrow along up as it shows on paper; a dot where it points at the viewer.
  private func drawUp(on canvas: inout SVGCanvas) {
    let center = SVGCanvas.Point(x: frame.x + 26, y: frame.y + frame.height / 2)
    let length = (body.up.x * body.up.x + body.up.y * body.up.y).squareRoot()
    let style = SVGCanvas.TextStyle(size: 12, color: FigureColors.quiet, anchor: "middle")
    guard length > 0.15 else {
      canvas.disk(center, radius: 4, color: FigureColors.quiet)
      canvas.text("up", at: SVGCanvas.Point(x: center.x, y: center.y + 20), style)
      return
    }
    let (dx, dy) = (body.up.x * 22, -body.up.y * 22)
    canvas.arrow(
      from: SVGCanvas.Point(x: center.x - dx, y: center.y - dy),
      to: SVGCanvas.Point(x: center.x + dx, y: center.y + dy), color: FigureColors.quiet)
    let isLying = dx.magnitude > dy.magnitude
    canvas.text(
      "up", at: SVGCanvas.Point(x: center.x, y: center.y + (isLying ? 20 : 42)), style)
  }
}
