internal import Statistics

/// How people are held out.
package enum ValidationScheme: Hashable, Sendable {
  /// Every subject once.
  case leaveOneSubjectOut
  /// So many groups of subjects, drawn by the seed.
  case subjectFolds(Int)
}

/// Which subjects are held out together.
package struct SubjectFolds: Hashable, Sendable {
  /// The held-out subjects of every fold: indices of the sorted subjects, ascending.
  package let heldOut: [[Int]]

  /// Divides subjects.
  ///
  /// - Throws: `TuningError` for fewer than two subjects or folds that do not fit.
  package init(_ scheme: ValidationScheme, subjects: Int, seed: UInt64) throws(TuningError) {
    guard subjects >= 2 else { throw .tooFewSubjects(found: subjects, needed: 2) }
    switch scheme {
    case .leaveOneSubjectOut: heldOut = (0..<subjects).map { [$0] }
    case .subjectFolds(let count):
      guard (2...subjects).contains(count) else {
        throw .invalidFolds(count, subjects: subjects)
      }
      let order = RandomStream(seed: seed, purpose: "tuning.folds").permutation(of: subjects)
      heldOut = (0..<count).map { fold in
        stride(from: fold, to: subjects, by: count).map { order[$0] }.sorted()
      }
    }
  }

  /// The subjects that a fold chooses on.
  package func heldIn(_ fold: Int, of subjects: Int) -> [Int] {
    (0..<subjects).filter { !heldOut[fold].contains($0) }
  }
}
