/// One thing on which a run depends that is not what it was.
package struct RunChange: Hashable, Sendable, CustomStringConvertible {
  /// What a run depends on.
  package enum Subject: String, CaseIterable, Hashable, Sendable {
    /// The recordings, labels or manifest, or the split of them.
    case dataset
    /// Detectors, rules, smoothings, axes, constraints or streams.
    case grid
    /// The program, by version or build.
    case program
    /// The seed.
    case seed
    /// Which numbers a cell has.
    case statistics
  }

  /// What changed.
  package let subject: Subject
  /// What the run was begun with.
  package let stored: String
  /// What is at hand now.
  package let found: String

  /// Compares; nil where nothing changed.
  init?(_ subject: Subject, stored: String, found: String) {
    guard stored != found else { return nil }
    self.subject = subject
    self.stored = stored
    self.found = found
  }

  /// What changed, in words; long texts are cut around the first difference.
  package var description: String {
    let difference = stored.commonPrefix(with: found).count
    return "the \(subject.rawValue) changed from `\(Self.cut(stored, at: difference))` "
      + "to `\(Self.cut(found, at: difference))`"
  }

  private static let longest = 100

  private static func cut(_ text: String, at difference: Int) -> String {
    guard text.count > longest else { return text }
    let name = text.prefix { $0 != ":" }.prefix(40)
    let start = max(name.count, difference - 20)
    let rest = text.dropFirst(start)
    return "\(name)...\(rest.prefix(longest / 2))" + (rest.count > longest / 2 ? "..." : "")
  }
}

extension String {
  /// The characters with which two texts begin.
  fileprivate func commonPrefix(with other: String) -> [Character] {
    zip(self, other).prefix { $0 == $1 }.map(\.0)
  }
}
