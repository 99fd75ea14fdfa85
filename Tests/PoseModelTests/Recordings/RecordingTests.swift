import TestSupport
import Testing

@testable import PoseModel

@Suite("Recordings") struct RecordingTests {
  @Test("A joint of which any number is not finite is missing, and the others are not")
  func missingJoint() {
    var recording = smallRecording(times: [])
    recording.append(time: Seconds(0), pose: [0, .nan, 0, 1, 2, .infinity, 3, 4, 5])
    #expect(recording.position(of: .root, at: 0) == nil)
    #expect(recording.position(of: .leftHip, at: 0) == nil)
    #expect(recording.position(of: .rightHip, at: 0) == Vector3(3, 4, 5))
    #expect(!recording.isMissing(at: 0))
  }

  @Test("A frame without a pose is missing and keeps its time")
  func missingPose() {
    var recording = smallRecording()
    recording.append(time: Seconds(2), pose: nil)
    #expect(recording.times.last == 2)
    #expect(!recording.hasPose(at: 3))
    #expect(recording.isMissing(at: 3))
    #expect(recording.position(of: .root, at: 3) == nil)
    #expect(recording.positions.count == 4 * recording.layout.stride)
  }

  @Test("Extras that no frame had before one came are nil for the frames before and after")
  func extras() {
    var recording = smallRecording()
    #expect(!recording.hasAnswers)
    let extras = FrameExtras(
      up: .unitX, bodyHeight: Meters(1.7), heightEstimation: .measured,
      answer: DeviceAnswer(plank: .high, form: .sag))
    recording.append(time: Seconds(2), pose: nil, extras: extras)
    recording.append(time: Seconds(3), pose: nil)
    #expect(recording.extras(at: 3) == extras)
    #expect([0, 1, 2, 4].allSatisfy { recording.extras(at: $0) == FrameExtras() })
    #expect(recording.hasAnswers)
    #expect(!recording.hasCameras)
    #expect(recording.answer(at: 3)?.plank == .high)
  }

  @Test("The body height is the frame's, else the header's, else unknown")
  func bodyHeight() {
    var header = smallRecording().header
    #expect(smallRecording().bodyHeight(at: 0) == nil)
    header.bodyHeight = Meters(1.8)
    var recording = Recording(header: header)
    recording.append(time: Seconds(0), pose: nil)
    recording.append(time: Seconds(1), pose: nil, extras: FrameExtras(bodyHeight: Meters(1.6)))
    #expect(recording.bodyHeight(at: 0) == Meters(1.8))
    #expect(recording.bodyHeight(at: 1) == Meters(1.6))
  }

  @Test("There is one confidence per joint, NaN in frames that had none")
  func confidences() {
    var recording = smallRecording(times: [0], skeleton: .vision2d, frame: .image)
    let pose: [Float] = [0, 1, 2, 3, 4, 5]
    let confidences: [Float] = [0.5, 0, 1]
    pose.withUnsafeBufferPointer { pose in
      confidences.withUnsafeBufferPointer { confidences in
        recording.append(time: 1, pose: pose, confidences: confidences)
      }
    }
    recording.append(time: Seconds(2), pose: pose)
    #expect(recording.confidences.count == 9)
    #expect(Array(recording.confidences[3..<6]) == confidences)
    #expect(recording.confidences[..<3].allSatisfy { $0.isNaN })
    #expect(recording.confidences[6...].allSatisfy { $0.isNaN })
  }
}

@Suite("Timing of recordings") struct RecordingTimingTests {
  private func recording(_ times: [Double], rate: Double?) -> Recording {
    var header = smallRecording(times: []).header
    header.nominalRate = rate.map { Hertz($0) }
    var recording = Recording(header: header)
    for time in times { recording.append(time: Seconds(time), pose: nil) }
    return recording
  }

  @Test(
    "The median interval is the middle one, the mean of the two middle ones of an even number",
    arguments: [
      ([0, 1], 1), ([0, 1, 3], 1.5), ([0, 4, 5, 7], 2), ([0, 1, 2, 3, 100], 1),
    ] as [([Double], Double)])
  func median(times: [Double], interval: Double) {
    #expect(recording(times, rate: nil).medianFrameInterval == Seconds(interval))
    #expect(recording(times, rate: 60).frameWeight == Seconds(interval))
  }

  @Test("Fewer than two frames have no interval", arguments: [[], [5]] as [[Double]])
  func none(times: [Double]) { #expect(recording(times, rate: nil).medianFrameInterval == nil) }

  @Test(
    "A single frame weighs what the nominal rate says, else a thirtieth of a second",
    arguments: [(50, 0.02), (nil, 1.0 / 30), (0, 1.0 / 30), (-5, 1.0 / 30)] as [(Double?, Double)])
  func singleFrame(rate: Double?, weight: Double) {
    #expect(recording([3], rate: rate).frameWeight == Seconds(weight))
  }
}

@Suite("Misuse of recordings") struct RecordingTrapTests {
  @Test("A frame that is not later than the last one traps")
  func times() async {
    await #expect(processExitsWith: .failure) {
      var recording = smallRecording()
      recording.append(time: Seconds(1), pose: nil)
    }
  }

  @Test("A pose with another number of numbers traps")
  func stride() async {
    await #expect(processExitsWith: .failure) {
      var recording = smallRecording()
      recording.append(time: Seconds(2), pose: [1, 2, 3])
    }
  }
}

@Suite("Poses") struct PoseTests {
  @Test("A joint comes back rounded to storage, and can be taken away", arguments: Joint.allCases)
  func roundTrip(joint: Joint) {
    var pose = Pose()
    pose[joint] = Vector3(0.1, -2, 3)
    #expect(pose[joint] == Vector3(Double(Float(0.1)), -2, 3))
    #expect(Joint.allCases.count { pose[$0] != nil } == 1)
    pose[joint] = nil
    #expect(pose[joint] == nil)
  }

  @Test("Loading a frame replaces every joint")
  func load() {
    var pose = Pose()
    pose[.topHead] = Vector3(1, 1, 1)
    let recording = smallRecording()
    pose.load(recording, frame: 1)
    #expect(pose[.topHead] == nil)
    #expect(pose[.leftHip] == recording.position(of: .leftHip, at: 1))
  }
}

@Suite("Unmirroring") struct MirroringTests {
  private func mirrored(_ recording: Recording, width: Int? = nil) -> Recording {
    var header = recording.header
    header.isMirrored = true
    header.imageWidth = width
    var result = Recording(header: header)
    for frame in 0..<recording.frameCount { result.append(copying: recording, frame) }
    return result
  }

  @Test("In 3D x changes its sign and sides change their names; doing it twice changes nothing")
  func space() throws {
    let original = smallRecording()
    var recording = mirrored(original)
    try recording.unmirror()
    #expect(recording.header.joints == [.root, .rightHip, .leftHip])
    #expect(!recording.header.isMirrored)
    #expect(recording.position(of: .rightHip, at: 1) == Vector3(-103, 104, 105))
    let once = recording
    try recording.unmirror()
    #expect(recording.positions == once.positions)
  }

  @Test(
    "In an image x is counted from the other edge",
    arguments: [(Skeleton.vision2d, 1.0), (.coco17, 640)])
  func image(skeleton: Skeleton, edge: Double) throws {
    let original = smallRecording(times: [0], skeleton: skeleton, frame: .image)
    var recording = mirrored(original, width: 640)
    try recording.unmirror()
    let before = try #require(original.position(of: .leftHip, at: 0))
    #expect(recording.position(of: .rightHip, at: 0) == Vector3(edge - before.x, before.y, 0))
  }

  @Test("Pixels without an image width are an error that asks for it")
  func noWidth() throws {
    var recording = mirrored(smallRecording(times: [0], skeleton: .coco17, frame: .image))
    let error = try #require(throws: MirroringError.self) { try recording.unmirror() }
    #expect(error.description.contains("image_width_px"))
    #expect(recording.header.isMirrored)
  }

  @Test("Missing joints and frames stay missing, up vectors stay as they are")
  func missing() throws {
    var recording = mirrored(smallRecording(times: []))
    recording.append(
      time: Seconds(0), pose: [0, 0, 0, .nan, .nan, .nan, 1, 2, 3], extras: FrameExtras(up: .unitX))
    recording.append(time: Seconds(1), pose: nil)
    try recording.unmirror()
    #expect(recording.position(of: .rightHip, at: 0) == nil)
    #expect(recording.position(of: .leftHip, at: 0) == Vector3(-1, 2, 3))
    #expect(recording.ownUp(at: 0) == .unitX)
    #expect(!recording.hasPose(at: 1))
  }

  @Test("In a pelvis frame the joints seen by the camera are flipped", arguments: seeds)
  func pelvis(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let camera = CameraMatrix(rotation: random.rotation(), translation: random.normalVector(1))
    var original = smallRecording(times: [], frame: .pelvis)
    original.append(
      time: Seconds(0), pose: [0, 0, 0, 1, 2, 3, -1, 2, 3], extras: FrameExtras(camera: camera))
    var recording = mirrored(original)
    try recording.unmirror()
    let seen = try #require(original.evaluatedPosition(of: .leftHip, at: 0))
    let flipped = try #require(recording.evaluatedPosition(of: .rightHip, at: 0))
    #expect((flipped - Vector3(-seen.x, seen.y, seen.z)).norm < 1e-12)
    #expect(abs((recording.camera(at: 0)?.rotation.determinant ?? 0) - 1) < 1e-12)
  }
}

/// A recording of a root and two hips whose x grows from frame to frame.
func smallRecording(
  times: [Double] = [0, 0.5, 1], skeleton: Skeleton = .vision3d, frame: FrameOfReference = .camera
) -> Recording {
  let joints: [Joint] = skeleton == .coco17 ? [.leftHip, .rightHip] : [.root, .leftHip, .rightHip]
  var recording = Recording(
    header: RecordingHeader(skeleton: skeleton, joints: joints, frame: frame))
  for (index, time) in times.enumerated() {
    let count = joints.count * skeleton.dimension
    recording.append(time: Seconds(time), pose: (0..<count).map { Float($0 + 100 * index) })
  }
  return recording
}

/// Seeds of the tests that hold for random vectors and rotations.
let seeds: [UInt64] = [1, 2, 3, 4, 5]

@Suite("Quantities") struct QuantityTests {
  @Test(
    "A rate has an interval where 1 over it is a number above 0",
    arguments: [
      (30, true), (1e-300, true), (1e300, true), (.leastNonzeroMagnitude, false), (0, false),
      (-1, false), (Double.infinity, false), (.nan, false),
    ])
  func intervals(rate: Double, hasInterval: Bool) {
    #expect(Hertz(rate).hasInterval == hasInterval)
  }
}

@Suite("Binary search") struct BinarySearchTests {
  @Test("the first element that fulfills the condition is found, wherever it lies")
  func first() {
    for count in 0...9 {
      for place in 0...count {
        let elements = (0..<count).map { $0 >= place }
        #expect(elements.partitioningIndex { $0 } == place)
      }
    }
  }

  @Test("few elements are looked at")
  func effort() {
    var looked = 0
    let index = (0..<1_000_000).partitioningIndex {
      looked += 1
      return $0 >= 777_777
    }
    #expect(index == 777_777)
    #expect(looked <= 21)
  }
}

@Suite("Text of counts") struct CountTextTests {
  @Test(
    "A comma comes before every three digits",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
      (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func groups(count: Int, text: String) { #expect(CountText.of(count) == text) }
}
