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

  /// Reads a script.
  ///
  /// - Parameters:
  ///   - text: the YAML text.
  ///   - file: its name in errors.
  /// - Throws: `FieldError` with file, line and remedy for every mistake.
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
  /// The node as a seed: a whole number of 0 or more.
  func seed() throws -> UInt64 {
    guard let seed = UInt64(exactly: try integer()) else {
      throw error(allowed: "0 or more", remedy: "write a whole number such as 7 as the seed")
    }
    return seed
  }
}

/// The content of a script file: recordings, and the description of their dataset.
struct SynthesisScript: Hashable, Sendable {
  /// The recordings.
  enum Content: Hashable, Sendable {
    /// Many sessions of several people, planned from a seed.
    case studio(StudioParameters)
    /// One session, hold by hold.
    case session(SessionScript)
  }

  /// The recordings.
  var content: Content
  /// The dataset's name.
  var name: String?
  /// The description of the dataset.
  var description: String?
  /// The license of the data.
  var license: String?

  /// The same recordings with the errors of a bank in place of the script's.
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

/// Reads a studio: how many people and frames, and the values that replace draws in every session.
enum StudioSpecification {
  private static let keys = ["preset", "program", "subjects", "seed", "frames", "only"]

  /// Reads a script's root.
  ///
  /// - Parameter common: the keys that describe the dataset.
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
