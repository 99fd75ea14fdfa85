package import PoseModel

/// The result of an evaluation: the one value from which every format is rendered.
package struct EvaluationReport: Hashable, Sendable {
  /// A fact about how the result was made.
  package struct Provenance: Hashable, Sendable {
    /// The subject of the fact, in snake_case.
    package let key: String
    /// The fact.
    package let value: String

    /// Makes a fact.
    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// The data, and how much of it was scored.
  package let dataset: DatasetFacts
  /// The detector.
  package let detector: DetectorFacts
  /// The sequences, in the order of the dataset.
  package let sequences: [SequenceRow]
  /// The plank stream.
  package var plank: StreamReport
  /// The form stream.
  package var form: StreamReport
  /// How still measurements and joints are while a plank is held.
  package let jitter: JitterStatistics
  /// How much answers change by themselves, with or without labels.
  package var flicker = AnswerFlicker()
  /// Whether the data has no labels: jitter is then measured where the answer is a plank.
  package var isUnlabeled: Bool {
    plank.view.frameCounts.scored + form.view.frameCounts.scored == 0
  }
  /// How long it took; nil if it was not timed.
  package var timing: TimingSummary?
  /// Where the device's own answers differ; nil if no recording has any.
  package let deviceComparison: AnswerComparison?
  /// How far two people agree on the labels: the ceiling of every score; nil if no recording was
  /// labeled twice.
  package var annotatorAgreement: LabelAgreement?
  /// The provenance, in the caller's order.
  package var provenance: [Provenance]
  /// What a reader must know before any number, one sentence each.
  package var cautions: [String] = []
  /// What a reader may want to know, one sentence each.
  package var notes: [String]
  /// Whether its formats show every number rather than the few that matter.
  package var isVerbose = false

  /// Pools scored sequences into a report.
  ///
  /// It is pure: the same arguments give the same report. Sequences are pooled in their order.
  ///
  /// - Complexity: O(sequences) pools, and one more for every slice of a sequence.
  package init(
    dataset: DatasetIdentity, detector: DetectorFacts, sequences: [SequenceEvaluation],
    jitter: JitterStatistics = JitterStatistics(), timing: TimingSummary? = nil,
    deviceComparison: AnswerComparison? = nil, provenance: [Provenance] = [],
    notes: [String] = []
  ) {
    let scores = sequences.map(\.scores)
    self.dataset = DatasetFacts(dataset, scores)
    self.detector = detector
    self.sequences = scores.map(SequenceRow.init)
    plank = StreamReport(sequences, .plank)
    form = StreamReport(sequences, .form)
    self.jitter = jitter
    self.timing = timing
    self.deviceComparison = deviceComparison
    self.provenance = provenance
    self.notes = notes
  }

  /// The report of a stream.
  package subscript(stream: AnswerStream) -> StreamReport { stream == .plank ? plank : form }
}
