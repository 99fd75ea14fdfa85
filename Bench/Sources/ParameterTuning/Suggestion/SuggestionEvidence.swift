@_spi(Bench) internal import PlankDetection
@_spi(Bench) internal import PoseModel

/// The evidence for every edit, from the searches with and without people and sources.
struct SuggestionEvidence {
  private let frames: SuggestionFrames
  private let omissions: [Omission]
  private let paths: [EditPath]
  private let settings: SuggestionSettings
  /// How many people have scored frames.
  private let people: Int

  /// How many changes and errors are named.
  private static let named = 3

  init(
    _ frames: SuggestionFrames, _ omissions: [Omission], _ paths: [EditPath],
    _ settings: SuggestionSettings
  ) {
    self.frames = frames
    self.omissions = omissions
    self.paths = paths
    self.settings = settings
    people = Set(frames.person).count
  }

  /// One edit of the search that saw everything, with the evidence for it.
  func edit(_ step: Int, debounced: ScoreChange) -> SuggestedEdit {
    let found = paths[0].steps[step].found
    let before = paths[0].detector(after: step)
    let effect = EditEffect(
      frames, before: answers(before), after: answers(paths[0].detector(after: step + 1)),
      harm: settings.harm)
    let others = leftOut(step)
    let error = others?.standardError
    return SuggestedEdit(
      edit: found.edit, rules: before.list(frames.stream).sentences,
      thresholds: thresholds(found, before), verdict: verdict(effect, others, error),
      tried: paths[0].tried[step], seen: effect.change, leftOut: others?.change,
      standardError: error, sameChoices: sameChoices(step), mended: effect.mended(Self.named),
      people: effect.people, lost: effect.lost, withoutSource: withoutSource(step),
      debounced: debounced)
  }

  /// The whole result.
  func result(_ edits: [SuggestedEdit], _ made: Int) -> SuggestionResult {
    SuggestionResult(
      stream: frames.stream, detector: paths[0].start.name, people: people,
      frames: frames.count, sources: frames.sources == [""] ? [] : frames.sources,
      harm: settings.harm, folds: folds.count, edits: edits,
      remaining: RemainingError.worst(
        Self.named, frames, paths[0].detector(after: made)))
  }

  /// The searches without people.
  private var folds: [Int] {
    omissions.indices.filter { if case .people = omissions[$0] { true } else { false } }
  }

  /// The answers to people by searches that did not see them; nil without such searches.
  private func leftOut(_ step: Int) -> EditEffect? {
    guard !folds.isEmpty else { return nil }
    var before = [UInt8](repeating: 0, count: frames.count)
    var after = before
    for fold in folds {
      let old = answers(paths[fold].detector(after: step))
      let new = answers(paths[fold].detector(after: step + 1))
      for frame in before.indices where omissions[fold].contains(frame, of: frames) {
        before[frame] = old[frame]
        after[frame] = new[frame]
      }
    }
    return EditEffect(frames, before: before, after: after, harm: settings.harm)
  }

  private func verdict(
    _ effect: EditEffect, _ others: EditEffect?, _ error: Double?
  ) -> SuggestedEdit.Verdict {
    guard let others, let error else { return .tooFewPeople }
    if effect.isAboutOnePerson { return .onePerson }
    let gain = others.worth
    guard gain > 0, gain > error else { return .unconfirmed }
    return gain > 2 * error ? .sure : .suggested
  }

  private func sameChoices(_ step: Int) -> Int {
    let own = paths[0].steps[step].found.edit.withoutThresholds
    return folds.count { fold in
      paths[fold].steps.count > step
        && paths[fold].steps[step].found.edit.withoutThresholds == own
    }
  }

  /// What searches without a source change there.
  private func withoutSource(_ step: Int) -> [SourceChange] {
    omissions.indices.compactMap { index in
      guard case .source(let source) = omissions[index] else { return nil }
      let own = frames.selecting { frames.source[$0] == source }
      let effect = EditEffect(
        own, before: IndexedList(paths[index].detector(after: step), own).answers(own),
        after: IndexedList(paths[index].detector(after: step + 1), own).answers(own),
        harm: settings.harm)
      return SourceChange(source: frames.sources[Int(source)], change: effect.change.gain)
    }
  }

  private func answers(_ detector: DetectorDefinition) -> [UInt8] {
    IndexedList(detector, frames).answers(frames)
  }

  private func thresholds(
    _ found: FoundEdit, _ before: DetectorDefinition
  ) -> [SuggestedEdit.Threshold] {
    if case .move(let key, let value) = found.edit {
      let definition = before.parameters.first { $0.key.rawValue == key }
      return found.ranges.map { range in
        SuggestedEdit.Threshold(
          name: key, unit: definition?.unit.rawValue ?? "", before: definition?.defaultValue,
          value: value, lower: range.lowerBound, upper: range.upperBound)
      }
    }
    return zip(found.edit.newConditions, found.ranges).map { condition, range in
      let measurement = frames.measurements.first { $0.name == condition.measurement }
      return SuggestedEdit.Threshold(
        name: condition.measurement, unit: measurement?.unit.rawValue ?? "", before: nil,
        value: condition.threshold, lower: range.lowerBound, upper: range.upperBound)
    }
  }
}

extension RuleEdit {
  /// The edit with zeros for thresholds, to tell whether two searches found the same.
  var withoutThresholds: RuleEdit {
    func plain(_ condition: EditCondition) -> EditCondition {
      EditCondition(condition.measurement, below: condition.isBelow, 0)
    }
    return switch self {
    case .move(let parameter, _): .move(parameter: parameter, value: 0)
    case .narrow(let rule, let condition): .narrow(rule: rule, condition: plain(condition))
    case .insert(let position, let label, let conditions):
      .insert(position: position, label: label, conditions: conditions.map(plain))
    case .dropRule, .dropCondition, .swap: self
    }
  }
}
