// Stand-ins for the declarations of Vision that `VisionMovieReader` uses. Names and signatures are
// the framework's; what it finds is what the test put into the picture.

/// What is to be seen in a picture.
struct StandInScene: Sendable {
  /// The only orientation in which anybody is found.
  var orientation = CGImagePropertyOrientation.up
  var person: VNHumanBodyPose3DObservation?
  var people: [VNHumanBodyPoseObservation] = []
  /// Whether Vision fails.
  var isBroken = false
}

/// Four columns of four numbers, as simd's matrices have them.
struct FloatMatrix: Sendable {
  var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
}

struct VNRecognizedPointKey: RawRepresentable, Hashable, Sendable {
  let rawValue: String
}

struct VNRecognizedPointGroupKey: RawRepresentable, Hashable, Sendable {
  let rawValue: String
}

struct VNHumanBodyRecognizedPoint3D: Sendable {
  let position: FloatMatrix
  /// Relative to the parent joint: nobody should record it.
  var localPosition: FloatMatrix {
    FloatMatrix(columns: (SIMD4(), SIMD4(), SIMD4(), [9, 9, 9, 1]))
  }
}

final class VNHumanBodyPose3DObservation: Sendable {
  struct JointName: RawRepresentable, Hashable, Sendable {
    let rawValue: VNRecognizedPointKey
  }

  enum HeightEstimation: Int, Sendable {
    case reference, measured
  }

  let bodyHeight: Float
  let heightEstimation: HeightEstimation
  let cameraOriginMatrix: FloatMatrix
  private let positions: [JointName: FloatMatrix]

  init(
    positions: [JointName: FloatMatrix], bodyHeight: Float, heightEstimation: HeightEstimation,
    cameraOriginMatrix: FloatMatrix
  ) {
    self.positions = positions
    self.bodyHeight = bodyHeight
    self.heightEstimation = heightEstimation
    self.cameraOriginMatrix = cameraOriginMatrix
  }

  var availableJointNames: [JointName] { Array(positions.keys) }

  func recognizedPoint(_ jointName: JointName) throws -> VNHumanBodyRecognizedPoint3D {
    guard let position = positions[jointName] else { throw StandInError() }
    return VNHumanBodyRecognizedPoint3D(position: position)
  }
}

struct VNRecognizedPoint: Sendable {
  let x: Double
  let y: Double
  let confidence: Float
}

final class VNHumanBodyPoseObservation: Sendable {
  struct JointName: RawRepresentable, Hashable, Sendable {
    let rawValue: VNRecognizedPointKey
  }

  struct JointsGroupName: RawRepresentable, Hashable, Sendable {
    static let all = JointsGroupName(rawValue: VNRecognizedPointGroupKey(rawValue: "VNIPOAll"))
    let rawValue: VNRecognizedPointGroupKey
  }

  private let found: [JointName: VNRecognizedPoint]

  init(points: [JointName: VNRecognizedPoint]) { found = points }

  func recognizedPoints(_ groupName: JointsGroupName) throws -> [JointName: VNRecognizedPoint] {
    groupName == .all ? found : [:]
  }
}

class VNRequest {
  fileprivate func look(at scene: StandInScene?) {}
}

final class VNDetectHumanBodyPose3DRequest: VNRequest {
  private(set) var results: [VNHumanBodyPose3DObservation]?

  override fileprivate func look(at scene: StandInScene?) {
    results = (scene?.person).map { [$0] } ?? []
  }
}

final class VNDetectHumanBodyPoseRequest: VNRequest {
  private(set) var results: [VNHumanBodyPoseObservation]?

  override fileprivate func look(at scene: StandInScene?) { results = scene?.people ?? [] }
}

struct VNImageOption: RawRepresentable, Hashable {
  let rawValue: String
}

final class VNImageRequestHandler {
  private let scene: StandInScene?
  private let orientation: CGImagePropertyOrientation

  init(
    cmSampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation,
    options: [VNImageOption: Any] = [:]
  ) {
    scene = cmSampleBuffer.imageBuffer?.scene
    self.orientation = orientation
  }

  func perform(_ requests: [VNRequest]) throws {
    if scene?.isBroken ?? false { throw StandInError() }
    let isUpright = scene?.orientation == orientation
    for request in requests { request.look(at: isUpright ? scene : nil) }
  }
}
