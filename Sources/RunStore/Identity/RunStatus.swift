/// How far a run is.
package enum RunStatus: String, CaseIterable, Hashable, Sendable {
  /// Its sweep wrote a short while ago.
  case running
  /// All cells are there and its sweep said so.
  case complete
  /// Cells are missing and nobody wrote for a while; `--resume` continues it.
  case interrupted
}
