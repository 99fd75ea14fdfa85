import Evaluation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

/// The linear search finds what trying every edit with the program itself finds.
@Suite("Search for edits") struct EditSearchPropertyTests {
  @Test("A list's answers are the program's, and so is its score", arguments: Draws.seeds(200))
  func answersAreThePrograms(seed: Int) throws {
    let example = try SuggestionCase(seed: seed, frames: 300)
    let answers = ListAnswers(example.detector, example.frames, harm: example.harm)
    #expect(answers.answers == (try example.answers(example.detector)))
  }

  @Test("The best new rule is that of brute force", arguments: Draws.seeds(24))
  func insertionsAgree(seed: Int) throws {
    let example = try SuggestionCase(seed: seed)
    var best: Int64 = 0
    let last = example.detector.list(example.stream).rules.count - 1
    let before = try example.answers(example.detector)
    for measurement in RandomCase.measurements {
      for threshold in try example.thresholds(measurement) {
        for isBelow in [true, false] {
          for position in 0...last {
            for label in example.stream.labels {
              let edit = RuleEdit.insert(
                position: position, label: label,
                conditions: [EditCondition(measurement.name, below: isBelow, threshold)])
              let edited = try example.detector.applying(
                edit, to: example.stream, candidates: RandomCase.measurements)
              best = max(best, try example.worth(example.answers(edited), before: before))
            }
          }
        }
      }
    }
    #expect(found(example, .insert) == best, "seed \(seed)")
  }

  @Test("The best further condition is that of brute force", arguments: Draws.seeds(60))
  func narrowingsAgree(seed: Int) throws {
    let example = try SuggestionCase(seed: seed)
    var best: Int64 = 0
    let last = example.detector.list(example.stream).rules.count - 1
    let before = try example.answers(example.detector)
    for measurement in RandomCase.measurements {
      for threshold in try example.thresholds(measurement) {
        for isBelow in [true, false] {
          for rule in 0..<last {
            let edit = RuleEdit.narrow(
              rule: rule, condition: EditCondition(measurement.name, below: isBelow, threshold))
            let edited = try example.detector.applying(
              edit, to: example.stream, candidates: RandomCase.measurements)
            best = max(best, try example.worth(example.answers(edited), before: before))
          }
        }
      }
    }
    #expect(found(example, .narrow) == best, "seed \(seed)")
  }

  @Test("The best value of a parameter is that of brute force", arguments: Draws.seeds(80))
  func movesAgree(seed: Int) throws {
    let example = try SuggestionCase(seed: seed)
    var best: Int64 = 0
    let before = try example.answers(example.detector)
    for key in example.detector.list(example.stream).parameterKeys {
      guard let definition = example.detector.parameters.first(where: { $0.key == key })
      else { continue }
      for value in try values(of: key, example) where definition.accepts(value) {
        let edited = try example.detector.applying(
          .move(parameter: key.rawValue, value: value), to: example.stream)
        best = max(best, try example.worth(example.answers(edited), before: before))
      }
    }
    #expect(found(example, .move) == best, "seed \(seed)")
  }

  /// The middles between all values of the measurements that are compared with a parameter.
  private func values(of key: ParameterKey, _ example: SuggestionCase) throws -> [Double] {
    let answers = ListAnswers(example.detector, example.frames, harm: 1)
    var values: Set<Float> = []
    for condition in answers.list.rules.flatMap(\.conditions) where condition.key == key {
      let column = example.frames.columns[condition.column]
      for frame in column.indices
      where answers.first[frame] != ListAnswers.noRule && !column[frame].isNaN {
        values.insert((condition.isNegated ? -column[frame] : column[frame]) + 0)
      }
    }
    let sorted = values.sorted()
    return zip(sorted, sorted.dropFirst()).map { Double($0 + ($1 - $0) / 2) }
  }

  @Test("Drops and swaps are worth what the program says", arguments: Draws.seeds(120))
  func rearrangementsAgree(seed: Int) throws {
    let example = try SuggestionCase(seed: seed, frames: 120)
    let search = EditSearch(
      example.detector, example.frames, harm: example.harm, kinds: [.rearrange])
    for found in search.found {
      #expect(try example.worth(of: found.edit) == found.worth, "seed \(seed)")
    }
    let rules = example.detector.list(example.stream).rules
    let drops = try rules.indices.dropLast().map { RuleEdit.dropRule(rule: $0) }
      .filter { try example.worth(of: $0) > 0 }
    let swaps = try rules.indices.dropLast(2)
      .filter { rules[$0].label != rules[$0 + 1].label }.map { RuleEdit.swap(rule: $0) }
      .filter { try example.worth(of: $0) > 0 }
    #expect(drops.allSatisfy(search.found.map(\.edit).contains))
    #expect(swaps.allSatisfy(search.found.map(\.edit).contains))
  }

  @Test("A pair is worth what the program says, and at least its best quantiles")
  func pairsAgree() throws {
    var found = 0
    for seed in 0..<60 {
      let example = try SuggestionCase(seed: seed, frames: 200)
      let answers = ListAnswers(example.detector, example.frames, harm: example.harm)
      guard let pair = PairSearch(answers, columns: [0, 1, 2]).best() else { continue }
      found += 1
      let names = example.frames.measurements.map(\.name)
      let edit = RuleEdit.insert(
        position: pair.position, label: example.stream.labels[Int(pair.label)],
        conditions: [
          EditCondition(names[pair.columns.0], below: pair.isBelow.0, Double(pair.thresholds.0)),
          EditCondition(names[pair.columns.1], below: pair.isBelow.1, Double(pair.thresholds.1)),
        ])
      let edited = try example.detector.applying(
        edit, to: example.stream, candidates: RandomCase.measurements)
      let worth = try example.worth(
        example.answers(edited), before: example.answers(example.detector))
      #expect(worth == pair.worth, "seed \(seed)")
    }
    #expect(found > 20)
  }

  @Test("The choice has at least 80 % of its peak, and the list predicts the program's answers")
  func choicesAgree() throws {
    var kinds: Set<RuleEdit.Kind> = []
    for seed in 0..<150 {
      let example = try SuggestionCase(seed: seed, frames: 200)
      let search = EditSearch(example.detector, example.frames, harm: example.harm)
      guard let choice = search.choice else { continue }
      kinds.insert(choice.edit.kind)
      let edited = try example.detector.applying(
        choice.edit, to: example.stream, candidates: RandomCase.measurements)
      let after = try example.answers(edited)
      #expect(ListAnswers(edited, example.frames, harm: 1).answers == after, "seed \(seed)")
      let worth = try example.worth(after, before: try example.answers(example.detector))
      #expect(Double(worth) >= 0.8 * Double(choice.worth), "seed \(seed)")
    }
    #expect(kinds.count >= 4)
  }

  private func found(_ example: SuggestionCase, _ kind: RuleEdit.Kind) -> Int64 {
    EditSearch(example.detector, example.frames, harm: example.harm, kinds: [kind])
      .found.map(\.worth).max() ?? 0
  }
}

/// A random detector with sequences of a few people and sources: what the search for edits must
/// agree on with the program's own answers.
struct SuggestionCase {
  let detector: DetectorDefinition
  let sequences: [MeasuredSequence]
  let stream: AnswerStream
  let harm: Double
  let frames: SuggestionFrames

  init(seed: Int, frames size: Int = 50) throws {
    var random = SplitMix64(spread: seed + 7)
    let stream = random.pick(AnswerStream.allCases)
    let lists = try AnswerStream.allCases.map { list in
      try DecisionList(list, list == stream ? Self.rules(list, &random) : [Self.empty(list)])
    }
    detector = try DetectorDefinition(
      name: "random", summary: "", axes: .gravity, plank: lists[0], form: lists[1])
    sequences = (0..<random.integer(1...4)).map { index in
      let sequence = RandomCase.sequence("q\(index)", size: size, &random)
      return sequence.renamed(subject: sequence.subject, source: random.pick(["a", "b"]))
    }
    self.stream = stream
    harm = random.pick([1, 1, 3, 0.5])
    frames = SuggestionFrames(sequences, stream, RandomCase.measurements)
  }

  private static func empty(_ stream: AnswerStream) -> Rule {
    Rule(stream == .plank ? .plank(.none) : .form(.aligned))
  }

  private static func rules(_ stream: AnswerStream, _ random: inout SplitMix64) -> [Rule] {
    let labels = (0..<stream.labels.count).compactMap { AnswerLabel(stream, code: UInt8($0)) }
    var rules: [Rule] = []
    for _ in 0..<random.integer(0...4) {
      let predicates = (0..<random.pick([1, 1, 2])).map { _ in
        // The third measurement is often in no rule, so that edits bring it in.
        let index = random.index(below: random.chance(0.3) ? 3 : 2)
        return Predicate(
          RandomCase.measurements[index], random.pick(Comparison.allCases),
          RandomCase.keys[random.chance(0.8) ? index : random.index(below: 3)],
          negated: random.chance(0.3))
      }
      rules.append(Rule(random.pick(labels), when: predicates))
    }
    return rules + [Rule(random.pick(labels))]
  }

  /// The program's own answers to the scored frames, without debounce.
  func answers(_ detector: DetectorDefinition) throws -> [UInt8] {
    var values = detector.defaults
    try values.set(.plankFrames, to: 1)
    try values.set(.formFrames, to: 1)
    try values.set(.holdSeconds, to: 0)
    let program = try BatchDetector(detector, parameters: values)
    return sequences.flatMap { sequence in
      let answers = program.run(
        stream, sequence.columns, times: sequence.times, startsMid: sequence.startsMid
      ).answers
      let truth = sequence.truth.codes(stream)
      return answers.indices.filter { FrameTruth.isScored(truth[$0]) }.map { answers[$0] }
    }
  }

  /// What an edit is worth by the program's own answers before and after it.
  func worth(of edit: RuleEdit) throws -> Int64 {
    try worth(try answers(detector.applying(edit, to: stream)), before: try answers(detector))
  }

  func worth(_ after: [UInt8], before: [UInt8]) throws -> Int64 {
    after.indices.reduce(0) { sum, frame in
      let (was, isNow) = (before[frame] == frames.truth[frame], after[frame] == frames.truth[frame])
      let weight = frames.weights[frame]
      if was == isNow { return sum }
      return isNow ? sum + weight : sum - Int64((Double(weight) * harm).rounded())
    }
  }

  /// The middles between the distinct values of a measurement in frames that the list decides.
  func thresholds(_ measurement: Measurement) throws -> [Double] {
    let answers = ListAnswers(detector, frames, harm: harm)
    let column = frames.columns[frames.measurements.firstIndex(of: measurement) ?? 0]
    let values = Set(
      column.indices.filter { answers.first[$0] != ListAnswers.noRule && !column[$0].isNaN }
        .map { column[$0] + 0 }
    ).sorted()
    return zip(values, values.dropFirst()).map { Double($0 + ($1 - $0) / 2) }
  }
}
