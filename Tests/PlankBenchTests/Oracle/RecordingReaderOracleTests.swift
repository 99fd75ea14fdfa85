import PoseDatasets
import PoseModel
import TestSupport
import Testing

@Suite("Reading against the oracle")
struct RecordingReaderOracleTests {
  /// How far apart numbers may be that were parsed from 17 digits: matrices and up vectors.
  ///
  /// The oracle parses with Foundation, which is off by up to two units in the last place now and
  /// then. Positions become `Float`s, so those are compared as they are.
  private static let slack = 1e-14

  @Test(
    "Times, joints, up vectors and heights are what the oracle reads",
    arguments: Draws.seeds(150 as UInt64))
  func reading(seed: UInt64) throws {
    var generator = OracleGenerator(seed: seed)
    let text = generator.recordingText(frames: 60)
    let expected = try OracleRecording(text: text)
    let file = try RecordingReader.read(text: text, name: "random")
    let recording = file.recording
    #expect(recording.times == expected.times)
    #expect(file.posesWithoutMatrix == expected.posesWithoutMatrix)
    for (frame, pose) in expected.frames.enumerated() {
      try #require(recording.isMissing(at: frame) == pose.isMissing, "frame \(frame)")
      #expect(recording.bodyHeight(at: frame)?.value == pose.height)
      guard !pose.isMissing else { continue }
      let apart = Skeleton.vision3d.joints.first { joint in
        let found = recording.evaluatedPosition(of: joint, at: frame)
        let limit = recording.header.frame == .pelvis ? Self.slack : 0
        return !agree(found, pose.joints[joint.name], within: limit)
      }
      #expect(apart == nil, "frame \(frame)")
      let axes = try #require(recording.axes(at: frame))
      let vertical = axes.publishedVertical
      #expect(SIMD3(vertical.x, vertical.y, vertical.z) == pose.articleVerticalAxis)
      #expect(agree(axes.up, pose.up, within: Self.slack), "frame \(frame)")
    }
  }

  private func agree(_ found: Vector3?, _ expected: SIMD3<Double>?, within limit: Double) -> Bool {
    guard let found, let expected else { return found == nil && expected == nil }
    return (found - Vector3(expected.x, expected.y, expected.z)).norm <= limit
  }
}
