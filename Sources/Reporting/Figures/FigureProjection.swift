import PoseModel

/// An orthographic view: which directions are right and up on paper, and where meters land.
struct FigureProjection {
  /// The direction that is right on paper.
  let right: Vector3
  /// The direction that is up on paper.
  let up: Vector3
  private let scale: Double
  private let origin: SVGCanvas.Point

  /// Fits points into a frame, centered, at the largest scale up to a limit.
  init(
    right: Vector3, up: Vector3, points: [Vector3], frame: FigureFrame, pixelsPerMeter: Double
  ) {
    self.right = right
    self.up = up
    let xs = points.map { $0.dot(right) }
    let ys = points.map { $0.dot(up) }
    let (left, low) = (xs.min() ?? 0, ys.min() ?? 0)
    let (width, height) = ((xs.max() ?? 0) - left, (ys.max() ?? 0) - low)
    scale = min(
      pixelsPerMeter, frame.width / max(width, 0.01), frame.height / max(height, 0.01))
    origin = SVGCanvas.Point(
      x: frame.x + frame.width / 2 - (left + width / 2) * scale,
      y: frame.y + frame.height / 2 + (low + height / 2) * scale)
  }

  /// Where a position lands on paper.
  func point(_ position: Vector3) -> SVGCanvas.Point {
    SVGCanvas.Point(
      x: origin.x + position.dot(right) * scale, y: origin.y - position.dot(up) * scale)
  }

  /// How far toward the viewer a position is.
  func depth(_ position: Vector3) -> Double { position.dot(right.cross(up)) }

  /// Draws a body.
  func draw(_ body: FigureBody, on canvas: inout SVGCanvas) {
    for stroke in body.strokes(depth: depth) {
      guard let a = body[stroke.from], let b = body[stroke.to] else { continue }
      canvas.line(point(a), point(b), color: stroke.color, width: stroke.width)
    }
    if let center = body.middle(.centerHead, .topHead) {
      let neck = body[.centerHead] ?? center
      let radius = max(6, 1.1 * (center - neck).norm * scale)
      canvas.disk(point(center), radius: radius, color: "#ffffff", outline: FigureColors.trunk)
    }
  }

  /// The view from the body's side: the head to the right, up upward.
  ///
  /// An upright body faces right instead.
  static func side(of body: FigureBody) -> (right: Vector3, up: Vector3) {
    let up = body.up
    func level(_ vector: Vector3) -> Vector3 { vector - up * vector.dot(up) }
    if let shoulders = body[.centerShoulder], let ankles = body.ankles {
      let span = shoulders - ankles
      let flat = level(span)
      if flat.norm > 0.6 * span.norm { return (flat / flat.norm, up) }
    }
    if let left = body[.leftShoulder], let right = body[.rightShoulder] {
      let forward = level((left - right).cross(up))
      if forward.norm > 0.05 { return (forward / forward.norm, up) }
    }
    let other = level(up.x.magnitude < 0.9 ? .unitX : .unitY)
    return (other / other.norm, up)
  }
}
