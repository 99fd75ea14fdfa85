/// What the oracle refuses; it assumes valid input, so the reasons are short.
package enum OracleError: Error, Equatable {
  /// The line (1 for the header) lacks something that a valid recording has.
  case malformed(line: Int, String)
  /// A landscape recording whose up direction cannot be decided.
  case undecidedUp
  /// A pelvis recording in which no frame carries a camera matrix.
  case noCameraMatrices
  /// A labels line that is not `start,end,plank,form`.
  case malformedLabels(line: Int)
}
