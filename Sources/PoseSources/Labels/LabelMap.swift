/// What each label of a source means here.
package struct LabelMap: Hashable, Sendable {
  /// The label that stands for every other one.
  package static let anyOther = "*"

  /// Meanings by the source's label; `*` is any other.
  package let targets: [String: LabelTarget]

  /// Makes a map from meanings by label.
  package init(_ targets: [String: LabelTarget] = [:]) { self.targets = targets }

  /// Reads assignments such as `L=forearm/sag`, `up=none` and `*=ignore`.
  ///
  /// The last `=` separates, so that a label may contain one.
  ///
  /// - Throws: `PoseSourceError.invalidOption` for one that cannot be read or comes twice.
  package init(_ assignments: [String]) throws(PoseSourceError) {
    var targets: [String: LabelTarget] = [:]
    for assignment in assignments {
      guard let equals = assignment.lastIndex(of: "="), equals > assignment.startIndex else {
        throw .invalidOption(
          "a label assignment", found: assignment,
          allowed: "LABEL=CLASS, for example `L=forearm/sag`")
      }
      let label = String(assignment[..<equals])
      let target = try LabelTarget(String(assignment[assignment.index(after: equals)...]))
      guard targets.updateValue(target, forKey: label) == nil else {
        throw .invalidOption("a label assignment", found: assignment, allowed: "each label once")
      }
    }
    self.targets = targets
  }

  /// The meaning of a label, or nil where none is given.
  package subscript(label: String) -> LabelTarget? { targets[label] ?? targets[Self.anyOther] }

  /// The meanings of all labels of a file.
  ///
  /// - Throws: `PoseSourceError.unmappedLabels` with every label and its count.
  func meanings(of labels: [String], file: String) throws(PoseSourceError) -> [LabelTarget] {
    let meanings = labels.compactMap { self[$0] }
    guard meanings.count == labels.count else {
      let seen = LabelCount.counts(of: labels)
      throw .unmappedLabels(
        file: file, seen: seen, unmapped: seen.map(\.label).filter { self[$0] == nil })
    }
    return meanings
  }
}

/// How many rows of a table carry a label.
package struct LabelCount: Hashable, Sendable, CustomStringConvertible {
  /// The source's label.
  package let label: String
  /// Rows that carry it.
  package let rows: Int

  /// The label and its rows, for example `` `C` (129 rows) ``.
  package var description: String { "`\(label)` (\(rows) \(rows == 1 ? "row" : "rows"))" }

  /// The labels of a table, the most frequent first, equal ones by name.
  static func counts(of labels: [String]) -> [LabelCount] {
    var rows: [String: Int] = [:]
    for label in labels { rows[label, default: 0] += 1 }
    return rows.map { LabelCount(label: $0, rows: $1) }
      .sorted { ($1.rows, $0.label) < ($0.rows, $1.label) }
  }
}
