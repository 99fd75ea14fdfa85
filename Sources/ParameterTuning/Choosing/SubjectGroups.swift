/// Sequences by subject.
struct SubjectGroups {
  let names: [String]
  let sequences: [[Int]]

  /// Groups sequences; the order of the data does not matter.
  init(
    _ all: [(name: String, subject: String?)], allowsUngrouped: Bool
  ) throws(TuningError) {
    var groups: [String: [Int]] = [:]
    for (index, sequence) in all.enumerated() {
      guard let subject = sequence.subject ?? (allowsUngrouped ? sequence.name : nil) else {
        throw .missingSubject(sequence: sequence.name)
      }
      groups[subject, default: []].append(index)
    }
    names = groups.keys.sorted()
    sequences = names.map { (groups[$0] ?? []).sorted { all[$0].name < all[$1].name } }
  }
}
