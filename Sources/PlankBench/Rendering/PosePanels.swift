internal import PoseModel

/// A body from its side with the measurements that labels are about.
struct SidePanel {
  let frame: FigureFrame
  let body: FigureBody
  let measurements: PoseFigure.Measurements

  /// Draws the panel.
  func draw(on canvas: inout SVGCanvas) {
    let axes = FigureProjection.side(of: body)
    let inner = FigureFrame(
      x: frame.x + 60, y: frame.y + 22, width: frame.width - 190, height: frame.height - 50)
    let view = FigureProjection(
      right: axes.right, up: axes.up, points: body.all, frame: inner, pixelsPerMeter: 275)
    drawFloor(view, on: &canvas)
    drawUp(on: &canvas)
    drawLine(view, on: &canvas)
    view.draw(body, on: &canvas)
    drawHip(view, on: &canvas)
    drawElbow(view, on: &canvas)
    drawShoulders(view, on: &canvas)
  }

  /// A floor under the lowest joint; joints are inside of the body, so it lies 4 cm lower.
  private func drawFloor(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard let lowest = body.all.min(by: { $0.dot(view.up) < $1.dot(view.up) }) else { return }
    let y = view.point(lowest - view.up * 0.04).y
    canvas.line(
      SVGCanvas.Point(x: frame.x + 46, y: y), SVGCanvas.Point(x: frame.x + frame.width, y: y),
      color: "#c3ccd5", width: 2)
  }

  private func drawUp(on canvas: inout SVGCanvas) {
    let x = frame.x + 22
    let middle = frame.y + frame.height / 2
    canvas.arrow(
      from: SVGCanvas.Point(x: x, y: middle + 22), to: SVGCanvas.Point(x: x, y: middle - 22),
      color: FigureColors.quiet)
    canvas.text(
      "up", at: SVGCanvas.Point(x: x, y: middle + 42),
      SVGCanvas.TextStyle(size: 12, color: FigureColors.quiet, anchor: "middle"))
  }

  private func drawLine(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard let shoulders = body[.centerShoulder], let ankles = body.ankles else { return }
    canvas.line(
      view.point(shoulders), view.point(ankles), color: FigureColors.line, width: 1.5,
      dash: "6 5")
  }

  /// The hips' way from the line from shoulders to ankles, with its number.
  private func drawHip(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard let shoulders = body[.centerShoulder], let ankles = body.ankles,
      let hips = body[.root], let deviation = measurements.hipDeviation
    else { return }
    let line = ankles - shoulders
    guard line.norm > 0.1 else { return }
    let along = line / line.norm
    let foot = shoulders + along * (hips - shoulders).dot(along)
    let (from, to) = (view.point(foot), view.point(hips))
    canvas.line(from, to, color: FigureColors.fault, width: 3)
    canvas.disk(to, radius: 4.5, color: FigureColors.fault)
    let isBelow = to.y > from.y
    canvas.text(
      "hips \(Self.centimeters(deviation)) off the line",
      at: SVGCanvas.Point(x: to.x, y: to.y + (isBelow ? 24 : -14)),
      SVGCanvas.TextStyle(
        color: FigureColors.fault, anchor: "middle", isBold: true, hasHalo: true))
  }

  /// The arc at the lower elbow with the mean of both angles.
  private func drawElbow(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard let angle = measurements.elbowAngle, let arm = lowerArm(view) else { return }
    let center = view.point(arm.elbow)
    let arc = Self.arc(center, from: view.point(arm.shoulder), to: view.point(arm.wrist))
    canvas.path(arc, color: FigureColors.elbow, width: 2)
    canvas.text(
      "elbows \(NumberText.fixed(angle.value, 0))\u{B0}",
      at: SVGCanvas.Point(x: center.x + 26, y: center.y - 8),
      SVGCanvas.TextStyle(color: FigureColors.elbow, isBold: true, hasHalo: true))
  }

  private func lowerArm(
    _ view: FigureProjection
  ) -> (shoulder: Vector3, elbow: Vector3, wrist: Vector3)? {
    let arms: [(Joint, Joint, Joint)] = [
      (.leftShoulder, .leftElbow, .leftWrist), (.rightShoulder, .rightElbow, .rightWrist),
    ]
    let found = arms.compactMap { arm -> (shoulder: Vector3, elbow: Vector3, wrist: Vector3)? in
      guard let shoulder = body[arm.0], let elbow = body[arm.1], let wrist = body[arm.2] else {
        return nil
      }
      return (shoulder, elbow, wrist)
    }
    return found.min { $0.elbow.dot(view.up) < $1.elbow.dot(view.up) }
  }

  /// The heights of both shoulders, at the right edge, with the left one's rise.
  private func drawShoulders(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard let rise = measurements.shoulderRise, let left = body[.leftShoulder],
      let right = body[.rightShoulder]
    else { return }
    let (a, b) = (view.point(left), view.point(right))
    let x = frame.x + frame.width - 126
    for (point, color) in [(a, FigureColors.left), (b, FigureColors.right)] {
      canvas.line(
        point, SVGCanvas.Point(x: x, y: point.y), color: color, width: 1, dash: "2 4",
        opacity: 0.8)
      canvas.disk(point, radius: 4, color: color)
    }
    canvas.line(
      SVGCanvas.Point(x: x, y: a.y), SVGCanvas.Point(x: x, y: b.y), color: FigureColors.shoulder,
      width: 3)
    let style = SVGCanvas.TextStyle(color: FigureColors.shoulder, isBold: true, hasHalo: true)
    let middle = (a.y + b.y) / 2
    canvas.text("left shoulder", at: SVGCanvas.Point(x: x + 10, y: middle - 3), style)
    canvas.text(
      Self.centimeters(rise) + (rise.value < 0 ? " down" : " up"),
      at: SVGCanvas.Point(x: x + 10, y: middle + 13), style)
  }

  /// A signed length in centimeters with one decimal.
  private static func centimeters(_ length: Meters) -> String {
    let text = NumberText.fixed(length.value * 100, 1)
    return (text.hasPrefix("-") || text == "0.0" ? text : "+" + text) + " cm"
  }

  /// An arc of 18 units around a corner, the short way.
  private static func arc(
    _ center: SVGCanvas.Point, from a: SVGCanvas.Point, to b: SVGCanvas.Point
  ) -> [SVGCanvas.Point] {
    func unit(_ point: SVGCanvas.Point) -> Vector3 {
      let vector = Vector3(point.x - center.x, point.y - center.y, 0)
      return vector.norm > 0.01 ? vector / vector.norm : .unitX
    }
    let (start, end) = (unit(a), unit(b))
    let sum = start + end
    let middle = sum.norm > 0.05 ? sum / sum.norm : Vector3(-start.y, start.x, 0)
    return (0...16).map { step in
      let share = Double(step) / 8
      let mixed =
        step <= 8
        ? start * (1 - share) + middle * share : middle * (2 - share) + end * (share - 1)
      let direction = mixed / max(mixed.norm, 0.01)
      return SVGCanvas.Point(x: center.x + 18 * direction.x, y: center.y + 18 * direction.y)
    }
  }
}

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
