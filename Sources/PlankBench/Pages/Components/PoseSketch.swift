internal import PoseModel

struct PoseSketch: Hashable, Sendable, Codable {
  enum Side: String, CaseIterable, Hashable, Sendable, Codable {
    case left, right, trunk

    fileprivate var color: ThemeColor {
      switch self {
      case .left: Theme.left
      case .right: Theme.right
      case .trunk: Theme.middle
      }
    }
  }

  struct Bone: Hashable, Sendable, Codable {
    let side: Side
    /// Where it begins and ends: right and up, in millimeters or thousandths of an image's height.
    let line: [Int]
  }

  let time: Seconds
  let bones: [Bone]
  let head: [Int]?

  private enum CodingKeys: String, CodingKey {
    case time = "t_s"
    case bones, head
  }

  /// Sketches the nearest frame that has a pose; nil if none has one.
  init?(_ recording: Recording, near frame: Int) {
    let frames = (0..<recording.frameCount).filter(recording.hasPose).sorted {
      (abs($0 - frame), $0) < (abs($1 - frame), $1)
    }
    for frame in frames.prefix(Self.tries) {
      guard let body = FigureBody(recording, frame: frame) else { continue }
      self.init(body, time: recording.times[frame])
      return
    }
    return nil
  }

  private static let tries = 100

  private init(_ body: FigureBody, time: Double) {
    let (right, up) = FigureProjection.side(of: body)
    func point(_ position: Vector3) -> [Int] {
      [position.dot(right), position.dot(up)].map { Int((1000 * $0).rounded()) }
    }
    self.time = Seconds(time)
    bones = body.strokes { $0.dot(right.cross(up)) }.compactMap { stroke in
      guard let a = body[stroke.from], let b = body[stroke.to] else { return nil }
      let side: Side =
        stroke.color == Theme.left ? .left : stroke.color == Theme.right ? .right : .trunk
      return Bone(side: side, line: point(a) + point(b))
    }
    head = body.head.map(point)
  }

  func svg(title: String) -> HTML {
    let lines = bones.map { $0.line.map(Double.init) }.filter { $0.count == 4 }
    let head = head.flatMap { $0.count == 2 ? $0.map(Double.init) : nil }
    let xs = lines.flatMap { [$0[0], $0[2]] } + (head.map { [$0[0]] } ?? [])
    let ys = lines.flatMap { [$0[1], $0[3]] } + (head.map { [$0[1]] } ?? [])
    guard let left = xs.min(), let right = xs.max(), let low = ys.min(), let high = ys.max(),
      right > left || high > low
    else { return .empty }
    let (width, height, edge) = (320.0, 200.0, 24.0)
    let scale = min(
      (width - 2 * edge) / max(1, right - left), (height - 2 * edge) / max(1, high - low))
    func point(_ x: Double, _ y: Double) -> SVGCanvas.Point {
      SVGCanvas.Point(
        x: width / 2 + (x - (left + right) / 2) * scale,
        y: height / 2 - (y - (low + high) / 2) * scale)
    }
    var canvas = SVGCanvas()
    for bone in bones where bone.line.count == 4 {
      let ends = bone.line.map(Double.init)
      canvas.line(
        point(ends[0], ends[1]), point(ends[2], ends[3]), color: bone.side.color, width: 4.5)
    }
    if let head {
      canvas.disk(
        point(head[0], head[1]), radius: 9, color: Theme.surface, outline: Theme.middle)
    }
    return HTML(markup: canvas.document(width: width, height: height, title: title, isInPage: true))
  }
}
