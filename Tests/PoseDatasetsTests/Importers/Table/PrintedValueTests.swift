import PoseModel
import PoseRecording
import Testing

@testable import PoseDatasets

@Suite("Lists and points in texts")
struct PrintedValueTests {
  private func numbers(_ text: String) -> [Double] {
    PrintedValue.node(text, line: 1)?.flatNumbers ?? []
  }

  @Test(
    "Lists are read as JSON, NumPy, Python and Swift print them",
    arguments: [
      "[0.1, 0.2, -3]", "[ 0.1  0.2\n -3. ]", "(0.1, 0.2, -3)", "SIMD3<Float>(0.1, 0.2, -3.0)",
      "[np.float64(0.1), np.float64(0.2), -3]",
      "array([0.1, 0.2, -3.], dtype=float32)", "[[0.1 0.2]\n [-3]]",
      "simd_float2x2([[0.1, 0.2], [-3.0]])",
    ])
  func lists(text: String) {
    #expect(numbers(text) == [0.1, 0.2, -3])
  }

  @Test("A coordinate without a value keeps its place")
  func gaps() {
    let node = PrintedValue.node("SIMD3<Float>(0.1, nan, 0.3)", line: 1)
    #expect(node?.element(1)?.isEmpty == true && node?.element(2)?.number == 0.3)
  }

  @Test(
    "Points are objects",
    arguments: [
      "{\"x\": 0.1, \"y\": 0.2}", "{'x': 0.1, 'y': 0.2}", "Landmark(x=0.1, y=0.2)",
      "x: 0.1\ny: 0.2\n",
    ])
  func points(text: String) {
    let point = PrintedValue.node(text, line: 1)
    #expect(point?["x"]?.number == 0.1 && point?["y"]?.number == 0.2)
  }

  @Test("A dictionary of Swift has the names of joints as keys")
  func dictionary() {
    let key = "JointName(rawValue: VNRecognizedPointKey(rawValue: human_left_hip_3D))"
    let node = PrintedValue.node("[\(key): SIMD3<Float>(1, 2, 3)]", line: 1)
    #expect(node?["human_left_hip_3D"]?.flatNumbers == [1, 2, 3])
    #expect(JointNames([key])[key] == .leftHip)
  }

  @Test(
    "Other texts are only texts",
    arguments: [
      "", "plank", "[left]", "(1)", "plank (2)", "[1, 2", "1, 2]", "[1, 2] x", "x", "x:",
      String(repeating: "[", count: 100_000),
    ])
  func texts(text: String) {
    #expect(PrintedValue.node(text, line: 1) == nil)
  }

  @Test(
    "Names have the person in front of them split off",
    arguments: [
      ("inst0.leftHip", "inst0.", "leftHip"), ("person1/left_hip", "person1/", "left_hip"),
      ("skeleton_0_left_hip", "skeleton_0_", "left_hip"), ("Subject:LKnee", "Subject:", "LKnee"),
      ("left_hip", "", "left_hip"), ("left_foot_index", "", "left_foot_index"),
      ("timestamp", "", "timestamp"),
    ])
  func prefixes(label: String, prefix: String, name: String) {
    let parts = JointNames.split(label)
    #expect(parts.prefix == prefix && parts.name == name)
  }
}
