import Foundation

/// A `vision3d` recording read by `docs/contract.md`, Recordings, slowly and plainly.
///
/// Positions go decimal text -> Double -> Float; everything else, and all arithmetic, is Double.
package struct OracleRecording: Sendable {
  /// The first line.
  package var header: OracleHeader
  /// All frames in order.
  package var frames: [OraclePose]
  /// Pelvis frames that had a pose but no matrix.
  package var posesWithoutMatrix: Int

  /// Reads a whole `.poses.jsonl` text.
  package init(text: String) throws {
    var lines: [[UInt8]] = text.utf8.split(separator: 10).map { Array($0) }
    if let first = lines.first, first.starts(with: [0xEF, 0xBB, 0xBF]) {
      lines[0] = Array(first.dropFirst(3))
    }
    lines.removeAll { line in line.allSatisfy { $0 == 13 || $0 == 32 || $0 == 9 } }
    let objects = try lines.enumerated().map { index, line in
      try OracleRecording.object(line, number: index + 1)
    }
    guard let first = objects.first else { throw OracleError.malformed(line: 1, "no header") }
    header = try OracleHeader(first)
    frames = []
    posesWithoutMatrix = 0
    for (index, object) in objects.enumerated().dropFirst() {
      try append(object, number: index + 1)
    }
    if header.frame == "pelvis" && posesWithoutMatrix > 0
      && frames.allSatisfy({ $0.isMissing })
    {
      throw OracleError.noCameraMatrices
    }
  }

  /// Times of all frames.
  package var times: [Double] { frames.map(\.time) }

  private static func object(_ line: [UInt8], number: Int) throws -> [String: Any] {
    guard let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
      throw OracleError.malformed(line: number, "not an object")
    }
    return object
  }

  private mutating func append(_ object: [String: Any], number: Int) throws {
    guard let time = (object["t"] as? NSNumber)?.doubleValue, let positions = object["p"] else {
      throw OracleError.malformed(line: number, "t and p")
    }
    let up = OracleHeader.unitVector(object["up"]) ?? header.defaultUp
    if up == nil && header.isLandscape { throw OracleError.undecidedUp }
    let height = (object["height_m"] as? NSNumber)?.doubleValue ?? header.height
    var pose = OraclePose(
      time: time, joints: [:], up: up, height: height, isMissing: true,
      articleVerticalAxis: header.articleVerticalAxis)
    if let array = positions as? [Any] {
      var joints = unmirrored(try namedJoints(array, number: number))
      pose.isMissing = false
      if header.frame == "pelvis" {
        if let rotation = rotation(object["camera"]) {
          joints = joints.mapValues { rotation.applied(to: $0) }
        } else {
          posesWithoutMatrix += 1
          pose.isMissing = true
          joints = [:]
        }
      }
      pose.joints = joints
    }
    frames.append(pose)
  }

  private func namedJoints(_ array: [Any], number: Int) throws -> [String: SIMD3<Double>] {
    guard array.count == 3 * header.joints.count else {
      throw OracleError.malformed(line: number, "three numbers per joint")
    }
    var joints: [String: SIMD3<Double>] = [:]
    for (index, name) in header.joints.enumerated() {
      guard let numbers = OracleHeader.numbers(Array(array[(3 * index)..<(3 * index + 3)])) else {
        continue
      }
      let stored = numbers.map { Double(Float($0)) }
      joints[name] = SIMD3(stored[0], stored[1], stored[2])
    }
    return joints
  }

  private func unmirrored(_ joints: [String: SIMD3<Double>]) -> [String: SIMD3<Double>] {
    guard header.isMirrored else { return joints }
    var result: [String: SIMD3<Double>] = [:]
    for (name, p) in joints {
      result[OracleRecording.otherSide(name)] = SIMD3(-p.x, p.y, p.z)
    }
    return result
  }

  private func rotation(_ value: Any?) -> OracleRotation? {
    guard let numbers = OracleHeader.numbers(value) else { return nil }
    let rotation = OracleRotation(columnMajor: numbers)
    return header.isMirrored ? rotation?.conjugatedByMirror : rotation
  }

  /// `leftKnee` for `rightKnee` and the reverse; other names as they are.
  package static func otherSide(_ joint: String) -> String {
    if joint.hasPrefix("left") { return "right" + joint.dropFirst(4) }
    if joint.hasPrefix("right") { return "left" + joint.dropFirst(5) }
    return joint
  }
}
