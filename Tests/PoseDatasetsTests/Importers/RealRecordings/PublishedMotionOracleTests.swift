import PoseDatasets
import PoseModel
import Testing

@Suite(
  "Published counts of the motion capture",
  .enabled(if: RealRecordings.isAvailable, "set PLANKLAB_RECORDINGS"))
struct PublishedMotionOracleTests {
  private static let expected: [(String, [String: Int])] = [
    ("crawl", ["forearm": 177]),
    ("getup_facedown", ["reverse": 51, "high": 47, "forearm": 17, "none": 68]),
    ("walk", ["none": 39]),
  ]

  private static let views: [View] = [
    View(), View(isReflected: true), View(rotation: "x=35"), View(rotation: "1,2,3=160"),
    View(rotation: "z=-90", isReflected: true),
  ]

  /// How a clip is turned before it is judged.
  struct View: Sendable {
    var rotation: String?
    var isReflected = false
  }

  @Test(
    "The published rules give the known answers, also rotated and reflected",
    arguments: expected, views)
  func answers(motion: (String, [String: Int]), view: View) throws {
    let options = DeepMimicOptions(
      rotation: try view.rotation.map { try AxisRotation($0) }, isReflected: view.isReflected)
    let sequence = try #require(try RealRecordings.motion(motion.0, options: options))
    #expect(RealRecordings.publishedAnswers(sequence.recording) == motion.1)
  }

  @Test(
    "Frames follow each other at the published rates", arguments: [("crawl", 60.0), ("walk", 30)])
  func rates(motion: String, rate: Double) throws {
    let sequence = try #require(try RealRecordings.motion(motion, options: DeepMimicOptions()))
    let interval = try #require(sequence.recording.medianFrameInterval)
    #expect(abs(1 / interval.value - rate) < 0.01)
  }
}
