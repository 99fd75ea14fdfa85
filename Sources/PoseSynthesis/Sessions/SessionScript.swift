package import PoseModel

/// A session: who does what, how the camera stands, and what the recording suffers.
///
/// A script is the whole input of the synthesis: the same script gives the same bytes. (Sines
/// and logarithms come from the platform's C library; rounding to 0.1 mm hides their last digit
/// almost always, but equality is promised on one platform only.)
package struct SessionScript: Hashable, Sendable {
  /// The sequence's name.
  package var name = "session"
  /// The seed of every random stream of the session.
  package var seed: UInt64 = 1
  /// Who.
  package var subject = SubjectParameters()
  /// What, in order.
  package var holds: [Hold]
  /// The movements between holds.
  package var transitions = TransitionParameters()
  /// Sway, tremor and breath.
  package var motion = MotionParameters()
  /// What counts as a fault in the labels.
  package var criterion = FormCriterion()
  /// Where the device stands.
  package var camera = CameraParameters()
  /// The rate of the frames.
  package var clock = ClockParameters()
  /// What is written.
  package var output = OutputParameters()
  /// What is wrong with it.
  package var noise = NoisePreset.phone.parameters
  /// Tags of the sequence in a manifest.
  package var tags: [String: String] = [:]

  /// A session of some holds, everything else at its default.
  package init(holds: [Hold]) { self.holds = holds }

  /// Checks every field.
  ///
  /// - Throws: `ScriptError` naming the first field that is wrong, what is allowed and the remedy.
  package func validate() throws(ScriptError) {
    guard !holds.isEmpty else { throw .noHolds }
    for (index, hold) in holds.enumerated() { try hold.validate(in: "holds[\(index)]") }
    try subject.validate()
    try transitions.validate()
    try motion.validate()
    try criterion.validate()
    try camera.validate()
    try clock.validate()
    try noise.validate()
  }

  /// How many frames the session has, without synthesizing it.
  ///
  /// - Throws: `ScriptError` as `validate` does.
  package func frameCount() throws(ScriptError) -> Int {
    try validate()
    let duration = Timeline(self).duration
    return FrameClock(clock, noise: noise.capture, duration: duration, seed: seed).times.count
  }
}

/// What kind of recording is written.
package struct OutputParameters: ScriptParameters {
  /// The kinds of recordings.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// 3D joints in camera axes.
    case camera
    /// 3D joints in the pelvis frame, with a matrix a frame.
    case pelvis
    /// 2D joints, normalized, origin at the lower left, with confidences.
    case vision2d
    /// 2D joints in pixels, origin at the top left, with confidences.
    case coco17
  }

  /// What is written.
  package var kind = Kind.camera
  /// Whose bone lengths 3D joints show.
  package var skeleton = SkeletonModel.template
  /// Where the height comes from: 1.8 m for everyone, or measured.
  package var height = HeightEstimation.reference

  /// Vision's camera-frame joints on its template of 1.8 m.
  package init() {}

  package static let section = "output"

  package static let fields: [ScriptField<Self>] = []

  package static let words: [ScriptWord<Self>] = [
    ScriptWord("recording", \.kind, "camera axes, pelvis axes with matrices, or 2D joints"),
    ScriptWord("skeleton", \.skeleton, "own bone lengths, or those of Vision's template"),
    ScriptWord("height", \.height, "1.8 m for everyone, or measured"),
  ]
}
