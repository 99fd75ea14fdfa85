internal import PoseModel

struct SidePanel {
  let frame: FigureFrame
  let body: FigureBody
  let measurements: PoseFigure.Measurements
  let pixelsPerMeter: Double

  func draw(on canvas: inout SVGCanvas) {
    let view = view
    drawFloor(view, on: &canvas)
    drawUp(on: &canvas)
    drawLine(view, on: &canvas)
    view.draw(body, on: &canvas)
    drawHip(view, on: &canvas)
    drawElbow(view, on: &canvas)
    drawShoulders(view, on: &canvas)
  }

  private var view: FigureProjection {
    let axes = FigureProjection.side(of: body)
    let inner = FigureFrame(
      x: frame.x + 46, y: frame.y, width: frame.width - 92, height: frame.height)
    return FigureProjection(
      right: axes.right, up: axes.up, points: body.all, frame: inner,
      pixelsPerMeter: pixelsPerMeter)
  }

  /// A floor under the lowest joint; joints are inside the body, so it is 4 cm lower.
  private func drawFloor(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard let lowest = body.all.min(by: { $0.dot(view.up) < $1.dot(view.up) }) else { return }
    let y = view.point(lowest - view.up * 0.04).y
    canvas.line(
      SVGCanvas.Point(x: frame.x + 46, y: y), SVGCanvas.Point(x: frame.x + frame.width, y: y),
      color: Theme.line, width: 2)
  }

  private func drawUp(on canvas: inout SVGCanvas) {
    let x = frame.x + 18
    let middle = frame.y + frame.height / 2
    canvas.arrow(
      from: SVGCanvas.Point(x: x, y: middle + 22), to: SVGCanvas.Point(x: x, y: middle - 22),
      color: Theme.dim)
    canvas.text(
      "up", at: SVGCanvas.Point(x: x, y: middle + 42),
      SVGCanvas.TextStyle(size: 12, color: Theme.dim, anchor: "middle"))
  }

  private func drawLine(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard let shoulders = body[.centerShoulder], let ankles = body.ankles else { return }
    canvas.line(
      view.point(shoulders), view.point(ankles), color: Theme.dim, width: 1.5,
      dash: "6 5")
  }

  private func drawHip(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard let shoulders = body[.centerShoulder], let ankles = body.ankles,
      let hips = body[.root], measurements.hipDeviation != nil
    else { return }
    let line = ankles - shoulders
    guard line.norm > 0.1 else { return }
    let along = line / line.norm
    let foot = shoulders + along * (hips - shoulders).dot(along)
    canvas.line(view.point(foot), view.point(hips), color: Theme.threshold, width: 3)
    canvas.disk(view.point(hips), radius: 4.5, color: Theme.threshold)
  }

  private func drawElbow(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard measurements.elbowAngle != nil, let arm = lowerArm(view) else { return }
    let arc = Self.arc(
      view.point(arm.elbow), from: view.point(arm.shoulder), to: view.point(arm.wrist))
    canvas.path(arc, color: Theme.elbow, width: 2.5)
  }

  private struct Arm {
    let side: String
    let shoulder: Vector3
    let elbow: Vector3
    let wrist: Vector3

    var angle: Degrees? {
      let (a, b) = (shoulder - elbow, wrist - elbow)
      guard a.norm > 1e-6, b.norm > 1e-6 else { return nil }
      return Degrees(a.angleDegrees(to: b))
    }
  }

  private func lowerArm(_ view: FigureProjection) -> Arm? {
    let arms: [(String, Joint, Joint, Joint)] = [
      ("left", .leftShoulder, .leftElbow, .leftWrist),
      ("right", .rightShoulder, .rightElbow, .rightWrist),
    ]
    let found = arms.compactMap { side, shoulder, elbow, wrist -> Arm? in
      guard let shoulder = body[shoulder], let elbow = body[elbow], let wrist = body[wrist] else {
        return nil
      }
      return Arm(side: side, shoulder: shoulder, elbow: elbow, wrist: wrist)
    }
    return found.min { $0.elbow.dot(view.up) < $1.elbow.dot(view.up) }
  }

  private func drawShoulders(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard measurements.shoulderRise != nil, let left = body[.leftShoulder],
      let right = body[.rightShoulder]
    else { return }
    let (a, b) = (view.point(left), view.point(right))
    let x = frame.x + frame.width - 14
    for (point, color) in [(a, Theme.left), (b, Theme.right)] {
      canvas.line(
        point, SVGCanvas.Point(x: x, y: point.y), color: color, width: 1, dash: "2 4")
      canvas.disk(point, radius: 4, color: color)
    }
    canvas.line(
      SVGCanvas.Point(x: x, y: a.y), SVGCanvas.Point(x: x, y: b.y), color: Theme.shoulder,
      width: 3)
  }

  var notes: [(text: String, color: ThemeColor)?] {
    let hips = measurements.hipDeviation.map { deviation in
      Self.length(deviation).map {
        "hips \($0) \(deviation.value < 0 ? "below" : "above") the line"
      } ?? "hips on the line"
    }
    let shoulder = measurements.shoulderRise.map { rise in
      Self.length(rise).map { "left shoulder \($0) \(rise.value < 0 ? "down" : "up")" }
        ?? "shoulders level"
    }
    return [
      hips.map { ($0, Theme.threshold) }, elbowNote.map { ($0, Theme.elbow) },
      shoulder.map { ($0, Theme.shoulder) },
    ]
  }

  private var elbowNote: String? {
    guard let mean = measurements.elbowAngle else { return nil }
    let meanText = NumberText.fixed(mean.value, 0) + "\u{B0}"
    guard let arm = lowerArm(view), let angle = arm.angle else { return "elbows \(meanText)" }
    let text = NumberText.fixed(angle.value, 0) + "\u{B0}"
    return (angle.value - mean.value).magnitude < 2
      ? "elbows \(meanText)" : "\(arm.side) elbow \(text) (mean \(meanText))"
  }

  private static func length(_ length: Meters) -> String? {
    let text = NumberText.fixed(length.value.magnitude * 100, 1)
    return text == "0.0" ? nil : text + " cm"
  }

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

struct CameraPanel {
  let frame: FigureFrame
  let body: FigureBody
  let pixelsPerMeter: Double

  func draw(on canvas: inout SVGCanvas) {
    let inner = FigureFrame(
      x: frame.x + 52, y: frame.y, width: frame.width - 62, height: frame.height)
    let view = FigureProjection(
      right: .unitX, up: .unitY, points: body.all, frame: inner, pixelsPerMeter: pixelsPerMeter)
    view.draw(body, on: &canvas)
    drawUp(on: &canvas)
  }

  private func drawUp(on canvas: inout SVGCanvas) {
    let center = SVGCanvas.Point(x: frame.x + 26, y: frame.y + frame.height / 2)
    let length = (body.up.x * body.up.x + body.up.y * body.up.y).squareRoot()
    let style = SVGCanvas.TextStyle(size: 12, color: Theme.dim, anchor: "middle")
    guard length > 0.15 else {
      canvas.disk(center, radius: 4, color: Theme.dim)
      canvas.text("up", at: SVGCanvas.Point(x: center.x, y: center.y + 20), style)
      return
    }
    let (dx, dy) = (body.up.x * 22, -body.up.y * 22)
    canvas.arrow(
      from: SVGCanvas.Point(x: center.x - dx, y: center.y - dy),
      to: SVGCanvas.Point(x: center.x + dx, y: center.y + dy), color: Theme.dim)
    let isLying = dx.magnitude > dy.magnitude
    canvas.text(
      "up", at: SVGCanvas.Point(x: center.x, y: center.y + (isLying ? 20 : 42)), style)
  }
}
