internal import PoseModel

struct PoseFigure: Sendable {
  struct Moment: Sendable {
    var frame: Int
    var label: String
    /// The state that gives the label its color: that of the form if it is judged, else of the
    /// plank.
    var state: String
    /// The measurements; nil if one is undefined.
    var measurements: Measurements
  }

  struct Measurements: Hashable, Sendable {
    /// The hips' distance from the line between shoulders and ankles; positive is up.
    var hipDeviation: Meters?
    var elbowAngle: Degrees?
    var shoulderRise: Meters?
  }

  var title: String
  var subtitle: String
  var recording: Recording
  var moments: [Moment]

  /// Each frame has a row: the body from its side and in the camera's axes, all at one scale.
  func svg() -> String {
    let page = FigurePage(
      rows: moments.map { FigureRow($0, body: FigureBody(recording, frame: $0.frame)) })
    var canvas = SVGCanvas()
    canvas.box(
      x: 0, y: 0, width: FigurePage.width, height: page.height, radius: 10, color: Theme.surface)
    page.drawHeader(title: title, subtitle: subtitle, on: &canvas)
    for row in page.rows.indices {
      page.drawRow(row, time: recording.times[moments[row].frame], on: &canvas)
    }
    return canvas.document(
      width: FigurePage.width, height: page.height,
      title: "\(title): \(NumberText.count(moments.count, "frame"))")
  }
}

extension RecordingHeader {
  /// A joint whose parent is missing is joined to the nearest ancestor that is present; shoulders
  /// and hips are joined directly if their center is missing.
  var drawnBones: [(parent: Joint, child: Joint)] {
    let present = Set(joints)
    var bones: [(parent: Joint, child: Joint)] = skeleton.joints.filter(present.contains).compactMap
    { child in
      var parent = skeleton.parent(of: child)
      while let missing = parent, !present.contains(missing) {
        parent = skeleton.parent(of: missing)
      }
      return parent.map { (parent: $0, child: child) }
    }
    let chest = skeleton == .vision2d ? Joint.neck : .centerShoulder
    for (left, right, center) in [
      (Joint.leftShoulder, Joint.rightShoulder, chest), (.leftHip, .rightHip, .root),
    ] where present.isSuperset(of: [left, right]) && !present.contains(center) {
      bones.append((parent: left, child: right))
    }
    return bones
  }
}

struct FigureBody {
  struct Stroke {
    let from: Joint
    let to: Joint
    let color: ThemeColor
  }

  let up: Vector3
  let all: [Vector3]
  private let positions: [Joint: Vector3]
  private let bones: [(parent: Joint, child: Joint)]

  /// Nil without a pose or an up vector; missing centers of shoulders and hips are placed halfway
  /// between both sides.
  init?(_ recording: Recording, frame: Int) {
    guard let axes = recording.axes(at: frame) else { return nil }
    up = axes.up
    var positions: [Joint: Vector3] = [:]
    for joint in recording.header.joints {
      positions[joint] = recording.evaluatedPosition(of: joint, at: frame)
    }
    guard !positions.isEmpty else { return nil }
    all = recording.header.joints.compactMap { positions[$0] }
    for (center, left, right) in [
      (Joint.centerShoulder, Joint.leftShoulder, Joint.rightShoulder),
      (.root, .leftHip, .rightHip),
    ] where !recording.header.joints.contains(center) {
      if let a = positions[left], let b = positions[right] { positions[center] = a.midpoint(b) }
    }
    self.positions = positions
    bones = recording.header.drawnBones
  }

  subscript(joint: Joint) -> Vector3? { positions[joint] }

  var ankles: Vector3? { middle(.leftAnkle, .rightAnkle) }

  var head: Vector3? { middle(.centerHead, .topHead) ?? self[.centerHead] }

  func middle(_ a: Joint, _ b: Joint) -> Vector3? {
    guard let a = self[a], let b = self[b] else { return nil }
    return a.midpoint(b)
  }

  func strokes(depth: (Vector3) -> Double) -> [Stroke] {
    let left = self[.leftShoulder].map(depth) ?? 0
    let right = self[.rightShoulder].map(depth) ?? 0
    let order: [Side] = left >= right ? [.right, .trunk, .left] : [.left, .trunk, .right]
    return order.flatMap { side in
      bones.filter { Side(of: $0) == side }
        .map { Stroke(from: $0.parent, to: $0.child, color: side.color) }
    }
  }

  private enum Side {
    case left
    case right
    case trunk

    init(of bone: (parent: Joint, child: Joint)) {
      let names = [bone.parent.name, bone.child.name]
      self =
        names.allSatisfy { $0.hasPrefix("left") }
        ? .left : names.allSatisfy { $0.hasPrefix("right") } ? .right : .trunk
    }

    var color: ThemeColor {
      switch self {
      case .left: Theme.left
      case .right: Theme.right
      case .trunk: Theme.middle
      }
    }
  }
}

struct FigureProjection {
  let right: Vector3
  let up: Vector3
  private let scale: Double
  private let origin: SVGCanvas.Point

  init(
    right: Vector3, up: Vector3, points: [Vector3], frame: FigureFrame, pixelsPerMeter: Double
  ) {
    self.right = right
    self.up = up
    scale = pixelsPerMeter
    let extent = FigureExtent(points, right: right, up: up)
    origin = SVGCanvas.Point(
      x: frame.x + frame.width / 2 - (extent.left + extent.width / 2) * scale,
      y: frame.y + frame.height / 2 + (extent.low + extent.height / 2) * scale)
  }

  func point(_ position: Vector3) -> SVGCanvas.Point {
    SVGCanvas.Point(
      x: origin.x + position.dot(right) * scale, y: origin.y - position.dot(up) * scale)
  }

  func depth(_ position: Vector3) -> Double { position.dot(right.cross(up)) }

  func draw(_ body: FigureBody, on canvas: inout SVGCanvas) {
    for stroke in body.strokes(depth: depth) {
      guard let a = body[stroke.from], let b = body[stroke.to] else { continue }
      canvas.line(point(a), point(b), color: stroke.color, width: 4.5)
    }
    if let head = body.head {
      canvas.disk(
        point(head), radius: Self.headRadius.value * scale, color: Theme.surface,
        outline: Theme.middle)
    }
  }

  private static let headRadius = Meters(0.09)

  /// The head to the right and up upward; an upright body faces right instead.
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

struct FigureExtent {
  let left: Double
  let low: Double
  let width: Double
  let height: Double

  init(_ points: [Vector3], right: Vector3, up: Vector3) {
    let xs = points.map { $0.dot(right) }
    let ys = points.map { $0.dot(up) }
    left = xs.min() ?? 0
    low = ys.min() ?? 0
    width = (xs.max() ?? 0) - left
    height = (ys.max() ?? 0) - low
  }
}
