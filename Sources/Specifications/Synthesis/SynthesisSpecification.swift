internal import PoseSynthesis
package import YAMLDocuments

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
package enum SynthesisSpecification {
  private static let common = ["name", "description", "license"]

  /// Reads a script.
  ///
  /// - Parameters:
  ///   - text: the YAML text.
  ///   - file: how errors name it.
  /// - Throws: `YAMLError` with file, line and remedy for every mistake.
  package static func parse(_ text: String, file: String) throws(YAMLError) -> SynthesisScript {
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
      isStudio
        ? .studio(try StudioSpecification.parse(map, common: common))
        : .session(try SessionSpecification.parse(map, common: common)))
    script.name = try map.optional("name")?.string()
    script.description = try map.optional("description")?.string()
    script.license = try map.optional("license")?.string()
    return script
  }
}

extension YAMLNode {
  /// An error of the synthesis at this node.
  func error(_ error: ScriptError) -> YAMLError {
    YAMLError(
      file: file, line: line, field: field, found: "a script that cannot be synthesized",
      allowed: "a consistent script", remedy: "\(error)")
  }

  /// The node as a seed: a whole number from 0 on.
  func seed() throws(YAMLError) -> UInt64 {
    guard let seed = UInt64(exactly: try integer()) else {
      throw error(allowed: "0 or more", remedy: "write a whole number such as 7 as the seed")
    }
    return seed
  }
}
