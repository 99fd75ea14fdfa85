import Foundation
import PoseModel

@testable import PoseDatasets

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
      let side = joint.isMultiple(of: 2) ? 1.0 : -1
      return [side * widths[joint / 2] + sway, 1 + heights[joint / 2], 0.3 + sway]
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

  static func diagnose(_ text: String, _ name: String = "poses.csv") -> PoseDiagnosis {
    PoseDoctor.diagnose(NamedBytes(name: name, bytes: Array(text.utf8)))
  }

  static func times(_ text: String, _ diagnosis: PoseDiagnosis) throws -> [Double] {
    guard let map = diagnosis.map else { return [] }
    let file = NamedBytes(name: diagnosis.file, bytes: Array(text.utf8))
    let sequences = try TableSource(options: TableOptions(map: map)).sequences(from: [file])
    return sequences.first?.recording.times ?? []
  }
}

extension PoseDiagnosis {
  var blocked: String {
    problems.filter(\.isBlocking).map { "\($0.found); \($0.remedy)" }.joined(separator: "\n")
  }
}
