import PoseModel
import TestSupport

@testable import PoseDatasets

/// A dump of a scripted session as an app would write it, with the changes that tests want.
struct DumpText {
  /// How the file's matrices are written.
  var convention = CameraConvention.standard
  /// The standard deviation of the image points, in pixels; nil logs no points.
  var noisePixels: Double?
  /// Whether joints have Vision's raw keys or their Swift names.
  var usesRawKeys = true
  /// Whether positions are 16 numbers instead of three.
  var usesMatrices = false
  /// The header line, or nil for none.
  var header: String? =
    #"{"format":"vision3d-dump","version":1,"orientation":"portrait","imageWidth":1080,"#
    + #""imageHeight":1920,"subject":"s01"}"#
  /// The clock at the first frame.
  var clock = 1000.5
  /// Changes an image point in pixels before it is written.
  var distort: @Sendable (Double, Double) -> (Double, Double) = { ($0, $1) }
  var camera = ScriptedCamera(azimuth: Degrees(25))
  var seed: UInt64 = 1

  static let width = 1080.0
  static let height = 1920.0

  /// Standing, lying on one side and on the belly: seen from many sides of the body.
  static let session = ScriptedSession(
    ScriptedBody(stature: Meters(1.75)), rate: Hertz(5),
    phases: [
      ScriptedPhase(.standing, seconds: 1), ScriptedPhase(.sideLeft, seconds: 1),
      ScriptedPhase(.high, seconds: 1),
    ])

  /// The session in pelvis axes, by the standard convention.
  var recording: Recording { Self.session.pelvisRecording(camera) }

  /// The dump.
  var file: NamedText { NamedText(name: "dumps/anna.jsonl", text: lines.joined(separator: "\n")) }

  /// Its lines.
  var lines: [String] {
    let recording = recording
    var random = SplitMix64(seed: seed)
    let frames = (0..<recording.frameCount).map { line(recording, frame: $0, &random) }
    return [header].compactMap(\.self) + frames
  }

  private func line(_ recording: Recording, frame: Int, _ random: inout SplitMix64) -> String {
    let time = recording.times[frame] + clock
    guard let matrix = recording.camera(at: frame) else {
      return #"{"timestamp":\#(time),"joints":null}"#
    }
    var joints: [String] = []
    for joint in recording.header.joints {
      guard let p = recording.position(of: joint, at: frame) else { continue }
      let name = usesRawKeys ? Skeleton.vision3d.visionKey(of: joint) ?? "" : joint.name
      let text =
        usesMatrices
        ? "[[1,0,0,0],[0,1,0,0],[0,0,1,0],[\(p.x),\(p.y),\(p.z),1]]" : "[\(p.x),\(p.y),\(p.z)]"
      joints.append("\"\(name)\":\(value(text, point: image(of: matrix(p), &random)))")
    }
    let logged = logged(matrix).columnMajor.map { "\($0)" }.joined(separator: ",")
    return
      #"{"timestamp":\#(time),"joints":{\#(joints.joined(separator: ","))},"bodyHeight":1.8,"#
      + #""heightEstimation":"reference","cameraOriginMatrix":[\#(logged)]}"#
  }

  private func value(_ position: String, point: (Double, Double)?) -> String {
    guard let point else { return position }
    return #"{"position":\#(position),"pointInImage":[\#(point.0),\#(point.1)]}"#
  }

  /// The normalized image of a point in camera coordinates.
  private func image(of point: Vector3, _ random: inout SplitMix64) -> (Double, Double)? {
    guard let noisePixels else { return nil }
    let intrinsics = CameraIntrinsics(
      focalLengthPixels: 1400, principalXPixels: 531, principalYPixels: 967,
      imageWidthPixels: Int(Self.width), imageHeightPixels: Int(Self.height))
    guard let image = intrinsics.project(point) else { return nil }
    let u = image.x * Self.width + random.normal() * noisePixels
    let v = image.y * Self.height + random.normal() * noisePixels
    let distorted = distort(u, v)
    return (distorted.0 / Self.width, distorted.1 / Self.height)
  }

  /// A standard matrix in a file with the other convention, worked out by hand.
  private func logged(_ matrix: CameraMatrix) -> CameraMatrix {
    let signs: (Double, Double, Double) =
      switch (convention.view, convention.isTurnedOver) {
      case (.negativeZ, false): (1, 1, 1)
      case (.negativeZ, true): (-1, -1, 1)
      case (.positiveZ, false): (1, -1, -1)
      case (.positiveZ, true): (-1, 1, -1)
      }
    func turned(_ v: Vector3) -> Vector3 {
      Vector3(signs.0 * v.x, signs.1 * v.y, signs.2 * v.z)
    }
    let (x, y, z) = matrix.rotation.columns
    let (a, b, c) = (turned(x), turned(y), turned(z))
    let t = turned(matrix.translation)
    guard convention.direction == .cameraToPelvis else {
      return CameraMatrix(rotation: Rotation3(a, b, c), translation: t)
    }
    let back = Rotation3(
      Vector3(a.x, b.x, c.x), Vector3(a.y, b.y, c.y), Vector3(a.z, b.z, c.z))
    return CameraMatrix(
      rotation: back, translation: Vector3(-a.dot(t), -b.dot(t), -c.dot(t)))
  }
}

extension VisionSource {
  /// What a dump's image points say about its camera matrices; nil if none were logged.
  func conventionCheck(of file: NamedText) throws -> ConventionCheck? {
    try VisionClip(try VisionDump(file), options: options).conventionCheck()
  }
}

/// Imports one dump.
func imported(
  _ dump: DumpText, options: VisionOptions = VisionOptions()
) throws -> ImportedSequence {
  try imported(dump.file, options: options)
}

/// Imports one text.
func imported(
  _ file: NamedText, options: VisionOptions = VisionOptions()
) throws -> ImportedSequence {
  let sequences = try VisionSource(options: options).sequences(from: [file])
  return sequences[0]
}
