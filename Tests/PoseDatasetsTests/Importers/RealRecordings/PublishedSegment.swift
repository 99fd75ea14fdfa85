import Foundation
import PoseDatasets
import PoseModel

/// A row of the published list of smooth clips.
struct PublishedSegment {
  let rows: Int
  /// The side toward the camera, as in the mirrored table.
  let visibleSide: String
  let medianHipAngle: Double
  let medianElbowAngle: Double

  /// The segments of one table.
  static func of(_ file: String) throws -> [PublishedSegment] {
    let text = try RealRecordings.file("exercise-correction/segments.csv").text
    return text.split(separator: "\n").map { $0.split(separator: ",") }
      .filter { $0[0] == file }.compactMap { fields in
        guard let rows = Int(fields[3]), let hip = Double(fields[7]), let elbow = Double(fields[8])
        else { return nil }
        return PublishedSegment(
          rows: rows, visibleSide: String(fields[6]), medianHipAngle: hip, medianElbowAngle: elbow)
      }
  }
}

/// The angles of the published list: of one side, not between middles as in our measurements.
struct SideAngles {
  let hip: Double
  let elbow: Double

  /// The medians over a recording.
  ///
  /// The hip angle is the one between shoulder and ankle, 360 minus it where the hip stands above
  /// the straight line from shoulder to ankle.
  init?(_ recording: Recording, side: String) {
    var hips: [Double] = []
    var elbows: [Double] = []
    for frame in 0..<recording.frameCount {
      func joint(_ part: String) -> Vector3? {
        Joint(name: side + part).flatMap { recording.position(of: $0, at: frame) }
      }
      guard let shoulder = joint("Shoulder"), let elbow = joint("Elbow"),
        let wrist = joint("Wrist"),
        let hip = joint("Hip"), let ankle = joint("Ankle")
      else { return nil }
      let angle = (shoulder - hip).angleDegrees(to: ankle - hip)
      let line = ankle - shoulder
      let foot = shoulder + line * ((hip - shoulder).dot(line) / line.dot(line))
      hips.append(hip.y > foot.y ? 360 - angle : angle)
      elbows.append((shoulder - elbow).angleDegrees(to: wrist - elbow))
    }
    self.hip = Self.median(hips)
    self.elbow = Self.median(elbows)
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
