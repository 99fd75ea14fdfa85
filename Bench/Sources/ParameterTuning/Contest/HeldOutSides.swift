internal import Evaluation
internal import PoseModel
internal import Statistics

/// Whose answers count on each side: as they are, smoothed, and debounced.
struct HeldOutAnswers {
  /// Every candidate that some round chose, once.
  private(set) var distinct: [PersonalAnswers]
  /// For each side, the position among these of every person's candidate.
  private(set) var sides: [[Int]]

  /// Starts with the answers as they are.
  init(_ plain: PersonalAnswers, people: Int) {
    distinct = [plain]
    sides = [Array(repeating: 0, count: people)]
  }

  /// Adds a side with its choices.
  mutating func add(_ candidates: [PersonalAnswers], _ choices: SteadyContest.Choices) {
    var known: [Int: Int] = [:]
    for choice in choices.rounds.compactMap(\.self) where known[choice] == nil {
      known[choice] = distinct.count
      distinct.append(candidates[choice])
    }
    sides.append(sides[0].indices.map { choices.choice(for: $0).flatMap { known[$0] } ?? 0 })
  }
}

/// The metrics of a stream on every side, with their resamples.
struct HeldOutSamples {
  private let keys: [MetricKey]
  private let samples: [[ClusterSample]]
  private let values: [[MetricValue]]

  /// Draws resamples of the people who are scored in the stream.
  ///
  /// - Returns: nil if nobody is scored.
  init?(_ answers: HeldOutAnswers, _ stream: AnswerStream) {
    let keys = SteadyContest.metrics.map { MetricKey($0, in: stream) }
    let pools = answers.distinct.map { $0.pools[stream] }
    let people = pools[0].subjects.indices
    let own = people.filter { pools[0].values([keys[0]], of: [$0])[0].number != nil }
    guard !own.isEmpty else { return nil }
    let draws = MetricDraws(pools, keys)
    let resamples = ClusterResamples(
      clusters: own.count, count: own.count < 2 ? 1 : StreamUncertainty.resamplesDeciding,
      stream: RandomStream(seed: 0, purpose: "smoothers.held_out.\(stream.rawValue)"))
    let found = ClusterSample.make(resamples) { drawn in
      answers.sides.flatMap { side in
        draws.numbers(of: drawn.map { side[own[$0]] * people.count + own[$0] })
      }
    }
    samples = answers.sides.indices.map { side in
      zip(keys, found[(side * keys.count)...]).map { key, sample in
        var sample = sample
        sample.spread = key.metric.spread
        // How much of a person is scored does not depend on the side.
        sample.weights = key.metric.spread == .jackknife ? pools[0].weights(key) : nil
        return sample
      }
    }
    values = answers.sides.indices.map { side in
      keys.enumerated().map { index, key in
        found[side * keys.count + index].estimate.map(MetricValue.value)
          ?? .undefined(pools[0].values([key])[0].reason ?? .tooManyMisses)
      }
    }
    self.keys = keys
  }

  /// One row per metric, with the probabilities of its three differences.
  ///
  /// - Parameter factor: how much wider the intervals of chosen sides are.
  func rows(_ factor: Double) -> [(row: SteadyContest.Row, probabilities: [Double?])] {
    keys.indices.map { column in
      let key = keys[column]
      func number(_ side: Int) -> SteadyContest.Number {
        SteadyContest.Number(
          value: values[side][column],
          interval: samples[side][column].interval(
            widenedBy: side == 0 ? 1 : factor, within: key.metric.range,
            scale: key.metric.logitScale))
      }
      let pairs = [(1, 0), (2, 0), (2, 1)].map { samples[$0][column] - samples[$1][column] }
      let differences = pairs.map { sample in
        SteadyContest.Difference(
          value: sample.estimate,
          interval: sample.interval(widenedBy: factor, within: key.metric.differenceRange))
      }
      return (
        SteadyContest.Row(
          key: key, plain: number(0), smoothed: number(1), debounced: number(2),
          smoothingChange: differences[0], debounceChange: differences[1],
          difference: differences[2]),
        [(1, 0), (2, 0), (2, 1)].map { side, other in
          try? (samples[side][column].onLogScale - samples[other][column].onLogScale).test()
            .widened(by: factor).probability
        }
      )
    }
  }
}

extension ClusterSample {
  /// The logarithm of half a change per minute more than the rate.
  ///
  /// Smoothers and rules take away a share of each person's wrong changes, and people differ by
  /// factors: shares are alike where differences are not. The half keeps 0 finite.
  fileprivate var onLogScale: ClusterSample {
    func scaled(_ rate: Double?) -> Double? { rate.map { Exponential.log($0 + 0.5) } }
    return ClusterSample(
      estimate: scaled(estimate), omissions: omissions.map(scaled),
      replicates: replicates.map(scaled), spread: spread)
  }
}
