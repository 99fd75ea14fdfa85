import Testing

@testable import PoseDatasets

@Suite("Texts that are no tables, and tables of R and spreadsheets") struct PrintedTextTests {
  private static let python = "Landmark(x=0.1, y=0.2, z=0.3, visibility=1, name=None)"

  @Test(
    "A printed text is named, with a way out",
    arguments: [
      ("0 PoseLandmarkerResult(pose_landmarks=[[\(python), \(python)]])\n", "json.dumps"),
      (
        "frame: 0\nlandmark {\n  x: 0.1\n  y: 0.2\n}\nlandmark {\n  x: 0.1\n  y: 0.2\n}\n",
        "protobuf"
      ),
      ("const poses = [{\"time\": 0}];\n", "sed"),
      (
        "- time: 0.0\n  joints:\n    left_hip:\n    - 0.1\n    - 0.2\n- time: 0.1\n",
        "yaml.safe_load"
      ),
      ("10:00 D App: [<Landmark (x=0.1 y=0.2)>, <Landmark (x=0.1 y=0.2)>]\n", "Java"),
      ("0.1 [\"leftHip\": SIMD3<Float>(0.1, 0.2, 0.3)]\n", "Swift"),
      ("0.1 [VNRecognizedPointKey(_rawValue: root): [0.1; 0.2]]\n", "Vision"),
      (
        "{\"columns\": [{\"name\": \"time\", \"datatype\": \"Float64\", \"values\": [0, 1]}]}",
        "polars"
      ),
      (",time,points\n0,0.0,\"[[0.1 0.2]\n [0.1 0.2]\n ...\n [0.3 0.4]]\"\n", "numpy"),
      (
        "time,name,value\n"
          + (0..<4).map { time in
            SwayingLimbs.header.map { "\(time),\($0),0.5\n" }.joined()
          }.joined(), "columns='name'"
      ),
    ])
  func prints(text: String, words: String) {
    let diagnosis = SwayingLimbs.diagnose(text, "file.txt")
    #expect(!diagnosis.isImportable && diagnosis.blocked.contains(words), "\(diagnosis.blocked)")
    #expect(!diagnosis.blocked.contains("write a map"))
  }

  @Test("R's tables have a header without a name for the names of rows")
  func rowNames() {
    let rows = (0..<40).map { index in
      "\"\(index + 1)\" "
        + ([Double(index) / 30] + SwayingLimbs.numbers(index)).map { "\($0)" }
        .joined(separator: " ")
    }
    let header = (["time"] + SwayingLimbs.header).map { "\"\($0)\"" }.joined(separator: " ")
    let diagnosis = SwayingLimbs.diagnose(([header] + rows).joined(separator: "\n"))
    #expect(diagnosis.isImportable && diagnosis.map?.time.field?.text == "time")
  }

  @Test("Commas in points do not separate columns, and points separate thousands")
  func separators() {
    let points = (0..<40).map { index in
      (["\(Double(index) / 30)"]
        + SwayingLimbs.frame(index).map { "(\($0[0]), \($0[1]), \($0[2]))" }).joined(separator: ";")
    }
    let header = (["time"] + SwayingLimbs.names).joined(separator: ";")
    #expect(SwayingLimbs.diagnose(([header] + points).joined(separator: "\n")).isImportable)
    func german(_ meters: Double) -> String {
      let hundredths = Int((meters * 100_000).rounded())
      let (whole, rest) = (
        hundredths.magnitude / 100, String(100 + hundredths.magnitude % 100).dropFirst()
      )
      let text =
        whole < 1000 ? "\(whole)" : "\(whole / 1000).\(String(1000 + whole % 1000).dropFirst())"
      return (hundredths < 0 ? "-" : "") + "\(text),\(rest)"
    }
    let rows = (0..<40).map { index in
      (["\(index / 30),\(String(1000 + index % 30 * 33).dropFirst())"]
        + SwayingLimbs.numbers(index).map(german)).joined(separator: ";")
    }
    let names = (["time"] + SwayingLimbs.header).joined(separator: ";")
    let diagnosis = SwayingLimbs.diagnose(([names] + rows).joined(separator: "\n"))
    #expect(diagnosis.isImportable && diagnosis.map?.units == .mm)
  }

  @Test("Names of enumerations are names of joints")
  func enumerations() {
    #expect(JointNames.isJoint("PoseLandmark.LEFT_HIP"))
    #expect(JointNames.isJoint("HumanBodyBones.LeftUpperLeg"))
    #expect(!JointNames.isJoint("PoseLandmark.LEFT_PINKY"))
  }
}
