internal import Evaluation
internal import PoseDatasets
internal import PoseModel
internal import Specifications

/// Reads baselines and scores their answers anew.
enum BaselineAccess {
  /// Reads a file.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for a missing file, `badData` for a mistake in it.
  static func read(_ path: String) throws(WorkflowFailure) -> Baseline {
    let text = try InputText.read(path)
    do {
      return try BaselineSpecification.parse(text, file: path)
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
  }

  /// A baseline scored anew, and what a candidate lost against it.
  struct Scored: Sendable {
    /// The baseline's side.
    var side: GateSide
    /// What the baseline has right and the candidate wrong, longest first.
    var lost: [LostMoment]
  }

  /// Scores a baseline's answers on the dataset as it is now.
  ///
  /// - Throws: `WorkflowFailure` (`notComparable`) where answers do not fit a recording.
  static func scored(
    _ baseline: Baseline, against candidate: GateCandidate, _ dataset: String, split: String?,
    progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> Scored {
    let reader = try DatasetAccess.open(dataset)
    let entries = try DatasetAccess.failing { () throws(DatasetError) in
      try reader.sequences(split: split)
    }
    let kept = Dictionary(baseline.sequences.map { ($0.name, $0) }) { first, _ in first }
    let own = Dictionary(candidate.runs.map { ($0.answers.name, $0.answers) }) { first, _ in first }
    let found = try await ConcurrentMap.run(entries, progress: progress) {
      (entry) throws(WorkflowFailure) in
      let sequence = try DatasetAccess.load(entry, from: reader)
      guard let answers = kept[sequence.name] else {
        throw WorkflowFailure(
          .notComparable, "the baseline has no answers of the sequence \(sequence.name)")
      }
      guard let before = outcome(sequence, answers) else {
        throw WorkflowFailure(
          .notComparable,
          "the baseline's answers of \(sequence.name) name unknown classes or other numbers of "
            + "frames; write it anew with `baseline update`")
      }
      let after = own[sequence.name].flatMap { outcome(sequence, $0) }
      return (
        scores: SequenceScores(before),
        lost: after.map { LostMoment.all(from: before, to: $0) } ?? []
      )
    }
    return Scored(
      side: GateSide(
        sequences: found.map(\.scores), frameCostRatio: baseline.frameCostRatio),
      lost: LostMoment.sorted(found.flatMap(\.lost)))
  }

  /// What was answered in a sequence; nil where the answers do not fit it.
  private static func outcome(
    _ sequence: DatasetSequence, _ answers: Baseline.Sequence
  ) -> SequenceOutcome? {
    let recording = sequence.recording
    guard let plank = answers.plank.outcome(.plank, frames: recording.frameCount),
      let form = answers.form.outcome(.form, frames: recording.frameCount)
    else { return nil }
    return SequenceOutcome(
      name: sequence.name, subject: sequence.subject, tags: sequence.tags,
      times: recording.times, truth: sequence.truth(), plank: plank, form: form,
      missingFrames: (0..<recording.frameCount).count { recording.isMissing(at: $0) },
      frameWeight: recording.frameWeight)
  }

  /// The numbers that a side's answers give, every metric of the catalogue.
  static func lines(_ sequences: [SequenceScores], intervals: Bool) -> [Baseline.Line] {
    let plank = ScoreView(PooledCounts(sequences, .plank))
    let form = ScoreView(PooledCounts(sequences, .form))
    var lines = MetricKey.all.map { key in
      Baseline.Line(key: key, value: key.value(in: key.stream == .plank ? plank : form).number)
    }
    guard intervals else { return lines }
    for stream in AnswerStream.allCases {
      let keys = MetricKey.all.filter { $0.stream == stream }
      let found = StreamUncertainty(sequences, stream, keys)
      for index in lines.indices {
        guard case .success(let interval) = found.intervals[lines[index].key]?.wider else {
          continue
        }
        lines[index].interval = interval
      }
    }
    return lines
  }
}
