/// Rounds seconds to whole microseconds, ties away from zero.
///
/// The result is the `Double` nearest to a decimal of six places, so that it survives being
/// written with six decimals and read back.
func roundedToMicroseconds(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }
