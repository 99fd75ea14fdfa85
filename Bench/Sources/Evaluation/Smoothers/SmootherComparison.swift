@_spi(Bench) package import PoseModel

/// The result of comparing smoothers on a dataset: the one value from which every format is
/// rendered.
package struct SmootherComparison: Hashable, Sendable {
  /// The data.
  package let dataset: DatasetIdentity
  /// The detector's name.
  package let detector: String
  /// What is smoothed: joints or measurements.
  package let target: String
  /// The dataset's median frame rate in hertz.
  package let rate: Double
  /// Sequences, frames and true transitions.
  package let size: Size
  /// The raw jitter of every measurement on holds.
  package let raw: [JitterRow]
  /// Every point: those of the grid, those found by search and those that look ahead.
  package let points: [SmootherPoint]
  /// The cost of one second of lag in the search's objective, as a multiple of the raw jitter.
  package let lagCost: Double
  /// The detector's answers without smoothing, behind a dwell; empty if there are none.
  package let dwells: [DwellAnswers]
  /// The chosen points in the stress test.
  package let stress: [SmootherStress]
  /// The effect of smoothing joints or measurements on the unsigned angle of straight bodies.
  package let angles: [AngleBias]
  /// What a reader must know, one sentence each.
  package let notes: [String]

  /// The amount of data.
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

  /// The search's objective: jitter plus lag times its cost; nil if either is undefined.
  package static func cost(_ point: SmootherPoint, lagCost: Double) -> Double? {
    point.place.map { $0.jitter + max(0, $0.lag) * lagCost }
  }

  /// The causal point with the least cost.
  package var recommended: SmootherPoint? {
    points.filter(\.isCausal)
      .compactMap { point in Self.cost(point, lagCost: lagCost).map { (cost: $0, point: point) } }
      .min { ($0.cost, $0.point.text) < ($1.cost, $1.point.text) }?.point
  }
}

/// A detector's answers if a label must last before it becomes the answer.
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

/// One chosen smoother on degraded data.
package struct SmootherStress: Hashable, Sendable {
  /// How the frames were degraded.
  package enum Condition: String, CaseIterable, Hashable, Sendable {
    /// Not at all.
    case asRecorded = "as recorded"
    /// Every other frame is left out.
    case halfRate = "half rate"
    /// One frame in ten is left out, by a seeded draw.
    case dropped = "10 % dropped"
    /// Every time has a normal error of 5 ms, by a seeded draw; the order stays.
    case jitteredClock = "jittered clock"
  }

  /// The condition.
  package let condition: Condition
  /// The smoother, with its numbers under the condition; ratios are to raw data under the same
  /// condition.
  package let point: SmootherPoint

  /// Makes a row.
  package init(condition: Condition, point: SmootherPoint) {
    self.condition = condition
    self.point = point
  }
}

/// The mean unsigned body angle over frames of holds with aligned form, in degrees.
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
