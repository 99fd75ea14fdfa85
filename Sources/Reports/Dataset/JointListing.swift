internal import Evaluation
package import PoseModel

package struct JointListing {
  fileprivate struct Line {
    let point: RecognizedPoint3D
    let beforeCamera: Vector3
    let image: ImagePoint?

    var groups: [String] { Skeleton.vision3d.groups(of: point.joint) }
  }

  private let name: String
  private let time: Double
  private let lines: [Line]

  package init(
    name: String, time: Double, observation: BodyPose3DObservation, intrinsics: CameraIntrinsics?
  ) throws {
    self.name = name
    self.time = time
    lines = try observation.availableJointNames.map { joint in
      let image = try intrinsics.map { try observation.pointInImage(joint, intrinsics: $0) }
      return Line(
        point: try observation.recognizedPoint(joint),
        beforeCamera: try observation.positionBeforeCamera(joint), image: image)
    }
  }

  /// Shares of width and height from the upper left corner.
  package var imagePoints: [Joint: SVGCanvas.Point] {
    var points: [Joint: SVGCanvas.Point] = [:]
    for line in lines {
      points[line.point.joint] = line.image.map { SVGCanvas.Point(x: $0.x, y: 1 - $0.y) }
    }
    return points
  }

  package var title: String { "\(name) at \(NumberText.fixed(time, 3)) s" }

  package var document: Document {
    var document = Document()
    document.heading(title, level: 1)
    document.paragraph(
      """
      Lengths are in meters, as x, y, z. Positions and bones are in pelvis axes; a bone leads from \
      the joint's parent to the joint. Polar and azimuth are the bone's direction: yaw and roll in \
      Apple's sample code.
      """)
    let hasImages = lines.contains { $0.image != nil }
    var table = Table(
      [
        .words("joint"), .words("groups"), .number("position"), .words("parent"), .number("bone"),
        .number("polar"), .number("azimuth"), .number("from the camera"),
      ] + (hasImages ? [.number("in the image")] : []))
    for line in lines {
      table.row(
        [
          StyledText(line.point.joint.name, .strong),
          StyledText(line.groups.joined(separator: " ")), Self.text(line.point.vector),
          StyledText(line.point.parentJoint.name), Self.text(line.point.localVector),
          Self.text(line.point.directionFromParent?.polar),
          Self.text(line.point.directionFromParent?.azimuth), Self.text(line.beforeCamera),
        ] + (hasImages ? [Self.text(line.image)] : []))
    }
    document.table(table)
    if hasImages {
      document.paragraph(
        "Image points are shares of the image's width and height, measured from its lower left corner."
      )
    }
    return document
  }

  private static func text(_ vector: Vector3) -> StyledText {
    let numbers = [vector.x, vector.y, vector.z].map { NumberText.fixed($0, 3) }
    return StyledText(
      numbers.map { String(repeating: " ", count: max(0, 6 - $0.count)) + $0 }
        .joined(separator: " "))
  }

  private static func text(_ angle: Degrees?) -> StyledText {
    StyledText(angle.map { NumberText.fixed($0.value, 1) } ?? "-")
  }

  private static func text(_ point: ImagePoint?) -> StyledText {
    StyledText(point.map { NumberText.fixed($0.x, 3) + " " + NumberText.fixed($0.y, 3) } ?? "-")
  }
}

extension JointListing: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name = "sequence"
    case time = "t_s"
    case lines = "joints"
  }
}

extension JointListing.Line: Encodable {
  private enum CodingKeys: String, SnakeCaseKey {
    case joint, groups, parent, visionKey
    case position = "position_m"
    case localPosition = "local_position_m"
    case polar = "polar_deg"
    case azimuth = "azimuth_deg"
    case beforeCamera = "before_camera_m"
    case image = "point_in_image"
  }

  func encode(to encoder: any Encoder) throws {
    func list(_ vector: Vector3) -> [Double] { [vector.x, vector.y, vector.z] }
    let direction = point.directionFromParent
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(point.joint.name, forKey: .joint)
    try container.encode(point.identifier, forKey: .visionKey)
    try container.encode(groups, forKey: .groups)
    try container.encode(point.parentJoint.name, forKey: .parent)
    try container.encode(list(point.vector), forKey: .position)
    try container.encode(list(point.localVector), forKey: .localPosition)
    try container.encodeIfPresent(direction?.polar, forKey: .polar)
    try container.encodeIfPresent(direction?.azimuth, forKey: .azimuth)
    try container.encode(list(beforeCamera), forKey: .beforeCamera)
    try container.encodeIfPresent(image.map { [$0.x, $0.y] }, forKey: .image)
  }
}

extension Skeleton {
  func groups(of joint: Joint) -> [String] {
    JointGroup.allCases.filter { $0 != .all && $0.joints(in: self).contains(joint) }.map(\.rawValue)
  }
}
