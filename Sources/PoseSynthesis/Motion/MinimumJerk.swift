/// The course of a movement with the least jerk: s = 10 u^3 - 15 u^4 + 6 u^5.
///
/// Starts and ends at rest. Source: Flash and Hogan 1985, doi 10.1523/JNEUROSCI.05-07-01688.1985.
enum MinimumJerk {
  /// The share of the way after a share `u` of the time; 0 before and 1 after.
  static func share(_ u: Double) -> Double {
    if u <= 0 { return 0 }
    if u >= 1 { return 1 }
    return u * u * u * (10 + u * (6 * u - 15))
  }
}
