import Foundation
import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Documents under ids") struct KeyedDocumentsTests {
  /// Forty documents under ids without an order, each with a pose and other fields.
  private func text(_ fields: (Int) -> String) -> String {
    let documents = (0..<40).map { place in
      let index = place * 17 % 40
      let id =
        "\(["q", "B", "z7", "K", "m3x"][place % 5])\(["aT", "9", "w"][place % 3])\(place * 7)e"
      return "\"\(id)\":{\(fields(index))\"pose\":\(SwayingLimbs.json(index))}"
    }
    return "{\(documents.joined(separator: ","))}"
  }

  private func expectInOrder(_ text: String) throws {
    let diagnosis = diagnose(text)
    #expect(diagnosis.frames == 40 && diagnosis.isImportable)
    let times = try diagnosis.map?.recording(in: text).times ?? []
    #expect(times.count == 40)
    #expect(
      times.enumerated().allSatisfy { ($1 - Double($0) / SwayingLimbs.rate).magnitude < 0.002 })
  }

  @Test("Their times put them in order: milliseconds, seconds with nanoseconds, or dates")
  func times() throws {
    func milliseconds(_ index: Int) -> Int {
      Int((Double(index) * 1000 / SwayingLimbs.rate).rounded())
    }
    try expectInOrder(text { "\"timestamp\":\(1_777_600_000_000 + milliseconds($0))," })
    try expectInOrder(
      text { index in
        let (second, rest) = milliseconds(index).quotientAndRemainder(dividingBy: 1000)
        return
          "\"createdAt\":{\"_seconds\":\(1_777_600_000 + second),\"_nanoseconds\":\(rest * 1_000_000)},"
      })
    try expectInOrder(
      text { index in
        let (second, rest) = milliseconds(index).quotientAndRemainder(dividingBy: 1000)
        return "\"createdAt\":\"2026-05-01T10:00:0\(second).\(String(1000 + rest).dropFirst())Z\","
      })
    try expectInOrder("{\"poses\":\(text { "\"ms\":\(milliseconds($0))," })}")
  }

  @Test("Without a time in each, they are refused")
  func noTimes() {
    let diagnosis = diagnose(text { _ in "\"app\":\"1.2\"," })
    #expect(!diagnosis.isImportable && diagnosis.blocked.contains("40 poses are under keys"))
    let same = diagnose(text { _ in "\"timestamp\":5," })
    #expect(!same.isImportable && same.holdsPoses, "an import leaves out files without poses")
    let map = diagnose("[\(SwayingLimbs.json(0)),\(SwayingLimbs.json(1))]").map
    #expect(throws: PoseSourceError.self) {
      try (map ?? TableMap()).recordings(in: text { _ in "\"app\":\"1.2\"," })
    }
  }

  @Test("Of several sessions with documents, doctor names those that are left out")
  func sessions() throws {
    let frames = text { "\"timestamp\":\(1_777_600_000_000 + $0 * 33)," }
    let session = "{\"device\":\"phone\",\"frames\":\(frames)}"
    for ids in [["-Nabc", "-Nq7Z"], ["u1", "u2"], ["a9", "Bxq", "c-1", "D_d", "e77k", "Ff-0z"]] {
      let sessions = ids.map { "\"\($0)\":\(session)" }.joined(separator: ",")
      let diagnosis = diagnose("{\"users\":{\"anna\":{\"sessions\":{\(sessions)}}}}")
      #expect(diagnosis.frames == 40)
      let lists = try #require(diagnosis.found("lists"))
      #expect(lists.certainty == .unsure)
      #expect(lists.evidence.contains("`users.anna.sessions.\(ids[1]).frames` has 40 frames"))
    }
  }

  @Test("Members without a pose are left out with a note")
  func others() {
    let documents = text { "\"timestamp\":\($0 * 33)," }
    let diagnosis = diagnose("{\"settings\":{\"app\":\"1.2\"},\(documents.dropFirst())")
    #expect(diagnosis.conclusions.contains { $0.finding == "1 member without a pose left out" })
  }
}

@Suite("Axes that names settle") struct NamedAxesTests {
  /// A body that lies, so that nothing but names tells which axis points up.
  private func lying(_ index: Int) -> [[Double]] {
    SwayingLimbs.frame(index).map { [$0[1], 0.2 * $0[0], $0[0] + $0[2]] }
  }

  private func up(_ text: String) -> TableMap.Axis? { diagnose(text).map?.axes[1] }

  @Test("Unity's bones have y up and left-handed axes")
  func unity() {
    let bones = [
      "UpperArm", "UpperArm", "LowerArm", "LowerArm", "Hand", "Hand", "UpperLeg", "UpperLeg",
      "LowerLeg", "LowerLeg", "Foot", "Foot",
    ]
    let header = bones.enumerated().flatMap { index, bone in
      ["x", "y", "z"].map { (index.isMultiple(of: 2) ? "Left" : "Right") + "\(bone).\($0)" }
    }
    let rows = (0..<40).map { index in
      ([Double(index) / 30] + lying(index).flatMap { $0 }).map { "\($0)" }.joined(separator: ",")
    }
    let text = ([(["time"] + header).joined(separator: ",")] + rows).joined(separator: "\n")
    let map = diagnose(text).map
    #expect(map?.axes == [TableMap.Axis(0), TableMap.Axis(1), TableMap.Axis(2, isNegative: true)])
  }

  @Test("Unreal's bones have z up and left-handed axes")
  func unreal() {
    let bones = ["upperarm", "lowerarm", "hand", "thigh", "calf", "foot"]
    let header = bones.flatMap { bone in ["l", "r"].map { "\(bone)_\($0)" } }.flatMap { bone in
      ["X", "Y", "Z"].map { "\(bone).\($0)" }
    }
    let rows = (0..<40).map { index in
      ([Double(index) / 30] + lying(index).flatMap { $0 }).map { "\($0)" }.joined(separator: ",")
    }
    let text = ([(["time"] + header).joined(separator: ",")] + rows).joined(separator: "\n")
    let handed = diagnose(text).found("handed")
    #expect(handed?.finding.hasPrefix("left-handed") == true)
    #expect(handed?.evidence.contains("Unreal") == true)
    #expect(up(text) == TableMap.Axis(2))
  }

  private func named(_ text: String) throws -> NamedAxes? {
    let table = try PoseTable(NamedBytes("a.jsonl", text), layout: PoseTable.Layout())
    return NamedAxes(try #require(diagnose(text).map).joints, table)
  }

  @Test("Points as Unity prints them have as many decimals everywhere")
  func printedPoints() throws {
    func lines(_ print: (Double) -> String) -> String {
      (0..<40).map { index in
        let joints = zip(SwayingLimbs.names, SwayingLimbs.frame(index)).map { name, point in
          let key = name.prefix(1).uppercased() + name.dropFirst()
          return "\"\(key)\":\"(\(point.map(print).joined(separator: ", ")))\""
        }
        return "{\"time\":\(Double(index) / 30),\(joints.joined(separator: ","))}\n"
      }.joined()
    }
    let fixed = lines { number in
      let hundredths = Int((number.magnitude * 100).rounded())
      let rest = String(100 + hundredths % 100).dropFirst()
      return "\(number < 0 ? "-" : "")\(hundredths / 100).\(rest)"
    }
    #expect(try named(fixed) == .unity)
    #expect(try named(lines { "\($0)" }) == nil)
  }

  @Test("The bones of VRM, in lower case, have y up, and other names say nothing")
  func vrm() throws {
    let table = SwayingLimbs.table("time") { "\(Double($0) / SwayingLimbs.rate)" }
    let bones = table.replacing("Shoulder", with: "UpperArm").replacing("Elbow", with: "LowerArm")
      .replacing("Wrist", with: "Hand").replacing("Hip", with: "UpperLeg")
      .replacing("Knee", with: "LowerLeg").replacing("Ankle", with: "Foot")
    #expect(try named(bones) == .upright)
    #expect(try named(table) == nil)
  }

  @Test("Swift's vectors, and dictionaries that Swift encodes as lists, have y up")
  func swift() throws {
    let printed = (0..<40).map { index in
      let joints = zip(SwayingLimbs.names, lying(index)).map {
        "\"\($0)\":\"SIMD3<Float>(\($1[0]), \($1[1]), \($1[2]))\""
      }
      return "{\"time\":\(Double(index) / 30),\"joints\":{\(joints.joined(separator: ","))}}"
    }
    #expect(up(printed.joined(separator: "\n")) == TableMap.Axis(1))
    #expect(try named(printed.joined(separator: "\n")) == .upright)
    let pairs = (0..<40).map { index in
      let joints = zip(SwayingLimbs.names, lying(index)).map { "\"\($0)\",\($1)" }
      return "{\"time\":\(Double(index) / 30),\"joints\":[\(joints.joined(separator: ","))]}"
    }
    #expect(up("[\(pairs.joined(separator: ","))]") == TableMap.Axis(1))
    #expect(try named("[\(pairs.joined(separator: ","))]") == .upright)
  }
}

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
      ("0: [<MPPLandmark: 0x28 x: 0.1 y: 0.2>, <MPPLandmark: 0x29 x: 0.1>]\n", "Objective-C"),
      (
        "Person(keyPoints=[KeyPoint(part=NOSE, score=0.8), KeyPoint(part=EYE, score=0.8)])\n",
        "Kotlin"
      ),
      ("tensor([[[0.1, 0.2],\n         [0.3, 0.4]]], device='cuda:0')\n", "tolist"),
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
    let diagnosis = diagnose(text)
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
    let diagnosis = diagnose(([header] + rows).joined(separator: "\n"))
    #expect(diagnosis.isImportable && diagnosis.map?.time.field?.text == "time")
  }

  @Test("Commas in points do not separate columns, and points separate thousands")
  func separators() {
    let points = (0..<40).map { index in
      (["\(Double(index) / 30)"]
        + SwayingLimbs.frame(index).map { "(\($0[0]), \($0[1]), \($0[2]))" }).joined(separator: ";")
    }
    let header = (["time"] + SwayingLimbs.names).joined(separator: ";")
    #expect(diagnose(([header] + points).joined(separator: "\n")).isImportable)
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
    let diagnosis = diagnose(([names] + rows).joined(separator: "\n"))
    #expect(diagnosis.isImportable && diagnosis.map?.units == .mm)
  }

  @Test("Names of enumerations are names of joints")
  func enumerations() {
    #expect(JointNames.isJoint("PoseLandmark.LEFT_HIP"))
    #expect(JointNames.isJoint("HumanBodyBones.LeftUpperLeg"))
    #expect(!JointNames.isJoint("PoseLandmark.LEFT_PINKY"))
  }
}

@Suite("Clocks in comments, footers and names") struct UnreadClockTests {
  private func seconds(_ text: String) -> Double? { diagnose(text).seconds }

  private func isClose(_ seconds: Double?, _ expected: Double) -> Bool {
    seconds.map { ($0 - expected).magnitude < 0.01 } ?? false
  }

  @Test(
    "A comment gives the rate",
    arguments: ["# fps: 20", "# Frame rate (Hz) = 20", "#units: m; 20 fps", "# frame_rate: 20 Hz"])
  func comment(line: String) {
    let table = SwayingLimbs.table("frame") { "\($0)" }
    let diagnosis = diagnose("# Logger 1.2\n\(line)\n" + table)
    #expect(!diagnosis.needsRate && isClose(diagnosis.seconds, 39 / 20))
    #expect(diagnosis.conclusions.contains { $0.finding.hasPrefix("line 2 is a comment") })
    #expect(diagnose("# filter: 6 Hz\n" + table).needsRate)
  }

  @Test("Rows of statistics at the end are left out")
  func footer() {
    let table = SwayingLimbs.table("time") { "\(Double($0) / SwayingLimbs.rate)" }
    let zeros = String(repeating: ",0.1", count: SwayingLimbs.header.count)
    let diagnosis = diagnose(table + "mean\(zeros)\nGrand Total\(zeros)\n")
    #expect(diagnosis.frames == 40 && isClose(diagnosis.seconds, 39 / SwayingLimbs.rate))
    #expect(diagnosis.conclusions.contains { $0.finding.hasPrefix("2 rows at the end left out") })
  }

  @Test("Dates are read with dashes, and in names of pictures if they have parts of a second")
  func dates() {
    func digits(_ index: Int) -> String {
      String(1_000_000 + index % 10 * 100_000).dropFirst() + ""
    }
    let dashes = SwayingLimbs.table("time") { "2026-05-01-23-59-5\($0 / 10)-\(digits($0))" }
    #expect(isClose(seconds(dashes), 3.9))
    let names = SwayingLimbs.table("file") {
      "IMG_20260501_23595\($0 / 10)_\(digits($0).prefix(3)).jpg"
    }
    #expect(isClose(seconds(names), 3.9))
    let counted = SwayingLimbs.table("file") { "IMG_20260501_0000\(10 + $0).jpg" }
    #expect(diagnose(counted).needsRate)
  }

  @Test("A countdown is refused, and a clock that cannot be read is named")
  func faults() {
    let countdown = SwayingLimbs.table("time_left") { "\(60 - Double($0) / SwayingLimbs.rate)" }
    #expect(diagnose(countdown).blocked.contains("it counts down, save"))
    let newestFirst = SwayingLimbs.table("timestamp") { "\(60 - Double($0 * $0) / 100)" }
    #expect(
      diagnose(newestFirst).blocked.contains("sort frames by it if it is a clock"))
    let unread = diagnose(SwayingLimbs.table("time") { ["soon", "now"][$0 % 2] })
    #expect(unread.unreadClock?.contains("`time` is named like a time") ?? false)
  }

  @Test("Frames in another order than their numbers are refused, even if numbers repeat")
  func shuffled() {
    let numbers: [(Int) -> String] = [
      { "\($0 * 17 % 40)" }, { "\(100 + min($0, 30) * 7 % 31)" },
      { "frame_\(1000 + $0 * 17 % 40).jpg" },
    ]
    for number in numbers {
      let table = SwayingLimbs.table("frame", number)
      #expect(diagnose(table).blocked.contains("sort the frames by `frame`"))
    }
    let stills = SwayingLimbs.table("image") { "\($0 * $0 * 7919 % 5_000_011).jpg" }
    #expect(diagnose(stills).isImportable)
  }

  @Test("A date as a list of numbers is refused, and the ids of people are no clock")
  func lists() {
    let dated = (0..<40).map { index in
      "{\"time\":[2026,5,1,10,0,\(index / 30),\(index % 30 * 33_000_000)],\"pose\":\(SwayingLimbs.json(index))}"
    }
    let diagnosis = diagnose(dated.joined(separator: "\n"))
    #expect(diagnosis.blocked.contains("`time` is a date as a list of numbers"))
    let people = (0..<40).map { index in
      "{\"people\":[{\"id\":\(1_000_100_000_000 + index * 100),\"pose\":\(SwayingLimbs.json(index))}]}"
    }
    #expect(diagnose(people.joined(separator: "\n")).needsRate)
  }

  @Test("A counter much faster than frames is refused, and the map that it asks for reads it")
  func samples() throws {
    let text = SwayingLimbs.table("sample") { "\($0 * 2943 + $0 % 2)" }
    let diagnosis = diagnose(text)
    #expect(!diagnosis.isImportable && diagnosis.blocked.contains("faster than frames"))
    #expect(diagnosis.blocked.contains("`time: {field: sample, timescale: 44100}`"))
    let plain = diagnose(SwayingLimbs.table("t") { "\(Double($0) / 15)" })
    let yaml = try #require(plain.map?.yaml)
    let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("time:") }
    let map = try TableMap(
      yaml: lines.joined(separator: "\n") + "\ntime: {field: sample, timescale: 44100}\n",
      file: "map.yaml")
    let times = try map.recording(in: text).times
    #expect(times.count == 40)
    #expect(times.enumerated().allSatisfy { ($1 - Double($0) * 2943 / 44_100).magnitude < 1e-4 })
  }

  @Test("Frames that skip evenly are counted, and no rate is named that an import refuses")
  func skipped() {
    let diagnosis = diagnose(SwayingLimbs.table("frame") { "\($0 * 120)" })
    #expect(diagnosis.isImportable)
    #expect(diagnosis.counter?.otherRate(30) == nil && diagnosis.counter?.otherRate(5) != nil)
  }
}

@Suite("Matrices, bones and names of joints") struct JointShapesTests {
  private func lines(_ value: (Int, String, [Double]) -> String) -> String {
    (0..<40).map { index in
      let joints = zip(SwayingLimbs.names, SwayingLimbs.frame(index)).map {
        "\"\($0)\":\(value(index, $0, $1))"
      }
      return "{\"time\":\(Double(index) / 30),\"joints\":{\(joints.joined(separator: ","))}}\n"
    }.joined()
  }

  @Test("A matrix without numbers is a missing joint")
  func matrices() throws {
    let text = lines { index, name, point in
      let isMissing = name == "rightWrist" && index.isMultiple(of: 3)
      let column = isMissing ? "null,null,null" : "\(point[0]),\(point[1]),\(point[2])"
      return "[[1,0,0,0],[0,1,0,0],[0,0,1,0],[\(column),1]]"
    }
    let map = try #require(diagnose(text).map)
    #expect(map.joints.count == 12 && map.confidence == nil)
    let recording = try map.recording(in: text)
    #expect(recording.position(of: .rightWrist, at: 3) == nil)
    #expect(recording.position(of: .rightWrist, at: 4) != nil)
  }

  @Test("Bones that never move are no positions")
  func bones() {
    let bones: [(x: Double, y: Double)] = [
      (0.18, 0.5), (0.28, 0), (0.25, 0), (0.1, -0.05), (0, -0.42), (0, -0.4),
    ]
    let text = lines { _, name, _ in
      let place = SwayingLimbs.names.firstIndex(of: name) ?? 0
      let bone = bones[place / 2]
      return "{\"x\":\(place.isMultiple(of: 2) ? bone.x : -bone.x),\"y\":\(bone.y),\"z\":0}"
    }
    #expect(
      diagnose(text).blocked.contains("relative to the parent joint"))
  }

  @Test("Names of WebXR's joints and Maya's channels are read")
  func names() {
    let names = ["left-arm-upper", "right-arm-lower", "left-hand-wrist", "right-foot-ankle"]
    #expect(names.allSatisfy(JointNames.isJoint))
    let column = FieldSearch.column("mixamorig:LeftArm.translateY")
    #expect(column?.axis == 1 && column?.name == "mixamorig:LeftArm")
  }
}

@Suite("Lists of numbers around bodies") struct SurroundedNumbersTests {
  /// The points of a detector, with those of the body's limbs in their places.
  private func points(_ order: JointOrder, _ index: Int, perPoint: Int = 3) -> [Double] {
    let frame = SwayingLimbs.frame(index)
    var numbers = Array(repeating: 0.0, count: order.count * perPoint)
    for (joint, place) in order.joints {
      guard let limb = SwayingLimbs.names.firstIndex(of: joint.name) else { continue }
      for axis in 0..<3 { numbers[place * perPoint + axis] = frame[limb][axis] }
      if perPoint == 4 { numbers[place * 4 + 3] = 0.9 }
    }
    return numbers
  }

  private func examine(_ rows: [[Double]]) -> PoseDiagnosis {
    diagnose(rows.map { $0.map { "\($0)" }.joined(separator: ",") }.joined(separator: "\n"))
  }

  @Test("A time before the points of MediaPipe is their clock")
  func time() {
    let diagnosis = examine((0..<40).map { [Double($0) / 15] + points(.mediaPipe, $0) })
    #expect(
      diagnosis.isImportable && diagnosis.seconds.map { ($0 - 2.6).magnitude < 0.01 } ?? false)
    #expect(diagnosis.conclusions.contains { $0.finding.contains("12 of MediaPipe in 3D") })
  }

  @Test("MediaPipe Holistic's face and hands follow the pose")
  func holistic() {
    let rest = Array(repeating: 0.25, count: 3 * (468 + 2 * 21))
    for perPoint in [3, 4] {
      let rows = (0..<40).map { points(.mediaPipe, $0, perPoint: perPoint) + rest }
      let found = examine(rows).conclusions.map(\.finding)
      #expect(found.contains { $0.contains("12 of MediaPipe in 3D") }, "\(perPoint) per point")
    }
  }

  @Test("The 32 points of Human3.6M are told from Azure Kinect's")
  func h36m() throws {
    let order = try #require(JointOrder.all.first { $0.name == "H36M with 32 points" })
    let diagnosis = examine((0..<40).map { points(order, $0) })
    #expect(diagnosis.conclusions.contains { $0.finding.contains("of H36M with 32 points in 3D") })
  }

  @Test("A list without a pose is not taken for the joints")
  func empty() {
    let zeros = Array(repeating: 0, count: 210)
    let lines = (0..<40).map { index -> String in
      let numbers = (0..<43).map { place in (7 * place) % 11 + index }
      return "{\"pose\":\(numbers),\"face\":\(zeros)}"
    }
    let diagnosis = diagnose(lines.joined(separator: "\n"))
    #expect(diagnosis.blocked.contains("no joints were found"))
  }

  private func array(_ frames: Range<Int>) -> [UInt8] {
    let values = frames.flatMap { points(.mediaPipe, $0) }
    return NumpyFile.npy(doubles: values, shape: [frames.count, 33, 3])
  }

  @Test("An archive with arrays of several recordings says which one is imported")
  func archive() {
    let arrays = [("walk", array(0..<40)), ("run", array(0..<25))]
    let diagnosis = PoseDoctor.diagnose(
      NamedBytes(name: "clips.npz", bytes: NumpyFile.npz(arrays.map { (name: $0, bytes: $1) })))
    let lists = diagnosis.found("lists")
    #expect(lists?.certainty == .unsure && lists?.evidence == "`run` has 25 frames like them")
  }

  @Test("Arrays with one pose each are frames", arguments: [[33, 3], [99]])
  func arrays(shape: [Int]) {
    let files = (0..<12).map { index in
      ExaminedFile(
        NamedBytes(
          name: "take/\(index).npy",
          bytes: NumpyFile.npy(doubles: points(.mediaPipe, index), shape: shape)))
    }
    let groups = FrameFiles.groups(files)
    #expect(groups.count == 1)
    let diagnosis = PoseDoctor.diagnose(groups[0], called: "take")
    #expect(diagnosis.isImportable && diagnosis.frames == 12, "\(diagnosis.problems)")
  }

  @Test("Rotations of a body model are refused with the command that reads AMASS")
  func bodyModel() {
    let poses = (0..<6240).map { place -> Double in Double((place * 37) % 101) / 50 - 1 }
    let arrays = [
      ("poses", NumpyFile.npy(doubles: poses, shape: [40, 156])),
      ("betas", NumpyFile.npy(doubles: Array(repeating: 0.5, count: 16), shape: [16])),
    ]
    let diagnosis = PoseDoctor.diagnose(
      NamedBytes(name: "walk.npz", bytes: NumpyFile.npz(arrays.map { (name: $0, bytes: $1) })))
    #expect(diagnosis.blocked.contains("planklab import amass"))
  }
}

/// Frames of a standing body that sways, in meters with y up, with three numbers per joint.
enum SwayingLimbs {
  static let names = [
    "leftShoulder", "rightShoulder", "leftElbow", "rightElbow", "leftWrist", "rightWrist",
    "leftHip", "rightHip", "leftKnee", "rightKnee", "leftAnkle", "rightAnkle",
  ]
  static let header = names.flatMap { name in ["x", "y", "z"].map { "\(name)_\($0)" } }
  static let rate = 30.0
  private static let heights = [0.5, 0.2, 0, 0, -0.4, -0.8]
  private static let widths = [0.2, 0.2, 0.2, 0.1, 0.1, 0.1]

  static func frame(_ index: Int) -> [[Double]] {
    names.indices.map { joint in
      let sway = 0.01 * sin(Double(index) / 5 + Double(joint))
      let (side, height) = (joint.isMultiple(of: 2) ? 1.0 : -1, heights[joint / 2])
      let width = side * widths[joint / 2]
      return [0.8 * width + sway, 1 + height, 0.6 * width + 0.2 * height + sway]
    }
  }

  static func numbers(_ index: Int) -> [Double] { frame(index).flatMap { $0 } }

  static func json(_ index: Int) -> String {
    let joints = zip(names, frame(index)).map {
      "\"\($0)\":{\"x\":\($1[0]),\"y\":\($1[1]),\"z\":\($1[2])}"
    }
    return "{\(joints.joined(separator: ","))}"
  }

  static func table(_ first: String, count: Int = 40, _ value: (Int) -> String) -> String {
    let rows = (0..<count).map { index in
      ([value(index)] + numbers(index).map { "\($0)" }).joined(separator: ",")
    }
    return ([([first] + header).joined(separator: ",")] + rows).joined(separator: "\n") + "\n"
  }
}
