internal import Evaluation
package import PoseDatasets
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

  package func figure(of header: RecordingHeader, aspect: Double) -> WireframeFigure {
    var points: [Joint: SVGCanvas.Point] = [:]
    for line in lines {
      points[line.point.joint] = line.image.map { SVGCanvas.Point(x: $0.x, y: 1 - $0.y) }
    }
    return WireframeFigure(
      title: title, aspect: aspect, people: [.init(header: header, points: points)])
  }

  private var title: String { "\(name) at \(NumberText.fixed(time, 3)) s" }

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
    document.table(lines) { row, line in
      let point = line.point
      row.words("joint", point.joint.name, .strong)
      row.words("groups", line.groups.joined(separator: " "))
      row.number("position", Self.text(point.vector))
      row.words("parent", point.parentJoint.name)
      row.number("bone", Self.text(point.localVector))
      row.number("polar", Self.text(point.directionFromParent?.polar))
      row.number("azimuth", Self.text(point.directionFromParent?.azimuth))
      row.number("from the camera", Self.text(line.beforeCamera))
      if hasImages { row.number("in the image", line.image.text(3)) }
    }
    if hasImages {
      document.paragraph(
        "Image points are shares of the image's width and height, measured from its lower left corner."
      )
    }
    return document
  }

  private static func text(_ vector: Vector3) -> String {
    let numbers = [vector.x, vector.y, vector.z].map { NumberText.fixed($0, 3) }
    return numbers.map { String(repeating: " ", count: max(0, 6 - $0.count)) + $0 }
      .joined(separator: " ")
  }

  private static func text(_ angle: Degrees?) -> String {
    angle.map { NumberText.fixed($0.value, 1) } ?? "-"
  }
}

extension JointListing: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name = "sequence"
    case time = "t_s"
    case lines = "joints"
  }
}

extension JointListing.Line: JSONObject {
  var members: [String: (any Encodable)?] {
    func list(_ vector: Vector3) -> [Double] { [vector.x, vector.y, vector.z] }
    return [
      "joint": point.joint.name, "vision_key": point.identifier, "groups": groups,
      "parent": point.parentJoint.name, "position_m": list(point.vector),
      "local_position_m": list(point.localVector),
      "polar_deg": point.directionFromParent?.polar,
      "azimuth_deg": point.directionFromParent?.azimuth,
      "before_camera_m": list(beforeCamera), "point_in_image": image.map { [$0.x, $0.y] },
    ]
  }
}

package struct ImageListing {
  fileprivate struct Line {
    let skeleton: Skeleton
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
        skeleton: header.skeleton, joint: joint, recorded: recorded, pixel: pixel,
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
    document.table(lines) { row, line in
      let position = line.recorded.map { ImagePoint(x: $0.x, y: $0.y) }
      row.words("joint", line.joint.name, .strong)
      row.words("groups", skeleton.groups(of: line.joint).joined(separator: " "))
      row.words("parent", skeleton.parent(of: line.joint)?.name ?? "-")
      row.number("position", position.text(skeleton == .coco17 ? 1 : 3))
      if size != nil { row.number("pixel", line.pixel.text(1)) }
      row.number("confidence", line.confidence.map { NumberText.fixed($0, 2) } ?? "-")
    }
    return document
  }
}

extension ImageListing: JSONObject {
  var members: [String: (any Encodable)?] {
    [
      "sequence": name, "t_s": time, "image_size_px": size.map { [$0.width, $0.height] },
      "joints": lines,
    ]
  }
}

extension ImageListing.Line: JSONObject {
  var members: [String: (any Encodable)?] {
    [
      "joint": joint.name, "vision_key": skeleton.visionKey(of: joint),
      "groups": skeleton.groups(of: joint), "parent": skeleton.parent(of: joint)?.name,
      "position": recorded.map { [$0.x, $0.y] }, "pixel": pixel.map { [$0.x, $0.y] },
      "confidence": confidence,
    ]
  }
}

extension ImagePoint? {
  fileprivate func text(_ digits: Int) -> String {
    map { NumberText.fixed($0.x, digits) + " " + NumberText.fixed($0.y, digits) } ?? "-"
  }
}

extension Skeleton {
  func groups(of joint: Joint) -> [String] {
    JointGroup.allCases.filter { $0 != .all && $0.joints(in: self).contains(joint) }.map(\.rawValue)
  }
}
