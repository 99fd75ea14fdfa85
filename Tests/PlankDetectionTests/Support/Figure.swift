import PlankDetection
import PoseModel

/// One frame with a few joints, to be measured by hand and by the code.
struct Figure {
  var joints: [Joint: Vector3]
  var up = Vector3.unitY
  /// The body height in the header, meters.
  var height: Double?
  /// The body height in the frame, meters.
  var frameHeight: Double?
  var orientation = DeviceOrientation.portrait
  var frame = FrameOfReference.camera
  var camera: CameraMatrix?

  init(_ joints: [Joint: Vector3], height: Double? = nil) {
    self.joints = joints
    self.height = height
  }

  var recording: Recording {
    var header = RecordingHeader(
      skeleton: .vision3d, joints: Skeleton.vision3d.joints, frame: frame)
    header.orientation = orientation
    header.up = up
    header.bodyHeight = height.map { Meters($0) }
    var recording = Recording(header: header)
    let pose = header.joints.flatMap { joint -> [Float] in
      guard let position = joints[joint] else { return [.nan, .nan, .nan] }
      return [Float(position.x), Float(position.y), Float(position.z)]
    }
    let extras = FrameExtras(camera: camera, bodyHeight: frameHeight.map { Meters($0) })
    recording.append(time: Seconds(0), pose: pose, extras: extras)
    return recording
  }

  /// A measurement of the frame, nil if it has no value.
  func measure(_ measurement: Measurement, _ reading: AxisReading = .gravity) -> Float? {
    measured(measurement, reading).number
  }

  func measured(_ measurement: Measurement, _ reading: AxisReading = .gravity) -> MeasuredValue {
    MeasurementColumns(recording, MeasurementSet([measurement]), reading: reading)
      .measured(measurement, at: 0)
  }

  /// The same figure without a joint.
  func without(_ joint: Joint) -> Figure {
    var figure = self
    figure.joints[joint] = nil
    return figure
  }

  func with(_ joint: Joint, at position: Vector3) -> Figure {
    var figure = self
    figure.joints[joint] = position
    return figure
  }
}

extension Figure {
  /// A plain body with all 17 joints in which every measurement is defined.
  ///
  /// Prone, the head toward +x, hands under the shoulders; no two joints are nearer than 10 cm.
  static let prone = Figure(
    [
      .root: Vector3(0, 0.5, 0), .spine: Vector3(0.25, 0.5, 0),
      .centerShoulder: Vector3(0.5, 0.5, 0), .centerHead: Vector3(0.75, 0.5, 0),
      .topHead: Vector3(0.875, 0.5, 0), .leftHip: Vector3(0, 0.5, -0.125),
      .rightHip: Vector3(0, 0.5, 0.125), .leftKnee: Vector3(-0.5, 0.25, -0.125),
      .rightKnee: Vector3(-0.5, 0.25, 0.125), .leftAnkle: Vector3(-1, 0.125, -0.125),
      .rightAnkle: Vector3(-1, 0.125, 0.125), .leftShoulder: Vector3(0.5, 0.5, -0.25),
      .leftElbow: Vector3(0.5, 0.25, -0.25), .leftWrist: Vector3(0.5, 0, -0.25),
      .rightShoulder: Vector3(0.5, 0.5, 0.25), .rightElbow: Vector3(0.5, 0.25, 0.25),
      .rightWrist: Vector3(0.5, 0, 0.25),
    ], height: 1.75)
}

/// One frame of image points with confidences, in image heights from the lower left corner.
struct ImageFigure {
  /// The points, in image heights.
  var points: [Joint: Vector3]
  /// The confidences; joints without an entry have 0.5.
  var confidences: [Joint: Float] = [:]
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

  func measured(_ text: String, _ skeleton: Skeleton = .vision2d) throws -> MeasuredValue {
    measured(try Measurement("it", text, axes: .image), skeleton)
  }

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

  func fitting(_ definition: DetectorDefinition) -> Recording {
    definition.axes.isImage ? flattened : self
  }
}
