internal import PoseModel

/// People as an image shows them: joints and bones where they are in the picture.
struct WireframeFigure {
  /// One person.
  struct Person {
    /// Whose joints these are.
    let header: RecordingHeader
    /// Where joints are, as shares of the width and height of the image from its upper left corner.
    let points: [Joint: SVGCanvas.Point]
  }

  /// The longer side of the picture.
  private static let longerSide = 640.0

  /// What screen readers say.
  let title: String
  /// Width of the image over its height.
  let aspect: Double
  /// Who is shown.
  let people: [Person]

  /// The picture as SVG: the frame of the image, bones in the colors of their sides, joints as dots.
  func svg() -> String {
    let width = aspect >= 1 ? Self.longerSide : Self.longerSide * aspect
    let height = aspect >= 1 ? Self.longerSide / aspect : Self.longerSide
    var canvas = SVGCanvas()
    canvas.box(
      x: 0, y: 0, width: width, height: height, radius: 0, color: Theme.surface,
      outline: Theme.line)
    for person in people {
      let points = person.points.mapValues {
        SVGCanvas.Point(x: $0.x * width, y: $0.y * height)
      }
      for bone in person.header.drawnBones {
        guard let parent = points[bone.parent], let child = points[bone.child] else { continue }
        canvas.line(parent, child, color: Self.color(of: bone), width: 4)
      }
      for joint in person.header.joints {
        guard let point = points[joint] else { continue }
        canvas.group(joint.name) {
          $0.disk(point, radius: 4, color: Theme.surface, outline: Theme.middle)
        }
      }
    }
    return canvas.document(width: width, height: height, title: title)
  }

  private static func color(of bone: (parent: Joint, child: Joint)) -> ThemeColor {
    let names = [bone.parent.name, bone.child.name]
    if names.allSatisfy({ $0.hasPrefix("left") }) { return Theme.left }
    return names.allSatisfy { $0.hasPrefix("right") } ? Theme.right : Theme.middle
  }
}

extension WireframeFigure {
  /// The people of 2D recordings of one camera in the first frame in which one of them is seen.
  init(title: String, firstPoseOf recordings: [Recording]) {
    let frames = recordings.flatMap { recording in
      (0..<recording.frameCount).first(where: recording.hasPose).map { [$0] } ?? []
    }
    let frame = frames.min() ?? 0
    self.init(title: title, recordings, frame: frame)
  }

  /// The people of 2D recordings of one camera in one frame.
  init(title: String, _ recordings: [Recording], frame: Int) {
    self.title = title
    let size = recordings.first.map(\.header).flatMap { header in
      header.imageWidth.flatMap { width in
        header.imageHeight.map { SVGCanvas.Point(x: Double(width), y: Double($0)) }
      }
    }
    aspect = size.map { $0.x / $0.y } ?? 1
    people = recordings.filter { frame < $0.frameCount }.map { recording in
      let header = recording.header
      let isNormalized = header.skeleton == .vision2d
      var points: [Joint: SVGCanvas.Point] = [:]
      for joint in header.joints {
        guard let position = recording.position(of: joint, at: frame) else { continue }
        points[joint] =
          isNormalized
          ? SVGCanvas.Point(x: position.x, y: 1 - position.y)
          : SVGCanvas.Point(x: position.x / (size?.x ?? 1), y: position.y / (size?.y ?? 1))
      }
      return Person(header: header, points: points)
    }
  }
}
