/// Which direction a detector takes for up.
package enum OracleAxes: String, Sendable, CaseIterable {
  /// The camera's axes, as the article published them.
  case article
  /// The up vector of the frame.
  case gravity
}
