/// What `synthesize` is asked for; texts are read as the command line gives them.
package struct SynthesizeRequest: Sendable {
  /// The script's path; nil makes a studio of a preset.
  package var script: String?
  /// The studio's noise preset; only without a script.
  package var preset: String?
  /// How many people, in place of the script's number.
  package var subjects: Int?
  /// The seed, in place of the script's.
  package var seed: UInt64?
  /// At least how many frames, in place of the script's number.
  package var frames: Int?
  /// The folder to make.
  package var output: String

  /// Makes a request.
  package init(
    script: String? = nil, preset: String? = nil, subjects: Int? = nil, seed: UInt64? = nil,
    frames: Int? = nil, output: String
  ) {
    self.script = script
    self.preset = preset
    self.subjects = subjects
    self.seed = seed
    self.frames = frames
    self.output = output
  }
}
