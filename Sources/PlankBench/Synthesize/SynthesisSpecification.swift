internal import PoseDatasets
internal import PoseModel
internal import PoseSynthesis

/// Reads a studio or a single session from YAML, in the format of `docs/studio.md`.
enum SynthesisSpecification {
  private static let common = ["name", "description", "license"]

  static func parse(_ text: String, file: String) throws -> SynthesisScript {
    let root = try YAMLDocument(text: text, file: file).root
    let map = try root.map()
    let isStudio = map.optional("studio") != nil
    try root.require(
      isStudio != (map.optional("holds") != nil),
      allowed: "`studio` (many sessions) or `holds` (one session)",
      remedy: isStudio ? "remove one of the two" : "add one of the two",
      found: isStudio ? "both `studio` and `holds`" : "neither `studio` nor `holds`")
    var script = SynthesisScript(
      content: isStudio
        ? .studio(try StudioSpecification.parse(map, common: common))
        : .session(try SessionSpecification.parse(map, common: common)))
    script.name = try map.text("name")
    script.description = try map.text("description")
    script.license = try map.text("license")
    return script
  }
}

extension YAMLNode {
  func seed() throws -> UInt64 {
    guard let seed = UInt64(exactly: try integer()) else {
      throw error(allowed: "0 or more", remedy: "write a whole number such as 7 as the seed")
    }
    return seed
  }
}

struct SynthesisScript: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case studio(StudioParameters)
    case session(SessionScript)
  }

  var content: Content
  var name: String?
  var description: String?
  var license: String?

  func replacingErrors(by bank: ErrorBank) -> SynthesisScript {
    var result = self
    switch content {
    case .studio(var studio):
      studio.errors = bank
      studio.noiseName = bank.title
      result.content = .studio(studio)
    case .session(var session):
      session.errors = bank
      result.content = .session(session)
    }
    return result
  }
}

enum StudioSpecification {
  private static let keys = ["preset", "program", "subjects", "seed", "frames", "only"]

  static func parse(_ map: YAMLMap, common: [String]) throws -> StudioParameters {
    try map.rejectUnknownKeys(known: common + ["studio"] + SessionSections.keys)
    let node = try map.required("studio")
    var parameters = try studio(node)
    var script = SessionScript(holds: [])
    script.noise = parameters.noise
    script.criterion = parameters.criterion
    let assignments = try SessionSections.read(map, others: [:], into: &script)
    parameters.overrides = assignments
    parameters.noise = script.noise
    parameters.criterion = script.criterion
    if assignments.contains(where: { $0.section.hasPrefix("noise.") }) {
      parameters.noiseName += "-changed"
    }
    do { try parameters.validate() } catch { throw node.error(error) }
    return parameters
  }

  private static func studio(_ node: YAMLNode) throws -> StudioParameters {
    let map = try node.map()
    try map.rejectUnknownKeys(known: keys)
    let preset = try map.optional("preset").map(SessionSections.preset) ?? .phone
    var parameters = StudioParameters(preset: preset)
    if let program = map.optional("program") {
      parameters.program = try program.choice(
        StudioProgram.allCases.map { (word: $0.rawValue, value: $0) })
    }
    if let seed = map.optional("seed") { parameters.seed = try seed.seed() }
    if let subjects = map.optional("subjects") {
      parameters.subjects = try subjects.integer(in: StudioParameters.subjectRange)
    }
    if let frames = map.optional("frames") {
      parameters.frames = try frames.integer(in: StudioParameters.frameRange)
    }
    if let only = map.optional("only") {
      let numbers = try only.list().map { try $0.integer(in: 0...999_999) }
      guard !numbers.isEmpty, Set(numbers).count == numbers.count else {
        throw only.error(
          allowed: "a list of different session numbers",
          remedy: "list each session once, or remove `only` to make all of them",
          found: numbers.isEmpty ? "an empty list" : "a number twice")
      }
      parameters.only = numbers
    }
    return parameters
  }
}

enum SessionSpecification {
  private static let keys = ["seed", "tags", "holds"]
  private static let holdKeys = ["posture", "duration_s"]

  static func parse(_ map: YAMLMap, common: [String]) throws -> SessionScript {
    try map.rejectUnknownKeys(known: common + keys + SessionSections.keys)
    let list = try map.required("holds")
    var script = SessionScript(holds: try list.list().map(hold))
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
    do { try script.validate() } catch { throw list.error(error) }
    return script
  }

  private static func readSubject(_ map: YAMLMap, into script: inout SessionScript) throws {
    guard let subject = try map.optional("subject")?.map() else { return }
    if let seed = subject.optional("seed") { script.subject.seed = try seed.seed() }
    guard let node = subject.optional("name") else { return }
    let name = try node.string()
    let isPlain = name.allSatisfy { $0.isASCIIWord || $0 == "-" }
    guard isPlain, !name.isEmpty, name.count <= 40 else {
      throw node.error(
        allowed: "up to 40 letters, digits and hyphens",
        remedy: "shorten or respell the name; it becomes part of file names")
    }
    script.subject.name = name
  }

  private static func hold(_ node: YAMLNode) throws -> Hold {
    let map = try node.map()
    try map.rejectUnknownKeys(known: holdKeys + Hold.sections.map(\.name))
    let posture = try map.required("posture").choice(
      Posture.allCases.map { (word: $0.rawValue, value: $0) })
    let duration = try map.required("duration_s")
    let seconds = try duration.double()
    try duration.require(
      Hold.durations.contains(seconds),
      allowed: "\(Hold.durations.lowerBound) to \(Hold.durations.upperBound) s",
      remedy: "write a duration in that range")
    var hold = Hold(posture, for: Seconds(seconds))
    for section in Hold.sections {
      guard let part = map.optional(section.name) else { continue }
      try SectionSpecification(section: section).read(part, into: &hold)
    }
    do { try hold.validate(in: node.field) } catch { throw node.error(error) }
    return hold
  }
}

enum SessionSections {
  private static let noisePrefix = "noise."

  static let keys =
    SessionScript.sections.map(\.name).filter { !$0.hasPrefix(noisePrefix) } + ["noise"]

  static func read(
    _ map: YAMLMap, others: [String: [String]], into script: inout SessionScript
  ) throws -> [ScriptAssignment] {
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

  static func preset(_ node: YAMLNode) throws -> NoisePreset {
    try node.choice(NoisePreset.allCases.map { (word: $0.rawValue, value: $0) })
  }
}

struct SectionSpecification<Root: Sendable> {
  let section: ScriptSection<Root>
  var others: [String] = []

  @discardableResult
  func read(_ node: YAMLNode, into root: inout Root) throws -> [ScriptAssignment] {
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
    do { try section.validate(root) } catch { throw node.error(error) }
    return assignments
  }

  private func value(_ entry: YAMLEntry) throws -> ScriptValue {
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
