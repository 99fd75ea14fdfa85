/// Which share of what was scored the rules gave a label of their own: 0...1.
package struct DeterminedShare: Hashable, Sendable {
  /// Over all classes.
  package let overall: MetricValue
  /// By true class, in the order of the stream; undefined where the class has no truth.
  package let perClass: [MetricValue]

  /// Divides the totals of two matrices, determined by all.
  init(determined: ConfusionMatrix<Double>, all: ConfusionMatrix<Double>) {
    overall = .ratio(determined.total, all.total, orElse: .noScoredFrames)
    let emptyReason: UndefinedReason = all.total == 0 ? .noScoredFrames : .noTruth
    perClass = all.labels.indices.map {
      .ratio(determined.truthTotal($0), all.truthTotal($0), orElse: emptyReason)
    }
  }
}
