import PoseModel
import PoseRecording
import Testing

@testable import PoseDatasets

@Suite("Motion of SMPL bodies") struct BodyModelSourceTests {
  /// A body at rest as the model has it: y up, x to the person's left, z forward.
  private static let restJoints: [[Double]] = [
    [0, 0.9, 0], [0.1, 0.85, 0], [-0.1, 0.85, 0], [0, 1, 0], [0.1, 0.45, 0], [-0.1, 0.45, 0],
    [0, 1.1, 0], [0.1, 0.05, 0], [-0.1, 0.05, 0], [0, 1.2, 0], [0.1, 0, 0.1], [-0.1, 0, 0.1],
    [0, 1.4, 0], [0.08, 1.35, 0], [-0.08, 1.35, 0], [0, 1.5, 0], [0.2, 1.35, 0], [-0.2, 1.35, 0],
    [0.45, 1.35, 0], [-0.45, 1.35, 0], [0.7, 1.35, 0], [-0.7, 1.35, 0],
  ]

  private static let restFile = NamedBytes(
    name: "rest.npy", bytes: NumpyFile.npy(doubles: restJoints.flatMap(\.self), shape: [22, 3]))

  /// A published file: frames of axis-angle numbers for 52 joints, which are 0 unless given.
  private static func motion(
    _ turns: [Int: [Double]], frames: Int = 3, rate: String = "mocap_framerate"
  ) -> NamedBytes {
    var pose = [Double](repeating: 0, count: 156)
    for (joint, turn) in turns { pose.replaceSubrange(3 * joint..<3 * joint + 3, with: turn) }
    let poses = Array(repeating: pose, count: frames).flatMap(\.self)
    let translations: [Double] = (0..<frames).flatMap { [Double($0), 0, 0] }
    return NamedBytes(
      name: "moyo/plank.npz",
      bytes: NumpyFile.npz([
        ("poses", NumpyFile.npy(doubles: poses, shape: [frames, 156])),
        ("trans", NumpyFile.npy(doubles: translations, shape: [frames, 3])),
        (rate, NumpyFile.npy(doubles: [120], shape: [])),
        (
          "gender",
          NumpyFile.npy([], header: "{'descr': '<U7', 'fortran_order': False, 'shape': ()}")
        ),
      ]))
  }

  private func recording(
    _ files: [NamedBytes], _ options: BodyModelOptions = BodyModelOptions(up: .y)
  ) throws -> Recording {
    try #require(try BodyModelSource(options: options).sequences(from: files).first).recording
  }

  private func error(
    _ files: [NamedBytes], _ options: BodyModelOptions = BodyModelOptions()
  ) throws -> String {
    "\(try #require(throws: PoseSourceError.self) { try recording(files, options) })"
  }

  @Test("The body at rest stands with the middle of its hips as the origin")
  func rest() throws {
    let recording = try recording([Self.motion([:]), Self.restFile])
    #expect(recording.header.frame == .world && recording.frameCount == 3)
    #expect(recording.times == [0, 0.008333, 0.016667])
    for (joint, position) in [
      (Joint.leftWrist, Vector3(0.7, 0.5, 0)), (.rightAnkle, Vector3(-0.1, -0.8, 0)),
      (.centerShoulder, Vector3(0, 0.5, 0)), (.root, Vector3(0, 0, 0)),
    ] { #expect(distance(recording.position(of: joint, at: 2), position) < 1e-6) }
    // Shoulder to hip 0.5, thigh 0.4 and shank 0.4 m.
    #expect(abs((recording.header.bodyHeight?.value ?? 0) - 1.3 / 0.779) < 1e-9)
  }

  @Test("A joint turns what hangs from it, in the axes of its parent")
  func kinematics() throws {
    // The whole body a quarter turn about x, then the left elbow a quarter turn about z.
    let recording = try recording([
      Self.motion([0: [.pi / 2, 0, 0], 18: [0, 0, .pi / 2]]), Self.restFile,
    ])
    // The elbow is 0.5 above the hips: forward after the turn. The forearm of 0.25 points along x,
    // after its own turn along y, after that of the body along z.
    let elbow = Vector3(0.45, 0, 0.5)
    #expect(distance(recording.position(of: .leftElbow, at: 0), elbow) < 1e-6)
    #expect(distance(recording.position(of: .leftWrist, at: 0), elbow + Vector3(0, 0, 0.25)) < 1e-6)
    #expect(distance(recording.position(of: .rightWrist, at: 0), Vector3(-0.7, 0, 0.5)) < 1e-6)
  }

  @Test("z of a file becomes y of the world by a turn, not by a reflection")
  func upAxis() throws {
    let turned = Self.restJoints.map { [$0[0], -$0[2], $0[1]] }
    let joints = NumpyFile.npy(turned.flatMap(\.self).map(Float.init), shape: [1, 22, 3])
    let rate = NumpyFile.npy(doubles: [60], shape: [1])
    let file = NamedBytes(
      name: "a.npz", bytes: NumpyFile.npz([("joints", joints), ("mocap_frame_rate", rate)]))
    let recording = try recording([file], BodyModelOptions(up: .z))
    #expect(distance(recording.position(of: .leftWrist, at: 0), Vector3(0.7, 0.5, 0)) < 1e-6)
    #expect(recording.header.nominalRate == Hertz(60))
  }

  @Test(
    "A body at rest in which a joint is nowhere near is refused", arguments: [1e300, .infinity, 11])
  func restFarAway(place: Double) throws {
    var joints = Self.restJoints
    joints[5][1] = place
    let file = NamedBytes(
      name: "rest.npy", bytes: NumpyFile.npy(doubles: joints.flatMap(\.self), shape: [22, 3]))
    let error = #expect(throws: PoseSourceError.self) { try recording([Self.motion([:]), file]) }
    #expect("\(try #require(error))".contains("rest.npy"))
  }

  @Test("Poses without the body at rest are refused with how to get it")
  func noRest() throws {
    #expect(try error([Self.motion([:])]).contains("body_model(betas=betas).joints[0]"))
  }

  @Test("Files without motion, rate or with other shapes are refused by name")
  func faults() throws {
    #expect(try error([Self.restFile]).contains("rest.npy: no motion"))
    #expect(try error([Self.restFile, Self.restFile]).contains("a second file of joints at rest"))
    let noRate = Self.motion([:], rate: "rate")
    #expect(try error([noRate, Self.restFile]).contains("no mocap_frame_rate; give the rate"))
    let other = NamedBytes(
      name: "a.npz",
      bytes: NumpyFile.npz([("joints", NumpyFile.npy([1, 2, 3], shape: [1, 1, 3]))]))
    #expect(
      try error([other]).contains("array `joints`: shape (1, 1, 3); give [frames, joints, 3]"))
    let empty = NamedBytes(
      name: "a.npz", bytes: NumpyFile.npz([("betas", NumpyFile.npy([1], shape: [1]))]))
    #expect(
      try error([empty]).contains("no array called `joints`, `poses`, `trans`; found `betas`"))
  }
}

@Suite("Markers of C3D files") struct MarkerFramesTests {
  /// The file of one processor with two markers in two frames; the second is not seen at first.
  private func file(_ processor: UInt8, isFloat: Bool) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] {
      let bits = UInt16(truncatingIfNeeded: value)
      let bytes = [UInt8(bits & 255), UInt8(bits >> 8)]
      return processor == 86 ? bytes.reversed() : bytes
    }
    func float(_ value: Float) -> [UInt8] {
      let bits = (processor == 85 ? value * 4 : value).bitPattern
      let (high, low) = (word(Int(bits >> 16)), word(Int(bits & 0xFFFF)))
      return processor == 84 ? low + high : high + low
    }
    func parameter(_ name: String, _ type: UInt8, _ dimensions: [UInt8], _ data: [UInt8]) -> [UInt8]
    {
      let rest = [type, UInt8(dimensions.count)] + dimensions + data + [0]
      return [UInt8(name.utf8.count), 1] + Array(name.utf8) + word(rest.count + 2) + rest
    }
    func block(_ bytes: [UInt8]) -> [UInt8] {
      bytes + [UInt8](repeating: 0, count: 512 - bytes.count)
    }
    let header =
      [2, 0x50] + word(2) + word(1) + word(1) + word(2) + word(0) + float(isFloat ? -1 : 0.5)
      + word(3) + word(1) + float(50)
    let parameters =
      [1, 0x50, 1, processor] + [5, 0xFF] + Array("POINT".utf8) + word(3) + [0]
      + parameter("LABELS", 0xFF, [6, 2], Array("S:LHipRHip  ".utf8))
      + parameter("UNITS", 0xFF, [2], Array("mm".utf8))
    var data: [UInt8] = []
    for frame in 0..<2 {
      for marker in 0..<2 {
        let residual = frame == 0 && marker == 1 ? -1 : 0
        for value in [Float(frame), Float(marker), -2.5, Float(residual)] {
          data += isFloat ? float(value) : word(residual != 0 && value == -1 ? -1 : Int(value * 2))
        }
      }
      data += isFloat ? float(9) : word(9)
    }
    return block(header) + block(parameters) + block(data)
  }

  @Test(
    "Numbers of three processors are read, whole or with a fraction",
    arguments: [84, 85, 86] as [UInt8], [true, false])
  func numbers(processor: UInt8, isFloat: Bool) throws {
    let bytes = file(processor, isFloat: isFloat)
    #expect(MarkerFrames.isC3D(bytes))
    let markers = try MarkerFrames(NamedBytes(name: "a.c3d", bytes: bytes))
    #expect(markers.count == 2 && markers.unit == "mm")
    let node = markers.node(1)
    #expect(node.objectKeys == ["frame", "time", "S:LHip", "RHip"])
    #expect(node["time"]?.number == 0.02)
    #expect(node["RHip"]?.flatNumbers == [1, 1, -2.5])
    #expect(markers.node(0)["RHip"]?.isEmpty ?? false)
  }

  @Test("A file that ends early is refused")
  func truncated() {
    let bytes = Array(file(84, isFloat: true).prefix(1060))
    #expect(throws: PoseSourceError.self) {
      try MarkerFrames(NamedBytes(name: "a.c3d", bytes: bytes))
    }
  }
}
