package import PoseModel

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
  /// What the detector answers without smoothing, behind a dwell; empty where it has none.
  package let dwells: [DwellAnswers]
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
    raw: [JitterRow], points: [SmootherPoint], lagCost: Double, dwells: [DwellAnswers] = [],
    stress: [SmootherStress], angles: [AngleBias], notes: [String]
  ) {
    self.dataset = dataset
    self.detector = detector
    self.target = target
    self.rate = rate
    self.size = size
    self.raw = raw
    self.points = points
    self.lagCost = lagCost
    self.dwells = dwells
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

/// What a detector answers where a label must last before it becomes the answer.
package struct DwellAnswers: Hashable, Sendable {
  /// The lengths that are tried, in seconds.
  package static let times = [0.1, 0.2, 0.3, 0.5].map { Seconds($0) }

  /// How long a label must last, to enter, to switch and to exit.
  package let time: Seconds
  /// The answers.
  package let answers: SmootherAnswers

  /// Makes a row.
  package init(time: Seconds, answers: SmootherAnswers) {
    self.time = time
    self.answers = answers
  }
}

/// One chosen smoother on data that was made worse.
package struct SmootherStress: Hashable, Sendable {
  /// What was done to the frames.
  package enum Condition: String, CaseIterable, Hashable, Sendable {
    /// Nothing.
    case asRecorded = "as recorded"
    /// Every other frame is left out.
    case halfRate = "half rate"
    /// One frame in ten is left out, by a seeded draw.
    case dropped = "10 % dropped"
    /// Every time is off by a normal 5 ms, by a seeded draw; the order stays.
    case jitteredClock = "jittered clock"
  }

  /// What was done.
  package let condition: Condition
  /// The smoother, with its numbers under the condition; ratios are to raw data alike.
  package let point: SmootherPoint

  /// Makes a row.
  package init(condition: Condition, point: SmootherPoint) {
    self.condition = condition
    self.point = point
  }
}

/// The mean unsigned body angle over frames of holds whose form is aligned, in degrees.
package struct AngleBias: Hashable, Sendable {
  /// The smoother's text.
  package let text: String
  /// The mean angle.
  package let mean: MetricValue
  /// The mean over sequences of the angle's standard deviation about the sequence's mean.
  package let deviation: MetricValue

  /// Makes a row.
  package init(text: String, mean: MetricValue, deviation: MetricValue) {
    self.text = text
    self.mean = mean
    self.deviation = deviation
  }
}
