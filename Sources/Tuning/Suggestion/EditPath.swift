internal import Evaluation
package import PlankDetection

package struct EditPath: Sendable {
  package struct Step: Sendable {
    package let found: FoundEdit
    package let others: [FoundEdit]
    package let detector: DetectorDefinition
  }

  package let start: DetectorDefinition
  package let steps: [Step]
  package let tried: [Int]

  /// `candidates` are measurements that edits may bring in besides built-in ones; `harm` is how
  /// many times a second that is broken counts; `steps` bounds the number of edits.
  package init(
    _ detector: DetectorDefinition, _ frames: SuggestionFrames, candidates: [Measurement],
    harm: Double, steps count: Int
  ) throws {
    start = detector
    var steps: [Step] = []
    var tried: [Int] = []
    var current = detector
    while steps.count < count, current.list(frames.stream).rules.count < IndexedList.mostRules {
      let search = EditSearch(current, frames, harm: harm)
      tried.append(search.tried)
      guard let found = search.choice else { break }
      current = try current.applying(found.edit, to: frames.stream, candidates: candidates)
      steps.append(Step(found: found, others: search.others, detector: current))
    }
    self.steps = steps
    self.tried = tried
  }

  package func detector(after count: Int) -> DetectorDefinition {
    let made = min(count, steps.count)
    return made == 0 ? start : steps[made - 1].detector
  }

  /// How many edits one was chosen from; a threshold alone is one, as in every other command.
  func candidates(at step: Int) -> Int {
    steps[...step].allSatisfy { $0.found.edit.kind == .move } ? 1 : max(1, tried[step])
  }

  /// How many settings the first edits change: values of parameters, and edits of rules.
  func settings(after count: Int) -> Int {
    let values = detector(after: count).defaults
    return start.parameters.count { values[$0.key] != $0.defaultValue }
      + steps.prefix(count).count { $0.found.edit.kind != .move }
  }
}
