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

  /// The answers of a side to every recording; `person` is the position of each recording's.
  func recordings(
    _ side: Int, _ stream: AnswerStream, of person: [Int?]
  ) -> [AnsweredRecording] {
    person.enumerated().map { index, person in
      distinct[person.map { sides[side][$0] } ?? 0].recordings[stream][index]
    }
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

  func rows(_ factor: Double) -> [SteadyContest.Row] {
    keys.enumerated().map { column, key in
      SteadyContest.Row(key) { number($0, column, factor) }
    }
  }

  private func number(
    _ side: SteadyContest.Answers, _ column: Int, _ factor: Double
  ) -> SteadyContest.Number {
    let (metric, index) = (keys[column].metric, side.index)
    return SteadyContest.Number(
      value: values[index][column],
      interval: samples[index][column].interval(
        widenedBy: side == .plain ? 1 : factor, within: metric.range, scale: metric.logitScale))
  }
}
