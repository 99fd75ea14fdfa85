/// The result of comparing smoothers on a dataset: one value that every face is rendered from.
package struct SmootherComparison: Hashable, Sendable {
  /// Which data.
  package let dataset: DatasetIdentity
  /// The detector's name.
  package let detector: String
  /// What is smoothed: joints or measurements.
  package let target: String
  /// The dataset's median frame rate in hertz.
  package let rate: Double
  /// Sequences, frames and true transitions that took part.
  package let size: Size
  /// The raw jitter of every measurement on holds.
  package let raw: [JitterRow]
  /// Every point: the grid's, the tuned ones and those that look ahead.
  package let points: [SmootherPoint]
  /// What a second of lag costs in the tuning objective, in shares of the raw jitter.
  package let lagCost: Double
  /// The chosen points under stress.
  package let stress: [SmootherStress]
  /// What smoothing joints or measurements does to the unsigned angle of straight bodies.
  package let angles: [AngleBias]
  /// What a reader must know, a sentence each.
  package let notes: [String]

  /// How much data there was.
  package struct Size: Hashable, Sendable {
    /// Sequences.
    package let sequences: Int
    /// Frames.
    package let frames: Int
    /// True transitions: entries, exits and changes.
    package let transitions: Int

    /// Makes a size.
    package init(sequences: Int, frames: Int, transitions: Int) {
      self.sequences = sequences
      self.frames = frames
      self.transitions = transitions
    }
  }

  /// Makes a comparison.
  package init(
    dataset: DatasetIdentity, detector: String, target: String, rate: Double, size: Size,
    raw: [JitterRow], points: [SmootherPoint], lagCost: Double, stress: [SmootherStress],
    angles: [AngleBias], notes: [String]
  ) {
    self.dataset = dataset
    self.detector = detector
    self.target = target
    self.rate = rate
    self.size = size
    self.raw = raw
    self.points = points
    self.lagCost = lagCost
    self.stress = stress
    self.angles = angles
    self.notes = notes
  }

  /// The causal points, sorted.
  package var front: SmootherFront { SmootherFront(points) }

  /// The tuning objective: jitter plus lag times its cost; nil where either is undefined.
  package static func cost(_ point: SmootherPoint, lagCost: Double) -> Double? {
    point.place.map { $0.jitter + max(0, $0.lag) * lagCost }
  }

  /// The causal point of least cost.
  package var recommended: SmootherPoint? {
    points.filter(\.isCausal)
      .compactMap { point in Self.cost(point, lagCost: lagCost).map { (cost: $0, point: point) } }
      .min { ($0.cost, $0.point.text) < ($1.cost, $1.point.text) }?.point
  }
}
