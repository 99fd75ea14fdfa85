/// Assignments such as `sag=3cm`, as an option takes them.
enum Assignments {
  /// Refuses a key that is set twice: which value was meant cannot be told.
  ///
  /// - Throws: `WorkflowFailure` (`usage`) naming both assignments.
  static func checkRepeats(_ assignments: [String], option: String) throws(WorkflowFailure) {
    var seen: [Substring: String] = [:]
    for assignment in assignments {
      let key = assignment.prefix { $0 != "=" }
      guard let earlier = seen.updateValue(assignment, forKey: key) else { continue }
      throw WorkflowFailure(
        .usage, "\(option) \(assignment): `\(key)` is set already, by \(earlier); keep one of them")
    }
  }
}
