import Evaluation
import PlankDetection
import PoseModel
import TestSupport

@testable import Tuning

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
      return MeasuredSequence(
        name: sequence.name, subject: sequence.subject, source: random.pick(["a", "b"]),
        times: sequence.times, truth: sequence.truth, startsMid: sequence.startsMid,
        frameWeight: sequence.frameWeight, columns: sequence.columns)
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

  /// What answers are worth beside those before.
  func worth(_ after: [UInt8], before: [UInt8]) throws -> Int64 {
    after.indices.reduce(0) { sum, frame in
      let (was, isNow) = (
        before[frame] == frames.truth[frame], after[frame] == frames.truth[frame]
      )
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
