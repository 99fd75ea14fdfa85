internal import PoseSynthesis
internal import YAMLDocuments

/// Reads the sections that a studio and a session share: camera, clock, noise and the rest.
enum SessionSections {
  private static let noisePrefix = "noise."

  /// The top-level keys of the sections.
  static let keys =
    SessionScript.sections.map(\.name).filter { !$0.hasPrefix(noisePrefix) } + ["noise"]

  /// Reads every section of a map into a session.
  ///
  /// - Parameters:
  ///   - map: the script's root.
  ///   - others: further keys inside `subject` and `noise`, read elsewhere.
  /// - Returns: what was set, in the catalogue's order of sections.
  static func read(
    _ map: YAMLMap, others: [String: [String]], into script: inout SessionScript
  ) throws(YAMLError) -> [ScriptAssignment] {
    var assignments: [ScriptAssignment] = []
    let noise = map.optional("noise")
    let noiseMap = try noise?.map()
    let parts = SessionScript.sections.map(\.name).filter { $0.hasPrefix(noisePrefix) }
      .map { String($0.dropFirst(noisePrefix.count)) }
    try noiseMap?.rejectUnknownKeys(known: (others["noise"] ?? []) + parts)
    for section in SessionScript.sections {
      let isNoise = section.name.hasPrefix(noisePrefix)
      let key = isNoise ? String(section.name.dropFirst(noisePrefix.count)) : section.name
      guard let node = isNoise ? noiseMap?.optional(key) : map.optional(key) else { continue }
      let reader = SectionSpecification(section: section, others: others[section.name] ?? [])
      assignments += try reader.read(node, into: &script)
    }
    return assignments
  }

  /// A noise preset by its name.
  static func preset(_ node: YAMLNode) throws(YAMLError) -> NoisePreset {
    try node.choice(NoisePreset.allCases.map { (word: $0.rawValue, value: $0) })
  }
}
