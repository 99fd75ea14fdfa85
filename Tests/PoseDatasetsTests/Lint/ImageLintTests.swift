import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Lint of 2D recordings")
struct ImageLintTests {
  /// Someone who stands, `height` of the image high, with the feet at a place.
  private func body(
    at x: Double = 0.5, height: Double = 0.5, without missing: Set<Joint> = []
  ) -> [Float] {
    let rows: [Joint: Double] = [
      .nose: 1, .neck: 0.85, .root: 0.5, .leftAnkle: 0, .rightAnkle: 0, .leftKnee: 0.25,
      .rightKnee: 0.25, .leftHip: 0.5, .rightHip: 0.5, .leftShoulder: 0.85, .rightShoulder: 0.85,
      .leftElbow: 0.7, .rightElbow: 0.7, .leftWrist: 0.5, .rightWrist: 0.5,
    ]
    return Skeleton.vision2d.joints.flatMap { joint -> [Float] in
      guard let row = rows[joint], !missing.contains(joint) else { return [.nan, .nan] }
      return [Float(x), Float(0.2 + row * height)]
    }
  }

  private func findings(
    _ poses: [[Float]?], size: ImageSize? = ImageSize(width: 1080, height: 1920),
    confidences: [Float]? = nil
  ) -> [LintFinding] {
    var header = RecordingHeader(
      skeleton: .vision2d, joints: Skeleton.vision2d.joints, frame: .image)
    header.imageSize = size
    var recording = Recording(header: header)
    for (index, pose) in poses.enumerated() {
      let time = Double(index) / 10
      guard let pose else {
        recording.append(time: Seconds(time), pose: nil)
        continue
      }
      pose.withUnsafeBufferPointer { pose in
        (confidences ?? []).withUnsafeBufferPointer {
          recording.append(time: time, pose: pose, confidences: confidences == nil ? nil : $0)
        }
      }
    }
    return ImageLint(path: "a.poses.jsonl", recording: recording).findings
  }

  @Test("A whole body of a third of the image's height has no findings; 3D has none of these")
  func sound() {
    #expect(findings(Array(repeating: body(height: 0.334), count: 3)).isEmpty)
    let header = RecordingHeader(skeleton: .vision3d, joints: [.root], frame: .camera)
    var recording = Recording(header: header)
    recording.append(time: Seconds(0), pose: [0, 0, 0])
    #expect(ImageLint(path: "a", recording: recording).findings.isEmpty)
  }

  @Test("A body under a third of the image's height in a tenth of the poses is a warning")
  func small() throws {
    let large = Array(repeating: body(), count: 9)
    let finding = try #require(findings([nil] + large + [body(height: 0.33)]).first)
    #expect(finding.code == .smallBody && finding.severity == .warning && finding.line == 12)
    #expect(finding.message.contains("1 of 10 poses") && finding.message.contains("median 0.5"))
    #expect(finding.remedy.contains("nearer"))
    #expect(findings(large + [body(), body(height: 0.33)]).isEmpty)
  }

  @Test("A body that lies is as large as it is wide, in heights of the image")
  func lying() {
    /// Along x, so that a width of 0.6 is 0.6 * 1080 / 1920 = 0.3375 of the image's height.
    func lying(_ width: Float) -> [Float] {
      stride(from: 0, to: 38, by: 2).flatMap { index -> [Float] in
        let joint = body()[index...(index + 1)]
        return joint.first?.isNaN == true
          ? [.nan, .nan] : [0.2 + (joint[index + 1] - 0.2) * 2 * width, 0.1]
      }
    }
    #expect(findings([lying(0.6)]).isEmpty)
    #expect(findings([lying(0.59)]).map(\.code) == [.smallBody])
  }

  @Test("Joints that are missing or have no confidence leave regions out; one leg is enough")
  func regions() throws {
    let legs: Set<Joint> = [.leftKnee, .leftAnkle, .rightKnee, .rightAnkle]
    let finding = try #require(findings([body(height: 0.9, without: legs)]).first)
    #expect(finding.code == .missingRegions && finding.line == 2)
    #expect(finding.message.contains("missing in some of 1 pose: both legs in 1"))
    #expect(findings([body(height: 0.9, without: [.leftKnee, .leftAnkle])]).isEmpty)
    let invalid = Skeleton.vision2d.joints.map { legs.contains($0) ? Float(0) : 1 }
    #expect(findings([body(height: 0.9)], confidences: invalid).map(\.code) == [.missingRegions])
  }

  @Test("A step of more than a quarter of the body is a jump, unless there was a longer gap")
  func jumps() throws {
    let (near, far) = (body(at: 0.3), body(at: 0.6))  // 0.3 * 1080 / 1920 is 0.34 of 0.5
    let finding = try #require(findings([near, far, far, near]).first)
    #expect(finding.code == .personJumps && finding.line == 3)
    #expect(finding.message.contains("2 times, first at 0.1 s"))
    #expect(findings([near] + Array(repeating: nil, count: 4) + [far]).count == 1)
    #expect(findings([near] + Array(repeating: nil, count: 5) + [far]).isEmpty)
    #expect(findings([near, body(at: 0.52)]).isEmpty)
  }

  @Test("Without the image's size nothing can be measured, and that is the warning")
  func size() {
    #expect(findings([body(height: 0.1)], size: nil).map(\.code) == [.unknownImageSize])
    #expect(findings([nil], size: nil).isEmpty)
  }

  @Test(
    "Other people in the way, as an import found them, are a warning about the sequence",
    arguments: [("none", 0), ("apart", 0), ("overlapping", 1), ("crowd", 1), ("many", 0)])
  func others(tag: String, count: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "sequences:\n  - {poses: a.poses.jsonl, subject: s, tags: {other_people: \(tag)}}\n",
      to: "dataset.yaml")
    try folder.write(SampleText.text(SampleText.header, SampleText.frame("0")), to: "a.poses.jsonl")
    let findings = try DatasetLint.findings(datasetAt: folder.path)
      .filter { $0.code == .otherPeople }
    #expect(findings.count == count)
    #expect(findings.allSatisfy { $0.line == 2 && $0.remedy.contains("one person alone") })
  }
}
