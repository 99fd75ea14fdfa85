#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The triangle of shoulder, hip and ankle: hip offset in meters and bend in radians.
enum HipOffset {
  /// The bend b that puts the hip a distance `offset` off the line from shoulder to ankle.
  ///
  /// b = asin(d/L1) + asin(d/L2), with the altitude d inside the triangle; the angle shoulder,
  /// hip, ankle is then 180 degrees - b. Near 0 it is d (1/L1 + 1/L2): 0.554 cm a degree at
  /// 1.75 m, 6.6 cm for 12 degrees. Exact, not that approximation. Offsets over nine tenths of
  /// the shorter side are cut there.
  static func bend(offset: Double, upper: Double, lower: Double) -> Double {
    let altitude = min(offset.magnitude, 0.9 * min(upper, lower))
    return asin(altitude / upper) + asin(altitude / lower)
  }
}
