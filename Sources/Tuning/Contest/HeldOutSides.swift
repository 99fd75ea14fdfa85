internal import Evaluation
internal import PoseModel
internal import Statistics

struct HeldOutAnswers {
  private(set) var distinct: [PersonalAnswers]
  private(set) var sides: [[Int]]

  init(_ plain: PersonalAnswers, people: Int) {
    distinct = [plain]
    sides = [Array(repeating: 0, count: people)]
  }

  mutating func add(_ candidates: [PersonalAnswers], _ choices: SteadyContest.Choices) {
    var known: [Int: Int] = [:]
    for choice in choices.rounds.compactMap(\.self) where known[choice] == nil {
      known[choice] = distinct.count
      distinct.append(candidates[choice])
    }
    sides.append(sides[0].indices.map { choices.choice(for: $0).flatMap { known[$0] } ?? 0 })
  }
}

struct HeldOutSamples {
  private let keys: [MetricKey]
  private let samples: [[ClusterSample]]
  private let values: [[MetricValue]]

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

  func rows(
    _ factor: Double
  ) -> [(row: SteadyContest.Row, probabilities: [SteadyContest.Contrast: Double])] {
    keys.enumerated().map { column, key in
      let row = SteadyContest.Row(
        key, number: { number($0, column, factor) },
        difference: { difference($0, column, factor) })
      var probabilities: [SteadyContest.Contrast: Double] = [:]
      for contrast in SteadyContest.Contrast.allCases {
        let (judged, other) = contrast.sides
        let change =
          samples[judged.rawValue][column].onLogScale - samples[other.rawValue][column].onLogScale
        probabilities[contrast] = try? change.test().widened(by: factor).probability
      }
      return (row, probabilities)
    }
  }

  private func number(
    _ side: SteadyContest.Answers, _ column: Int, _ factor: Double
  ) -> SteadyContest.Number {
    let metric = keys[column].metric
    return SteadyContest.Number(
      value: values[side.rawValue][column],
      interval: samples[side.rawValue][column].interval(
        widenedBy: side == .plain ? 1 : factor, within: metric.range, scale: metric.logitScale))
  }

  private func difference(
    _ contrast: SteadyContest.Contrast, _ column: Int, _ factor: Double
  ) -> SteadyContest.Difference {
    let (judged, other) = contrast.sides
    let sample = samples[judged.rawValue][column] - samples[other.rawValue][column]
    return SteadyContest.Difference(
      value: sample.estimate,
      interval: sample.interval(
        widenedBy: factor, within: keys[column].metric.differenceRange))
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
