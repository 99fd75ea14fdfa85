package import PoseModel

/// The amounts before and after a change, by person.
///
/// Amounts are seconds with the right answer, or numbers of events. People are sorted by source and
/// counts, not by name, so renaming them changes nothing.
package struct PairedCounts: Hashable, Sendable {
  package struct Unit: Hashable, Sendable {
    package let source: String
    /// The divisors of the counts: the seconds of each class, or the minutes of a rate.
    package let amounts: SIMD8<Double>
    package let before: SIMD8<Double>
    package let after: SIMD8<Double>

    package init(
      source: String = "", amounts: SIMD8<Double>, before: SIMD8<Double>, after: SIMD8<Double>
    ) {
      self.source = source
      self.amounts = amounts
      self.before = before
      self.after = after
    }
  }

  package let units: [Unit]
  /// How many of the units are recordings of unnamed people.
  package let unnamed: Int

  package init(_ units: [Unit], unnamed: Int = 0) {
    self.units = units.filter { $0.amounts.max() > 0 }.sorted { $0.isBefore($1) }
    self.unnamed = unnamed
  }
}

extension PairedCounts {
  /// An approximation of the gain to expect on new people, without random draws; 0 if nothing was
  /// counted.
  package func expectedGain(in unit: Advice.Unit = .points) -> Double {
    units.isEmpty ? 0 : JudgedChange.expected(units, unit)
  }
}

extension PairedCounts.Unit {
  package init(source: String?, amount: Double, before: Double, after: Double) {
    func first(_ value: Double) -> SIMD8<Double> { SIMD8(value, 0, 0, 0, 0, 0, 0, 0) }
    self.init(
      source: source ?? "", amounts: first(amount), before: first(before), after: first(after))
  }

  fileprivate static func + (left: Self, right: Self) -> Self {
    Self(
      source: left.source, amounts: left.amounts + right.amounts,
      before: left.before + right.before, after: left.after + right.after)
  }

  /// Compares whole microseconds, because a clock that starts at another time changes the last
  /// digits of seconds, and those digits only if nothing else differs.
  fileprivate func isBefore(_ other: Self) -> Bool {
    guard source == other.source else { return source < other.source }
    let pairs = [(amounts, other.amounts), (before, other.before), (after, other.after)]
    let whole = pairs.lazy.compactMap {
      Self.isBefore(($0 * 1e6).rounded(.toNearestOrEven), ($1 * 1e6).rounded(.toNearestOrEven))
    }
    return whole.first ?? pairs.lazy.compactMap { Self.isBefore($0, $1) }.first ?? false
  }

  /// Compares the first part that differs.
  private static func isBefore(_ left: SIMD8<Double>, _ right: SIMD8<Double>) -> Bool? {
    guard left != right else { return nil }
    return left.indices.first { left[$0] != right[$0] }.map { left[$0] < right[$0] }
  }
}

/// The scored seconds of each class in one recording, and how many of them one side answers
/// correctly.
package struct RightSeconds: Hashable, Sendable {
  package let name: String
  package let subject: String?
  package let source: String?
  package let scored: SIMD8<Double>
  package let right: SIMD8<Double>

  package init(
    name: String, subject: String?, source: String?, scored: SIMD8<Double>, right: SIMD8<Double>
  ) {
    self.name = name
    self.subject = subject
    self.source = source
    self.scored = scored
    self.right = right
  }

  package init(_ scores: SequenceScores, _ stream: AnswerStream) {
    let matrix = scores[stream].confusion
    var (scored, right) = (SIMD8<Double>(), SIMD8<Double>())
    for truth in matrix.labels.indices {
      for answer in matrix.labels.indices { scored[truth] += Double(matrix[truth, answer]) }
      right[truth] = Double(matrix[truth, truth])
    }
    let weight = scores.frameWeight.value
    self.init(
      name: scores.name, subject: scores.subject, source: scores.source, scored: scored * weight,
      right: right * weight)
  }
}

extension PairedCounts {
  package struct Recording {
    let name: String
    let subject: String?
    let counts: Unit

    package init(name: String, subject: String?, counts: Unit) {
      self.name = name
      self.subject = subject
      self.counts = counts
    }
  }

  /// Adds up the recordings of each person and source; a recording of an unnamed person is a unit
  /// of its own.
  package init(summing recordings: [Recording]) {
    let counted = recordings.filter { $0.counts.amounts.max() > 0 }.sorted { $0.name < $1.name }
    var sums: [[String?]: Unit] = [:]
    for recording in counted {
      let (counts, subject) = (recording.counts, recording.subject)
      let key = [counts.source, subject, subject == nil ? recording.name : nil]
      sums[key] = sums[key].map { $0 + counts } ?? counts
    }
    self.init(Array(sums.values), unnamed: counted.count { $0.subject == nil })
  }

  package init(_ before: [RightSeconds], _ after: [RightSeconds]) {
    precondition(before.map(\.name) == after.map(\.name), "both sides have the same recordings")
    self.init(
      summing: zip(before, after).map { old, new in
        Recording(
          name: old.name, subject: old.subject,
          counts: Unit(
            source: old.source ?? "", amounts: old.scored, before: old.right, after: new.right))
      })
  }

  package init(_ before: [SequenceScores], _ after: [SequenceScores], _ stream: AnswerStream) {
    self.init(before.map { RightSeconds($0, stream) }, after.map { RightSeconds($0, stream) })
  }
}
