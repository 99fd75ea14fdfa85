internal import Evaluation
internal import PoseModel

/// What tables of one layout share: who is in which sequences, and where their numbers are.
struct SubjectLayout: Sendable {
  let subjects: [String]
  let sequences: [[Int]]
  let sources: [String?]
  let hasSeveralSources: Bool
  let subjectOfSequence: [Int]
  let rows: [[ConfusionRow]]
  let seconds: [Double]
  let trueTransitions: [Double]

  init(_ layout: StatisticsLayout, allowsUngrouped: Bool) throws {
    let facts = layout.facts.sequences
    let groups = try SubjectGroups(
      facts.map { (name: $0.name, subject: $0.subject) }, allowsUngrouped: allowsUngrouped)
    subjects = groups.names
    sequences = groups.sequences
    sources = try groups.sources(facts.map(\.source))
    hasSeveralSources = Set(sources).count > 1
    subjectOfSequence = groups.subjectOfSequence
    rows = groups.sequences.map { ConfusionRow.rows(of: $0, layout) }
    seconds = groups.sequences.map { $0.reduce(0) { $0 + facts[$1].evaluatedSeconds.value } }
    trueTransitions = groups.sequences.map {
      $0.reduce(0) { $0 + Double(facts[$1].trueTransitions) }
    }
  }
}

struct ConfusionRow {
  let start: Int
  let truth: Int
  let weight: Double

  static func rows(of sequences: [Int], _ layout: StatisticsLayout) -> [ConfusionRow] {
    sequences.flatMap { sequence in
      let facts = layout.facts.sequences[sequence]
      return facts.rows.enumerated().map { index, row in
        ConfusionRow(
          start: layout.row(index, of: sequence).all, truth: Int(row.truth),
          weight: facts.frameWeight.value)
      }
    }
  }

  static func sum(
    _ rows: [ConfusionRow], _ numbers: UnsafePointer<UInt32>, answers: Int
  ) -> ClassCounts {
    withUnsafeTemporaryAllocation(
      of: Double.self, capacity: 3 * ClassCounts.mostClasses
    ) { times in
      times.initialize(repeating: 0)
      let (missed, wrong) = (ClassCounts.mostClasses, 2 * ClassCounts.mostClasses)
      for row in rows {
        let counts = numbers + row.start
        let right = UInt64(counts[row.truth])
        times[row.truth] += Double(right) * row.weight
        // Most rows of a good cell have no wrong answer.
        var all: UInt64 = 0
        for answer in 0..<answers { all &+= UInt64(counts[answer]) }
        guard all != right else { continue }
        for answer in 0..<answers where answer != row.truth && counts[answer] > 0 {
          let time = Double(counts[answer]) * row.weight
          times[missed + row.truth] += time
          times[wrong + answer] += time
        }
      }
      var result = ClassCounts()
      for code in 0..<ClassCounts.mostClasses {
        result.right[code] = times[code]
        result.missed[code] = times[missed + code]
        result.wrong[code] = times[wrong + code]
      }
      return result
    }
  }
}
