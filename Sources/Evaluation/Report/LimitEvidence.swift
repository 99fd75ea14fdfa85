package import PoseModel
internal import Statistics

extension Fix {
  package struct Evidence: Codable, Hashable, Sendable {
    package let distribution: Distribution?
    package let curve: [Point]

    package init(distribution: Distribution?, curve: [Point]) {
      self.distribution = distribution
      self.curve = curve
    }

    package struct Point: Codable, Hashable, Sendable {
      package let value: Double
      package let right: Double?

      package init(value: Double, right: Double?) {
        self.value = value
        self.right = right
      }
    }
  }

  package struct Distribution: Codable, Hashable, Sendable {
    package let measurement: String
    package let sign: Double
    package let start: Double
    /// How wide every bin is; the limit as evaluated lies between two bins.
    package let width: Double
    package let classes: [ClassTimes]
    package let missingSeconds: Double

    private enum CodingKeys: String, CodingKey {
      case measurement, sign, start, width, classes
      case missingSeconds = "missing_s"
    }

    package struct ClassTimes: Codable, Hashable, Sendable {
      package let label: String
      /// Its time in every bin, in seconds; values beyond the bins count in the outermost ones.
      package let seconds: [Double]
    }

    package var count: Int { classes.first?.seconds.count ?? 0 }
    package var end: Double { start + width * Double(count) }

    static let bins = 48.0
    /// The share of the time at each end that may lie beyond the bins.
    static let tail = 0.005

    /// `values` and `limits` are in the parameter's unit, and the bins hold both limits; nil if no
    /// scored frame has a value.
    package init?(
      of measurement: String, sign: Double, _ values: [[Float]], _ outcomes: [SequenceOutcome],
      _ stream: AnswerStream, limits: BeforeAfter<Double>
    ) {
      let sequences = zip(values, outcomes.map { ScoredStream($0, stream) })
      var found: [Double] = []
      found.reserveCapacity(values.reduce(0) { $0 + $1.count })
      var missing = 0.0
      for (values, scored) in sequences {
        for frame in scored.times.indices where scored.isScored(frame) {
          let value = Double(values[frame])
          guard value.isFinite else {
            missing += scored.dwell(frame)
            continue
          }
          found.append(value)
        }
      }
      let cut = Int(Double(found.count) * Self.tail)
      guard let lowest = Description.value(ranked: cut, reordering: &found),
        let highest = Description.value(ranked: found.count - 1 - cut, reordering: &found)
      else { return nil }
      let low = min(lowest, limits.before, limits.after)
      let high = max(highest, limits.before, limits.after)
      let width = max(high - low, 1e-6) / Self.bins
      let below = ((limits.before - low) / width).rounded(.up)
      let start = limits.before - below * width
      let count = Int(below + ((high - limits.before) / width).rounded(.down)) + 1
      var times = Array(
        repeating: Array(repeating: 0.0, count: count), count: stream.labels.count)
      for (values, scored) in sequences {
        for frame in scored.times.indices where scored.isScored(frame) && values[frame].isFinite {
          let place = ((Double(values[frame]) - start) / width).rounded(.down)
          let bin = Int(min(max(place, 0), Double(count - 1)))
          times[Int(scored.truth[frame])][bin] += scored.dwell(frame)
        }
      }
      self.measurement = measurement
      self.sign = sign
      self.start = start
      self.width = width
      classes = zip(stream.labels, times).compactMap { label, seconds in
        seconds.contains { $0 > 0 }
          ? ClassTimes(label: label, seconds: seconds.map(Self.rounded)) : nil
      }
      missingSeconds = Self.rounded(missing)
    }

    private static func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }
  }
}
