internal import Evaluation
package import PoseDatasets
package import PoseModel

package struct ImageListing {
  private struct Line {
    let joint: Joint
    let recorded: Vector3?
    /// In pixels from the lower left corner; nil if the image's size is unknown.
    let pixel: ImagePoint?
    let confidence: Double?
  }

  private let skeleton: Skeleton
  private let size: ImageSize?
  private let name: String
  private let time: Double
  private let lines: [Line]

  package init(name: String, recording: Recording, frame: Int, size: ImageSize?) {
    let header = recording.header
    self.name = name
    self.size = size
    skeleton = header.skeleton
    time = recording.times[frame]
    lines = header.joints.map { joint in
      let recorded = recording.position(of: joint, at: frame)
      let pixel = recorded.flatMap { position in
        size.map { size in
          header.skeleton == .coco17
            ? ImagePoint(x: position.x, y: Double(size.height) - position.y)
            : size.pixel(of: ImagePoint(x: position.x, y: position.y))
        }
      }
      return Line(
        joint: joint, recorded: recorded, pixel: pixel,
        confidence: recording.confidence(of: joint, at: frame).map(Double.init))
    }
  }

  package var title: String { "\(name) at \(NumberText.fixed(time, 3)) s" }

  package var document: Document {
    var document = Document()
    document.heading(title, level: 1)
    let unit =
      skeleton == .coco17
      ? "Positions are in pixels, measured from the upper left corner."
      : "Positions are shares of the image's width and height, measured from its lower left corner."
    let pixels =
      size.map {
        " Pixels are measured from the lower left corner of an image of \($0.width)x\($0.height), "
          + "as in VNImagePointForNormalizedPoint."
      } ?? " The image's size is unknown; give --image-size for pixels."
    document.paragraph(unit + pixels)
    var table = Table(
      [.words("joint"), .words("groups"), .words("parent"), .number("position")]
        + (size == nil ? [] : [.number("pixel")]) + [.number("confidence")])
    for line in lines {
      let position = line.recorded.map { ImagePoint(x: $0.x, y: $0.y) }
      table.row(
        [
          StyledText(line.joint.name, .strong),
          StyledText(skeleton.groups(of: line.joint).joined(separator: " ")),
          StyledText(skeleton.parent(of: line.joint)?.name ?? "-"),
          Self.text(position, digits: skeleton == .coco17 ? 1 : 3),
        ] + (size == nil ? [] : [Self.text(line.pixel, digits: 1)])
          + [StyledText(line.confidence.map { NumberText.fixed($0, 2) } ?? "-")])
    }
    document.table(table)
    return document
  }

  private static func text(_ point: ImagePoint?, digits: Int) -> StyledText {
    StyledText(
      point.map { NumberText.fixed($0.x, digits) + " " + NumberText.fixed($0.y, digits) } ?? "-")
  }
}

extension ImageListing: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name = "sequence"
    case time = "t_s"
    case size = "image_size_px"
    case lines = "joints"
  }

  private struct Entry: Encodable {
    let joint: String
    let visionKey: String?
    let groups: [String]
    let parent: String?
    let position: [Double]?
    let pixel: [Double]?
    let confidence: Double?

    private enum CodingKeys: String, SnakeCaseKey {
      case joint, groups, parent, position, pixel, confidence, visionKey
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(time, forKey: .time)
    try container.encodeIfPresent(size.map { [$0.width, $0.height] }, forKey: .size)
    try container.encode(
      lines.map { line in
        Entry(
          joint: line.joint.name, visionKey: skeleton.visionKey(of: line.joint),
          groups: skeleton.groups(of: line.joint), parent: skeleton.parent(of: line.joint)?.name,
          position: line.recorded.map { [$0.x, $0.y] }, pixel: line.pixel.map { [$0.x, $0.y] },
          confidence: line.confidence)
      }, forKey: .lines)
  }
}
