package import PoseModel

package struct PoseFigure: Sendable {
  struct Moment: Sendable {
    var frame: Int
    var label: String
    var state: String
    var measurements: Measurements
  }

  struct Measurements: Hashable, Sendable {
    var hipDeviation: Meters?
    var elbowAngle: Degrees?
    var shoulderRise: Meters?
  }

  var title: String
  var subtitle: String
  var recording: Recording
  var moments: [Moment]

  package func svg() -> String {
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
  /// A joint whose parent is missing is joined to the nearest ancestor that is present.
  ///
  /// Shoulders and hips are joined directly if their center is missing.
  package var drawnBones: [(parent: Joint, child: Joint)] {
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

enum BodySide: String, CaseIterable, Hashable, Sendable, Codable {
  case left, right, trunk

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

package struct FigureBody {
  struct Stroke {
    let from: Joint
    let to: Joint
    let side: BodySide
  }

  let up: Vector3
  let all: [Vector3]
  private let positions: [Joint: Vector3]
  private let bones: [(parent: Joint, child: Joint)]

  /// Nil without a pose or an up vector.
  ///
  /// Missing centers of shoulders and hips are placed midway between the left and the right joint.
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
      (Joint.centerShoulder, Joint.leftShoulder, Joint.rightShoulder), (.root, .leftHip, .rightHip),
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
    let order: [BodySide] = left >= right ? [.right, .trunk, .left] : [.left, .trunk, .right]
    return order.flatMap { side in
      bones.filter { BodySide(of: $0) == side }
        .map { Stroke(from: $0.parent, to: $0.child, side: side) }
    }
  }
}

struct FigureProjection {
  let right: Vector3
  let up: Vector3
  private let scale: Double
  private let origin: SVGCanvas.Point

  init(right: Vector3, up: Vector3, points: [Vector3], frame: FigureFrame, pixelsPerMeter: Double) {
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
      canvas.line(point(a), point(b), color: stroke.side.color, width: 4.5)
    }
    if let head = body.head {
      canvas.disk(
        point(head), radius: Self.headRadius.value * scale, color: Theme.surface,
        outline: Theme.middle)
    }
  }

  private static let headRadius = Meters(0.09)

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

  /// Draws the floor 4 cm below the lowest joint, because joints are inside the body.
  private func drawFloor(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard let lowest = body.all.min(by: { $0.dot(view.up) < $1.dot(view.up) }) else { return }
    let y = view.point(lowest - view.up * 0.04).y
    canvas.line(
      .init(x: frame.x + 46, y: y), .init(x: frame.x + frame.width, y: y),
      color: Theme.line, width: 2)
  }

  private func drawUp(on canvas: inout SVGCanvas) {
    let x = frame.x + 18
    let middle = frame.y + frame.height / 2
    canvas.arrow(
      from: .init(x: x, y: middle + 22), to: .init(x: x, y: middle - 22), color: Theme.dim)
    canvas.text(
      "up", at: .init(x: x, y: middle + 42), .init(size: 12, color: Theme.dim, anchor: "middle"))
  }

  private func drawLine(_ view: FigureProjection, on canvas: inout SVGCanvas) {
    guard let shoulders = body[.centerShoulder], let ankles = body.ankles else { return }
    canvas.line(
      view.point(shoulders), view.point(ankles), color: Theme.dim, width: 1.5, dash: "6 5")
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
      canvas.line(point, SVGCanvas.Point(x: x, y: point.y), color: color, width: 1, dash: "2 4")
      canvas.disk(point, radius: 4, color: color)
    }
    canvas.line(.init(x: x, y: a.y), .init(x: x, y: b.y), color: Theme.shoulder, width: 3)
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
        step <= 8 ? start * (1 - share) + middle * share : middle * (2 - share) + end * (share - 1)
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
      canvas.text("up", at: .init(x: center.x, y: center.y + 20), style)
      return
    }
    let (dx, dy) = (body.up.x * 22, -body.up.y * 22)
    canvas.arrow(
      from: .init(x: center.x - dx, y: center.y - dy),
      to: .init(x: center.x + dx, y: center.y + dy), color: Theme.dim)
    let isLying = dx.magnitude > dy.magnitude
    canvas.text("up", at: .init(x: center.x, y: center.y + (isLying ? 20 : 42)), style)
  }
}

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
      Self.shortened(title, to: 62), at: .init(x: Self.margin, y: 30),
      .init(size: 18, isBold: true))
    let quiet = SVGCanvas.TextStyle(size: 12.5, color: Theme.dim)
    canvas.text(Self.shortened(subtitle, to: 100), at: .init(x: Self.margin, y: 51), quiet)
    var x = Self.width - Self.margin - 290
    for (name, color, width) in [
      ("left limbs", Theme.left, 102.0), ("right limbs", Theme.right, 110),
      ("trunk", Theme.middle, 0),
    ] {
      canvas.line(.init(x: x, y: 26), .init(x: x + 16, y: 26), color: color, width: 4)
      canvas.text(name, at: .init(x: x + 23, y: 30), quiet)
      x += width
    }
    drawScale(on: &canvas)
    canvas.text("from the side, upright", at: .init(x: Self.margin + 14, y: 82), quiet)
    canvas.text(
      "in the camera's axes", at: .init(x: Self.margin + Self.sideWidth + 14, y: 82), quiet)
  }

  private func drawScale(on canvas: inout SVGCanvas) {
    let right = Self.width - Self.margin
    let left = right - 0.5 * pixelsPerMeter
    canvas.line(.init(x: left, y: 78), .init(x: right, y: 78), color: Theme.text, width: 2)
    for x in [left, right] {
      canvas.line(.init(x: x, y: 73), .init(x: x, y: 83), color: Theme.text, width: 2)
    }
    canvas.text("50 cm", at: .init(x: left - 10, y: 82), .init(size: 12.5, anchor: "end"))
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
        at: .init(x: Self.width / 2, y: panel.y + panel.height / 2),
        .init(size: 14, color: Theme.dim, anchor: "middle"))
      return
    }
    let camera = FigureFrame(
      x: Self.margin + Self.sideWidth, y: panel.y, width: Self.cameraWidth - 14,
      height: panel.height)
    canvas.line(
      .init(x: camera.x, y: panel.y + 6),
      .init(x: camera.x, y: top + height - 14), color: Theme.line, width: 1)
    let side = SidePanel(
      frame: panel, body: body, measurements: moment.measurements, pixelsPerMeter: pixelsPerMeter)
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
      label, at: .init(x: Self.margin + 12 + width / 2, y: top + 25.5),
      .init(size: 12, color: Theme.ink(on: moment.state), anchor: "middle", isBold: true))
    canvas.text(
      "at " + NumberText.fixed(time, 2) + " s", at: .init(x: Self.margin + 22 + width, y: top + 26))
  }

  private func drawNotes(_ panel: SidePanel, top: Double, on canvas: inout SVGCanvas) {
    for (x, note) in zip([330.0, 548, 800], panel.notes) {
      guard let note else { continue }
      canvas.disk(.init(x: x, y: top + 21.5), radius: 4, color: note.color)
      canvas.text(
        note.text, at: .init(x: x + 10, y: top + 26),
        .init(size: 12.5, color: note.color, isBold: true))
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
