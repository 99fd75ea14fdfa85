import PoseDatasets
import PoseModel
import PoseRecording
import TestSupport
import Testing

extension SplitMix64 {
  /// True once in `n` times.
  fileprivate mutating func once(in n: UInt64) -> Bool { next() % n == 0 }

  /// Any finite Float, from the smallest to the largest.
  fileprivate mutating func float() -> Float {
    while true {
      let number = Float(bitPattern: UInt32(truncatingIfNeeded: next()))
      if number.isFinite { return number }
    }
  }
}

@Suite("Written recordings, read back")
struct RecordingRoundTripPropertyTests {
  @Test("Every field comes back as it was", arguments: UInt64(0)..<24)
  func roundTrip(seed: UInt64) throws {
    let recording = makeRecording(seed: seed)
    let bytes = try PoseRecordingText.bytes(of: recording)
    let read = try RecordingReader.read(bytes: bytes, name: "a").recording
    #expect(read.header == recording.header)
    #expect(read.times == recording.times)
    #expect(read.positions.map(\.bitPattern) == recording.positions.map(\.bitPattern))
    #expect(
      read.confidences.map(\.bitPattern) == recording.confidences.map(\.bitPattern))
    for frame in 0..<recording.frameCount {
      #expect(read.hasPose(at: frame) == recording.hasPose(at: frame))
      #expect(read.extras(at: frame) == recording.extras(at: frame))
    }
    #expect(try PoseRecordingText.bytes(of: read) == bytes)
  }

  @Test("Rounded positions come back within half a unit of the last decimal", arguments: 0..<7)
  func rounded(decimals: Int) throws {
    var recording = Recording(
      header: RecordingHeader(skeleton: .vision3d, joints: [.root], frame: .camera))
    var stream = SplitMix64(seed: 7)
    for frame in 0..<200 {
      let pose = (0..<3).map { _ in Float(stream.uniform(-1, 1) * 2) }
      recording.append(time: Seconds(Double(frame)), pose: pose)
    }
    let bytes = try PoseRecordingText.bytes(of: recording, decimals: decimals)
    let read = try RecordingReader.read(bytes: bytes, name: "a").recording
    var half = 0.5
    for _ in 0..<decimals { half /= 10 }
    for (a, b) in zip(read.positions, recording.positions) {
      #expect((Double(a) - Double(b)).magnitude <= half + 1.2e-7)
    }
  }

  private func makeRecording(seed: UInt64) -> Recording {
    var stream = SplitMix64(seed: seed)
    let skeleton = Skeleton.allCases[Int(seed % 3)]
    var header = RecordingHeader(
      skeleton: skeleton, joints: skeleton.joints.shuffled(by: &stream),
      frame: skeleton.dimension == 2 ? .image : [.camera, .world, .pelvis][Int(seed / 3 % 3)])
    header.joints.removeLast(Int(stream.next() % 5))
    if stream.once(in: 2) { header.subject = "s \u{1F4A1}\"\\\t" }
    if stream.once(in: 2) { header.bodyHeight = Meters(1.5 + stream.uniform(-1, 1) / 2) }
    var recording = Recording(header: header)
    for frame in 0..<40 { append(frame, to: &recording, &stream) }
    return recording
  }

  private func append(_ frame: Int, to recording: inout Recording, _ stream: inout SplitMix64) {
    let layout = recording.layout
    var pose = (0..<layout.stride).map { _ in stream.float() }
    for slot in layout.joints.indices where stream.once(in: 6) {
      for axis in 0..<layout.dimension { pose[slot * layout.dimension + axis] = .nan }
    }
    var extras = FrameExtras()
    if stream.once(in: 2) || recording.header.frame == .pelvis {
      extras.camera = CameraMatrix(
        rotation: .identity,
        translation: Vector3(stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)))
    }
    if stream.once(in: 3) { extras.up = Vector3(0, -1, 0) }
    if stream.once(in: 3) { extras.bodyHeight = Meters(1.8 + stream.uniform(-1, 1)) }
    if stream.once(in: 3) { extras.heightEstimation = .reference }
    if stream.once(in: 3) {
      extras.answer = DeviceAnswer(plank: .reverse, form: stream.once(in: 2) ? .sag : nil)
    }
    let confidences = layout.joints.map { _ in Float(stream.uniform(-1, 1)) }
    let hasPose = !stream.once(in: 5)
    let hasConfidences = stream.once(in: 2)
    pose.withUnsafeBufferPointer { pose in
      confidences.withUnsafeBufferPointer { confidences in
        recording.append(
          time: Double(frame * 33_333 - 50_000) / 1e6, pose: hasPose ? pose : nil, extras: extras,
          confidences: hasConfidences ? confidences : nil)
      }
    }
  }
}

extension Array {
  fileprivate func shuffled(by stream: inout SplitMix64) -> [Element] {
    var result = self
    for last in stride(from: count - 1, to: 0, by: -1) {
      result.swapAt(last, Int(stream.next() % UInt64(last + 1)))
    }
    return result
  }
}
