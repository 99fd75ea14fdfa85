import PlankDetection
import PoseModel

/// One frame with a few joints, to be measured by hand and by the code.
struct Figure {
  /// The joints that are present, in the axes of evaluation.
  var joints: [Joint: Vector3]
  /// Which way is up.
  var up = Vector3.unitY
  /// The body height in the header, meters.
  var height: Double?
  /// The body height in the frame, meters.
  var frameHeight: Double?
  /// How the device was held.
  var orientation = DeviceOrientation.portrait
  /// The axes in which joints are written.
  var frame = FrameOfReference.camera
  /// The matrix of a pelvis frame.
  var camera: CameraMatrix?

  /// Makes a figure of some joints.
  init(_ joints: [Joint: Vector3], height: Double? = nil) {
    self.joints = joints
    self.height = height
  }

  /// The recording of just this frame.
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

  /// A measurement of the frame, or why it has no value.
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

  /// The same figure with a joint somewhere else.
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
