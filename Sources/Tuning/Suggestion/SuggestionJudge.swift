package import Evaluation
package import PlankDetection
package import Platform
package import PoseModel
internal import Statistics

package struct SuggestionSettings: Hashable, Sendable {
  package var harm: Double
  package var steps: Int
  package var seed: UInt64

  package static let mostFolds = 10
  package static let mostRules = IndexedList.mostRules

  package init(harm: Double = 1, steps: Int = 1, seed: UInt64 = 0) {
    self.harm = harm
    self.steps = steps
    self.seed = seed
  }
}

/// Searches all frames, then without every group of people and without every source, and judges
/// what all frames suggest.
package struct SuggestionJudge: Sendable {
  package let result: SuggestionResult

  private static let alternatives = 2

  /// Independent of the number of threads; `debounced` gives a detector's answers with the user's
  /// debounce, which are those that are judged.
  package init(
    _ detector: DetectorDefinition, _ sequences: [MeasuredSequence], _ stream: AnswerStream,
    candidates: [Measurement], _ settings: SuggestionSettings, jobs: Int,
    debounced: (DetectorDefinition, MeasuredSequence) throws -> [UInt8],
    progress: @escaping ProgressReport
  ) async throws {
    let all = MeasurementSet(candidates).union(detector.list(stream).measurements).members
    let frames = SuggestionFrames(sequences, stream, all)
    let omissions = Self.omissions(frames, settings)
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
    let path = paths[0]
    let right = try (0...path.steps.count).map { count in
      try Self.right(path.detector(after: count), sequences, stream, debounced)
    }
    let advice = path.steps.indices.map { step in
      Advice(
        PairedCounts(right[0], right[step + 1]), settings: path.settings(after: step + 1),
        candidates: path.candidates(at: step))
    }
    let made = Self.made(advice)
    let edits = try path.steps.indices.prefix(made + 1).map { step in
      let others = try path.steps[step].others.compactMap { found in
        evidence.alternative(
          found, step,
          try path.detector(after: step).applying(found.edit, to: stream, candidates: all))
      }
      return evidence.edit(
        step, advice[step], alternatives: Array(others.prefix(Self.alternatives)))
    }
    result = evidence.result(edits, made: made)
  }

  /// How many edits, of those that the advice takes, are expected to gain most; the fewest of equals.
  private static func made(_ advice: [Advice?]) -> Int {
    var best = (count: 0, gain: 0.0)
    for (step, advice) in advice.enumerated() {
      if let advice, advice.step.takes, advice.expected > best.gain {
        best = (step + 1, advice.expected)
      }
    }
    return best.count
  }

  private static func omissions(
    _ frames: SuggestionFrames, _ settings: SuggestionSettings
  ) -> [Omission] {
    var omissions = [Omission.nothing]
    let people = groupedPeople(frames, seed: settings.seed)
    if people.count >= SuggestionResult.fewestPeople {
      let count = min(SuggestionSettings.mostFolds, people.count)
      omissions += (0..<count).map { fold in
        .people(Set(stride(from: fold, to: people.count, by: count).map { people[$0] }))
      }
    }
    let sources = Set(frames.source).sorted()
    if sources.count > 1 { omissions += sources.map { .source($0) } }
    return omissions
  }

  /// The people of sources that show others too, source by source, each in random order: dealt out
  /// so, every group has its share of every source.
  ///
  /// Who is alone in a source is not left out: that would leave out the source.
  private static func groupedPeople(_ frames: SuggestionFrames, seed: UInt64) -> [Int32] {
    let shared = frames.sharedSources
    var sources: [Int32: Int32] = [:]
    for frame in frames.truth.indices where shared.contains(frames.source[frame]) {
      let first = sources[frames.person[frame], default: frames.source[frame]]
      sources[frames.person[frame]] = min(first, frames.source[frame])
    }
    let order = RandomStream(seed: seed, purpose: "suggest.folds").permutation(
      of: frames.people.count)
    return order.indices.filter { sources[Int32($0)] != nil }.map { Int32($0) }.sorted {
      (sources[$0] ?? 0, order[Int($0)]) < (sources[$1] ?? 0, order[Int($1)])
    }
  }

  private static func right(
    _ detector: DetectorDefinition, _ sequences: [MeasuredSequence], _ stream: AnswerStream,
    _ answers: (DetectorDefinition, MeasuredSequence) throws -> [UInt8]
  ) throws -> [RightFrames] {
    try sequences.map { sequence in
      var (scored, right) = (SIMD8<Int32>(), SIMD8<Int32>())
      let truth = sequence.truth.codes(stream)
      for (truth, answer) in zip(truth, try answers(detector, sequence))
      where FrameTruth.isScored(truth) {
        scored[Int(truth)] += 1
        if answer == truth { right[Int(truth)] += 1 }
      }
      return RightFrames(
        name: sequence.name, subject: sequence.subject, source: sequence.source,
        weight: sequence.frameWeight.value, scored: scored, right: right)
    }
  }
}

enum Omission: Hashable, Sendable {
  case nothing
  case people(Set<Int32>)
  case source(Int32)

  var isOfPeople: Bool { if case .people = self { true } else { false } }

  func contains(_ frame: Int, of frames: SuggestionFrames) -> Bool {
    switch self {
    case .nothing: false
    case .people(let people): people.contains(frames.person[frame])
    case .source(let source): frames.source[frame] == source
    }
  }
}
