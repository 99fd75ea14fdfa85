import Foundation
import Testing

// Copy this file to the app's tests, add `import` of the module with the detector, and put the
// detector in at the two places marked HERE.

/// Runs the app's detector over a dataset and writes its answers, which `planklab gate` scores.
@Suite("WritePredictions")
struct WritePredictions {
  /// A frame of a recording; `camera` and `up` stand here where the detector needs them.
  private struct Frame: Decodable {
    var t: Double
    var p: [Double?]?
    var up: [Double]?
    var camera: [Double]?
  }

  private struct Header: Decodable {
    var joints: [String]
    var up: [Double]?
  }

  /// The folder to write to; nothing runs where CI does not name one.
  private static let answers = ProcessInfo.processInfo.environment["PLANKLAB_ANSWERS"]
  private static let sessions = ProcessInfo.processInfo.environment["PLANKLAB_SESSIONS"]

  @Test("The detector answers every frame of the dataset", .enabled(if: answers != nil))
  func dataset() throws {
    let (sessions, answers) = (try #require(Self.sessions), try #require(Self.answers))
    let names = try FileManager.default.subpathsOfDirectory(atPath: sessions)
      .filter { $0.hasSuffix(".poses.jsonl") }
    try #require(!names.isEmpty, "no recording in \(sessions)")
    for name in names {
      let file = URL(fileURLWithPath: answers).appendingPathComponent(
        String(name.dropLast(".poses.jsonl".count)) + ".csv")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let detector = OwnDetector()  // HERE: a new one for every recording
      try table(sessions + "/" + name, detector: detector)
        .write(to: file, atomically: true, encoding: .utf8)
    }
  }

  /// The answers in a recording, a row a frame; where the detector has none, write nothing
  /// between the commas.
  func table(_ recording: String, detector start: OwnDetector) throws -> String {
    var detector = start
    let text = try String(contentsOfFile: recording, encoding: .utf8)
    let lines = text.split(separator: "\n").map { Data($0.utf8) }
    let header = try JSONDecoder().decode(Header.self, from: try #require(lines.first))
    var rows = ["t,plank,form"]
    for line in lines.dropFirst() {
      let frame = try JSONDecoder().decode(Frame.self, from: line)
      let up = frame.up ?? header.up ?? [0, 1, 0]
      // HERE: what the app does with a frame; classes are those of docs/contract.md
      let answer = detector.update(joints(frame, header), up: up, at: frame.t)
      rows.append("\(frame.t),\(answer.plank),\(answer.form)")
    }
    return rows.joined(separator: "\n") + "\n"
  }

  /// The joints that a frame has, in meters, by the names of the header.
  private func joints(_ frame: Frame, _ header: Header) -> [String: SIMD3<Double>] {
    guard let numbers = frame.p else { return [:] }
    var joints: [String: SIMD3<Double>] = [:]
    for (index, name) in header.joints.enumerated() {
      guard let x = numbers[3 * index], let y = numbers[3 * index + 1],
        let z = numbers[3 * index + 2]
      else { continue }
      joints[name] = SIMD3(x, y, z)
    }
    return joints
  }
}
