import Foundation
package import PoseModel

package struct AxisRotation: Hashable, Sendable {
  package let axis: Vector3
  package let angle: Degrees

  /// Throws for an axis of length zero or a non-finite angle.
  package init(axis: Vector3, angle: Degrees) throws {
    guard axis.isFinite, axis.norm > 1e-6, angle.value.isFinite else {
      throw Self.error("\(axis.x),\(axis.y),\(axis.z)=\(angle.value)")
    }
    self.axis = axis
    self.angle = angle
  }

  /// Parses an axis and degrees: `x=30`, `z=-90` or `1,1,0=45`.
  package init(_ text: String) throws {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    let named = ["x": Vector3(1, 0, 0), "y": Vector3(0, 1, 0), "z": Vector3(0, 0, 1)]
    let numbers = sides[0].split(separator: ",").compactMap { Double($0) }
    let listed = numbers.count == 3 ? Vector3(numbers[0], numbers[1], numbers[2]) : nil
    guard sides.count == 2, let axis = named[String(sides[0])] ?? listed,
      let angle = Double(sides[1])
    else { throw Self.error(text) }
    try self.init(axis: axis, angle: Degrees(angle))
  }

  package var matrix: Rotation3 {
    let half = angle.value * Double.pi / 360
    let direction = axis * (sin(half) / axis.norm)
    return Rotation3(quaternion: SIMD4(cos(half), direction.x, direction.y, direction.z))
  }

  package var text: String {
    let names = [("x", Vector3(1, 0, 0)), ("y", Vector3(0, 1, 0)), ("z", Vector3(0, 0, 1))]
    let name = names.first { $0.1 == axis }?.0 ?? "\(axis.x),\(axis.y),\(axis.z)"
    return "\(name)=\(angle.value)"
  }

  private static func error(_ found: String) -> PoseSourceError {
    .invalidOption(
      "a rotation", found: found, allowed: "an axis and degrees, such as `x=30` or `1,1,0=45`")
  }
}

extension Rotation3 {
  init(quaternion q: SIMD4<Double>) {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3])
    self.init(
      Vector3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
      Vector3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
      Vector3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))
  }

  init(aboutZ radians: Double) {
    let (c, s) = (cos(radians), sin(radians))
    self.init(Vector3(c, s, 0), Vector3(-s, c, 0), Vector3(0, 0, 1))
  }
}
