internal import PoseSynthesis
internal import YAMLDocuments

/// Reads a section of a script by its catalogue: numbers within their ranges, allowed words.
struct SectionSpecification<Root: Sendable> {
  /// The section.
  let section: ScriptSection<Root>
  /// Keys of the same map that someone else reads.
  var others: [String] = []

  /// Reads the section's map into what contains it.
  ///
  /// - Returns: what was set, in the order of the file.
  @discardableResult
  func read(_ node: YAMLNode, into root: inout Root) throws(YAMLError) -> [ScriptAssignment] {
    let map = try node.map()
    try map.rejectUnknownKeys(known: others + section.keys)
    var assignments: [ScriptAssignment] = []
    for entry in map.entries where !others.contains(entry.key) {
      let value = try value(entry)
      do {
        try section.apply(value, to: entry.key, of: &root)
      } catch {
        throw entry.value.error(error)
      }
      assignments.append(ScriptAssignment(section: section.name, key: entry.key, value: value))
    }
    do {
      try section.validate(root)
    } catch {
      throw node.error(error)
    }
    return assignments
  }

  private func value(_ entry: YAMLEntry) throws(YAMLError) -> ScriptValue {
    if let choice = section.choices.first(where: { $0.key == entry.key }) {
      let words = choice.allowed.map { (word: $0, value: ScriptValue.word($0)) }
      return try entry.value.choice(words)
    }
    let value = try entry.value.double()
    if let number = section.numbers.first(where: { $0.key == entry.key }),
      !number.range.contains(value)
    {
      let unit = number.unit.isEmpty ? "" : " " + number.unit
      throw entry.value.error(
        allowed: "\(number.range.lowerBound) to \(number.range.upperBound)\(unit)",
        remedy: "write a number in that range (\(number.meaning))")
    }
    return .number(value)
  }
}
