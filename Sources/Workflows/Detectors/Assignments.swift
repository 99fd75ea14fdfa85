/// Assignments such as `sag=3cm`, as an option takes them.
enum Assignments {
  /// Refuses a key that is set twice: which value was meant cannot be told.
  ///
  /// - Throws: `WorkflowFailure` (`usage`, in a file `badData`) naming both assignments.
  static func checkRepeats(
    _ assignments: [String], option: String, source: ChoiceSource = .options
  ) throws(WorkflowFailure) {
    var seen: [Substring: String] = [:]
    for (index, assignment) in assignments.enumerated() {
      let key = assignment.prefix { $0 != "=" }
      guard let earlier = seen.updateValue(assignment, forKey: key) else { continue }
      throw source.failure(
        option: option, text: assignment, fields: ["set[\(index)]"],
        "`\(key)` is set already, by \(earlier); keep one of them")
    }
  }
}
