/// Explains a recording's axes and why they matter, in sentences for people.
public struct AxesExplanation: Hashable, Sendable {
  /// What the numbers of a position are.
  public let axes: String
  /// What that means for a detector.
  public let consequence: String
  /// Where the direction up comes from.
  public let up: String
  /// What is doubtful about the recording and what to do; often empty.
  public let doubts: [String]

  /// All sentences, in order.
  public var sentences: [String] { [axes, consequence, up] + doubts }

  /// Explains a recording as loaded, that is, unmirrored.
  ///
  /// - Complexity: O(frames).
  public init(_ recording: Recording) {
    let header = recording.header
    axes = Self.axes(of: header)
    consequence = Self.consequence(of: recording)
    up = Self.up(of: recording)
    doubts = Self.doubts(about: recording)
  }

  private static func axes(of header: RecordingHeader) -> String {
    switch header.frame {
    case .camera where header.skeleton.dimension == 3:
      "Camera axes: x right, y up in the image, z toward the camera, the root joint as origin."
    case .pelvis:
      "Pelvis axes: fixed to the person, x toward the left hip, y along the spine."
    case .world: "World axes: y is up."
    case .camera, .image:
      header.skeleton == .coco17
        ? "Image coordinates: pixels from the upper left corner."
        : "Image coordinates: shares of width and height from the lower left corner."
    }
  }

  private static func consequence(of recording: Recording) -> String {
    switch recording.header.frame {
    case .camera where recording.header.skeleton.dimension == 3:
      return "Up is not part of these axes: it depends on how the device was held, and a wrong "
        + "orientation turns lying into standing."
    case .pelvis:
      let poses = (0..<recording.frameCount).filter { recording.hasPose(at: $0) }
      let turned = poses.count { !recording.isMissing(at: $0) }
      return "In these axes every straight body looks upright, so every pose is turned by its "
        + "camera matrix before it is judged: \(turned) of \(poses.count) poses have one"
        + (turned < poses.count ? ", the others count as missing." : ".")
    case .world: return "Nothing needs to be turned, however the camera stood."
    case .camera, .image:
      return "An image has no depth: lengths and angles change with the direction of view."
    }
  }

  private static func up(of recording: Recording) -> String {
    let header = recording.header
    let own = (0..<recording.frameCount).count { recording.ownUp(at: $0) != nil }
    let common = commonUp(of: header)
    guard own > 0 else { return "\(common.prefix(1).uppercased())\(common.dropFirst())." }
    return own == recording.frameCount
      ? "Up is recorded with every frame."
      : "Up is recorded with \(own) of \(recording.frameCount) frames; elsewhere: \(common)."
  }

  private static func commonUp(of header: RecordingHeader) -> String {
    guard case .known(let up) = header.upDirection else {
      return "up is not known, because \(UpDirection.remedy)"
    }
    // Adding 0 turns -0 into 0.
    let text = "up is (\(up.x + 0), \(up.y + 0), \(up.z + 0))"
    if header.up != nil { return "\(text), as the header says" }
    if header.frame == .world { return "\(text), by definition" }
    guard let orientation = header.orientation else {
      return "\(text), because portrait is assumed where no orientation is given"
    }
    let buffer = header.buffer.map { ", a buffer that is \($0.rawValue)" } ?? ""
    let camera = header.cameraPosition.map { ", the \($0.rawValue) camera" } ?? ""
    return "\(text), from \(orientation.rawValue)\(camera)\(buffer)"
  }

  private static func doubts(about recording: Recording) -> [String] {
    var doubts: [String] = []
    let header = recording.header
    if header.frame == .camera, recording.looksFixedToPelvis {
      doubts.append(
        "The header says camera, but the hips never leave the x axis, as in pelvis axes: record "
          + "`cameraOriginMatrix` and say pelvis.")
    }
    let heights = (0..<recording.frameCount).map { recording.extras(at: $0).heightEstimation }
    if header.heightEstimation == .reference || heights.contains(.reference) {
      doubts.append(
        "Heights are the reference of 1.8 m, not measured: what scales with body height cannot "
          + "be tested here.")
    }
    if header.skeleton.dimension == 2, header.imageScale == nil {
      doubts.append(
        "The size of the image is not known, so its points have no angles: add `image_width_px` "
          + "and `image_height_px` to the header.")
    }
    return doubts
  }
}

extension Recording {
  /// How near to a pelvis's own axes joints must be to look fixed to it, in meters.
  public static let pelvisTolerance = Meters(1e-3)
  /// The fraction of poses that must look fixed to the pelvis before the recording does.
  public static let pelvisShare = 0.95

  /// Whether the positions look fixed to the pelvis, whatever the header says.
  ///
  /// In 95 % of the poses the left hip is on the x axis and the spine has no depth, within 1 mm
  /// each: a moving body does not do that in the axes of a camera.
  public var looksFixedToPelvis: Bool {
    let (fixed, poses) = posesFixedToPelvis
    return fixed > 0 && Double(fixed) >= Self.pelvisShare * Double(poses)
  }

  /// In how many poses the joints look fixed to the pelvis, and how many poses there are.
  ///
  /// In a 2D skeleton, none does.
  ///
  /// - Complexity: O(frames).
  public var posesFixedToPelvis: (fixed: Int, poses: Int) {
    let posed = (0..<frameCount).filter { hasPose(at: $0) }
    guard header.skeleton == .vision3d else { return (fixed: 0, poses: posed.count) }
    let fixed = posed.count { frame in
      Self.looksFixedToPelvis(
        leftHip: position(of: .leftHip, at: frame), spine: position(of: .spine, at: frame))
    }
    return (fixed: fixed, poses: posed.count)
  }

  /// Whether the left hip is on the x axis and the spine has no depth; false if one is missing.
  static func looksFixedToPelvis(leftHip: Vector3?, spine: Vector3?) -> Bool {
    guard let leftHip, let spine else { return false }
    return max(leftHip.y.magnitude, leftHip.z.magnitude, spine.z.magnitude) < pelvisTolerance.value
  }
}

extension Pose {
  /// Whether the joints look fixed to the pelvis, as Vision's positions are.
  ///
  /// The left hip is on the x axis and the spine has no depth, within 1 mm each.
  public var looksFixedToPelvis: Bool {
    Recording.looksFixedToPelvis(leftHip: self[.leftHip], spine: self[.spine])
  }
}
