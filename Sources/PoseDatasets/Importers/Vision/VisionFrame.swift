import PoseModel

struct Vision3DFrame: DumpedFrame {
  static let format = "vision3d-dump"
  static let allowedForms = [
    "`joints`": "an object of joints, or null where no pose was found",
    "`joints.": "three numbers, 16 in column-major order, or {\"position\": [...], "
      + "\"pointInImage\": [x, y]}",
    "`cameraOriginMatrix": "16 finite numbers in column-major order, or four columns of four",
    "`heightEstimation": "\"reference\" or \"measured\", or Vision's raw value 0 or 1",
    "`up": "three numbers",
  ]

  let timestamp: Double
  let joints: [String: DumpJoint]?
  let bodyHeight: Double?
  let heightEstimation: DumpHeightEstimation?
  let cameraOriginMatrix: DumpNumbers?
  let up: [Double]?
  let imageWidth: Int?
  let imageHeight: Int?

  private enum CodingKeys: String, CodingKey {
    case timestamp
    case joints
    case bodyHeight
    case heightEstimation
    case cameraOriginMatrix
    case up
    case imageWidth
    case imageHeight
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard container.contains(.joints) else {
      throw DecodingError.keyNotFound(
        CodingKeys.joints, .init(codingPath: decoder.codingPath, debugDescription: ""))
    }
    timestamp = try container.decode(Double.self, forKey: .timestamp)
    joints = try container.decodeIfPresent([String: DumpJoint].self, forKey: .joints)
    bodyHeight = try container.decodeIfPresent(Double.self, forKey: .bodyHeight)
    heightEstimation = try container.decodeIfPresent(
      DumpHeightEstimation.self, forKey: .heightEstimation)
    cameraOriginMatrix = try container.decodeIfPresent(
      DumpNumbers.self, forKey: .cameraOriginMatrix)
    up = try container.decodeIfPresent([Double].self, forKey: .up)
    imageWidth = try container.decodeIfPresent(Int.self, forKey: .imageWidth)
    imageHeight = try container.decodeIfPresent(Int.self, forKey: .imageHeight)
  }
}

struct VisionFrame {
  let place: SourcePlace
  let positions: [Joint: Vector3]
  let points: [Joint: ImagePoint]
  let matrix: CameraMatrix?
  let up: Vector3?
  let bodyHeight: Meters?
  let heightEstimation: HeightEstimation?
  /// The frame's own image size, if it differs from the header's.
  let imageSize: (width: Int, height: Int)?

  init(_ frame: Vision3DFrame, at place: SourcePlace) throws {
    self.place = place
    positions = try Self.positions(frame.joints ?? [:], at: place)
    points = Self.points(frame.joints ?? [:])
    matrix = try Self.matrix(frame.cameraOriginMatrix, at: place)
    up = try Self.up(frame.up, at: place)
    bodyHeight = frame.bodyHeight.map(Meters.init)
    if let height = frame.bodyHeight, !(height > 0 && height.isFinite) {
      throw Self.error(place, "bodyHeight", "\(height)", "meters above 0, or leave it out")
    }
    heightEstimation = frame.heightEstimation?.estimation
    let width = try Self.pixels(frame.imageWidth, "imageWidth", in: place.description)
    let height = try Self.pixels(frame.imageHeight, "imageHeight", in: place.description)
    if let width, let height { imageSize = (width, height) } else { imageSize = nil }
  }

  static func pixels(_ number: Int?, _ field: String, in file: String) throws -> Int? {
    guard let number else { return nil }
    guard (1...1_000_000).contains(number) else {
      throw PoseSourceError.unexpectedValue(
        file: file, path: field, found: "\(number)", allowed: "1 to 1000000 pixels")
    }
    return number
  }

  static func joint(named name: String) -> Joint? {
    let joint = Skeleton.vision3d.joint(visionKey: name) ?? Joint(name: name)
    return joint.flatMap { Skeleton.vision3d.joints.contains($0) ? $0 : nil }
  }

  private static func positions(
    _ joints: [String: DumpJoint], at place: SourcePlace
  ) throws -> [Joint: Vector3] {
    var positions: [Joint: Vector3] = [:]
    for (name, value) in joints.sorted(by: { $0.key < $1.key }) {
      guard let joint = joint(named: name) else {
        throw error(
          place, "the joint `\(name)`", "unknown",
          "a raw key such as human_left_elbow_3D or a name such as leftElbow")
      }
      guard let position = value.position.position else {
        throw error(
          place, "joints.\(name)", CountText.of(value.position.values.count, "number"),
          "3, or 16 in column-major order")
      }
      guard position.isFinite, positions.updateValue(position, forKey: joint) == nil else {
        throw error(place, "joints.\(name)", "not finite or given twice", "each joint once")
      }
    }
    let missing = Skeleton.vision3d.joints.filter { positions[$0] == nil }
    guard missing.isEmpty || positions.isEmpty else {
      throw error(
        place, "joints", "without \(missing.map(\.name).joined(separator: ", "))",
        "all 17 joints, or null where no pose was found")
    }
    return positions
  }

  private static func points(_ joints: [String: DumpJoint]) -> [Joint: ImagePoint] {
    var points: [Joint: ImagePoint] = [:]
    for (name, value) in joints {
      if let joint = joint(named: name) { points[joint] = value.pointInImage?.point }
    }
    return points
  }

  private static func matrix(
    _ numbers: DumpNumbers?, at place: SourcePlace
  ) throws -> CameraMatrix? {
    guard let numbers else { return nil }
    guard let matrix = CameraMatrix(columnMajor: numbers.values) else {
      throw error(
        place, "cameraOriginMatrix", CountText.of(numbers.values.count, "number"),
        "16 finite ones in column-major order")
    }
    guard matrix.turnsRigidly else {
      let off = matrix.rotation.orthonormalityError
      throw error(
        place, "cameraOriginMatrix", "off a rotation by \(off), or a reflection",
        "the matrix column by column; the translation is in its last four numbers")
    }
    return matrix
  }

  private static func up(_ numbers: [Double]?, at place: SourcePlace) throws -> Vector3? {
    guard let numbers else { return nil }
    let up = numbers.count == 3 ? Vector3(numbers[0], numbers[1], numbers[2]) : nil
    guard let up, UpDirection.acceptedNorms ~= up.norm else {
      throw error(place, "up", "\(numbers)", "three numbers, a vector of length 1")
    }
    return up / up.norm
  }

  private static func error(
    _ place: SourcePlace, _ path: String, _ found: String, _ allowed: String
  ) -> PoseSourceError {
    .unexpectedValue(file: place.description, path: path, found: found, allowed: allowed)
  }
}
