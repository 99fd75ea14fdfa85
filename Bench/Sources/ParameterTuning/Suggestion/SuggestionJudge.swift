package import Parallelism
@_spi(Bench) package import PlankDetection
@_spi(Bench) package import PoseModel

/// How edits are searched and judged.
package struct SuggestionSettings: Hashable, Sendable {
  /// How many times a second that is broken counts.
  package var harm: Double
  /// How many edits are made at most.
  package var steps: Int
  /// The seed of the groups of people.
  package var seed: UInt64

  /// The largest number of groups of people.
  package static let mostFolds = 10
  /// The largest number of rules that can be searched.
  package static let mostRules = IndexedList.mostRules

  /// Makes settings.
  package init(harm: Double = 1, steps: Int = 1, seed: UInt64 = 0) {
    self.harm = harm
    self.steps = steps
    self.seed = seed
  }
}

/// Searches all frames, then without every group of people and without every source, and judges what
/// was found by the people and sources that were not seen.
package struct SuggestionJudge: Sendable {
  /// What was found.
  package let result: SuggestionResult
  /// The detector with the suggested edits; nil if nothing is suggested.
  package let edited: DetectorDefinition?

  /// Searches and judges; the result does not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - detector: its parameters have their defaults.
  ///   - sequences: the data, with every measurement of the detector and every candidate.
  ///   - candidates: the measurements that edits may compare.
  ///   - debounced: a detector's answers with the user's debounce, to every frame of a sequence.
  package init(
    _ detector: DetectorDefinition, _ sequences: [MeasuredSequence], _ stream: AnswerStream,
    candidates: [Measurement], _ settings: SuggestionSettings, jobs: Int,
    debounced: (DetectorDefinition, MeasuredSequence) throws -> [UInt8],
    progress: @escaping ProgressReport
  ) async throws {
    let all = MeasurementSet(candidates).union(detector.list(stream).measurements).members
    let frames = SuggestionFrames(sequences, stream, all)
    let omissions = try Self.omissions(frames, settings)
    let counter = ProgressCounter(total: omissions.count, what: "searches", report: progress)
    progress(0, omissions.count, "searches")
    let paths = try await ConcurrentMap.run(omissions.count, jobs: jobs) { index in
      let omission = omissions[index]
      let kept =
        omission == .nothing
        ? frames : frames.selecting { !omission.contains($0, of: frames) }
      let path = try EditPath(
        detector, kept, candidates: all, harm: settings.harm, steps: settings.steps)
      counter.add(1)
      return path
    }
    let evidence = SuggestionEvidence(frames, omissions, paths, settings)
    var edits: [SuggestedEdit] = []
    for step in paths[0].steps.indices {
      let (before, after) = (paths[0].detector(after: step), paths[0].detector(after: step + 1))
      let change = ScoreChange(
        before: try Self.score(before, sequences, frames, debounced),
        after: try Self.score(after, sequences, frames, debounced))
      edits.append(evidence.edit(step, debounced: change))
      guard edits[step].holds else { break }
    }
    let made = edits.count { $0.holds }
    edited = made > 0 ? paths[0].detector(after: made) : nil
    result = evidence.result(edits, made)
  }

  /// What is left out in each search: nothing, then people, then sources.
  private static func omissions(
    _ frames: SuggestionFrames, _ settings: SuggestionSettings
  ) throws(TuningError) -> [Omission] {
    var omissions = [Omission.nothing]
    let people = Set(frames.person).sorted()
    if people.count >= SuggestionResult.fewestPeople {
      let count = min(SuggestionSettings.mostFolds, people.count)
      let folds = try SubjectFolds(
        .subjectFolds(count), subjects: people.count, seed: settings.seed)
      omissions += folds.heldOut.map { fold in .people(Set(fold.map { people[$0] })) }
    }
    let sources = Set(frames.source).sorted()
    if sources.count > 1 { omissions += sources.map { .source($0) } }
    return omissions
  }

  /// The balanced accuracy of debounced answers.
  private static func score(
    _ detector: DetectorDefinition, _ sequences: [MeasuredSequence], _ frames: SuggestionFrames,
    _ answers: (DetectorDefinition, MeasuredSequence) throws -> [UInt8]
  ) throws -> Double {
    var place = 0
    var sum: Int64 = 0
    for sequence in sequences {
      let truth = sequence.truth.codes(frames.stream)
      let answers = try answers(detector, sequence)
      for frame in truth.indices where FrameTruth.isScored(truth[frame]) {
        if answers[frame] == truth[frame] { sum += frames.weights[place] }
        place += 1
      }
    }
    return Double(sum) * SuggestionFrames.scoreUnit
  }
}

extension SuggestedEdit {
  /// Whether the edit is suggested.
  package var holds: Bool { verdict == .sure || verdict == .suggested }
}

/// What a search does not see.
enum Omission: Hashable, Sendable {
  /// It sees everything.
  case nothing
  /// It does not see some people.
  case people(Set<Int32>)
  /// It does not see a source.
  case source(Int32)

  /// Whether a frame is left out.
  func contains(_ frame: Int, of frames: SuggestionFrames) -> Bool {
    switch self {
    case .nothing: false
    case .people(let people): people.contains(frames.person[frame])
    case .source(let source): frames.source[frame] == source
    }
  }
}
