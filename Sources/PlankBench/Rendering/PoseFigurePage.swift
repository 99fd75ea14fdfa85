internal import PoseModel

struct FigureRow {
  let moment: PoseFigure.Moment
  let body: FigureBody?
  let side: FigureExtent
  let camera: FigureExtent

  init(_ moment: PoseFigure.Moment, body: FigureBody?) {
    self.moment = moment
    self.body = body
    let points = body?.all ?? []
    let axes = body.map(FigureProjection.side) ?? (right: .unitX, up: .unitY)
    side = FigureExtent(points, right: axes.right, up: axes.up)
    camera = FigureExtent(points, right: .unitX, up: .unitY)
  }
}

struct FigurePage {
  static let width = 1040.0
  private static let margin = 20.0
  private static let headerHeight = 92.0
  private static let titleHeight = 36.0
  private static let gap = 14.0
  private static let sideWidth = 560.0
  private static let arrowRoom = 54.0
  private static let padding = 26.0
  private static let leastHeight = 90.0

  let rows: [FigureRow]
  let pixelsPerMeter: Double

  /// Finds the largest scale at which every body fits; no panel is higher than 340 units.
  init(rows: [FigureRow]) {
    self.rows = rows
    let side = (Self.sideWidth - Self.arrowRoom - 60) / (rows.map(\.side.width).max() ?? 1)
    let camera = (Self.cameraWidth - Self.arrowRoom - 40) / (rows.map(\.camera.width).max() ?? 1)
    let height = 340 / (rows.flatMap { [$0.side.height, $0.camera.height] }.max() ?? 1)
    pixelsPerMeter = max(20, min(220, min(side, camera, height)))
  }

  private static var cameraWidth: Double { width - 2 * margin - sideWidth }

  var height: Double {
    rows.indices.reduce(Self.headerHeight + Self.margin - Self.gap) {
      $0 + rowHeight($1) + Self.gap
    }
  }

  private func rowHeight(_ row: Int) -> Double {
    let tallest = max(rows[row].side.height, rows[row].camera.height) * pixelsPerMeter
    return Self.titleHeight + max(Self.leastHeight, tallest) + 2 * Self.padding
  }

  func drawHeader(title: String, subtitle: String, on canvas: inout SVGCanvas) {
    canvas.text(
      Self.shortened(title, to: 62), at: SVGCanvas.Point(x: Self.margin, y: 30),
      SVGCanvas.TextStyle(size: 18, isBold: true))
    let quiet = SVGCanvas.TextStyle(size: 12.5, color: Theme.dim)
    canvas.text(
      Self.shortened(subtitle, to: 100), at: SVGCanvas.Point(x: Self.margin, y: 51), quiet)
    var x = Self.width - Self.margin - 290
    for (name, color, width) in [
      ("left limbs", Theme.left, 102.0), ("right limbs", Theme.right, 110),
      ("trunk", Theme.middle, 0),
    ] {
      canvas.line(
        SVGCanvas.Point(x: x, y: 26), SVGCanvas.Point(x: x + 16, y: 26), color: color, width: 4)
      canvas.text(name, at: SVGCanvas.Point(x: x + 23, y: 30), quiet)
      x += width
    }
    drawScale(on: &canvas)
    canvas.text(
      "from the side, upright", at: SVGCanvas.Point(x: Self.margin + 14, y: 82), quiet)
    canvas.text(
      "in the camera's axes",
      at: SVGCanvas.Point(x: Self.margin + Self.sideWidth + 14, y: 82), quiet)
  }

  private func drawScale(on canvas: inout SVGCanvas) {
    let right = Self.width - Self.margin
    let left = right - 0.5 * pixelsPerMeter
    canvas.line(
      SVGCanvas.Point(x: left, y: 78), SVGCanvas.Point(x: right, y: 78), color: Theme.text,
      width: 2)
    for x in [left, right] {
      canvas.line(
        SVGCanvas.Point(x: x, y: 73), SVGCanvas.Point(x: x, y: 83), color: Theme.text, width: 2)
    }
    canvas.text(
      "50 cm", at: SVGCanvas.Point(x: left - 10, y: 82),
      SVGCanvas.TextStyle(size: 12.5, anchor: "end"))
  }

  func drawRow(_ row: Int, time: Double, on canvas: inout SVGCanvas) {
    let top = (0..<row).reduce(Self.headerHeight) { $0 + rowHeight($1) + Self.gap }
    let height = rowHeight(row)
    canvas.box(
      x: Self.margin, y: top, width: Self.width - 2 * Self.margin, height: height,
      radius: 8, color: Theme.raised, outline: Theme.line)
    let moment = rows[row].moment
    drawRowTitle(moment, time: time, top: top, on: &canvas)
    let panel = FigureFrame(
      x: Self.margin + 14, y: top + Self.titleHeight, width: Self.sideWidth - 28,
      height: height - Self.titleHeight)
    guard let body = rows[row].body else {
      canvas.text(
        "no pose was found in this frame",
        at: SVGCanvas.Point(x: Self.width / 2, y: panel.y + panel.height / 2),
        SVGCanvas.TextStyle(size: 14, color: Theme.dim, anchor: "middle"))
      return
    }
    let camera = FigureFrame(
      x: Self.margin + Self.sideWidth, y: panel.y, width: Self.cameraWidth - 14,
      height: panel.height)
    canvas.line(
      SVGCanvas.Point(x: camera.x, y: panel.y + 6),
      SVGCanvas.Point(x: camera.x, y: top + height - 14), color: Theme.line, width: 1)
    let side = SidePanel(
      frame: panel, body: body, measurements: moment.measurements,
      pixelsPerMeter: pixelsPerMeter)
    side.draw(on: &canvas)
    drawNotes(side, top: top, on: &canvas)
    CameraPanel(frame: camera, body: body, pixelsPerMeter: pixelsPerMeter).draw(on: &canvas)
  }

  private func drawRowTitle(
    _ moment: PoseFigure.Moment, time: Double, top: Double, on canvas: inout SVGCanvas
  ) {
    let label = Self.shortened(moment.label, to: 26)
    let width = 20 + 6.9 * Double(label.count)
    canvas.box(
      x: Self.margin + 12, y: top + 10, width: width, height: 22, radius: 11,
      color: Theme.color(of: moment.state) ?? Theme.hole)
    canvas.text(
      label, at: SVGCanvas.Point(x: Self.margin + 12 + width / 2, y: top + 25.5),
      SVGCanvas.TextStyle(
        size: 12, color: Theme.ink(on: moment.state), anchor: "middle", isBold: true))
    canvas.text(
      "at " + NumberText.fixed(time, 2) + " s",
      at: SVGCanvas.Point(x: Self.margin + 22 + width, y: top + 26))
  }

  private func drawNotes(_ panel: SidePanel, top: Double, on canvas: inout SVGCanvas) {
    for (x, note) in zip([330.0, 548, 800], panel.notes) {
      guard let note else { continue }
      canvas.disk(SVGCanvas.Point(x: x, y: top + 21.5), radius: 4, color: note.color)
      canvas.text(
        note.text, at: SVGCanvas.Point(x: x + 10, y: top + 26),
        SVGCanvas.TextStyle(size: 12.5, color: note.color, isBold: true))
    }
  }

  private static func shortened(_ text: String, to count: Int) -> String {
    text.count <= count ? text : text.prefix(count - 3) + "..."
  }
}

struct FigureFrame {
  let x: Double
  let y: Double
  let width: Double
  let height: Double
}
