internal import PoseDatasets
internal import PoseSynthesis

/// Reads a synthesis script from YAML: a studio, or a single session.
///
/// ```yaml
/// name: evening                       # optional; so are description and license
/// studio: {preset: phone, subjects: 12, seed: 7, frames: 300000}
/// noise:                              # every number of a preset can be replaced
///   joints: {white_across_m: 0.004}
/// camera: {distance_m: 1.5}           # replaces what the plan draws, in every session
/// ```
///
/// ```yaml
/// seed: 3                             # a session instead: who, what, seen from where
/// subject: {name: ann, sex: female, height_m: 1.62}
/// camera: {distance_m: 2, orientation: landscapeLeft, buffer: upright}
/// noise: {preset: article}
/// holds:
///   - {posture: standing, duration_s: 3}
///   - {posture: forearm, duration_s: 20, form: {hip_offset_m: -0.06}}
/// ```
enum SynthesisSpecification {
  private static let common = ["name", "description", "license"]

  static func parse(_ text: String, file: String) throws -> SynthesisScript {
    let root = try YAMLDocument(text: text, file: file).root
    let map = try root.map()
    let isStudio = map.optional("studio") != nil
    guard isStudio != (map.optional("holds") != nil) else {
      throw root.error(
        allowed: "`studio` (many sessions) or `holds` (one session)",
        remedy: isStudio ? "remove one of the two" : "add one of the two",
        found: isStudio ? "both `studio` and `holds`" : "neither `studio` nor `holds`")
    }
    var script = SynthesisScript(
      content: isStudio
        ? .studio(try StudioSpecification.parse(map, common: common))
        : .session(try SessionSpecification.parse(map, common: common)))
    script.name = try map.optional("name")?.string()
    script.description = try map.optional("description")?.string()
    script.license = try map.optional("license")?.string()
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
    do {
      try parameters.validate()
    } catch {
      throw node.error(error)
    }
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
      parameters.subjects = try count(subjects, in: StudioParameters.subjectRange)
    }
    if let frames = map.optional("frames") {
      parameters.frames = try count(frames, in: StudioParameters.frameRange)
    }
    if let only = map.optional("only") {
      var numbers: [Int] = []
      for element in try only.list() { numbers.append(try count(element, in: 0...999_999)) }
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

  private static func count(_ node: YAMLNode, in range: ClosedRange<Int>) throws -> Int {
    let value = try node.integer()
    guard range.contains(value) else {
      throw node.error(
        allowed: "\(range.lowerBound) to \(range.upperBound)",
        remedy: "write a whole number in that range")
    }
    return value
  }
}
