import Foundation
import PoseModel
import PoseRecording
import TestSupport
import Testing

@testable import PoseDatasets

/// Somebody who stands, holds a high plank and stands again, in images of 1280 x 720.
private struct Film {
  static let size = ImageSize(width: 1280, height: 720)
  /// x to the right and y down in pixels, and z away from the camera in the same unit.
  let frames: [[Joint: Vector3]]

  init(azimuth: Degrees) {
    let session = ScriptedSession(
      [.standing: 2, .high: 3, .standing: 1],
      jitter: ScriptedJitter(seed: 7, deviation: Meters(0.004)))
    let turn = azimuth.value * .pi / 180
    frames = session.frames.map { frame in
      var joints = frame.joints
      if let head = joints[.centerHead] {
        joints[.nose] = head + Vector3(0.05, 0, 0)
        joints[.leftEye] = head + Vector3(0.04, 0.03, -0.03)
        joints[.rightEye] = head + Vector3(0.04, 0.03, 0.03)
        joints[.leftEar] = head + Vector3(-0.04, 0.01, -0.07)
        joints[.rightEar] = head + Vector3(-0.04, 0.01, 0.07)
      }
      if let left = joints[.leftShoulder], let right = joints[.rightShoulder] {
        joints[.neck] = left.midpoint(right)
      }
      return joints.mapValues { place in
        Vector3(
          600 + 340 * (place.x * cos(turn) + place.z * sin(turn)), 690 - 340 * place.y,
          340 * (place.x * sin(turn) - place.z * cos(turn)))
      }
    }
  }

  /// One line of JSON per frame, with the numbers of all points under `kp`.
  func lines(
    _ order: JointOrder, isFlat: Bool = false, _ numbers: (Vector3, Int) -> [Double]
  ) -> String {
    let names = Dictionary(uniqueKeysWithValues: order.joints.map { ($1, $0) })
    return frames.enumerated().map { index, frame in
      let points = (0..<order.count).map { place -> [Double] in
        numbers(names[place].flatMap { frame[$0] } ?? Vector3(600, 690, 0), 50 * index + place)
      }
      let text = isFlat ? "\(points.flatMap(\.self))" : "\(points)"
      return "{\"t\":\(Double(index) / 10),\"kp\":\(text)}\n"
    }.joined()
  }

  /// One line of JSON per frame, with the numbers of shoulders to ankles by their names.
  func named(_ key: String, _ numbers: (Vector3, Int) -> [Double]) -> String {
    frames.enumerated().map { index, frame in
      let points = Skeleton.coco17.joints.dropFirst(5).enumerated().compactMap { place, joint in
        frame[joint].map { "\"\(joint.name)\":\(numbers($0, 50 * index + place))" }
      }
      return "{\"t\":\(Double(index) / 10),\"\(key)\":{\(points.joined(separator: ","))}}\n"
    }.joined()
  }

  static func diagnose(_ text: String, _ size: ImageSize? = size) -> PoseDiagnosis {
    PoseDoctor.diagnose(NamedBytes("a.jsonl", text), imageSize: size)
  }

  /// A score from 0.6 to 0.9 without a pattern.
  static func score(_ number: Int) -> Double {
    let wave = sin(Double(number) * 12.9898) * 43758.5453
    return 0.6 + 0.3 * (wave - wave.rounded(.down))
  }
}

@Suite("Which joints unnamed points are") struct PointOrderTests {
  @Test(
    "17 points with a score are COCO's, from every side", arguments: [15.0, 45, 75, 88])
  func coco(azimuth: Double) throws {
    let text = Film(azimuth: Degrees(azimuth)).lines(.coco) {
      [$0.x / 1280, $0.y / 720, Film.score($1)]
    }
    let map = try #require(Film.diagnose(text).map)
    #expect(map.skeleton == .coco17)
    #expect(map.axes.map(\.text) == ["x", "-y"])
    #expect(map.joints.count == 17 && map.confidence != nil)
  }

  @Test("Points as row and column are turned, or the option is named", arguments: [15.0, 45, 75])
  func rowFirst(azimuth: Double) throws {
    let text = Film(azimuth: Degrees(azimuth)).lines(.coco) {
      [$0.y / 720, $0.x / 1280, Film.score($1)]
    }
    let diagnosis = Film.diagnose(text)
    let map = try #require(diagnosis.map)
    #expect(map.skeleton == .coco17)
    let unsure = diagnosis.conclusions.filter { $0.certainty == .unsure }
    #expect(
      map.axes.map(\.text) == ["y", "-x"]
        || unsure.contains { $0.alternatives.contains { $0.contains("`axes: [y, -x]`") } })
  }

  @Test("Flat lists have the numbers of a point next to each other", arguments: [15.0, 45, 75])
  func pairs(azimuth: Double) throws {
    let film = Film(azimuth: Degrees(azimuth))
    let text = film.lines(.openPose18, isFlat: true) { place, _ in [place.x / 1280, place.y / 720] }
    let paths = try #require(Film.diagnose(text).map?.joints[.leftShoulder]?.paths)
    #expect(paths.map(\.text) == ["kp[10]", "kp[11]"])
  }

  @Test("COCO's points may have the neck behind them, as trt_pose writes it")
  func neckLast() throws {
    let order = try #require(JointOrder.all.first { $0.name == "COCO with the neck last" })
    let film = Film(azimuth: Degrees(20))
    for (order, wrist) in [(order, 9), (.openPose18, 7)] {
      let wrists = Film.diagnose(film.lines(order) { place, _ in [place.x, place.y] })
        .map?.joints[.leftWrist]?.paths
      #expect(wrists?.map(\.text) == ["kp[\(wrist)]"])
    }
  }

  @Test("A score from 0 to 1 before pixels is no coordinate")
  func scoreBeforePixels() {
    let text = Film(azimuth: Degrees(0)).lines(.coco) { place, number in
      [Film.score(number), place.x, place.y]
    }
    #expect(Film.diagnose(text).map?.skeleton.dimension == 2)
  }

  @Test("The layout of a flat list is named where only it differs")
  func blocks() throws {
    let film = Film(azimuth: Degrees(20))
    let points = film.frames.map { frame in
      JointOrder.openPose18.joints.sorted { $0.value < $1.value }
        .map { frame[$0.key] ?? Vector3(0, 0, 0) }
    }
    let text = points.map { points in
      "{\"kp\":\(points.map { $0.x / 1280 } + points.map { $0.y / 720 })}\n"
    }.joined()
    let diagnosis = Film.diagnose(text)
    let paths = try #require(diagnosis.map?.joints[.leftShoulder]?.paths)
    let joints = try #require(diagnosis.found("joints"))
    #expect(
      paths.map(\.text) == ["kp[5]", "kp[23]"] || joints.alternatives.contains("all x before all y")
    )
  }

  @Test("An order that does not fit is unsure, and import can name what to do")
  func strange() throws {
    let film = Film(azimuth: Degrees(20))
    let text = film.lines(.mediaPipe) { place, number in
      [place.x / 400, place.y / 400 + Double(number * 37 % 11), place.z / 400]
    }
    let joints = Film.diagnose(text, nil).found("joints")
    #expect(joints?.certainty != .sure)
    #expect(joints?.alternatives.isEmpty != true)
  }
}

@Suite("Whether the third number is a depth") struct ThirdNumberTests {
  @Test(
    "A number beyond every confidence is a depth, also for positive points in an image's range",
    arguments: [1000.0, 1], [nil, Film.size])
  func depth(unit: Double, size: ImageSize?) throws {
    let text = Film(azimuth: Degrees(30)).named("keypoints") { place, _ in
      [place.x, place.y, place.z + 800].map { $0 / 340 * unit }
    }
    let diagnosis = Film.diagnose(text, size)
    let map = try #require(diagnosis.map, "\(diagnosis.problems)")
    #expect(map.skeleton == .vision3d)
    #expect(map.units == (unit == 1 ? .m : .mm))
    #expect((diagnosis.found("joints")?.certainty == .sure) == (size == nil))
  }

  @Test("Unnamed points of a depth camera are read in its order")
  func kinect() throws {
    let order = try #require(JointOrder.all.first { $0.name == "Azure Kinect" })
    let text = Film(azimuth: Degrees(30)).lines(order) { place, _ in
      [place.x - 600, place.y - 400, place.z + 800].map { $0 / 0.34 }
    }
    let diagnosis = Film.diagnose(text, nil)
    #expect(diagnosis.map?.skeleton == .vision3d, "\(diagnosis.problems)")
    #expect(diagnosis.found("joints")?.finding.contains("Azure Kinect") == true)
  }

  @Test("A depth in meters beside pixels makes no point of space")
  func pixels() throws {
    let text = Film(azimuth: Degrees(30)).named("keypoints") { place, _ in
      [place.x, place.y, place.z / 340 + 2.5]
    }
    #expect(Film.diagnose(text).map?.skeleton.dimension == 2)
  }

  @Test("Between 0 and 1, a depth and a score are both named")
  func between() throws {
    let text = Film(azimuth: Degrees(30)).named("keypoints") { place, _ in
      [place.x / 1280, place.y / 1280, (place.z + 640) / 1280]
    }
    let joints = Film.diagnose(text).found("joints")
    #expect(joints?.certainty == .unsure)
    #expect(joints?.alternatives.contains { $0.contains("may be a") } == true)
  }
}

@Suite("The scale of image points") struct ImageScaleTests {
  private func units(_ numbers: (Vector3) -> [Double]) -> PoseDiagnosis.Conclusion? {
    let text = Film(azimuth: Degrees(30)).named("keypoints") { place, number in
      numbers(place) + [Film.score(number)]
    }
    return Film.diagnose(text).found("units")
  }

  @Test("Points in the given images raise no doubts")
  func given() throws {
    let pixels = try #require(units { [$0.x, $0.y] })
    let shares = try #require(units { [$0.x / 1280, $0.y / 720] })
    #expect(pixels.certainty != .unsure && shares.certainty != .unsure)
  }

  @Test("Points of a square in which images were squeezed are unsure", arguments: [256.0, 1000])
  func squeezed(side: Double) throws {
    let found = try #require(units { [$0.x / 1280 * side, $0.y / 720 * side] })
    #expect(found.certainty == .unsure)
    #expect(found.alternatives.contains { $0.contains("divide them by \(Int(side))") })
  }

  @Test("Shares of one side are unsure, with the square image size", arguments: [1280, 720])
  func oneSide(side: Int) throws {
    let found = try #require(units { [$0.x / Double(side), $0.y / Double(side)] })
    #expect(found.certainty == .unsure)
    #expect(found.alternatives.contains { $0.hasSuffix("--image-size \(side)x\(side)") })
  }
}

@Suite("Names and numbers of columns") struct ColumnSpellingTests {
  private func diagnose(_ rows: [String]) -> PoseDiagnosis {
    PoseDoctor.diagnose(NamedBytes("t.csv", rows.joined(separator: "\n")), imageSize: .portrait)
  }

  @Test("pandas' repeated columns and numbers before an axis count points from 0")
  func counted() throws {
    let spellings: [(Int, String) -> String] = [
      { $0 == 0 ? $1 : "\($1).\($0)" }, { "kp\($0)\($1)" },
    ]
    for spelling in spellings {
      let header = (0..<17).flatMap { index in ["x", "y", "s"].map { spelling(index, $0) } }
      let diagnosis = diagnose([header.joined(separator: ",")] + ImagePoints.rows())
      let wrist = try #require(diagnosis.map?.joints[.leftWrist], "\(diagnosis.problems)")
      #expect(wrist.paths.map(\.lastKey) == ["x", "y", "s"].map { spelling(9, $0) })
    }
  }

  @Test("Thousands have commas, and numbers no-break spaces around them", arguments: [true, false])
  func cells(hasCommas: Bool) throws {
    let names = Skeleton.coco17.joints.dropFirst(5).map { $0 }
    let header = names.flatMap { joint in ["x", "y", "z"].map { "\(joint.name)_\($0)" } }
    let rows = Film(azimuth: Degrees(30)).frames.map { frame in
      names.flatMap { joint -> [String] in
        let place = frame[joint] ?? Vector3(0, 0, 0)
        return [place.x + 1000, 2000 - place.y, -place.z].map { number in
          let text = "\(number)"
          guard hasCommas else { return "\u{A0}" + text }
          return number < 1000 ? text : "\"1,\(text.dropFirst())\""
        }
      }.joined(separator: ",")
    }
    let map = try #require(diagnose([header.joined(separator: ",")] + rows).map)
    #expect(map.skeleton == .vision3d && map.joints.count == 12)
  }

  @Test("A joint per row is read with other names of columns")
  func long() {
    let rows = ImagePoints.frames.enumerated().flatMap { frame, points in
      zip(ImagePoints.names, points).map { "\(frame),JointType_\($0),\($1[0]),\($1[1])" }
    }
    #expect(diagnose(["Frame,JointType,CameraX,CameraY"] + rows).frames == 40)
  }
}

@Suite("What is no joint, and no size") struct OtherNumberTests {
  private let film = Film(azimuth: Degrees(30))

  @Test("A point that counts frames is refused")
  func counter() throws {
    let order = try #require(JointOrder.all.first { $0.name == "CMU Panoptic" })
    let text = film.lines(order) { place, number in
      number % 50 == 0
        ? Array(repeating: Double(number / 50 + 500), count: 3) : [place.x, -place.y, place.z]
    }
    #expect(Film.diagnose(text, nil).blocked.contains("may count frames"))
  }

  @Test("Lists of one coordinate of all points are no people")
  func blocks() throws {
    let points = JointOrder.openPose18.joints.sorted { $0.value < $1.value }.map(\.key)
    let text = film.frames.map { frame in
      let all = points.map { frame[$0] ?? Vector3(0, 0, 0) }
      return "[\(all.map(\.x)),\(all.map { -$0.y }),\(all.map(\.z))]\n"
    }.joined()
    let diagnosis = Film.diagnose(text, nil)
    #expect(diagnosis.map?.joints[.leftWrist]?.paths.map(\.text) == ["[0][7]", "[1][7]", "[2][7]"])
  }

  @Test("Shoulders without a width are not those of people")
  func widths() {
    let narrow = film.frames.map { frame in
      var frame = frame
      frame[.leftShoulder] = frame[.rightShoulder].map { $0 + Vector3(5, 0, 0) }
      return frame
    }
    #expect(BodySigns(narrow).hasStrangeWidths && !BodySigns(film.frames).hasStrangeWidths)
  }

  @Test("Image points whose eyes would be far from the nose are in another order")
  func face() throws {
    let text = film.lines(.vision3d) { place, _ in [place.x, place.y] }
    let wrist = try #require(Film.diagnose(text).map?.joints[.leftWrist])
    #expect(wrist.paths.map(\.text) == ["kp[\(JointOrder.vision3d.joints[.leftWrist] ?? 0)]"])
  }

  private func sized(_ extra: (Int) -> String) -> PoseDiagnosis {
    let lines = film.named("keypoints") { place, _ in [place.x, place.y] }.split(separator: "\n")
    let text = lines.enumerated().map { "\($1.dropLast()),\(extra($0))}\n" }.joined()
    return Film.diagnose(text, nil)
  }

  @Test("Boxes around bodies and inputs of networks do not give the size of images")
  func boxes() {
    let box = sized { #""bbox":{"x":1,"y":2,"w":\#(300 + $0),"h":\#(150 + 2 * $0)}"# }
    let input = sized { _ in #""input_size":[192,192]"# }
    let screen = sized { _ in #""user":{"height":175},"screen":{"width":844,"height":390}"# }
    #expect([box, input, screen].allSatisfy { $0.blocked.contains("does not give the size") })
  }

  @Test("Images whose size changes are refused")
  func turned() {
    let found = sized { $0 < 30 ? #""width":1280,"height":720"# : #""width":720,"height":1280"# }
    #expect(found.blocked.contains("`width` is 1280 at first, and 720 from about frame 30 on"))
  }

  @Test("Rates of sensors are no clock, and one of a video is unsure if frames were left out")
  func rates() {
    func time(_ fields: String) -> PoseDiagnosis.Conclusion? {
      let frames = film.named("joints") { place, _ in
        [place.x / 340, -place.y / 340, -place.z / 340]
      }
      .split(separator: "\n").map { $0.replacing(/"t":[0-9.]+,/, with: "") }
      let text = "{\(fields),\"frames\":[\(frames.joined(separator: ","))]}"
      return diagnose(text).found("time")
    }
    #expect(time(#""imu":{"rate_hz":100},"targetFps":60"#)?.finding == "none")
    let strided = time(#""video_fps":30,"frame_stride":3"#)
    #expect(strided?.certainty == .unsure)
    #expect(strided?.alternatives.first?.hasPrefix("--rate 10.0,") == true)
  }

  @Test("Events of a log without a pose are unsure frames, with the command that drops them")
  func events() throws {
    let poses = film.named("joints") { place, _ in [place.x / 340, -place.y / 340, -place.z / 340] }
    let lines = poses.split(separator: "\n").enumerated().flatMap { index, line in
      [
        #"{"type":"pose",\#(line.dropFirst())"#,
        #"{"type":"imu","t":\#(Double(index) / 10 + 0.05),"a":[0,1,2]}"#,
      ]
    }
    let diagnosis = Film.diagnose(lines.joined(separator: "\n"), nil)
    let events = try #require(diagnosis.found("events"))
    #expect(events.certainty == .unsure)
    #expect(events.alternatives.first?.contains(#"grep '"type": *"pose"'"#) == true)
  }

  @Test("MediaPipe's points with y upward may be left-handed")
  func unity() {
    let text = film.lines(.mediaPipe) { place, _ in
      [place.x - 600, 690 - place.y, place.z].map { $0 / 340 }
    }
    let remedies = Film.diagnose(text, nil).problems.map(\.remedy)
    #expect(remedies.contains { $0.contains("or `axes: [x, y, -z]` if only this axis") })
  }
}

@Suite("Points of other tools") struct OtherToolsTests {
  @Test("The head of an arm or a leg is the end of a bone, as in Blender")
  func bones() throws {
    let bones = [
      "upper_arm.L", "upper_arm.R", "forearm.L", "forearm.R", "hand.L", "hand.R", "thigh.L",
      "thigh.R", "shin.L", "shin.R", "foot.L", "foot.R",
    ]
    let lines = (0..<40).map { index in
      let joints = zip(bones, SwayingLimbs.frame(index)).map { "\"\($0)\":{\"head\":\($1)}" }
      return "{\"t\":\(Double(index) / 30),\"bones\":{\(joints.joined(separator: ","))}}"
    }
    let map = try #require(diagnose(lines.joined(separator: "\n")).map)
    #expect(map.joints[.leftKnee]?.paths.map(\.text) == ["bones.\"shin.L\".head"])
  }

  @Test("A named point may be a list of one, as labelme writes it")
  func listOfOne() throws {
    let lines = ImagePoints.frames.enumerated().map { index, points in
      let shapes = zip(ImagePoints.names, points).map {
        "{\"label\":\"\($0)\",\"points\":[[\($1[0]),\($1[1])]]}"
      }
      return "{\"t\":\(Double(index) / 30),\"shapes\":[\(shapes.joined(separator: ","))]}"
    }
    let diagnosis = Film.diagnose(lines.joined(separator: "\n"))
    #expect(diagnosis.map?.skeleton == .vision2d && diagnosis.isImportable)
  }

  @Test("Bodies that take turns are refused")
  func turns() {
    let lines = (0..<60).map { index in
      "{\"t\":\(Double(index) / 30),\"joints\":\(SwayingLimbs.json(index))}"
    }
    let far = lines.enumerated().map { index, line in
      index.isMultiple(of: 2) ? line : line.replacing("\"y\":", with: "\"y\":1")
    }
    #expect(diagnose(far.joined(separator: "\n")).blocked.contains("took turns"))
    #expect(!diagnose(lines.joined(separator: "\n")).blocked.contains("took turns"))
  }

  @Test("Frames of one user after another are recordings")
  func users() {
    func recordings(_ name: String, pause: Double) -> PoseDiagnosis.Conclusion? {
      let lines = (0..<400).map { index in
        "{\"\(name)\":\"\(index < 200 ? "anna" : "ben")\","
          + "\"t\":\(Double(index) / 30 + (index < 200 ? 0 : pause)),\"joints\":"
          + SwayingLimbs.json(index) + "}"
      }
      let diagnosis = diagnose(lines.joined(separator: "\n"))
      return diagnosis.found("recordings") ?? diagnosis.found("people")
    }
    for name in ["uid", "user", "user_id"] { #expect(recordings(name, pause: 100) != nil) }
    // A detector that loses somebody gives a new number, and other names say nothing.
    #expect(recordings("user_id", pause: 1) == nil && recordings("frobs", pause: 100) == nil)
  }

  private static let table = SwayingLimbs.table("time") { "\(Double($0) / SwayingLimbs.rate)" }

  private func table(_ point: ([Double]) -> [Double]) -> String {
    let rows = (0..<40).map { index in
      ([Double(index) / 30] + SwayingLimbs.frame(index).flatMap(point)).map { "\($0)" }
        .joined(separator: ",")
    }
    return ([(["time"] + SwayingLimbs.header).joined(separator: ",")] + rows)
      .joined(separator: "\n")
  }

  @Test("A number that counts the points of a list is no coordinate, as cvzone writes it")
  func counted() {
    let lines = ImagePoints.frames.enumerated().map { frame, points in
      let list = points.enumerated().map { "[\($0),\($1[0]),\($1[1])]" }.joined(separator: ",")
      return "{\"t\":\(Double(frame) / 30),\"lmList\":[\(list)]}"
    }
    let map = Film.diagnose(lines.joined(separator: "\n"), ImageSize(width: 1080, height: 1920)).map
    #expect(map?.skeleton == .coco17)
    #expect(map?.joints[.leftWrist]?.paths.map(\.text) == ["lmList[9][1]", "lmList[9][2]"])
  }

  @Test("The ids of rows do not number points, though they do so in the first frame")
  func rowIDs() {
    let order = JointOrder.mediaPipe
    let rows = (0..<40).flatMap { frame in
      (0..<order.count).map { point in
        let limb = order.joints.first { $0.value == point }?.key.name ?? ""
        let place = SwayingLimbs.names.firstIndex(of: limb).map { SwayingLimbs.frame(frame)[$0] }
        let numbers = (place ?? [0.1, 1.6, Double(point) / 100]).map { "\($0)" }
        return "\(frame * order.count + point),\(frame),\(frame * 33),\(point),"
          + numbers.joined(separator: ",")
      }
    }
    let header = "id,frame_id,t_ms,landmark_index,x,y,z\n"
    let diagnosis = diagnose(header + rows.joined(separator: "\n"))
    #expect(
      diagnosis.map?.joints[.leftWrist]?.paths.first?.text.contains("landmark_index=15") ?? false)
    #expect(!diagnosis.problems.contains { $0.found.contains("without a pose") })
  }

  @Test("A collarbone called shoulder is not the shoulder, whatever the arm is called")
  func rigs() {
    let quest = JointNames([
      "Body_LeftShoulder", "Body_LeftArmUpper", "Body_LeftArmLower", "FullBody_LeftUpperLeg",
    ])
    #expect(quest["Body_LeftShoulder"] == nil && quest["Body_LeftArmUpper"] == .leftShoulder)
    #expect(quest["FullBody_LeftUpperLeg"] == .leftHip)
    let names = [
      "l_low_leg", "LHJC", "mShoulderLeft", "lThighBend", "XR_BODY_JOINT_LEFT_ARM_LOWER_FB",
    ]
    #expect(names.allSatisfy(JointNames.isJoint))
    #expect(FieldSearch.column("leftHip.X_cm")?.name == "leftHip")
  }

  @Test("Missing joints beside names without a meaning make the others unsure")
  func unknownNames() throws {
    let joints = try #require(
      diagnose(Self.table.replacing("Knee", with: "Knie")).found("joints"))
    #expect(joints.certainty == .unsure && joints.evidence.contains("`leftKnee`"))
    #expect(joints.alternatives.contains("the joints that you name in a map"))
    #expect(diagnose(Self.table).found("joints")?.certainty == .sure)
  }

  @Test("Limbs of one side that are far longer make the order of points unsure")
  func unevenSides() {
    let order = JointOrder.mediaPipe
    let rows = (0..<40).map { index in
      let frame = SwayingLimbs.frame(index)
      var points = Array(repeating: [0.0, 0, 0], count: order.count)
      for (joint, place) in order.joints {
        guard let limb = SwayingLimbs.names.firstIndex(of: joint.name) else { continue }
        let isLong = !limb.isMultiple(of: 2)
        points[place] = [frame[limb][0], (isLong ? 1.8 : 1) * frame[limb][1], frame[limb][2]]
      }
      return points.flatMap { $0 }.map { "\($0)" }.joined(separator: ",")
    }
    let joints = diagnose(rows.joined(separator: "\n")).found("joints")
    #expect(joints?.certainty == .unsure)
    #expect(joints?.evidence.contains("limbs of the two sides differ") ?? false)
  }

  @Test("Meters in a plane are no positions")
  func plane() {
    let text = table { [$0[0], $0[1], 0] }
    #expect(diagnose(text).blocked.contains("points in a plane"))
  }

  @Test("Bodies turned so that their trunks never turn do not show how they lie")
  func fixedTrunk() {
    let lines = (0..<40).map { index in
      let turn = Double(index) / 30
      let joints = SwayingLimbs.names.enumerated().map { place, name in
        let side = place.isMultiple(of: 2) ? 0.1 : -0.1
        let reach = [0.0, 0, 0, 0, 0.4, 0.8][place / 2]
        let height = [0.5, 0.2, 0, 0, 0, 0][place / 2]
        return "\"\(name)\":[\(side),\(height - reach * cos(turn)),\(0.05 + reach * sin(turn))]"
      }
      return "{\"t\":\(turn),\(joints.joined(separator: ","))}"
    }
    let blocked = diagnose(lines.joined(separator: "\n")).blocked
    #expect(blocked.contains("standing and planking look the same"))
  }

  @Test("When frames were processed is unsure if the file gives another rate")
  func processed() throws {
    let lines = (0..<40).map { index in
      "{\"fps\":30,\"processed_at\":\(1000 + 0.2 * Double(index)),\"joints\":"
        + "\(SwayingLimbs.json(index))}"
    }
    let time = try #require(
      diagnose(lines.joined(separator: "\n")).found("time"))
    #expect(time.certainty == .unsure)
    #expect(time.alternatives.contains { $0.contains("`rate_hz: 30`") })
  }

  @Test("Names of columns may stand beside rows of JSON under any key")
  func headerAndRows() {
    let header = (["time"] + SwayingLimbs.header).map { "\"\($0)\"" }.joined(separator: ",")
    let rows = (0..<40).map { index in
      "[\(([Double(index) / 30] + SwayingLimbs.numbers(index)).map { "\($0)" }.joined(separator: ","))]"
    }
    let text = "{\"header\":[\(header)],\"rows\":[\(rows.joined(separator: ","))]}"
    let map = diagnose(text).map
    #expect(map?.time.field?.text == "time" && map?.joints.count == 12)
  }

  @Test("Exchanged rows and columns, and rows of one number, are said to be that")
  func exchanged() {
    let cells = Self.table.split(separator: "\n").map { $0.split(separator: ",") }
    let lines = cells[0].indices.map { column in
      cells.map { String($0[column]) }.joined(separator: ",")
    }
    let blocked = diagnose(lines.joined(separator: "\n")).blocked
    #expect(blocked.contains("rows and columns are exchanged"))
    let melted = SwayingLimbs.header.indices.flatMap { column in
      (0..<40).map { "\($0),\(SwayingLimbs.header[column]),\(SwayingLimbs.numbers($0)[column])" }
    }
    #expect(
      diagnose("time,variable,value\n" + melted.joined(separator: "\n")).blocked
        .contains("a row has a single number"))
  }

  @Test(
    "Text that begins or looks like JSON or a table is said to be text",
    arguments: [
      "[Header]\nFileType htr\n", "[2026.05.01-10.00.00:123]LogTemp: hand_l: X=1 Y=2 Z=3\n",
      "{timestampMs=0, LEFT_HIP=[0.1, 0.2, 0.3]}\n", "frame 0: Float32 1 × 3 × 18 array\n",
      "▿ App.Frame\n  - time: 0.1 s\n",
    ])
  func texts(line: String) {
    let text = String(repeating: line, count: 20)
    #expect(diagnose(text).blocked.contains("neither JSON nor a table"))
  }

  @Test("Data of unknown bytes and JSON in a stream of events are named")
  func others() {
    let binary = PoseDoctor.diagnose(NamedBytes(name: "a.bin", bytes: [0x41, 0, 1, 2, 0xC0, 0xFF]))
    #expect(binary.blocked.contains("binary data"))
    let events = (0..<20).map { "id: \($0)\ndata: \(SwayingLimbs.json($0))\n" }
    #expect(
      diagnose(events.joined(separator: "\n")).blocked.contains("grep -o"))
    let vector = PrintedValue.node("<Vector (0.25, 0.5, -1)>", line: 1)
    #expect(vector?.flatNumbers == [0.25, 0.5, -1])
  }

  @Test(
    "A vector of every frame that is called up or gravity settles which way is up",
    arguments: [("up", 1.0), ("gravity", -1), ("gravity", -9.81)])
  func gravity(name: String, length: Double) throws {
    let lean = 0.6
    let lines = (0..<40).map { index in
      let joints = zip(SwayingLimbs.names, SwayingLimbs.frame(index)).map { name, p in
        "\"\(name)\":[\(p[0]),\(p[1] * cos(lean) - p[2] * sin(lean)),"
          + "\(p[1] * sin(lean) + p[2] * cos(lean))]"
      }
      let vector = [0, length * cos(lean), length * sin(lean)].map { "\($0)" }
      return "{\"t\":\(Double(index) / 30),\"\(name)\":[\(vector.joined(separator: ","))],"
        + joints.joined(separator: ",") + "}"
    }
    let text = lines.joined(separator: "\n")
    let map = try #require(diagnose(text).map)
    #expect(map.upField?.text == name && map.isUpReversed == (length < 0))
    let written = try TableMap(yaml: map.yaml, file: "a.yaml")
    #expect(written.upField == map.upField && written.isUpReversed == map.isUpReversed)
    let recording = try written.recording(in: text)
    let up = recording.extras(at: 3).up
    #expect(((up?.y ?? 0) - cos(lean)).magnitude < 1e-6)
  }

  @Test("A joint that stands still while others move was probably lost")
  func standstill() {
    let lines = (0..<40).map { index in
      let pose = SwayingLimbs.json(index)
      let wrist = SwayingLimbs.frame(index)[4]
      let held = SwayingLimbs.frame(9)[4]
      let now = "\"x\":\(wrist[0]),\"y\":\(wrist[1]),\"z\":\(wrist[2])"
      let then = "\"x\":\(held[0]),\"y\":\(held[1]),\"z\":\(held[2])"
      return "{\"t\":\(Double(index) / 30),\"pose\":"
        + ((9..<25).contains(index) ? pose.replacing(now, with: then) : pose) + "}"
    }
    let problems = diagnose(lines.joined(separator: "\n")).problems
    #expect(problems.contains { $0.found.hasPrefix("leftWrist stays") }, "\(problems)")
  }
}
