internal import PoseSynthesis
internal import YAMLDocuments

/// Reads a studio: how many people and frames, and what every session has instead of its draw.
enum StudioSpecification {
  private static let keys = ["preset", "subjects", "seed", "frames", "only"]

  /// Reads a script's root.
  ///
  /// - Parameter common: the keys that describe the dataset.
  static func parse(_ map: YAMLMap, common: [String]) throws(YAMLError) -> StudioParameters {
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

  private static func studio(_ node: YAMLNode) throws(YAMLError) -> StudioParameters {
    let map = try node.map()
    try map.rejectUnknownKeys(known: keys)
    let preset = try map.optional("preset").map(SessionSections.preset) ?? .phone
    var parameters = StudioParameters(preset: preset)
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

  private static func count(
    _ node: YAMLNode, in range: ClosedRange<Int>
  ) throws(YAMLError) -> Int {
    let value = try node.integer()
    guard range.contains(value) else {
      throw node.error(
        allowed: "\(range.lowerBound) to \(range.upperBound)",
        remedy: "write a whole number in that range")
    }
    return value
  }
}
