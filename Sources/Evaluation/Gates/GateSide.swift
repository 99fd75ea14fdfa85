internal import PoseModel

/// One side of a gate: the scores of sequences and what a frame costs.
package struct GateSide: Hashable, Sendable {
  /// The sequences in the order of the dataset.
  package var sequences: [SequenceScores]
  /// The median cost of a frame over that of the calibration loop; nil where nobody measured.
  package var frameCostRatio: Double?

  /// Makes a side.
  package init(sequences: [SequenceScores], frameCostRatio: Double? = nil) {
    self.sequences = sequences
    self.frameCostRatio = frameCostRatio
  }
}
