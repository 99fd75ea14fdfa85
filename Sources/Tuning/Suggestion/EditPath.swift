package import PlankDetection

/// The edits that the search makes one after the other on some frames.
package struct EditPath: Sendable {
  /// One edit with the detector that has it.
  package struct Step: Sendable {
    /// The edit.
    package let found: FoundEdit
    /// What else is worth something: the best other edit of every kind, the best first.
    package let others: [FoundEdit]
    /// The detector with this edit and those before.
    package let detector: DetectorDefinition
  }

  /// The detector without any edit.
  package let start: DetectorDefinition
  /// The edits in order; fewer than asked for where nothing is worth anything.
  package let steps: [Step]
  /// How many edits were tried for each step, and once more if nothing was found.
  package let tried: [Int]

  /// Searches step by step.
  ///
  /// - Parameters:
  ///   - candidates: the measurements that edits may bring in, beside built-in ones.
  ///   - harm: how many times a second that is broken counts.
  ///   - steps: how many edits there are at most.
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

  /// The detector after so many edits, or after all if there are fewer.
  package func detector(after count: Int) -> DetectorDefinition {
    let made = min(count, steps.count)
    return made == 0 ? start : steps[made - 1].detector
  }
}
