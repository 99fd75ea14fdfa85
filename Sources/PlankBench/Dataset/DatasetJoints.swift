internal import Evaluation
internal import PoseDatasets
internal import PoseModel
internal import Reports

extension DatasetShow {
  func listJoints() throws -> Outcome {
    guard let name = sequence, at.count == 1, let time = at.first?.seconds else {
      throw WorkflowFailure(
        .usage, "--joints needs --sequence with the recording, and --at with one moment")
    }
    let reader = try DatasetAccess.open(dataset)
    guard let entry = try Self.chosen(reader, name).first else { return Outcome("") }
    let recording = try reader.load(entry).recording
    let frame = try Self.frame(at: time, of: recording)
    if recording.layout.dimension == 2 { return try list(recording, frame: frame, of: entry.name) }
    let camera = try intrinsics(of: recording.header)
    let observation = try Self.observing(entry.name) { try recording.observation(at: frame) }
    guard let observation else {
      throw WorkflowFailure(
        .badData, "\(entry.name): no pose at \(NumberText.shortest(time)) s; try another moment")
    }
    let listing = try Self.observing(entry.name) {
      try JointListing(
        name: entry.name, time: recording.times[frame], observation: observation,
        intrinsics: camera)
    }
    let remark = try draw(listing, of: recording.header, camera)
    return try result.outcome(
      remarks: [remark].compactMap(\.self), content: listing, document: listing.document)
  }

  private func list(_ recording: Recording, frame: Int, of name: String) throws -> Outcome {
    try require(
      focalLength == nil, .usage,
      "--focal-length is for 3D recordings; \(name) already has image positions")
    let listing = ImageListing(
      name: name, recording: recording, frame: frame, size: imageSize ?? recording.header.imageSize)
    try require(
      recording.hasPose(at: frame), .badData, "\(name): no pose at \(at[0]) s; try another moment")
    var remarks: [String] = []
    if let picture {
      let figure = WireframeFigure(title: listing.title, [recording], frame: frame, size: imageSize)
      try OutputFile.writeReport(figure.svg(), to: picture)
      remarks.append("wrote \(picture)")
    }
    return try result.outcome(remarks: remarks, content: listing, document: listing.document)
  }

  private func draw(
    _ listing: JointListing, of header: RecordingHeader, _ camera: CameraIntrinsics?
  ) throws -> String? {
    guard let picture else { return nil }
    guard let camera else {
      throw WorkflowFailure(
        .usage, "--picture with --joints needs --focal-length; give it in pixels")
    }
    let figure = WireframeFigure(
      title: listing.title,
      aspect: Double(camera.imageWidthPixels) / Double(camera.imageHeightPixels),
      people: [.init(header: header, points: listing.imagePoints)])
    try OutputFile.writeReport(figure.svg(), to: picture)
    return "wrote \(picture)"
  }

  private static func observing<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw WorkflowFailure(.badData, "\(name): \(error)") }
  }

  private func intrinsics(of header: RecordingHeader) throws -> CameraIntrinsics? {
    guard let focalLength else { return nil }
    guard focalLength.isFinite, focalLength > 0 else {
      throw WorkflowFailure(.usage, "--focal-length must be above 0; give it in pixels")
    }
    guard let size = imageSize ?? header.imageSize else {
      throw WorkflowFailure(
        .usage, "--focal-length needs the size of the image; give --image-size 1080x1920")
    }
    return CameraIntrinsics(
      focalLengthPixels: focalLength, imageWidthPixels: size.width, imageHeightPixels: size.height)
  }
}

struct JointListing {
  fileprivate struct Line {
    let point: RecognizedPoint3D
    let beforeCamera: Vector3
    let image: ImagePoint?

    var groups: [String] { Skeleton.vision3d.groups(of: point.joint) }
  }

  private let name: String
  private let time: Double
  private let lines: [Line]

  init(
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
  var imagePoints: [Joint: SVGCanvas.Point] {
    var points: [Joint: SVGCanvas.Point] = [:]
    for line in lines {
      points[line.point.joint] = line.image.map { SVGCanvas.Point(x: $0.x, y: 1 - $0.y) }
    }
    return points
  }

  var title: String { "\(name) at \(NumberText.fixed(time, 3)) s" }

  var document: Document {
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

struct ImageListing {
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

  init(name: String, recording: Recording, frame: Int, size: ImageSize?) {
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

  var title: String { "\(name) at \(NumberText.fixed(time, 3)) s" }

  var document: Document {
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

  func encode(to encoder: any Encoder) throws {
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

extension Skeleton {
  func groups(of joint: Joint) -> [String] {
    JointGroup.allCases.filter { $0 != .all && $0.joints(in: self).contains(joint) }.map(\.rawValue)
  }
}
