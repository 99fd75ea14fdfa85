import Foundation

/// The first line of a recording, as far as measurements depend on it.
package struct OracleHeader: Sendable {
  /// Joint names in the file's order.
  package var joints: [String]
  /// `camera`, `world` or `pelvis`.
  package var frame: String
  /// Device orientation, nil when absent.
  package var orientation: String?
  /// `front` or `back`, nil when absent.
  package var cameraPosition: String?
  /// `fixed` or `upright`, nil when absent.
  package var buffer: String?
  /// The image was flipped before detection.
  package var isMirrored: Bool
  /// The header's own up vector, normalized.
  package var up: SIMD3<Double>?
  /// `body_height_m`.
  package var height: Double?

  /// Reads the object of line 1.
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

  /// The orientation is one of the two landscape ones.
  package var isLandscape: Bool {
    orientation == "landscapeLeft" || orientation == "landscapeRight"
  }

  /// The axis of the article's `verticalRatio`.
  package var articleVerticalAxis: SIMD3<Double> {
    isLandscape && frame != "world" ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
  }

  /// Up if the frame does not state it: the header, then (0,1,0) for `world`, then the table.
  package var defaultUp: SIMD3<Double>? {
    up ?? (frame == "world" ? SIMD3(0, 1, 0) : tableUp)
  }

  /// The table of the contract; nil if the sign is unknown.
  private var tableUp: SIMD3<Double>? {
    let isFront = cameraPosition == "front"
    switch (orientation, buffer) {
    case ("portrait", _):
      return SIMD3(0, 1, 0)
    case ("portraitUpsideDown", "upright"):
      return SIMD3(0, 1, 0)
    case ("portraitUpsideDown", "fixed"):
      return SIMD3(0, -1, 0)
    case ("landscapeLeft", "upright"), ("landscapeRight", "upright"):
      return cameraPosition == nil ? nil : SIMD3(0, 1, 0)
    case ("landscapeLeft", "fixed"):
      return cameraPosition == nil ? nil : SIMD3(isFront ? -1 : 1, 0, 0)
    case ("landscapeRight", "fixed"):
      return cameraPosition == nil ? nil : SIMD3(isFront ? 1 : -1, 0, 0)
    default:
      return nil
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
