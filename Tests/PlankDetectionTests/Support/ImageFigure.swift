import PlankDetection
import PoseModel

/// One frame of image points with confidences, in image heights from the lower left corner.
struct ImageFigure {
  /// The points, in image heights.
  var points: [Joint: Vector3]
  /// The confidences; joints without an entry have 0.5.
  var confidences: [Joint: Float] = [:]
  /// Whether the recording has confidences at all.
  var hasConfidences = true
  /// The width of the image, in pixels.
  var width = 1600
  /// The height of the image, in pixels.
  var height = 800

  /// Straight arms under the shoulders of a body whose feet are at the right.
  static let plank = ImageFigure(points: [
    .nose: Vector3(0.125, 0.375, 0),
    .leftShoulder: Vector3(0.25, 0.5, 0), .rightShoulder: Vector3(0.25, 0.5, 0),
    .leftElbow: Vector3(0.25, 0.375, 0), .rightElbow: Vector3(0.25, 0.375, 0),
    .leftWrist: Vector3(0.25, 0.25, 0), .rightWrist: Vector3(0.25, 0.25, 0),
    .leftHip: Vector3(0.75, 0.5, 0), .rightHip: Vector3(0.75, 0.5, 0),
    .leftKnee: Vector3(1, 0.375, 0), .rightKnee: Vector3(1, 0.375, 0),
    .leftAnkle: Vector3(1.25, 0.25, 0), .rightAnkle: Vector3(1.25, 0.25, 0),
  ])

  /// The recording of this frame in the coordinates of a skeleton.
  func recording(_ skeleton: Skeleton = .vision2d) -> Recording {
    var header = RecordingHeader(skeleton: skeleton, joints: skeleton.joints, frame: .image)
    (header.imageWidth, header.imageHeight) = (width, height)
    let (wide, high) = (Double(width), Double(height))
    var recording = Recording(header: header)
    let pose = header.joints.flatMap { joint -> [Float] in
      guard let point = points[joint] else { return [.nan, .nan] }
      return skeleton == .coco17
        ? [Float(point.x * high), Float((1 - point.y) * high)]
        : [Float(point.x * high / wide), Float(point.y)]
    }
    let scores = header.joints.map { points[$0] == nil ? 0 : confidences[$0] ?? 0.5 }
    pose.withUnsafeBufferPointer { pose in
      scores.withUnsafeBufferPointer { scores in
        recording.append(time: 0, pose: pose, confidences: hasConfidences ? scores : nil)
      }
    }
    return recording
  }

  /// What an expression of image points gives.
  func measured(_ text: String, _ skeleton: Skeleton = .vision2d) throws -> MeasuredValue {
    measured(try Measurement("it", text, axes: .image), skeleton)
  }

  /// What a measurement gives.
  func measured(_ measurement: Measurement, _ skeleton: Skeleton = .vision2d) -> MeasuredValue {
    MeasurementColumns(recording(skeleton), MeasurementSet([measurement]), reading: .image)
      .measured(measurement, at: 0)
  }

  /// The same figure without some joints.
  func without(_ joints: Joint...) -> ImageFigure {
    var figure = self
    for joint in joints { figure.points[joint] = nil }
    return figure
  }
}

extension Recording {
  /// The recording as 2D poses: its x and y in an image, with confidences, some of them 0.
  var flattened: Recording {
    var header = RecordingHeader(
      skeleton: .vision2d, joints: Skeleton.vision2d.joints, frame: .image)
    (header.imageWidth, header.imageHeight) = (1600, 800)
    let sources: [Joint: Joint] = [.nose: .topHead, .neck: .centerShoulder]
    var result = Recording(header: header)
    for frame in 0..<frameCount {
      let pose = header.joints.flatMap { joint -> [Float] in
        guard let position = position(of: sources[joint] ?? joint, at: frame) else {
          return [.nan, .nan]
        }
        return [Float(position.x / 4), Float(position.y / 2)]
      }
      let scores = header.joints.indices.map { Float((frame / 3 * 7 + $0 * 13) % 31) / 30 }
      pose.withUnsafeBufferPointer { pose in
        scores.withUnsafeBufferPointer { scores in
          result.append(
            time: times[frame], pose: hasPose(at: frame) ? pose : nil,
            confidences: hasPose(at: frame) ? scores : nil)
        }
      }
    }
    return result
  }

  /// The recording, flattened for a detector of image points.
  func fitting(_ definition: DetectorDefinition) -> Recording {
    definition.axes.isImage ? flattened : self
  }
}
