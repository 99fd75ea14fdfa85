internal import Evaluation
internal import PlankDetection
internal import PoseModel

struct EditEffect {
  private let frames: SuggestionFrames
  private let before: [UInt8]
  private let after: [UInt8]
  private let harm: Double

  private static let point = 0.01

  init(_ frames: SuggestionFrames, before: [UInt8], after: [UInt8], harm: Double) {
    self.frames = frames
    self.before = before
    self.after = after
    self.harm = harm
  }

  var change: ScoreChange {
    ScoreChange(before: score(of: before), after: score(of: after))
  }

  /// The standard error of the gain, with harm: its spread if the gain of every person had a random
  /// sign, which is the root of the sum of their squares.
  ///
  /// Whatever rests on one person is no more than one standard error, and what k people share
  /// equally is the root of k. Source: Fisher's randomization of signs, The Design of Experiments,
  /// 1935, section 21.
  var standardError: Double {
    var worth = [Double](repeating: 0, count: frames.people.count)
    for frame in before.indices { worth[Int(frames.person[frame])] += harmed(at: frame) }
    return worth.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }

  private func harmed(at frame: Int) -> Double {
    let change = change(at: frame)
    return change < 0 ? change * harm : change
  }

  var people: [PeopleChange] {
    var worth: [Int64: Double] = [:]
    for frame in before.indices {
      let key = Int64(frames.source[frame]) << 32 | Int64(frames.person[frame])
      worth[key, default: 0] += change(at: frame)
    }
    return frames.sources.indices.map { source in
      let own = worth.filter { Int($0.key >> 32) == source }.values
      // Sums of the same weights in another order differ in their last digits.
      return PeopleChange(
        source: frames.sources[source], better: own.count { $0 > 1e-12 },
        worse: own.count { $0 < -1e-12 }, count: own.count)
    }
  }

  func mended(_ count: Int) -> [AnswerChange] {
    let labels = frames.stream.labels
    var sums: [[UInt8]: (worth: Double, seconds: Double)] = [:]
    for frame in before.indices where before[frame] != after[frame] {
      let key = [frames.truth[frame], before[frame], after[frame]]
      sums[key, default: (0, 0)].worth += change(at: frame)
      sums[key, default: (0, 0)].seconds += frames.seconds[frame]
    }
    let ranked = sums.filter { $0.value.worth > 0 }.sorted { left, right in
      left.value.worth == right.value.worth
        ? left.key.lexicographicallyPrecedes(right.key) : left.value.worth > right.value.worth
    }
    return ranked.prefix(count).map { key, sum in
      AnswerChange(
        truth: labels[Int(key[0])], before: labels[Int(key[1])], after: labels[Int(key[2])],
        worth: sum.worth, seconds: sum.seconds)
    }
  }

  var lost: [ClassLoss] {
    let labels = frames.stream.labels
    var sums = [(total: Double, before: Double, after: Double)](
      repeating: (0, 0, 0), count: frames.sources.count * labels.count)
    for frame in before.indices {
      let truth = frames.truth[frame]
      let place = Int(frames.source[frame]) * labels.count + Int(truth)
      let seconds = frames.seconds[frame]
      sums[place].total += seconds
      if before[frame] == truth { sums[place].before += seconds }
      if after[frame] == truth { sums[place].after += seconds }
    }
    return sums.indices.filter { sums[$0].total > 0 }.map { place in
      ClassLoss(
        source: frames.sources[place / labels.count], label: labels[place % labels.count],
        before: sums[place].before / sums[place].total,
        after: sums[place].after / sums[place].total)
    }.filter { $0.before - $0.after >= Self.point }
      .sorted { $0.before - $0.after > $1.before - $1.after }
  }

  private func score(of answers: [UInt8]) -> Double {
    let sum = answers.indices.reduce(Int64(0)) {
      answers[$1] == frames.truth[$1] ? $0 + frames.weights[$1] : $0
    }
    return Double(sum) * SuggestionFrames.scoreUnit
  }

  private func change(at frame: Int) -> Double {
    let (was, isNow) = (
      before[frame] == frames.truth[frame], after[frame] == frames.truth[frame]
    )
    guard was != isNow else { return 0 }
    let weight = Double(frames.weights[frame]) * SuggestionFrames.scoreUnit
    return isNow ? weight : -weight
  }
}

extension RemainingError {
  static func worst(
    _ count: Int, _ frames: SuggestionFrames, _ detector: DetectorDefinition
  ) -> [Self] {
    let labels = frames.stream.labels
    let list = IndexedList(detector, frames)
    let (answers, determined) = (list.answers(frames), list.determined(frames))
    var undecided: [[UInt8]: Int64] = [:]
    var costs: [[UInt8]: [Int: Int64]] = [:]
    for frame in answers.indices where answers[frame] != frames.truth[frame] {
      let key = [frames.truth[frame], answers[frame]]
      costs[key, default: [:]][Int(frames.person[frame]), default: 0] += frames.weights[frame]
      if !determined[frame] { undecided[key, default: 0] += frames.weights[frame] }
    }
    let all = costs.map { key, people in
      let total = people.values.reduce(0, +)
      let most = people.max { ($0.value, $1.key) < ($1.value, $0.key) }
      return RemainingError(
        truth: labels[Int(key[0])], answer: labels[Int(key[1])],
        cost: Double(total) * SuggestionFrames.scoreUnit, people: people.count,
        person: most.map { frames.people[$0.key] } ?? "",
        share: total > 0 ? Double(most?.value ?? 0) / Double(total) : 0,
        undecided: total > 0 ? Double(undecided[key] ?? 0) / Double(total) : 0)
    }
    return Array(
      all.sorted { ($1.cost, $0.truth, $0.answer) < ($0.cost, $1.truth, $1.answer) }.prefix(count))
  }
}
