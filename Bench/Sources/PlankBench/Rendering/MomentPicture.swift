@_spi(Bench) internal import PoseModel

/// One frame of a recording as a small picture: the body from its side, upright, with a measurement
/// drawn in.
struct MomentPicture {
  private static let width = 420.0
  private static let height = 150.0
  /// Room above and below the body, for the head and the floor.
  private static let padding = 26.0

  /// The recording; 3D.
  let recording: Recording
  /// The frame's index.
  let frame: Int
  /// What is drawn in; nil for what is not of interest.
  let measurements: PoseFigure.Measurements

  /// The picture for a page; nothing if no pose was found in the frame.
  var html: HTML {
    guard let body = FigureBody(recording, frame: frame) else {
      return "<p class=\"note\">no pose found</p>"
    }
    let axes = FigureProjection.side(of: body)
    let extent = FigureExtent(body.all, right: axes.right, up: axes.up)
    let scale = min(
      (Self.width - 120) / max(extent.width, 0.1),
      (Self.height - 2 * Self.padding) / max(extent.height, 0.1), 160)
    var canvas = SVGCanvas()
    SidePanel(
      frame: FigureFrame(x: 0, y: 0, width: Self.width, height: Self.height), body: body,
      measurements: measurements, pixelsPerMeter: scale
    ).draw(on: &canvas)
    return HTML(
      markup: canvas.document(
        width: Self.width, height: Self.height,
        title: "the body at \(NumberText.fixed(recording.times[frame], 2)) s",
        isInPage: true))
  }
}
