internal import PoseModel

/// The layout of a picture: a header, then a row a frame with two panels.
struct FigurePage {
  static let width = 1040.0
  private static let margin = 20.0
  private static let headerHeight = 66.0
  private static let rowHeight = 270.0
  private static let titleHeight = 34.0
  private static let sideWidth = 650.0
  private static let gap = 16.0

  /// The height of a page.
  func height(rows: Int) -> Double {
    Self.headerHeight + Double(rows) * (Self.rowHeight + Self.gap) + Self.margin - Self.gap
  }

  /// Draws the title and what the colors mean.
  func drawHeader(title: String, subtitle: String, on canvas: inout SVGCanvas) {
    canvas.text(
      Self.shortened(title, to: 62), at: SVGCanvas.Point(x: Self.margin, y: 30),
      SVGCanvas.TextStyle(size: 18, isBold: true))
    canvas.text(
      Self.shortened(subtitle, to: 120), at: SVGCanvas.Point(x: Self.margin, y: 51),
      SVGCanvas.TextStyle(size: 12.5, color: FigureColors.quiet))
    var x = Self.width - Self.margin - 254
    for (name, color) in [
      ("left limbs", FigureColors.left), ("right limbs", FigureColors.right),
      ("trunk", FigureColors.trunk),
    ] {
      canvas.line(
        SVGCanvas.Point(x: x, y: 26), SVGCanvas.Point(x: x + 16, y: 26), color: color, width: 4)
      canvas.text(
        name, at: SVGCanvas.Point(x: x + 22, y: 30),
        SVGCanvas.TextStyle(size: 12, color: FigureColors.quiet))
      x += 98
    }
  }

  /// Draws one frame.
  func drawRow(
    _ row: Int, _ moment: PoseFigure.Moment, of recording: Recording, on canvas: inout SVGCanvas
  ) {
    let top = Self.headerHeight + Double(row) * (Self.rowHeight + Self.gap)
    canvas.box(
      x: Self.margin, y: top, width: Self.width - 2 * Self.margin, height: Self.rowHeight,
      radius: 8, color: "#f8fafb", outline: "#d9e0e6")
    drawRowTitle(moment, time: recording.times[moment.frame], top: top, on: &canvas)
    let panelTop = top + Self.titleHeight
    let height = Self.rowHeight - Self.titleHeight
    let side = FigureFrame(
      x: Self.margin + 14, y: panelTop, width: Self.sideWidth - 28, height: height - 12)
    let camera = FigureFrame(
      x: Self.margin + Self.sideWidth, y: panelTop,
      width: Self.width - 2 * Self.margin - Self.sideWidth - 14, height: height - 12)
    canvas.line(
      SVGCanvas.Point(x: camera.x - 12, y: panelTop),
      SVGCanvas.Point(x: camera.x - 12, y: top + Self.rowHeight - 14), color: "#d9e0e6", width: 1)
    guard let body = FigureBody(recording, frame: moment.frame) else {
      canvas.text(
        "no pose was found in this frame",
        at: SVGCanvas.Point(x: side.x + side.width / 2, y: side.y + side.height / 2),
        SVGCanvas.TextStyle(size: 14, color: FigureColors.quiet, anchor: "middle"))
      return
    }
    SidePanel(frame: side, body: body, measurements: moment.measurements).draw(on: &canvas)
    CameraPanel(frame: camera, body: body).draw(on: &canvas)
  }

  private func drawRowTitle(
    _ moment: PoseFigure.Moment, time: Double, top: Double, on canvas: inout SVGCanvas
  ) {
    let label = Self.shortened(moment.label, to: 40)
    let width = 18 + 7.6 * Double(label.count)
    canvas.box(
      x: Self.margin + 14, y: top + 10, width: width, height: 22, radius: 11,
      color: color(of: moment.tone))
    canvas.text(
      label, at: SVGCanvas.Point(x: Self.margin + 14 + width / 2, y: top + 25.5),
      SVGCanvas.TextStyle(color: "#ffffff", anchor: "middle", isBold: true))
    canvas.text(
      "at " + NumberText.fixed(time, 2) + " s",
      at: SVGCanvas.Point(x: Self.margin + 26 + width, y: top + 26))
    let quiet = SVGCanvas.TextStyle(size: 12, color: FigureColors.quiet, anchor: "end")
    canvas.text(
      "from the side, upright, to scale",
      at: SVGCanvas.Point(x: Self.margin + Self.sideWidth - 26, y: top + 25), quiet)
    canvas.text(
      "in the camera's axes",
      at: SVGCanvas.Point(x: Self.width - Self.margin - 14, y: top + 25), quiet)
  }

  private func color(of tone: PoseFigure.Moment.Tone) -> String {
    switch tone {
    case .good: FigureColors.label
    case .fault: FigureColors.fault
    case .neutral: FigureColors.quiet
    }
  }

  private static func shortened(_ text: String, to count: Int) -> String {
    text.count <= count ? text : text.prefix(count - 3) + "..."
  }
}

/// A place for a drawing.
struct FigureFrame {
  let x: Double
  let y: Double
  let width: Double
  let height: Double
}

/// The colors of a picture.
enum FigureColors {
  static let left = "#1769aa"
  static let right = "#d9822b"
  static let trunk = "#3e4c59"
  static let quiet = "#7b8794"
  static let label = "#2f7d4f"
  static let fault = "#c23030"
  static let line = "#8e99a4"
  static let elbow = "#7c3aed"
  static let shoulder = "#0f766e"
}
