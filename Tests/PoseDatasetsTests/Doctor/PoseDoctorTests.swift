import Foundation
import PoseModel
import TestSupport
import Testing

@testable import PoseDatasets

@Suite("What doctor finds in files of other programs") struct PoseDoctorTests {
  /// A recording as an app would dump it: seconds and positions of every frame with all joints.
  private static func frames(
    _ name: String, count: Int = 200, turn: (Vector3) -> Vector3 = { $0 }
  ) throws -> [(time: Double, pose: [(Joint, Vector3)])] {
    let path = Repository.file("datasets/scripted/\(name).poses.jsonl").path
    let recording = try RecordingReader.read(path: path).recording
    let stride = max(1, recording.frameCount / count)
    return (0..<recording.frameCount).filter { $0.isMultiple(of: stride) }.compactMap { frame in
      let pose = Skeleton.vision3d.joints.compactMap { joint in
        recording.position(of: joint, at: frame).map { (joint, turn($0)) }
      }
      guard pose.count == 17 else { return nil }
      return (recording.times[frame], pose)
    }
  }

  private static func list(_ p: Vector3) -> String { "[\(p.x),\(p.y),\(p.z)]" }

  private static func lines(
    _ frames: [(time: Double, pose: [(Joint, Vector3)])],
    time: (Double) -> String = { "\"t\":\($0)" }, rest: String = ""
  ) -> String {
    frames.map { frame in
      let joints = frame.pose.map { "\"\($0.0.name)\":\(list($0.1))" }.joined(separator: ",")
      return "{\(time(frame.time)),\"joints\":{\(joints)}\(rest)}\n"
    }.joined()
  }

  private func finding(_ topic: String, _ diagnosis: PoseDiagnosis) -> String {
    diagnosis.found(topic).map { "\($0.finding) (\($0.certainty.rawValue))" } ?? "nothing"
  }

  @Test(
    "Units show in the size of bodies",
    arguments: [(1.0, "m"), (100, "cm"), (1000, "mm"), (1 / 0.3048, "ft")]
  )
  func units(scale: Double, unit: String) throws {
    let frames = try Self.frames("s01-floor") { $0 * scale }
    let diagnosis = diagnose(Self.lines(frames))
    #expect(finding("units", diagnosis) == "\(unit) (sure)")
    #expect(diagnosis.map?.units.rawValue == unit)
    #expect(diagnosis.isImportable)
  }

  @Test("Bodies of no known unit are scaled, and doctor says so")
  func unknownUnit() throws {
    let diagnosis = diagnose(Self.lines(try Self.frames("s01-floor") { $0 * 20 }))
    #expect(diagnosis.map?.units == .body)
    #expect(finding("units", diagnosis).contains("scaled to"))
  }

  @Test(
    "Up shows in the arms",
    arguments: [
      ("x,y,z", "y"), ("x,-y,-z", "-y"), ("y,-x,z", "x"), ("-y,x,z", "-x"), ("x,-z,y", "z"),
      ("x,z,-y", "-z"),
    ])
  func up(turn: String, axis: String) throws {
    let axes = turn.split(separator: ",").compactMap { TableMap.Axis(String($0)) }
    let frames = try Self.frames("s01-floor") { Vector3(axes[0]($0), axes[1]($0), axes[2]($0)) }
    let diagnosis = diagnose(Self.lines(frames))
    #expect(finding("up", diagnosis) == "the file's \(axis) (sure)")
    // Whatever the file's axes are, y is up afterward.
    let map = try #require(diagnosis.map)
    let up = axes.firstIndex { $0.index == 1 } ?? 1
    #expect(map.axes[1].index == up)
  }

  @Test(
    "The clock's unit shows in its steps",
    arguments: [
      ("\"timestamp\":", 1.0, "s"), ("\"timeMs\":", 1000, "ms"), ("\"pts_us\":", 1e6, "us"),
      ("\"time\":", 1e9, "ns"),
    ])
  func clock(key: String, scale: Double, unit: String) throws {
    let frames = try Self.frames("s01-floor", count: 600)
    let diagnosis = diagnose(Self.lines(frames, time: { "\(key)\($0 * scale)" }))
    #expect(
      finding("time", diagnosis).contains("in \(unit), 30 frames per second")
        || finding("time", diagnosis).contains("in \(unit), 30.0 frames per second"))
    #expect(diagnosis.map?.time.unit.rawValue == unit)
  }

  @Test("Without a clock, doctor asks for the rate instead of guessing it silently")
  func noClock() throws {
    let frames = try Self.frames("s01-floor", count: 60)
    let diagnosis = diagnose(Self.lines(frames, time: { _ in "\"device\":\"a\"" }))
    #expect(diagnosis.problems.contains { $0.remedy.contains("--rate") && !$0.isBlocking })
    #expect(diagnosis.options == ["--rate", "30"])
  }

  @Test("Positions fixed to the pelvis are refused without matrices, and turned with them")
  func pelvis() throws {
    let path = Repository.file("datasets/scripted/s04-pelvis.poses.jsonl").path
    let recording = try RecordingReader.read(path: path).recording
    for hasMatrix in [false, true] {
      let text = try Self.frames("s04-pelvis").compactMap { frame -> String? in
        guard let index = recording.times.firstIndex(of: frame.time),
          let camera = recording.camera(at: index)
        else { return nil }
        let rest = hasMatrix ? ",\"cameraOriginMatrix\":\(camera.columnMajor)" : ""
        return Self.lines([frame], rest: rest)
      }.joined()
      let diagnosis = diagnose(text)
      #expect(finding("axes", diagnosis).hasPrefix("fixed to the pelvis"))
      #expect(diagnosis.isImportable == hasMatrix)
      #expect(hasMatrix || diagnosis.problems.contains { $0.remedy.contains("cameraOriginMatrix") })
      if hasMatrix { #expect(diagnosis.map?.frame == .pelvis) }
    }
  }

  @Test(
    "A third number below 0 is a depth around the hips, and a score beside points of an image",
    arguments: [(0.0, 3), (3, 2)])
  func thirdNumber(shift: Double, dimension: Int) throws {
    var count = 0.0
    let frames = try Self.frames("s01-floor") { point in
      count += 1
      return Vector3(point.x + shift, point.y + shift, 0.4 * sin(12.9898 * count))
    }
    let diagnosis = diagnose(Self.lines(frames))
    #expect(finding("joints", diagnosis).contains("in \(dimension)D"))
    #expect(finding("joints", diagnosis).hasSuffix("(unsure)"))
  }

  @Test("JSON that was encoded twice is read, whole or line by line", arguments: [true, false])
  func encodedTwice(isWhole: Bool) throws {
    let lines = Self.lines(try Self.frames("s01-floor", count: 60)).split(separator: "\n")
    let texts =
      isWhole ? ["[\(lines.joined(separator: ","))]"] : lines.map(String.init)
    let quoted = texts.map { "\"\($0.replacing("\"", with: "\\\""))\"\n" }.joined()
    let diagnosis = diagnose(quoted)
    #expect(diagnosis.isImportable)
    #expect(diagnosis.frames == lines.count)
  }

  @Test(
    "Sixteen columns are a camera matrix",
    arguments: [
      (0..<16).map { "camera_m\($0 / 4)\($0 % 4)" }, (0..<16).map { "cam.c\($0 / 4)\($0 % 4)" },
      (1...16).map { "camera_\($0)" }, (0..<16).map { "camera[\($0)]" },
      (1...16).map { "cameraOrigin_\($0 < 10 ? "0" : "")\($0)" },
      (0..<16).map { "camera_c\($0 / 4)_\(["x", "y", "z", "w"][$0 % 4])" },
    ], [true, false])
  func matrixInColumns(names: [String], isByRows: Bool) throws {
    let path = Repository.file("datasets/scripted/s04-pelvis.poses.jsonl").path
    let recording = try RecordingReader.read(path: path).recording
    let places = (0..<16).map { isByRows ? 4 * ($0 % 4) + $0 / 4 : $0 }
    let header =
      ["t"] + names
      + Skeleton.vision3d.joints.flatMap { joint in "xyz".map { "\(joint.name)_\($0)" } }
    let rows = try Self.frames("s04-pelvis").compactMap { frame -> [Double]? in
      guard let index = recording.times.firstIndex(of: frame.time),
        let camera = recording.camera(at: index)
      else { return nil }
      return [frame.time] + places.map { camera.columnMajor[$0] }
        + frame.pose.flatMap { [$0.1.x, $0.1.y, $0.1.z] }
    }
    let table = [header] + rows.map { $0.map { "\($0)" } }
    let diagnosis = diagnose(table.map { $0.joined(separator: ",") + "\n" }.joined())
    #expect(diagnosis.isImportable)
    #expect(diagnosis.map?.frame == .pelvis)
    #expect(diagnosis.map?.matrices == (isByRows ? .rows : .columns))
  }

  @Test("Columns of a matrix of another name stay columns, and turn nothing")
  func otherMatrixInColumns() throws {
    let header =
      ["t"] + (0..<16).map { "view_\($0)" }
      + Skeleton.vision3d.joints.flatMap { joint in "xyz".map { "\(joint.name)_\($0)" } }
    let matrix: [Double] = [1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    let rows = try Self.frames("s01-floor", count: 60).map { frame -> [Double] in
      [frame.time] + matrix + frame.pose.flatMap { [$0.1.x, $0.1.y, $0.1.z] }
    }
    let text = ([header] + rows.map { $0.map { "\($0)" } })
      .map { $0.joined(separator: ",") + "\n" }.joined()
    let diagnosis = diagnose(text)
    #expect(diagnosis.isImportable)
    #expect(diagnosis.map?.camera == nil && diagnosis.map?.frame == .camera)
    #expect(diagnosis.problems.contains { $0.found.contains("`view` is not used") })
    var map = try #require(diagnosis.map)
    map.joints[.leftHip] = .fields([3, 7, 11].map { FieldPath([.key("view_\($0)")]) })
    #expect(try map.recording(in: text).position(of: .leftHip, at: 0) != nil)
  }

  @Test("Matrices are read by rows, also where the format is known", arguments: [true, false])
  func matricesByRows(isByRows: Bool) throws {
    let frames = try Self.frames("s01-floor", count: 60)
    func matrix(_ p: Vector3) -> String {
      let columns: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, p.x, p.y, p.z, 1]
      let rows: [Double] = (0..<16).map { columns[$0 % 4 * 4 + $0 / 4] }
      return "\(isByRows ? rows : columns)"
    }
    let lines = frames.map { frame in
      var joints: [String] = []
      for (joint, position) in frame.pose {
        guard let name = TableMap.arKitNames[joint] else { continue }
        joints.append("\"" + name + "\":" + matrix(position))
      }
      let anchor = matrix(Vector3(0, 1, -2))
      let list = joints.joined(separator: ",")
      return "{\"timestamp\":\(frame.time),\"transform\":\(anchor),\"joints\":{\(list)}}"
    }
    let diagnosis = diagnose(lines.joined(separator: "\n"))
    #expect(diagnosis.map?.matrices == (isByRows ? .rows : .columns))
    #expect(diagnosis.isImportable)
    #expect((diagnosis.map?.readyName == "arkit") == !isByRows)
  }

  @Test(
    "Names of joints are known in many spellings",
    arguments: [
      "human_left_wrist_3D", "leftWrist", "left_wrist", "LEFT_WRIST", "LWrist", "lWrist",
      "wrist_left",
      "leftwrist", "WristLeft", "left hand", "mixamorig:LeftHand", "left_hand_joint", "l_wrist",
      "Wrist_L",
    ])
  func names(name: String) { #expect(JointNames([name])[name] == .leftWrist) }

  @Test("In rigs, arms begin at the shoulder joint")
  func rigs() {
    let rig = ["left_shoulder_1_joint", "left_arm_joint", "left_forearm_joint", "left_hand_joint"]
    let names = JointNames(rig)
    #expect(rig.map { names[$0] } == [nil, .leftShoulder, .leftElbow, .leftWrist])
    let vision = JointNames(["left_shoulder_1_joint", "left_forearm_joint", "left_hand_joint"])
    #expect(vision["left_shoulder_1_joint"] == .leftShoulder)
  }

  @Test(
    "Words that name no joint are none",
    arguments: [
      "timestamp", "confidence", "camera", "label", "x", "left", "root_mean", "theme", "ears",
    ])
  func noNames(name: String) { #expect(!JointNames.isJoint(name)) }

  @Test("Labels become classes where they are ours, and are otherwise asked for")
  func labels() throws {
    let frames = try Self.frames("s01-floor", count: 60)
    let known = diagnose(Self.lines(frames, rest: ",\"label\":\"high\""))
    #expect(known.map?.labels?.classes == ["high": "high"])
    let unknown = diagnose(Self.lines(frames, rest: ",\"label\":\"C\""))
    #expect(unknown.problems.contains { $0.remedy.contains("--label C=forearm/aligned") })
    #expect(unknown.map?.labels?.classes == ["C": "ignore", "*": "ignore"])
  }

  @Test(
    "What holds no poses is refused with the reason",
    arguments: [
      ("", "empty"), ("PAR1....", "Parquet"), ("hello world", "no row"), ("{\"a\":1}", "no joints"),
      ("[1,2,3]", "no joints"), ("{\"a\":", "cut off"), ("a,b\n1,2\n", "no joints"),
      ("HIERARCHY\nROOT", "BVH"), ("[", "cut off"), ("{}", "no joints"),
    ])
  func refused(text: String, words: String) {
    let diagnosis = diagnose(text)
    #expect(!diagnosis.isImportable)
    let found = diagnosis.problems.map { "\($0.found); \($0.remedy)" }.joined(separator: "\n")
    #expect(found.contains(words), "\(found)")
  }

  @Test("Recordings and dumps of Vision are known by their headers")
  func known() throws {
    let recording = try Repository.text("datasets/scripted/s01-floor.poses.jsonl")
    #expect(diagnose(recording).form == "a PlankLab recording")
    let dump = #"{"format":"vision3d-dump","version":1}"# + "\n{}"
    #expect(diagnose(dump).form == "a dump of Vision's 3D poses")
  }

  @Test(
    "Files of other kinds are named with the way out",
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47], "a picture", "detect poses"),
      (Array("\0\0\0\u{18}ftypheic".utf8), "a picture", "detect poses"),
      (Array("\0\0\0\u{14}ftypqt  ".utf8), "a movie", "planklab record"),
      (Array("\0\0\0\u{8}wide".utf8), "a movie", "planklab record"),
      ([0x1A, 0x45, 0xDF, 0xA3], "a movie", "planklab record"),
      ([0x89, 0x48, 0x44, 0x46, 0x0D], "an HDF5 or MATLAB file", "numpy.savez"),
      (Array("%PDF-1.7\n".utf8), "a PDF file", "JSON or CSV"),
      (Array("<!DOCTYPE html><html></html>".utf8), "an XML or HTML file", "JSON or CSV"),
      ([0xFF, 0xFE, 0x74, 0x00, 0x00], "text in UTF-16", "iconv"),
      (Array("t\0i\0m\0e\0,\0x\0".utf8), "text in UTF-16", "iconv"),
      (Array("  \n\n".utf8), "empty", "record again"),
    ] as [([UInt8], String, String)])
  func foreign(bytes: [UInt8], form: String, remedy: String) throws {
    let diagnosis = PoseDoctor.diagnose(NamedBytes(name: "a", bytes: bytes))
    #expect(diagnosis.form.hasPrefix(form) && !diagnosis.isImportable)
    let problem = try #require(diagnosis.problems.first)
    #expect(problem.isBlocking && problem.remedy.contains(remedy), "\(problem.remedy)")
  }

  @Test("UTF-16 and carriage returns are read as UTF-8 with line feeds")
  func plainText() throws {
    let text = Self.lines(Array(try Self.frames("s01-floor", count: 60).prefix(60)))
    let units = Array(("\u{FEFF}" + text).utf16)
    let texts: [[UInt8]] = [
      units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
      Array(text.replacing("\n", with: "\r").utf8),
    ]
    let plain = diagnose(text)
    for bytes in texts {
      let diagnosis = PoseDoctor.diagnose(NamedBytes(name: plain.file, bytes: bytes))
      #expect(diagnosis.isImportable && diagnosis.frames == plain.frames)
      #expect(diagnosis.map == plain.map)
    }
  }

  @Test(
    "Labels are sent to the import of labels",
    arguments: [
      "start,end,label\n0,4.5,none\n4.5,9,high plank\n",
      #"[{"start":0,"end":4.5,"label":"none"},{"start":4.5,"end":9,"label":"forearm/sag"}]"#,
      "1\n00:00:00,000 --> 00:00:04,500\nforearm\n",
    ])
  func labels(text: String) throws {
    let source = NamedBytes("a.txt", text)
    var diagnosis = PoseDoctor.diagnose(source)
    diagnosis.lookForLabels(in: source)
    #expect(!diagnosis.isImportable && diagnosis.problems.count == 1)
    #expect(diagnosis.problems[0].remedy.contains("planklab label import"))
    let poses = NamedBytes("a.json", Self.lines(try Self.frames("s01-floor", count: 60)))
    diagnosis = PoseDoctor.diagnose(poses)
    diagnosis.lookForLabels(in: poses)
    #expect(diagnosis.isImportable)
  }

  @Test(
    "JSON behind other text, a table below some, and a line that is cut off are said to be that")
  func otherText() throws {
    let text = Self.lines(Array(try Self.frames("s01-floor", count: 60).prefix(60)))
    let logged = text.split(separator: "\n").map { "18:20:11.123 INFO pose: \($0)\n" }.joined()
    let problem = try #require(diagnose(logged).problems.first)
    #expect(problem.found.contains("other text before their JSON"), "\(problem.found)")
    let rows = (0..<5).map { row in (0..<7).map { "\(row).\($0)" }.joined(separator: "\t") }
    let table = (["time\thip_x\thip_y\thip_z\tknee_x\tknee_y\tknee_z"] + rows).joined(
      separator: "\n")
    let below = try #require(
      diagnose("Points\nversion=1\nnRows=5\nendheader\n" + table).problems.first)
    #expect(below.found.contains("the first 4 lines are not part of the table"), "\(below.found)")
    #expect(below.remedy.contains("tail -n +5 FILE"), "\(below.remedy)")
    let cut = try #require(diagnose(String(text.dropLast(80))).problems.first)
    #expect(cut.found.contains("is not JSON") && cut.remedy.contains("^{.*}"), "\(cut.found)")
  }

  @Test("Positions in a world are meters though hips are where an image would have them")
  func world() throws {
    let diagnosis = diagnose(Self.lines(try Self.frames("s05-clip")))
    #expect(finding("units", diagnosis) == "m (sure)")
    #expect(diagnosis.isImportable, "\(diagnosis.problems)")
  }

  @Test("A file in which nobody was found is refused")
  func nobody() throws {
    let joints = Skeleton.vision3d.joints.map { "\"\($0.name)\":[NaN,NaN,NaN]" }
    let lines = (0..<20).map { "{\"t\":\($0),\"joints\":{\(joints.joined(separator: ","))}}" }
    let diagnosis = diagnose(lines.joined(separator: "\n"))
    #expect(!diagnosis.isImportable)
    #expect(diagnosis.problems.contains { $0.found.contains("no pose") })
  }

  @Test(
    "A clock that stands or lacks times is said to be one",
    arguments: [
      ("\"t\":0", "does not grow"), ("\"t\":null", "is missing in"),
    ])
  func brokenClock(time: String, words: String) throws {
    let frames = try Self.frames("s01-floor", count: 60).prefix(60)
    let diagnosis = diagnose(Self.lines(Array(frames), time: { _ in time }))
    let found = diagnosis.problems.map(\.found).joined(separator: "\n")
    #expect(found.contains("`t` is named like a time, but \(words)"), "\(found)")
  }

  @Test("In rigs, the middle of numbered spines is the spine, and hips are the root")
  func numberedSpines() {
    let spines = (1...7).map { "spine_\($0)_joint" }
    let names = JointNames(spines + ["root", "hips_joint", "left_upLeg_joint", "left_arm_joint"])
    #expect(spines.map { names[$0] } == [nil, nil, nil, .spine, nil, nil, nil])
    #expect(names["hips_joint"] == .root && names["root"] == nil)
  }

  @Test("A file that is one object without a list of frames may be a frame")
  func singleFrames() {
    func keys(_ text: String) -> [String]? {
      ExaminedFile(NamedBytes("a.json", text)).frameRole?.keys
    }
    #expect(keys(#"{"version":1.3,"people":[]}"#) == ["people", "version"])
    #expect(keys(#"{"frames":[{"t":0},{"t":1}]}"#) == nil)
    #expect(keys(#"{"t":0}"# + "\n" + #"{"t":1}"#) == nil)
    #expect(keys("[1,2]") == nil)
    #expect(keys("t,x\n0,1\n") == nil)
    // A recording that ends with its header.
    #expect(keys(#"{"format":"planklab-poses","version":1}"#) == nil)
  }
}

/// An import makes recordings of the frames that were read to examine the file.
@Suite("Examined frames") struct ExaminedFramesTests {
  private static let files = [
    "csv_wide.csv", "csv_long.csv", "arkit.jsonl", "arrays.npz", "coco_results.json",
    "keyed_by_time.json", "mediapipe_ios.jsonl", "vision_matrices.jsonl",
  ]

  private func file(_ name: String) throws -> NamedBytes {
    let url = Repository.file("Tests/FuzzTests/Corpora/table/\(name)")
    return NamedBytes(name: name, bytes: Array(try Data(contentsOf: url)))
  }

  @Test("They give what reading the file again gives, with any option", arguments: files)
  func equal(name: String) throws {
    let file = try file(name)
    let diagnosis = PoseDoctor.diagnose(file, imageSize: ImageSize(width: 1080, height: 1920))
    let map = try #require(diagnosis.map)
    var mirrored = map
    mirrored.isMirrored.toggle()
    var taller = map
    taller.bodyHeight = 1.9
    for map in [map, mirrored, taller] {
      for everyone in [false, true] {
        let options = TableOptions(
          map: map, subject: "anna", keepsClock: everyone, isEveryone: everyone)
        let examined = try #require(try diagnosis.sequences(options))
        let read = try TableSource(options: options).sequences(from: [file])
        #expect(examined.map(\.name) == read.map(\.name))
        #expect(examined.map(\.notes) == read.map(\.notes))
        #expect(examined.map(\.tags) == read.map(\.tags))
        #expect(examined.map(\.labels) == read.map(\.labels))
        for (one, other) in zip(examined.map(\.recording), read.map(\.recording)) {
          #expect(one.differences(from: other) == [])
        }
      }
    }
  }

  @Test("Where a map reads other frames, and once they are let go, the file is read again")
  func other() throws {
    var diagnosis = PoseDoctor.diagnose(try file("csv_wide.csv"))
    let map = try #require(diagnosis.map)
    var larger = map
    larger.units = .cm
    #expect(try diagnosis.sequences(TableOptions(map: larger)) == nil)
    #expect(try diagnosis.sequences(TableOptions(map: map))?.count == 1)
    diagnosis.forgetFrames()
    #expect(try diagnosis.sequences(TableOptions(map: map)) == nil)
  }
}

@Suite("What stands for joints that were not found") struct FillerTests {
  private static let joints: [Joint] = [.leftWrist, .rightWrist, .leftElbow, .leftHip]

  private static func frames(_ filler: Vector3) -> [[Joint: Vector3]] {
    (0..<20).map { frame in
      var pose: [Joint: Vector3] = [.root: Vector3(0, 0, 0)]
      for (index, joint) in joints.enumerated() {
        let isMissing = (frame + index).isMultiple(of: 5)
        pose[joint] = isMissing ? filler : Vector3(0.1 * Double(index) + 0.01, Double(frame), 0.3)
      }
      return pose
    }
  }

  @Test(
    "A value that several joints share exactly is a filler",
    arguments: [(Vector3(9999, 9999, 9999), "9999"), (Vector3(0, 0, -1), "[0, 0, -1]")])
  func values(filler: Vector3, text: String) {
    #expect(FillerSearch(Self.frames(filler)).found.map(\.filler.text) == [text])
  }

  @Test("Positions of bodies, and a root at the origin, are none")
  func bodies() {
    let frames = Self.frames(Vector3(0.5, 0.5, 0.5)).map { $0.filter { $0.value.x != 0.5 } }
    #expect(FillerSearch(frames).found.isEmpty)
  }

  @Test("A map keeps them, and what repeats")
  func map() throws {
    let text = "table: 1\nmissing: [9999, [0, 1, 0]]\nrepeats: 3\njoints: {leftHip: a}\n"
    let map = try TableMap(yaml: text, file: "map.yaml")
    #expect(map.fillers == [PoseFiller([9999]), PoseFiller([0, 1, 0])])
    #expect(map.longestRepeat == 3)
    #expect(try TableMap(yaml: map.yaml, file: "map.yaml") == map)
  }
}
