package import PoseModel

/// The cell of the confusion matrices that grew most: a true class and a wrong answer.
package struct CellGrowth: Hashable, Sendable, Codable {
  package struct Person: Hashable, Sendable, Codable {
    package let subject: String?
    package let seconds: Seconds

    private enum CodingKeys: String, CodingKey {
      case subject
      case seconds = "difference_s"
    }
  }

  package let stream: AnswerStream
  package let truth: String
  package let answer: String
  package let slice: GateSlice
  package let before: Seconds
  package let after: Seconds
  package let people: [Person]

  private enum CodingKeys: String, CodingKey {
    case stream, truth, answer, slice, people
    case before = "before_s"
    case after = "after_s"
  }

  package static let least = Seconds(0.05)

  package var growth: Seconds { Seconds(after.value - before.value) }

  /// Ties go to the first stream and class; rules that stop count before those that warn.
  ///
  /// If all of a stream's broken rules judge the same part of the sequences, only that part is
  /// counted.
  package static func largest(
    from before: GateSide, to after: GateSide, _ findings: [GateFinding]
  ) -> CellGrowth? {
    let broken = findings.filter { $0.isBroken && $0.reference == .baseline }
    let stopping = broken.filter(\.stops)
    let rules = (stopping.isEmpty ? broken : stopping).map(\.rule)
    let found = AnswerStream.allCases.flatMap { stream -> [CellGrowth] in
      let slices = Set(rules.filter { $0.judged?.stream == stream }.map(\.slice))
      guard let slice = slices.first else { return [] }
      return all(from: before, to: after, stream, slices.count == 1 ? slice : .all)
    }
    var largest: CellGrowth?
    for cell in found where cell.growth.value > (largest?.growth.value ?? 0) { largest = cell }
    return largest.flatMap { $0.growth.value >= least.value ? $0 : nil }
  }

  package func people(from before: GateSide, to after: GateSide) -> [Person] {
    let subjects = Set(before.sequences.map(\.subject)).union(after.sequences.map(\.subject))
    let found = subjects.map { subject in
      let (old, new) = (seconds(in: before, of: subject), seconds(in: after, of: subject))
      return Person(subject: subject, seconds: Seconds(new - old))
    }
    return found.filter { abs($0.seconds.value) > 1e-9 }.sorted {
      ($1.seconds.value, $0.subject ?? "") < ($0.seconds.value, $1.subject ?? "")
    }
  }

  package func seconds(in side: GateSide) -> Double {
    Self.matrix(slice.of(side.sequences), stream)[code(truth), code(answer)]
  }

  private func seconds(in side: GateSide, of subject: String?) -> Double {
    let own = slice.of(side.sequences).filter { $0.subject == subject }
    return Self.matrix(own, stream)[code(truth), code(answer)]
  }

  private func code(_ label: String) -> Int { Int(stream.code(of: label) ?? 0) }

  private static func matrix(
    _ sequences: [SequenceScores], _ stream: AnswerStream
  ) -> ConfusionMatrix<Double> {
    PooledCounts(sequences, stream).seconds
  }

  private static func all(
    from before: GateSide, to after: GateSide, _ stream: AnswerStream, _ slice: GateSlice
  ) -> [CellGrowth] {
    let old = matrix(slice.of(before.sequences), stream)
    let new = matrix(slice.of(after.sequences), stream)
    return stream.labels.enumerated().flatMap { truth, name in
      stream.labels.enumerated().compactMap { answer, other in
        guard truth != answer, new[truth, answer] > old[truth, answer] else { return nil }
        let cell = CellGrowth(
          stream: stream, truth: name, answer: other, slice: slice,
          before: Seconds(old[truth, answer]), after: Seconds(new[truth, answer]), people: [])
        return cell.with(people: cell.people(from: before, to: after))
      }
    }
  }

  private func with(people: [Person]) -> CellGrowth {
    CellGrowth(
      stream: stream, truth: truth, answer: answer, slice: slice, before: before, after: after,
      people: people)
  }
}

extension [CellGrowth.Person] {
  /// The person whose part is at least two thirds of all growth; nil for nobody and for an unknown
  /// person.
  package var most: String? {
    let grown = filter { $0.seconds.value > 0 }
    let sum = grown.reduce(0) { $0 + $1.seconds.value }
    return grown.first { $0.seconds.value >= 2 * sum / 3 }?.subject
  }
}
