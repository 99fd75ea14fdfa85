internal import Statistics

package enum ValidationScheme: Hashable, Sendable {
  /// Every subject once if there are at most `mostFolds`, otherwise that many groups of subjects:
  /// more folds take proportionally longer and reveal little more.
  case automatic
  case leaveOneSubjectOut
  case leaveOneSourceOut
  case subjectFolds(Int)

  package static let mostFolds = 20

  package func settled(subjects: Int) -> ValidationScheme {
    guard self == .automatic else { return self }
    return subjects <= Self.mostFolds ? .leaveOneSubjectOut : .subjectFolds(Self.mostFolds)
  }
}

package struct SubjectFolds: Hashable, Sendable {
  package let heldOut: [[Int]]

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

  package func heldIn(_ fold: Int, of subjects: Int) -> [Int] {
    (0..<subjects).filter { !heldOut[fold].contains($0) }
  }
}

struct SubjectGroups {
  let names: [String]
  let sequences: [[Int]]

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

  var subjectOfSequence: [Int] {
    var subjects = Array(repeating: 0, count: sequences.reduce(0) { $0 + $1.count })
    for (subject, members) in sequences.enumerated() {
      for member in members { subjects[member] = subject }
    }
    return subjects
  }

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
