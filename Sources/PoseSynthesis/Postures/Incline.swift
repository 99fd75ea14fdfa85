import PoseModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The incline at which two points of a body meet their heights above the floor.
enum Incline {
  /// The angle about -x (head up for a body whose head lies along +z) that gives a span its rise.
  ///
  /// Turned by theta, the span (x, y, z) rises by y cos(theta) + z sin(theta). With
  /// r = sqrt(y^2 + z^2) that is r sin(theta + atan2(y, z)), so theta = asin(rise/r) - atan2(y, z).
  /// A rise beyond r is cut at r. For a straight body it is asin((h_S - h_A)/0.779 H): 9.7
  /// degrees on forearms, 21.6 on hands, 24.0 in a reverse plank.
  static func solving(span: Vector3, rise: Double) -> Degrees {
    let reach = (span.y * span.y + span.z * span.z).squareRoot()
    guard reach > 0 else { return Degrees(0) }
    let sine = min(max(rise / reach, -1), 1)
    return Degrees(radians: asin(sine) - atan2(span.y, span.z))
  }
}
