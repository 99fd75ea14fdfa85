import PoseModel

/// What a studio makes: how many people, how many frames, which noise, from which seed.
package struct StudioParameters: Hashable, Sendable {
  /// The seed from which everything else follows.
  package var seed: UInt64 = 1
  /// How many people.
  package var subjects = 12
  /// At least this many frames; the plan also goes at least once through all its tasks.
  package var frames = 300_000
  /// The noise of every recording.
  package var noise = NoisePreset.phone.parameters
  /// The noise's name in tags.
  package var noiseName = NoisePreset.phone.rawValue
  /// What counts as a fault in the labels.
  package var criterion = FormCriterion()
  /// Values that every session gets in place of what the plan draws for it, in order.
  package var overrides: [ScriptAssignment] = []
  /// The numbers of the sessions to make; nil makes all of them.
  package var only: [Int]?

  /// The allowed numbers of people.
  package static let subjectRange = 1...500
  /// The allowed numbers of frames.
  package static let frameRange = 1...20_000_000

  /// 12 people, 300,000 frames, the noise of a phone.
  package init() {}

  /// The studio of a noise preset.
  package init(preset: NoisePreset, subjects: Int = 12, seed: UInt64 = 1, frames: Int = 300_000) {
    self.seed = seed
    self.subjects = subjects
    self.frames = frames
    noise = preset.parameters
    noiseName = preset.rawValue
  }

  /// Checks every field.
  ///
  /// - Throws: `ScriptError` naming the first field that is wrong, what is allowed and the remedy.
  package func validate() throws(ScriptError) {
    try Self.check(subjects, in: Self.subjectRange, field: "studio.subjects", unit: "subjects")
    try Self.check(frames, in: Self.frameRange, field: "studio.frames", unit: "frames")
    try noise.validate()
    try criterion.validate()
    var session = SessionScript(holds: [])
    for override in overrides { try session.apply(override) }
    for (position, index) in (only ?? []).enumerated() {
      try Self.check(index, in: 0...999_999, field: "studio.only[\(position)]", unit: "")
    }
    if let only, only.isEmpty || Set(only).count != only.count {
      throw .sessionsRepeatOrMissing
    }
  }

  private static func check(
    _ value: Int, in range: ClosedRange<Int>, field: String, unit: String
  ) throws(ScriptError) {
    guard range.contains(value) else {
      throw .outOfRange(
        field: field, found: Double(value),
        allowed: Double(range.lowerBound)...Double(range.upperBound), unit: unit)
    }
  }
}
