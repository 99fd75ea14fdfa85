package import PoseDatasets
package import PoseModel

package struct WireframeFigure {
  struct Person {
    let header: RecordingHeader
    /// Shares of width and height from the upper left corner.
    let points: [Joint: SVGCanvas.Point]
  }

  private static let longerSide = 640.0

  let title: String
  let aspect: Double
  let people: [Person]

  package func svg() -> String {
    let width = aspect >= 1 ? Self.longerSide : Self.longerSide * aspect
    let height = aspect >= 1 ? Self.longerSide / aspect : Self.longerSide
    var canvas = SVGCanvas()
    canvas.box(
      x: 0, y: 0, width: width, height: height, radius: 0, color: Theme.surface,
      outline: Theme.line)
    for person in people {
      let points = person.points.mapValues { SVGCanvas.Point(x: $0.x * width, y: $0.y * height) }
      var seen = person.header
      seen.joints.removeAll { points[$0] == nil }
      for bone in seen.drawnBones {
        guard let parent = points[bone.parent], let child = points[bone.child] else { continue }
        canvas.line(parent, child, color: BodySide(of: bone).color, width: 4)
      }
      for joint in person.header.joints {
        guard let point = points[joint] else { continue }
        canvas.group(joint.name) {
          $0.disk(point, radius: 4, color: Theme.surface, outline: Theme.middle)
        }
      }
    }
    write(on: &canvas, height: height)
    return canvas.document(width: width, height: height, title: title)
  }

  private func write(on canvas: inout SVGCanvas, height: Double) {
    let style = SVGCanvas.TextStyle(size: 12, color: Theme.dim)
    canvas.text(title, at: .init(x: 10, y: 20), style)
    for (text, x, color) in [("left", 10.0, Theme.left), ("right", 42, Theme.right)] {
      canvas.text(text, at: .init(x: x, y: height - 10), .init(size: 12, color: color))
    }
  }
}

extension WireframeFigure {
  package init(title: String, firstPoseOf recordings: [Recording]) {
    let frames = recordings.flatMap { recording in
      (0..<recording.frameCount).first(where: recording.hasPose).map { [$0] } ?? []
    }
    let frame = frames.min() ?? 0
    self.init(title: title, recordings, frame: frame)
  }

  /// A nil size means that of the header.
  ///
  /// If both are unknown, an image with normalized coordinates is drawn as a square, and one in
  /// pixels ends at the lowest and the rightmost joint.
  package init(title: String, _ recordings: [Recording], frame: Int, size: ImageSize? = nil) {
    self.title = title
    let shown = recordings.filter { frame < $0.frameCount }
    let size = size ?? recordings.lazy.compactMap(\.header.imageSize).first
    let isNormalized = recordings.first?.header.skeleton != .coco17
    let positions = shown.map { recording in
      recording.header.joints.reduce(into: [Joint: Vector3]()) {
        $0[$1] = recording.position(of: $1, at: frame)
      }
    }
    let all = positions.flatMap(\.values)
    let sides =
      size.map { SVGCanvas.Point(x: Double($0.width), y: Double($0.height)) }
      ?? SVGCanvas.Point(
        x: isNormalized ? 1 : max(all.map(\.x).max() ?? 1, 1),
        y: isNormalized ? 1 : max(all.map(\.y).max() ?? 1, 1))
    aspect = sides.x / sides.y
    people = zip(shown, positions).map { recording, positions in
      Person(
        header: recording.header,
        points: positions.mapValues {
          isNormalized
            ? SVGCanvas.Point(x: $0.x, y: 1 - $0.y)
            : SVGCanvas.Point(x: $0.x / sides.x, y: $0.y / sides.y)
        })
    }
  }
}
