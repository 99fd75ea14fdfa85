internal import Evaluation
internal import PlankDetection
internal import PoseModel

struct SuggestionEvidence {
  private let frames: SuggestionFrames
  private let omissions: [Omission]
  private let paths: [EditPath]
  private let settings: SuggestionSettings
  private let seen: [[UInt8]]
  private let shared: SuggestionFrames
  private let unseen: [[UInt8]]

  private static let named = 3

  init(
    _ frames: SuggestionFrames, _ omissions: [Omission], _ paths: [EditPath],
    _ settings: SuggestionSettings
  ) {
    self.frames = frames
    self.omissions = omissions
    self.paths = paths
    self.settings = settings
    let counts = 0...paths[0].steps.count
    seen = counts.map { IndexedList(paths[0].detector(after: $0), frames).answers(frames) }
    let sources = frames.sharedSources
    let shared = frames.selecting { sources.contains(frames.source[$0]) }
    let folds = omissions.indices.filter { omissions[$0].isOfPeople }
    let unseen =
      folds.isEmpty
      ? []
      : counts.map { count in
        Self.answers(after: count, folds.map { (paths[$0], omissions[$0]) }, to: shared)
      }
    (self.shared, self.unseen) = (shared, unseen)
  }

  private static func answers(
    after count: Int, _ folds: [(path: EditPath, omission: Omission)], to frames: SuggestionFrames
  ) -> [UInt8] {
    var answers = [UInt8](repeating: 0, count: frames.count)
    for fold in folds {
      let own = IndexedList(fold.path.detector(after: count), frames).answers(frames)
      for frame in answers.indices where fold.omission.contains(frame, of: frames) {
        answers[frame] = own[frame]
      }
    }
    return answers
  }

  func edit(
    _ step: Int, _ advice: Advice?, alternatives: [AlternativeEdit]
  ) -> SuggestedEdit {
    let found = paths[0].steps[step].found
    let before = paths[0].detector(after: step)
    let effect = EditEffect(
      frames, before: seen[step], after: seen[step + 1], harm: settings.harm)
    return SuggestedEdit(
      edit: found.edit, rules: before.list(frames.stream).sentences,
      thresholds: thresholds(found, before), advice: advice, tried: paths[0].tried[step],
      seen: effect.change, sameChoices: sameChoices(step), mended: effect.mended(Self.named),
      people: effect.people, lost: effect.lost, withoutSource: withoutSource(step),
      alternatives: alternatives)
  }

  func result(_ edits: [SuggestedEdit], made: Int) -> SuggestionResult {
    SuggestionResult(
      stream: frames.stream, people: Set(frames.person).count, frames: frames.count,
      sources: frames.sources == [""] ? [] : frames.sources, harm: settings.harm,
      folds: folds.count, path: path, made: made, edits: edits,
      remaining: RemainingError.worst(
        Self.named, frames, paths[0].detector(after: made)))
  }

  private var path: [PathScore] {
    seen.indices.map { count in
      let others =
        unseen.isEmpty
        ? nil : EditEffect(shared, before: unseen[0], after: unseen[count], harm: settings.harm)
      return PathScore(
        edits: count,
        seen: EditEffect(frames, before: seen[0], after: seen[count], harm: 1).change.after,
        leftOut: others?.change.after, standardError: others?.standardError,
        sourceLeftOut: sourceLeftOut(count))
    }
  }

  private func sourceLeftOut(_ count: Int) -> Double? {
    let scores = omissions.indices.compactMap { sourceEffect($0, 0, count)?.change.after }
    return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
  }

  private func sourceEffect(_ index: Int, _ from: Int, _ to: Int) -> EditEffect? {
    guard case .source(let source) = omissions[index] else { return nil }
    let own = frames.selecting { frames.source[$0] == source }
    return EditEffect(
      own, before: IndexedList(paths[index].detector(after: from), own).answers(own),
      after: IndexedList(paths[index].detector(after: to), own).answers(own),
      harm: settings.harm)
  }

  private var folds: [Int] { omissions.indices.filter { omissions[$0].isOfPeople } }

  private func sameChoices(_ step: Int) -> Int {
    let own = paths[0].steps[step].found.edit.withoutThresholds
    return folds.count { fold in
      paths[fold].steps.count > step
        && paths[fold].steps[step].found.edit.withoutThresholds == own
    }
  }

  private func withoutSource(_ step: Int) -> [SourceChange] {
    omissions.indices.compactMap { index in
      guard case .source(let source) = omissions[index] else { return nil }
      return sourceEffect(index, step, step + 1).map {
        SourceChange(source: frames.sources[Int(source)], change: $0.change.gain)
      }
    }
  }

  func alternative(
    _ found: FoundEdit, _ step: Int, _ edited: DetectorDefinition
  ) -> AlternativeEdit? {
    let after = IndexedList(edited, frames).answers(frames)
    guard after != seen[step + 1] else { return nil }
    return AlternativeEdit(
      edit: found.edit, thresholds: thresholds(found, paths[0].detector(after: step)),
      seen: EditEffect(frames, before: seen[step], after: after, harm: settings.harm).change)
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

extension EditCondition {
  var comparison: Comparison { isBelow ? .less : .greater }
}
