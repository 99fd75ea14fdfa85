/// The two times that every layer shares.
package enum FrameTiming {
  /// Slack in seconds where times are compared with a bound, because times like k/30 are not exact.
  ///
  /// A bound that is included is widened by it, one that is excluded is narrowed.
  @inlinable package static var slack: Double { 1e-9 }

  /// The longest time in seconds between two frames that still belong together; bound included.
  ///
  /// No frame stands for more than this while the next one is awaited, and no step, stretch or
  /// filter reaches across more.
  @inlinable package static var longestGap: Double { 0.5 }
}
