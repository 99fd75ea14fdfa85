/// How much of a signal's jitter is worked out.
package enum JitterDetail: Hashable, Sendable {
  /// Steps, spread and correlation: one pass.
  case steps
  /// Spectra, Allan deviations and smoothness too: some ten times as long.
  case spectra
}
