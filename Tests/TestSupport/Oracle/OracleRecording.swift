import Foundation

/// A `vision3d` recording read by `docs/contract.md`, Recordings, slowly and plainly.
///
/// Positions go decimal text -> Double -> Float; everything else, and all arithmetic, is Double.
package struct OracleRecording: Sendable {
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
    for (name, p) in joints { result[OracleRecording.otherSide(name)] = SIMD3(-p.x, p.y, p.z) }
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

package struct OracleHeader: Sendable {
  package var joints: [String]
  /// `camera`, `world` or `pelvis`.
  package var frame: String
  /// Device orientation, nil when absent.
  package var orientation: String?
  /// `front` or `back`, nil when absent.
  package var cameraPosition: String?
  /// `fixed` or `upright`, nil when absent.
  package var buffer: String?
  package var isMirrored: Bool
  package var up: SIMD3<Double>?
  /// `body_height_m`.
  package var height: Double?

  init(_ object: [String: Any]) throws {
    guard let joints = object["joints"] as? [String], let frame = object["frame"] as? String else {
      throw OracleError.malformed(line: 1, "joints and frame")
    }
    self.joints = joints
    self.frame = frame
    orientation = object["orientation"] as? String
    cameraPosition = object["camera_position"] as? String
    buffer = object["buffer"] as? String
    isMirrored = object["mirrored"] as? Bool ?? false
    up = OracleHeader.unitVector(object["up"])
    height = (object["body_height_m"] as? NSNumber)?.doubleValue
  }

  package var isLandscape: Bool {
    orientation == "landscapeLeft" || orientation == "landscapeRight"
  }

  /// The axis of the article's `verticalRatio`.
  package var articleVerticalAxis: SIMD3<Double> {
    isLandscape && frame != "world" ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
  }

  /// Up if the frame does not state it: the header, then (0,1,0) for `world`, then the table.
  package var defaultUp: SIMD3<Double>? { up ?? (frame == "world" ? SIMD3(0, 1, 0) : tableUp) }

  /// The table of the contract; nil if the sign is unknown.
  private var tableUp: SIMD3<Double>? {
    let isFront = cameraPosition == "front"
    switch (orientation, buffer) {
    case ("portrait", _): return SIMD3(0, 1, 0)
    case ("portraitUpsideDown", "upright"): return SIMD3(0, 1, 0)
    case ("portraitUpsideDown", "fixed"): return SIMD3(0, -1, 0)
    case ("landscapeLeft", "upright"), ("landscapeRight", "upright"):
      return cameraPosition == nil ? nil : SIMD3(0, 1, 0)
    case ("landscapeLeft", "fixed"):
      return cameraPosition == nil ? nil : SIMD3(isFront ? -1 : 1, 0, 0)
    case ("landscapeRight", "fixed"):
      return cameraPosition == nil ? nil : SIMD3(isFront ? 1 : -1, 0, 0)
    default: return nil
    }
  }

  /// Three numbers divided by their norm; nil for null or absent.
  static func unitVector(_ value: Any?) -> SIMD3<Double>? {
    guard let numbers = numbers(value), numbers.count == 3 else { return nil }
    let vector = SIMD3(numbers[0], numbers[1], numbers[2])
    return vector / (vector * vector).sum().squareRoot()
  }

  /// An array of numbers; nil for null, absent, or an array with a null.
  static func numbers(_ value: Any?) -> [Double]? {
    guard let array = value as? [Any] else { return nil }
    let numbers = array.compactMap { ($0 as? NSNumber)?.doubleValue }
    return numbers.count == array.count ? numbers : nil
  }
}

/// A 3x3 matrix by its columns, as the upper left part of a column-major camera matrix.
package struct OracleRotation: Sendable, Equatable {
  package var columns: [SIMD3<Double>]

  /// Takes the upper left 3x3 part of 16 column-major numbers; nil for another count.
  package init?(columnMajor numbers: [Double]) {
    guard numbers.count == 16 else { return nil }
    columns = [0, 4, 8].map { SIMD3(numbers[$0], numbers[$0 + 1], numbers[$0 + 2]) }
  }

  package init(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) { columns = [x, y, z] }

  package func applied(to v: SIMD3<Double>) -> SIMD3<Double> {
    columns[0] * v.x + columns[1] * v.y + columns[2] * v.z
  }

  /// Transposed M times v: the inverse rotation.
  package func appliedInversely(to v: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((columns[0] * v).sum(), (columns[1] * v).sum(), (columns[2] * v).sum())
  }

  /// F M F with F = diag(-1, 1, 1): the same rotation seen in a mirror.
  package var conjugatedByMirror: OracleRotation {
    let f = SIMD3<Double>(-1, 1, 1)
    return OracleRotation(-(columns[0] * f), columns[1] * f, columns[2] * f)
  }
}

/// What the oracle refuses; it assumes valid input, so the reasons are short.
package enum OracleError: Error, Equatable {
  /// The line (1 for the header) lacks something that a valid recording has.
  case malformed(line: Int, String)
  /// A landscape recording whose up direction cannot be decided.
  case undecidedUp
  /// A pelvis recording in which no frame carries a camera matrix.
  case noCameraMatrices
}
