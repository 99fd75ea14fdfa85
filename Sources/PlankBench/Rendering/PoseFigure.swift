internal import PoseModel

/// What a picture of a recording shows: some of its frames, each with its label and measurements.
struct PoseFigure: Sendable {
  /// One frame.
  struct Moment: Sendable {
    /// The frame's index in the recording.
    var frame: Int
    /// What the truth says, for example `forearm, sag`.
    var label: String
    /// How the label is meant.
    var tone: Tone
    /// The measurements; nil where one is undefined.
    var measurements: Measurements

    /// How a label is meant.
    enum Tone: Hashable, Sendable {
      /// A plank in good form.
      case good
      /// A fault.
      case fault
      /// Neither.
      case neutral
    }
  }

  /// The measurements that are drawn.
  struct Measurements: Hashable, Sendable {
    /// Hips off the line from shoulders to ankles; positive is up.
    var hipDeviation: Meters?
    /// The mean angle of both elbows.
    var elbowAngle: Degrees?
    /// The left shoulder's height over the right one's.
    var shoulderRise: Meters?
  }

  /// The sequence's name.
  var title: String
  /// What else is known of it, in one line.
  var subtitle: String
  /// The recording; 3D.
  var recording: Recording
  /// The frames from top to bottom.
  var moments: [Moment]

  /// The picture as SVG.
  ///
  /// Each frame stands in a row: the body from its side, to scale and upright, with measurements
  /// drawn in; and the body as the camera's axes hold it, where up may point anywhere.
  func svg() -> String {
    let page = FigurePage()
    var canvas = SVGCanvas()
    let height = page.height(rows: moments.count)
    canvas.box(
      x: 0, y: 0, width: FigurePage.width, height: height, radius: 10, color: "#ffffff")
    page.drawHeader(title: title, subtitle: subtitle, on: &canvas)
    for (row, moment) in moments.enumerated() {
      page.drawRow(row, moment, of: recording, on: &canvas)
    }
    return canvas.document(
      width: FigurePage.width, height: height, title: "\(title): \(moments.count) frames")
  }
}

/// A frame's joints in the axes of evaluation, the root at the origin, with the up vector.
struct FigureBody {
  /// A bone with the color of its side.
  struct Stroke {
    let from: Joint
    let to: Joint
    let color: String
    let width: Double
  }

  /// The up vector.
  let up: Vector3
  private let positions: [Joint: Vector3]

  /// Takes a frame's joints; nil where there is no pose or no up vector.
  init?(_ recording: Recording, frame: Int) {
    guard let axes = recording.axes(at: frame) else { return nil }
    up = axes.up
    var positions: [Joint: Vector3] = [:]
    for joint in recording.header.joints {
      positions[joint] = recording.evaluatedPosition(of: joint, at: frame)
    }
    guard !positions.isEmpty else { return nil }
    self.positions = positions
    all = recording.header.joints.compactMap { positions[$0] }
  }

  /// A joint's position; nil where it is missing.
  subscript(joint: Joint) -> Vector3? { positions[joint] }

  /// Every position.
  let all: [Vector3]

  /// The middle of the ankles.
  var ankles: Vector3? { middle(.leftAnkle, .rightAnkle) }

  /// The middle of two joints; nil where one is missing.
  func middle(_ a: Joint, _ b: Joint) -> Vector3? {
    guard let a = self[a], let b = self[b] else { return nil }
    return a.midpoint(b)
  }

  /// The bones from the far side to the near one, by the depth of their shoulders.
  ///
  /// - Parameter depth: how far toward the viewer a position is.
  func strokes(depth: (Vector3) -> Double) -> [Stroke] {
    let left = self[.leftShoulder].map(depth) ?? 0
    let right = self[.rightShoulder].map(depth) ?? 0
    let (near, far) = left >= right ? (Self.left, Self.right) : (Self.right, Self.left)
    return far + Self.trunk + near
  }

  private static func limb(_ joints: [Joint], _ color: String) -> [Stroke] {
    zip(joints, joints.dropFirst()).map { Stroke(from: $0, to: $1, color: color, width: 4.5) }
  }

  private static let left =
    limb([.leftHip, .leftKnee, .leftAnkle], FigureColors.left)
    + limb([.leftShoulder, .leftElbow, .leftWrist], FigureColors.left)
  private static let right =
    limb([.rightHip, .rightKnee, .rightAnkle], FigureColors.right)
    + limb([.rightShoulder, .rightElbow, .rightWrist], FigureColors.right)
  private static let trunk: [Stroke] =
    limb(
      [.root, .spine, .centerShoulder, .centerHead, .topHead], FigureColors.trunk)
    + limb([.leftShoulder, .centerShoulder, .rightShoulder], FigureColors.trunk)
    + limb([.leftHip, .root, .rightHip], FigureColors.trunk)
}

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
