import PoseDatasets
import PoseModel
import Testing

@Suite(
  "Published clips of the exercise tables",
  .enabled(if: RealRecordings.isAvailable, "set PLANKLAB_RECORDINGS"))
struct PublishedSegmentOracleTests {
  private static let tables = [
    "history/dataset2_61c2bcbe.csv", "history/bad_data_high_hip_ea8b7740.csv",
    "history/bad_data_73de3907.csv", "history/dataset4_35310590.csv", "kaggle.csv",
  ]

  @Test("Clips end where the published list ends them", arguments: tables)
  func clips(table: String) throws {
    let clips = try RealRecordings.clips(table)
    let published = try PublishedSegment.of(table)
    #expect(clips.map(\.recording.frameCount) == published.map(\.rows))
  }

  @Test("Hip and elbow angles agree with the published ones to their rounding", arguments: tables)
  func angles(table: String) throws {
    for (clip, segment) in zip(try RealRecordings.clips(table), try PublishedSegment.of(table)) {
      // The list has the sides as the mirrored images showed them.
      let side = segment.visibleSide == "left" ? "right" : "left"
      let angles = try #require(SideAngles(clip.recording, side: side))
      #expect(abs(angles.hip - segment.medianHipAngle) <= 0.0501, "\(clip.name)")
      #expect(abs(angles.elbow - segment.medianElbowAngle) <= 0.501, "\(clip.name)")
    }
  }

  @Test("Every clip has the reference body's size", arguments: tables)
  func sizes(table: String) throws {
    for clip in try RealRecordings.clips(table) {
      let lengths = (0..<clip.recording.frameCount).compactMap { frame in
        trunkAndLeg { clip.recording.position(of: $0, at: frame) }
      }.sorted()
      let median = (lengths[(lengths.count - 1) / 2] + lengths[lengths.count / 2]) / 2
      #expect(abs(median - 0.779 * 1.8) < 1e-5)
    }
  }

  @Test(
    "Tables without arms give bodies without arms, which the published rules leave undetermined",
    arguments: ["negatives/squat_train.csv", "negatives/lunge_stage_test.csv"])
  func withoutArms(table: String) throws {
    for clip in try RealRecordings.clips(table) {
      let answers = RealRecordings.publishedAnswers(clip.recording)
      #expect(answers == ["undetermined": clip.recording.frameCount])
    }
  }

  @Test("The stills of 33 landmarks are read one by one, in proportion")
  func stills() throws {
    let options = try MediaPipeOptions(
      labels: LabelMap(["pushups_up=high", "pushups_down=ignore", "*=none"]),
      coordinates: .proportional, division: .stills)
    let stills = try MediaPipeSource(options: options)
      .sequences(from: [RealRecordings.file("kalatz/train.csv")])
    #expect(stills.allSatisfy { $0.recording.times == [0] })
    #expect(stills.count { $0.tags["source_label"] == "pushups_up" } == 115)
    #expect(stills.count { $0.labels.segments.first?.plank == .high } == 115)
    #expect(stills.allSatisfy { $0.recording.header.joints.count == 14 })
  }

  private func trunkAndLeg(_ joint: (Joint) -> Vector3?) -> Double? {
    func length(_ from: Joint, _ to: Joint) -> Double {
      guard let start = joint(from), let end = joint(to) else { return .nan }
      return (start - end).norm
    }
    let thighs = length(.leftHip, .leftKnee) + length(.rightHip, .rightKnee)
    let shanks = length(.leftKnee, .leftAnkle) + length(.rightKnee, .rightAnkle)
    let path = length(.centerShoulder, .root) + (thighs + shanks) / 2
    return path.isFinite ? path : nil
  }
}
