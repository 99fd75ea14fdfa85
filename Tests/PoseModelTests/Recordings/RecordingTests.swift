import PoseModel
import Testing

@Suite("Recordings")
struct RecordingTests {
  @Test("Positions come back in the header's joint order, frame by frame")
  func positions() {
    let recording = smallRecording()
    #expect(recording.frameCount == 3)
    #expect(recording.times == [0, 0.5, 1])
    #expect(recording.position(of: .leftHip, at: 0) == Vector3(3, 4, 5))
    #expect(recording.position(of: .rightHip, at: 2) == Vector3(206, 207, 208))
  }

  @Test("A joint that the header lacks is missing in every frame")
  func absentJoint() {
    #expect(smallRecording().position(of: .leftKnee, at: 0) == nil)
  }

  @Test("Two-dimensional joints have z = 0")
  func flat() {
    let recording = smallRecording(skeleton: .vision2d, frame: .image)
    #expect(recording.position(of: .leftHip, at: 1) == Vector3(102, 103, 0))
  }

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

  @Test("Fields that no frame has take no room")
  func noConfidences() {
    #expect(smallRecording().confidences.isEmpty)
  }

  @Test("Reserving room adds no frame")
  func reserve() {
    var recording = smallRecording()
    recording.reserveCapacity(1000)
    #expect(recording.frameCount == 3)
  }
}

@Suite("Timing of recordings")
struct RecordingTimingTests {
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
  func none(times: [Double]) {
    #expect(recording(times, rate: nil).medianFrameInterval == nil)
  }

  @Test(
    "A single frame weighs what the nominal rate says, else a thirtieth of a second",
    arguments: [
      (50, 0.02), (nil, 1.0 / 30), (0, 1.0 / 30), (-5, 1.0 / 30),
    ] as [(Double?, Double)])
  func singleFrame(rate: Double?, weight: Double) {
    #expect(recording([3], rate: rate).frameWeight == Seconds(weight))
  }
}

@Suite("Misuse of recordings")
struct RecordingTrapTests {
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
