import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Jumps of bodies in 3D")
struct BodyJumpsTests {
  /// Someone who stands (1) or lies (0), 10 times per second.
  private func finding(_ poses: [Int]) -> LintFinding? {
    let heights: [(Joint, Double)] = [
      (.leftHip, 0), (.rightHip, 0), (.leftShoulder, 0.5), (.rightShoulder, 0.5),
      (.leftElbow, 0.25), (.rightElbow, 0.25), (.leftWrist, 0), (.rightWrist, 0),
      (.leftKnee, -0.4), (.rightKnee, -0.4), (.leftAnkle, -0.8), (.rightAnkle, -0.8),
    ]
    var recording = Recording(
      header: RecordingHeader(
        skeleton: .vision3d, joints: heights.map(\.0), frame: .camera))
    for (index, isUpright) in poses.enumerated() {
      let pose = heights.flatMap { _, height -> [Float] in
        isUpright == 1 ? [0, Float(height), 0] : [Float(height), 0, 0]
      }
      recording.append(time: Seconds(Double(index) / 10), pose: pose)
    }
    return BodyJumps(path: "a", recording: recording).finding
  }

  @Test("Two people who take turns are found; who lies down once is not")
  func turns() {
    #expect(finding((0..<30).map { $0 % 4 == 0 ? 1 : 0 })?.code == .personJumps)
    #expect(finding((0..<30).map { $0 < 15 ? 1 : 0 }) == nil)
  }
}
