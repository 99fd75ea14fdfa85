import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Files read by a map") struct TableSourceTests {
  private static let limbs = ["leftShoulder", "rightShoulder", "leftHip", "rightHip"]
  /// Fields of a map for joints as `NAME: joints.NAME`.
  private static let joints = "joints:\n" + limbs.map { "  \($0): joints.\($0)\n" }.joined()

  private func read(
    _ text: String, _ map: String, keepsClock: Bool = false, labels: [String] = []
  ) throws -> ImportedSequence {
    let map = try TableMap(yaml: "table: 1\n" + map, file: "m.yaml")
    let options = TableOptions(map: map, labels: try LabelMap(labels), keepsClock: keepsClock)
    let file = NamedBytes("dumps/anna.json", text)
    return try #require(try TableSource(options: options).sequences(from: [file]).first)
  }

  private func problem(_ text: String, _ map: String) throws -> String {
    "\(try #require(throws: PoseSourceError.self) { _ = try read(text, map) })"
  }

  private static func frame(_ time: String, scale: Double = 1) -> String {
    let points = [(0.2, 0.5), (-0.2, 0.5), (0.1, 0), (-0.1, 0)].map {
      "[\($0.0 * scale),\($0.1 * scale),0]"
    }
    let joints = zip(limbs, points).map { "\"\($0)\":\($1)" }.joined(separator: ",")
    return "{\"t\":\(time),\"joints\":{\(joints)}}"
  }

  @Test("Positions are relative to a root between the hips, which is added")
  func root() throws {
    let text = #"{"t":5,"joints":{"leftHip":[1,2,3],"rightHip":[3,2,3],"leftShoulder":[1,3,3]}}"#
    let sequence = try read(text, "time: {field: t, unit: s}\n" + Self.joints)
    let recording = sequence.recording
    #expect(sequence.name == "anna" && recording.times == [0])
    #expect(recording.header.joints.contains(.root))
    #expect(recording.position(of: .root, at: 0) == Vector3(0, 0, 0))
    #expect(recording.position(of: .leftHip, at: 0) == Vector3(-1, 0, 0))
    #expect(recording.position(of: .leftShoulder, at: 0) == Vector3(-1, 1, 0))
    #expect(recording.position(of: .rightShoulder, at: 0) == nil)
    #expect(recording.position(of: .centerShoulder, at: 0) == nil)
  }

  @Test(
    "Lengths become meters",
    arguments: [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("in", 0.0254), ("ft", 0.3048)])
  func units(unit: String, meters: Double) throws {
    let sequence = try read(
      Self.frame("0", scale: 1 / meters), "units: \(unit)\ntime: {field: t}\n" + Self.joints)
    let shoulder = sequence.recording.position(of: .leftShoulder, at: 0)
    #expect(distance(shoulder, Vector3(0.2, 0.5, 0)) < 1e-6)
  }

  @Test(
    "Times become seconds from the first frame",
    arguments: [
      ("s", "100", "100.25"), ("ms", "1000", "1250"), ("us", "5000000", "5250000"),
      ("ns", "7000000000", "7250000000"),
      ("date", "\"2026-11-25T22:00:00Z\"", "\"2026-11-25T22:00:00.250Z\""),
      ("ms", "\"1000\"", "\"1250\""),
    ])
  func times(unit: String, first: String, second: String) throws {
    let text = Self.frame(first) + "\n" + Self.frame(second)
    let sequence = try read(text, "time: {field: t, unit: \(unit)}\n" + Self.joints)
    #expect(sequence.recording.times == [0, 0.25])
  }

  @Test("Frames are counted at the rate, and without a field of times they come at it")
  func rate() throws {
    let text = Self.frame("10") + "\n" + Self.frame("14")
    let counted = try read(text, "time: {field: t, unit: frames}\nrate_hz: 8\n" + Self.joints)
    #expect(counted.recording.times == [0, 0.5])
    let assumed = try read(text, "rate_hz: 8\n" + Self.joints)
    #expect(assumed.recording.times == [0, 0.125])
    #expect(assumed.notes.contains { $0.contains("8.0 frames per second") })
  }

  @Test("The file's clock is kept on request")
  func clock() throws {
    let sequence = try read(
      Self.frame("12.5"), "time: {field: t}\n" + Self.joints, keepsClock: true)
    #expect(sequence.recording.times == [12.5])
  }

  @Test("Axes say which way is right, up and toward the camera")
  func axes() throws {
    let text = #"{"t":0,"joints":{"leftHip":[0,0,0],"rightHip":[0,0,0],"leftShoulder":[1,2,3]}}"#
    let map = "axes: [x, -z, y]\ntime: {field: t}\n" + Self.joints
    let recording = try read(text, map).recording
    #expect(recording.position(of: .leftShoulder, at: 0) == Vector3(1, -3, 2))
  }

  @Test("Null, NaN and nothing are missing; 0 is where the map says so, the root's origin excepted")
  func missing() throws {
    let text =
      #"{"t":0,"joints":{"root":[0,0,0],"leftHip":[0,0,0],"rightHip":null,"#
      + #""leftShoulder":[NaN,NaN,NaN],"rightShoulder":[1,0,0]}}"#
    let map = "time: {field: t}\n" + Self.joints + "  root: joints.root\n"
    let plain = try read(text, map).recording
    #expect(plain.position(of: .leftHip, at: 0) == Vector3(0, 0, 0))
    #expect(plain.position(of: .rightHip, at: 0) == nil)
    #expect(plain.position(of: .leftShoulder, at: 0) == nil)
    let strict = try read(text, "missing: [0]\n" + map).recording
    #expect(strict.position(of: .leftHip, at: 0) == nil)
    #expect(strict.position(of: .root, at: 0) == Vector3(0, 0, 0))
  }

  @Test("A frame of zeros only, and one without joints, have no pose")
  func noPose() throws {
    let zeros = Self.limbs.map { "\"\($0)\":[0,0,0]" }.joined(separator: ",")
    let text = "{\"t\":0,\"joints\":{\(zeros)}}\n{\"t\":1,\"joints\":null}\n" + Self.frame("2")
    let recording = try read(text, "missing: [0]\ntime: {field: t}\n" + Self.joints).recording
    #expect((0..<3).map { recording.hasPose(at: $0) } == [false, false, true])
  }

  @Test("Rows that share a field are one frame, in any order")
  func rows() throws {
    let rows = (0..<2).flatMap { frame in
      Self.limbs.enumerated().map { "\(frame),\($1),\(Double($0) / 8),0.5,\(frame)\n" }
    }
    let joints = "joints:\n" + Self.limbs.map { "  \($0): \"rows[joint=\($0)]\"\n" }.joined()
    let map = "layout: rows\ngroup: frame\ntime: {field: frame, unit: frames}\nframe: world\n"
    for text in [rows, rows.sorted { $0.split(separator: ",")[1] < $1.split(separator: ",")[1] }] {
      let recording = try read("frame,joint,x,y,z\n" + text.joined(), map + joints).recording
      #expect(recording.frameCount == 2)
      #expect(recording.position(of: .leftHip, at: 1) == Vector3(0.25, 0.5, 1))
    }
  }

  @Test("Lists beside each other have one element per frame")
  func columns() throws {
    let text = #"{"clock":[0,1],"data":{"l":[[1,0,0],[2,0,0]],"r":[null,[4,0,0]]}}"#
    let map =
      "layout: columns\nframe: world\ntime: {field: clock}\n"
      + "joints:\n  leftHip: data.l\n  rightHip: data.r\n"
    let recording = try read(text, map).recording
    #expect(recording.position(of: .leftHip, at: 1) == Vector3(2, 0, 0))
    #expect(recording.position(of: .rightHip, at: 0) == nil)
    #expect(recording.position(of: .rightHip, at: 1) == Vector3(4, 0, 0))
  }

  @Test("An object whose keys are times has its frames in their order")
  func keyed() throws {
    let text = #"{"poses":{"10":{"l":[1,0,0]},"2":{"l":[2,0,0]}}}"#
    let map = "frames: poses\nframe: world\ntime: {field: key}\njoints:\n  leftHip: value.l\n"
    let recording = try read(text, map).recording
    #expect(recording.times == [0, 8])
    #expect(recording.position(of: .leftHip, at: 0) == Vector3(2, 0, 0))
  }

  @Test("Matrices give their translation, by columns or by rows", arguments: [true, false])
  func matrices(areColumns: Bool) throws {
    let columns = "[1,0,0,0, 0,1,0,0, 0,0,1,0, 1,2,3,1]"
    let rows = "[[1,0,0,1],[0,1,0,2],[0,0,1,3],[0,0,0,1]]"
    let text = "{\"t\":0,\"l\":\(areColumns ? columns : rows)}"
    let map = "frame: world\nmatrices: \(areColumns ? "columns" : "rows")\ntime: {field: t}\n"
    let recording = try read(text, map + "joints:\n  leftHip: l\n").recording
    #expect(recording.position(of: .leftHip, at: 0) == Vector3(1, 2, 3))
  }

  @Test("Joints that hang on an anchor come out in the world")
  func anchor() throws {
    // A quarter turn around y: x becomes -z, z becomes x.
    let text = #"{"t":0,"a":[0,0,-1,0, 0,1,0,0, 1,0,0,0, 10,0,0,1],"l":[1,2,3]}"#
    let map = "frame: world\nanchor_matrix: a\ntime: {field: t}\njoints:\n  leftHip: l\n"
    let recording = try read(text, map).recording
    #expect(recording.position(of: .leftHip, at: 0) == Vector3(13, 2, -1))
  }

  @Test("Joints below the floor of confidence, and those with 0, are missing")
  func confidence() throws {
    let text = #"{"t":0,"l":{"x":1,"y":1,"z":1,"v":0.4},"r":{"x":1,"y":1,"z":1,"v":0.6}}"#
    let joints = "frame: world\ntime: {field: t}\njoints:\n  leftHip: l\n  rightHip: r\n"
    let strict = try read(text, "confidence: {field: v, floor: 0.5}\n" + joints).recording
    #expect(strict.position(of: .leftHip, at: 0) == nil)
    #expect(strict.position(of: .rightHip, at: 0) != nil)
    let open = try read(text, "confidence: {field: v}\n" + joints).recording
    #expect(open.position(of: .leftHip, at: 0) != nil)
  }

  @Test("Pixels from the upper left become shares from the lower left, and stay pixels in COCO")
  func imagePoints() throws {
    let text = #"{"t":0,"k":[250,400,0.5]}"#
    let rest =
      "units: pixels\nimage_size: 1000x800\ntime: {field: t}\nconfidence: {floor: 0}\n"
      + "joints:\n  nose: [\"k[0]\", \"k[1]\", \"k[2]\"]\n"
    let shares = try read(text, "skeleton: vision2d\n" + rest).recording
    #expect(shares.position(of: .nose, at: 0) == Vector3(0.25, 0.5, 0))
    #expect(shares.confidence(of: .nose, at: 0) == 0.5)
    let pixels = try read(text, "skeleton: coco17\n" + rest).recording
    #expect(pixels.position(of: .nose, at: 0) == Vector3(250, 400, 0))
  }

  @Test("Labels of the file become segments")
  func labels() throws {
    let frames = ["C", "C", "up"].enumerated().map {
      Self.frame("\($0)").dropLast() + ",\"label\":\"\($1)\"}"
    }
    let map = "time: {field: t}\nlabels: {field: label, classes: {C: high/sag}}\n" + Self.joints
    let text = frames.joined(separator: "\n")
    let sequence = try read(text, map, labels: ["up=none"])
    #expect(sequence.labels.segments.map(\.plank) == [.high, PlankClass.none])
    #expect(sequence.labels.segments.map(\.start.value) == [0, 2])
    #expect(try problem(text, map).contains("no class is given for `up`"))
  }

  @Test("A mirrored file is turned back once")
  func mirrored() throws {
    let text = #"{"t":0,"joints":{"leftHip":[1,0,0],"rightHip":[-1,0,0],"leftShoulder":[2,1,0]}}"#
    let sequence = try read(text, "mirrored: true\ntime: {field: t}\n" + Self.joints)
    #expect(!sequence.recording.header.isMirrored)
    #expect(sequence.recording.position(of: .rightShoulder, at: 0) == Vector3(-2, 1, 0))
  }

  @Test("Bodies without a unit get the size of the reference body")
  func reference() throws {
    let body = [
      "leftShoulder": (7, 40), "rightShoulder": (-7, 40), "leftHip": (5, 0), "rightHip": (-5, 0),
      "leftKnee": (5, -30), "rightKnee": (-5, -30), "leftAnkle": (5, -60), "rightAnkle": (-5, -60),
    ]
    let joints = body.sorted { $0.key < $1.key }
      .map { "\"\($0.key)\":[\($0.value.0),\($0.value.1),0]" }.joined(separator: ",")
    let map =
      "units: body\ntime: {field: t}\njoints:\n"
      + body.keys.sorted().map { "  \($0): \($0)\n" }.joined()
    let recording = try read("{\"t\":0,\(joints)}", map).recording
    let scale = ReferenceBody.trunkAndLegLength.value / 100
    let knee = recording.position(of: .leftKnee, at: 0)
    #expect(distance(knee, Vector3(5 * scale, -30 * scale, 0)) < 1e-6)
    #expect(recording.header.bodyHeight == ReferenceBody.height)
  }

  @Test(
    "A mistake names its line, what was found and what is allowed",
    arguments: [
      (
        #"{"t":0,"joints":{"leftHip":[1,2,3]}}"# + "\n" + #"{"t":0,"joints":{"leftHip":[4,2,3]}}"#,
        "it looks like a repeated frame"
      ), (#"{"joints":{"leftHip":[1,2,3]}}"#, ":1: `t` is missing"),
      (#"{"t":0,"joints":{}}"#, "joints is no pose in 1 frame"),
      (#"{"t":"soon","joints":{}}"#, ":1: `t` is `soon`"),
      (#"{"t":0,"joints":{"leftHip":[1,2]}}"#, ":1: `joints.leftHip` is a list of 2"),
      (#"{"t":0,"joints":{"leftHip":[1,null,2]}}"#, "with only some of its coordinates"),
      (#"{"t":0,"joints":{"leftHip":"left"}}"#, "`joints.leftHip` is `left`"),
      ("{\"t\":0,\n\"joints\":{,}}", ":2: the JSON cannot be read"),
      (#"[{"t":0,"joints":{}}"#, "cut off"),
      (#"{"t":0,"joints":{"leftHip":[1e300,0,0]}}"#, ":1: leftHip is at 1e+300, too far away"),
    ])
  func mistakes(text: String, words: String) throws {
    let found = try problem(text, "time: {field: t}\n" + Self.joints)
    #expect(found.contains(words), "\(found)")
  }

  @Test(
    "Decimal commas are read where semicolons or tabs separate columns",
    arguments: [(";", "0,25", 0.25), ("\t", "-1,5", -1.5), (";", "0.25", 0.25)])
  func decimalCommas(separator: String, number: String, value: Double) throws {
    let header = ["t", "x", "y", "z"].joined(separator: separator)
    let row = ["0", number, number, number].joined(separator: separator)
    let map = "frame: world\ntime: {field: t}\njoints:\n  leftHip: [x, y, z]\n"
    let recording = try read("\(header)\n\(row)\n", map).recording
    #expect(recording.position(of: .leftHip, at: 0) == Vector3(value, value, value))
  }
}

@Suite("Depth of landmarks") struct LandmarkDepthTests {
  @Test(
    "The anatomical factor brings shoulders and hips to people's widths", arguments: [0.4, 1, 2.5])
  func anatomical(exaggeration: Double) throws {
    let body = Self.body(shoulders: 0.207, hips: 0.135, exaggeration)
    let factor = try #require(LandmarkDepth.anatomical.factor(of: [body]))
    #expect(abs(factor * exaggeration - 1) < 1e-6)
    let other = Self.body(shoulders: 0.414, hips: 0.27, exaggeration)
    #expect(
      abs(try #require(LandmarkDepth.anatomical.factor(of: [other])) * exaggeration - 0.5) < 1e-6)
  }

  @Test("A body that faces the camera has no width in depth, and gives no factor")
  func frontal() {
    let body = Self.body(shoulders: 0.207, hips: 0.135, 1).map { Vector3($0.z, $0.y, 0) }
    #expect(LandmarkDepth.anatomical.factor(of: [body]) == nil)
    #expect(LandmarkDepth.scaled(0.5).factor(of: [body]) == 0.5)
  }

  /// A body of height 1 on its side: x along it, its widths in depth, times an exaggeration.
  private static func body(shoulders: Double, hips: Double, _ exaggeration: Double) -> BodyPose {
    var limbs: [Joint: Vector3] = [:]
    let parts: [(Joint, Double, Double)] = [
      (.leftShoulder, 0, shoulders), (.leftHip, 0.288, hips), (.leftKnee, 0.533, hips),
      (.leftAnkle, 0.779, hips),
    ]
    for (joint, along, width) in parts {
      limbs[joint] = Vector3(along, 0, width / 2 * exaggeration)
      limbs[joint.mirrored] = Vector3(along, 0, -width / 2 * exaggeration)
    }
    return BodyPose(limbs: limbs)
  }
}

func distance(_ one: Vector3?, _ other: Vector3?) -> Double {
  guard let one, let other else { return one == other ? 0 : .infinity }
  return [one.x - other.x, one.y - other.y, one.z - other.z].map(\.magnitude).max() ?? 0
}

/// Every joint of every frame, for comparing recordings.
func positions(_ recording: Recording) -> [[Joint: Vector3]] {
  (0..<recording.frameCount).map { frame in
    Dictionary(
      uniqueKeysWithValues: recording.header.joints.compactMap { joint in
        recording.position(of: joint, at: frame).map { (joint, $0) }
      })
  }
}
