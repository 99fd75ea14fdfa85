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
      ScriptedBody(stature: Meters(1.75)), rate: Hertz(10),
      jitter: ScriptedJitter(seed: 7, deviation: Meters(0.004)),
      phases: [
        ScriptedPhase(.standing, seconds: 2), ScriptedPhase(.high, seconds: 3),
        ScriptedPhase(.standing, seconds: 1),
      ])
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
    PoseDoctor.diagnose(NamedBytes(name: "dump.jsonl", bytes: Array(text.utf8)), imageSize: size)
  }

  /// A score from 0.6 to 0.9 without a pattern.
  static func score(_ number: Int) -> Double {
    let wave = sin(Double(number) * 12.9898) * 43758.5453
    return 0.6 + 0.3 * (wave - wave.rounded(.down))
  }
}

extension PoseDiagnosis {
  fileprivate func found(_ topic: String) -> Conclusion? {
    conclusions.first { $0.topic == topic }
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
