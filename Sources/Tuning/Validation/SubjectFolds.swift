internal import Statistics

/// What is held out together.
package enum ValidationScheme: Hashable, Sendable {
  /// Every subject once if there are at most `mostFolds`, otherwise that many groups of subjects:
  /// more folds take proportionally longer and reveal little more.
  case automatic
  /// Every subject once.
  case leaveOneSubjectOut
  /// Every source of data once, with all of its subjects.
  case leaveOneSourceOut
  /// This many groups of subjects, drawn by the seed.
  case subjectFolds(Int)

  /// The largest number of folds if none is given.
  package static let mostFolds = 20

  /// The scheme with its folds resolved.
  package func settled(subjects: Int) -> ValidationScheme {
    guard self == .automatic else { return self }
    return subjects <= Self.mostFolds ? .leaveOneSubjectOut : .subjectFolds(Self.mostFolds)
  }
}

/// Which subjects are held out together.
package struct SubjectFolds: Hashable, Sendable {
  /// The held-out subjects of every fold: indices of the sorted subjects, ascending.
  package let heldOut: [[Int]]

  /// Divides subjects.
  ///
  /// - Parameter sources: the source of every subject; needed if sources are held out.
  /// - Throws: `TuningError` for fewer than two subjects or sources, and folds that do not fit.
  package init(
    _ scheme: ValidationScheme, subjects: Int, sources: [String?] = [], seed: UInt64
  ) throws {
    guard subjects >= 2 else { throw TuningError.tooFewSubjects(found: subjects, needed: 2) }
    switch scheme.settled(subjects: subjects) {
    case .leaveOneSubjectOut, .automatic: heldOut = (0..<subjects).map { [$0] }
    case .leaveOneSourceOut:
      let names = Set(sources).sorted { ($0 ?? "") < ($1 ?? "") }
      guard names.count >= 2 else { throw TuningError.tooFewSources(found: names.count) }
      heldOut = names.map { name in sources.indices.filter { sources[$0] == name } }
    case .subjectFolds(let count):
      guard (2...subjects).contains(count) else {
        throw TuningError.invalidFolds(count, subjects: subjects)
      }
      let order = RandomStream(seed: seed, purpose: "tuning.folds").permutation(of: subjects)
      heldOut = (0..<count).map { fold in
        stride(from: fold, to: subjects, by: count).map { order[$0] }.sorted()
      }
    }
  }

  /// The subjects on which a fold chooses.
  package func heldIn(_ fold: Int, of subjects: Int) -> [Int] {
    (0..<subjects).filter { !heldOut[fold].contains($0) }
  }
}

/// Sequences by subject.
struct SubjectGroups {
  let names: [String]
  let sequences: [[Int]]

  /// Groups sequences; the order of the data does not matter.
  init(_ all: [(name: String, subject: String?)], allowsUngrouped: Bool) throws {
    var groups: [String: [Int]] = [:]
    for (index, sequence) in all.enumerated() {
      guard let subject = sequence.subject ?? (allowsUngrouped ? sequence.name : nil) else {
        throw TuningError.missingSubject(sequence: sequence.name)
      }
      groups[subject, default: []].append(index)
    }
    names = groups.keys.sorted()
    sequences = names.map { (groups[$0] ?? []).sorted { all[$0].name < all[$1].name } }
  }

  /// The subject of every sequence.
  var subjectOfSequence: [Int] {
    var subjects = Array(repeating: 0, count: sequences.reduce(0) { $0 + $1.count })
    for (subject, members) in sequences.enumerated() {
      for member in members { subjects[member] = subject }
    }
    return subjects
  }

  /// The source of every subject.
  ///
  /// - Parameter all: the source of every sequence.
  func sources(_ all: [String?]) throws -> [String?] {
    var result: [String?] = []
    for (name, members) in zip(names, sequences) {
      let source = all[members[0]]
      for member in members where all[member] != source {
        throw TuningError.subjectInTwoSources(name, source ?? "-", all[member] ?? "-")
      }
      result.append(source)
    }
    return result
  }
}
