internal import PlankDetection
internal import YAMLDocuments

extension GridSpecification {
  /// The values of a detector that no axis varies: its own, then the file's, then the command line's.
  func base(
    _ detector: DetectorDefinition, _ all: [DetectorDefinition], varied: [ParameterKey]
  ) throws(YAMLError) -> ParameterValues {
    var values = detector.defaults
    for entry in try map.optional("parameters")?.map().entries ?? [] {
      guard definition(entry.key, all) != nil else { throw unused(entry.key, all, entry.value) }
      guard !varied.contains(ParameterKey(entry.key)) else {
        throw entry.value.error(
          allowed: "parameters that no axis varies", remedy: "remove the value or the axis",
          found: "a value for `\(entry.key)`, which is an axis")
      }
      guard values[ParameterKey(entry.key)] != nil else { continue }
      let text = try entry.value.string()
      do {
        try values.set("\(entry.key)=\(text)")
      } catch {
        throw entry.value.error(error)
      }
    }
    for assignment in overrides.assignments {
      let key = assignment.prefix { $0 != "=" }
      if definition(String(key), all) != nil, values[ParameterKey(String(key))] == nil { continue }
      do {
        try values.set(assignment)
      } catch {
        throw YAMLError(
          file: "--set \(assignment)", line: nil, found: "a value that cannot be used",
          allowed: "a parameter with a value", remedy: "\(error)")
      }
    }
    return values
  }
}
