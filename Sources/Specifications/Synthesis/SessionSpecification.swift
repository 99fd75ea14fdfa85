internal import PoseModel
internal import PoseSynthesis
internal import YAMLDocuments

/// Reads a single session: who, seen from where, with which noise, and its holds.
enum SessionSpecification {
  private static let keys = ["seed", "tags", "holds"]
  private static let holdKeys = ["posture", "duration_s"]

  /// Reads a script's root.
  ///
  /// - Parameter common: the keys that describe the dataset.
  static func parse(_ map: YAMLMap, common: [String]) throws(YAMLError) -> SessionScript {
    try map.rejectUnknownKeys(known: common + keys + SessionSections.keys)
    let list = try map.required("holds")
    var holds: [Hold] = []
    for node in try list.list() { holds.append(try hold(node)) }
    var script = SessionScript(holds: holds)
    if let seed = map.optional("seed") { script.seed = try seed.seed() }
    if let preset = try map.optional("noise")?.map().optional("preset") {
      script.noise = try SessionSections.preset(preset).parameters
    }
    try readSubject(map, into: &script)
    _ = try SessionSections.read(
      map, others: ["noise": ["preset"], "subject": ["name", "seed"]], into: &script)
    for entry in try map.optional("tags")?.map().entries ?? [] {
      script.tags[entry.key] = try entry.value.string()
    }
    script.name = "session-" + script.subject.name
    do {
      try script.validate()
    } catch {
      throw list.error(error)
    }
    return script
  }

  private static func readSubject(
    _ map: YAMLMap, into script: inout SessionScript
  ) throws(YAMLError) {
    guard let subject = try map.optional("subject")?.map() else { return }
    if let seed = subject.optional("seed") { script.subject.seed = try seed.seed() }
    guard let node = subject.optional("name") else { return }
    let name = try node.string()
    let isPlain = name.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte == 45
    }
    guard isPlain, !name.isEmpty, name.utf8.count <= 40 else {
      throw node.error(
        allowed: "up to 40 letters, digits and hyphens",
        remedy: "shorten or respell the name; it becomes part of file names")
    }
    script.subject.name = name
  }

  private static func hold(_ node: YAMLNode) throws(YAMLError) -> Hold {
    let map = try node.map()
    try map.rejectUnknownKeys(known: holdKeys + Hold.sections.map(\.name))
    let posture = try map.required("posture").choice(
      Posture.allCases.map { (word: $0.rawValue, value: $0) })
    let duration = try map.required("duration_s")
    let seconds = try duration.double()
    guard Hold.durations.contains(seconds) else {
      throw duration.error(
        allowed: "\(Hold.durations.lowerBound) to \(Hold.durations.upperBound) s",
        remedy: "write a duration in that range")
    }
    var hold = Hold(posture, for: Seconds(seconds))
    for section in Hold.sections {
      guard let part = map.optional(section.name) else { continue }
      try SectionSpecification(section: section).read(part, into: &hold)
    }
    do {
      try hold.validate(in: node.field)
    } catch {
      throw node.error(error)
    }
    return hold
  }
}
