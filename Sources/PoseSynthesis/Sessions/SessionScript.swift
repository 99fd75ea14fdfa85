package import PoseModel

/// A session: who does what, where the camera is, and what disturbs the recording.
///
/// A script is the whole input of the synthesis: the same script gives the same bytes. (Sines and
/// logarithms come from the platform's C library; rounding to 0.1 mm almost always hides their last
/// digit, but equality is promised on one platform only.)
package struct SessionScript: Hashable, Sendable {
  /// The sequence's name.
  package var name = "session"
  /// The seed of every random stream of the session.
  package var seed: UInt64 = 1
  /// The subject.
  package var subject = SubjectParameters()
  /// The holds, in order.
  package var holds: [Hold]
  /// The movements between holds.
  package var transitions = TransitionParameters()
  /// Sway, tremor and breath.
  package var motion = MotionParameters()
  /// Which offsets count as faults in the labels.
  package var criterion = FormCriterion()
  /// Where the device is.
  package var camera = CameraParameters()
  /// The rate of the frames.
  package var clock = ClockParameters()
  /// The kind of recording.
  package var output = OutputParameters()
  /// The errors of the recording.
  package var noise = NoisePreset.phone.parameters
  /// Errors of recordings in place of `noise`, `clock` and `motion`; nil for none.
  package var errors: ErrorBank?
  /// Tags of the sequence in a manifest.
  package var tags: [String: String] = [:]

  /// A session of some holds, everything else at its default.
  package init(holds: [Hold]) { self.holds = holds }

  /// Checks every field.
  ///
  /// - Throws: `ScriptError` with the first field that is wrong, what is allowed and the remedy.
  package func validate() throws {
    guard !holds.isEmpty else { throw ScriptError.noHolds }
    for (index, hold) in holds.enumerated() { try hold.validate(in: "holds[\(index)]") }
    try subject.validate()
    try transitions.validate()
    try motion.validate()
    try criterion.validate()
    try camera.validate()
    try clock.validate()
    try noise.validate()
    guard errors == nil || output.kind == .camera || output.kind == .pelvis else {
      throw ScriptError.errorsOfImagePoints(found: output.kind.rawValue)
    }
  }

  /// How many frames the session has, without synthesizing it.
  ///
  /// - Throws: `ScriptError` as `validate` does.
  package func frameCount() throws -> Int {
    try validate()
    let duration = Timeline(self).duration
    if let errors { return ErrorClock(errors, self).times(duration: duration).count }
    return FrameClock(clock, noise: noise.capture, duration: duration, seed: seed).times.count
  }
}

/// The kind of recording.
package struct OutputParameters: ScriptParameters {
  /// The kinds of recordings.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// 3D joints in camera axes.
    case camera
    /// 3D joints in the pelvis frame, with a matrix per frame.
    case pelvis
    /// 2D joints, normalized, origin at the lower left, with confidences.
    case vision2d
    /// 2D joints in pixels, origin at the top left, with confidences.
    case coco17
  }

  /// The kind.
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

extension SessionScript {
  /// Every section of a session but its holds.
  package static let sections: [ScriptSection<SessionScript>] = [
    ScriptSection(\SessionScript.subject), ScriptSection(\SessionScript.camera),
    ScriptSection(\SessionScript.clock), ScriptSection(\SessionScript.output),
    ScriptSection(\SessionScript.motion), ScriptSection(\SessionScript.transitions),
    ScriptSection(\SessionScript.criterion),
    ScriptSection(\SessionScript.noise.joints, in: "noise"),
    ScriptSection(\SessionScript.noise.chain, in: "noise"),
    ScriptSection(\SessionScript.noise.filter, in: "noise"),
    ScriptSection(\SessionScript.noise.sight, in: "noise"),
    ScriptSection(\SessionScript.noise.confusions, in: "noise"),
    ScriptSection(\SessionScript.noise.dropouts, in: "noise"),
    ScriptSection(\SessionScript.noise.capture, in: "noise"),
  ]

  /// Sets one value.
  ///
  /// - Throws: `ScriptError` for an unknown section or key, or a value that is not allowed.
  package mutating func apply(_ assignment: ScriptAssignment) throws {
    guard let section = Self.sections.first(where: { $0.name == assignment.section }) else {
      throw ScriptError.unknownField(
        field: assignment.section, allowed: Self.sections.map(\.name))
    }
    try section.apply(assignment.value, to: assignment.key, of: &self)
  }
}

extension Hold {
  /// The sections of a hold.
  package static let sections: [ScriptSection<Hold>] = [
    ScriptSection(\Hold.form), ScriptSection(\Hold.placement), ScriptSection(\Hold.drift),
  ]
}

/// One posture held for a while.
package struct Hold: Hashable, Sendable {
  /// The posture.
  package var posture: Posture
  /// For how long, without the movements before and after.
  package var duration: Seconds
  /// How it is taken.
  package var placement = PlacementParameters()
  /// How far it is from straight; only planks have a form.
  package var form = FormParameters()
  /// Its fatigue; only planks drift.
  package var drift = DriftParameters()

  /// The range of a hold's seconds.
  package static let durations = 0.5...600.0

  /// Holds a posture straight.
  package init(_ posture: Posture, for duration: Seconds) {
    self.posture = posture
    self.duration = duration
  }

  /// Checks every field.
  ///
  /// - Parameter section: the hold's place in the script, for example `holds[2]`.
  package func validate(in section: String) throws {
    guard Self.durations.contains(duration.value) else {
      throw ScriptError.outOfRange(
        field: section + ".duration_s", found: duration.value, allowed: Self.durations, unit: "s")
    }
    try placement.validate(in: section + ".placement")
    try form.validate(in: section + ".form")
    try drift.validate(in: section + ".drift")
    let offsets = [
      ("form.hip_offset_m", form.hipOffset), ("form.lumbar_offset_m", form.lumbarOffset),
      ("form.shoulder_offset_m", form.shoulderOffset), ("drift.final_offset_m", drift.finalOffset),
    ]
    for (key, offset) in offsets where !posture.isPlank && offset.value != 0 {
      throw ScriptError.formOfNegative(field: section + "." + key, posture: posture.rawValue)
    }
    if form.flexionOffset.value != 0, !posture.isSidePlank {
      throw ScriptError.flexionOutsideSidePlank(
        field: section + ".form.flexion_offset_m", posture: posture.rawValue)
    }
  }
}

/// How long the movements between holds take, and what they pass; all are minimum-jerk.
package struct TransitionParameters: ScriptParameters {
  /// What is passed on the way.
  package var route = MovementRoute.direct
  /// From upright to the floor, through a squat and all fours.
  package var descent = Seconds(3.5)
  /// From the floor to upright, by the same path.
  package var ascent = Seconds(3)
  /// Between two postures on the floor.
  package var change = Seconds(1.5)
  /// From a plank to lying.
  package var collapse = Seconds(0.7)
  /// Between two forms of the same posture: no transition in the labels.
  package var correction = Seconds(1)

  /// The middle of the published ranges.
  package init() {}

  package static let section = "transitions"

  package static let words: [ScriptWord<Self>] = [
    ScriptWord("route", \.route, "what is passed on the way: little, or what people pass")
  ]

  package static let fields: [ScriptField<Self>] = [
    ScriptField("descent_s", "s", 1...10, \.descent.value, "upright to floor; 2.5 to 5 s"),
    ScriptField("ascent_s", "s", 1...10, \.ascent.value, "floor to upright; 2 to 4 s"),
    ScriptField("change_s", "s", 0.3...10, \.change.value, "floor to floor; 1 to 2.5 s"),
    ScriptField("collapse_s", "s", 0.2...5, \.collapse.value, "plank to lying; 0.4 to 1 s"),
    ScriptField(
      "correction_s", "s", 0.2...10, \.correction.value, "form to form within a posture"),
  ]

  /// The time of the movement from one posture to another.
  ///
  /// By stages, a movement on the floor takes six tenths of its time for every further leg, and
  /// nobody falls from a plank onto the elbows.
  func duration(from start: Posture, to end: Posture) -> Double {
    if start == end { return correction.value }
    if route == .stages {
      let isTall = Stage(start) == .standing || Stage(end) == .standing
      if isTall, Stage(start) != Stage(end) {
        return (Stage(end) == .standing ? ascent : descent).value
      }
      let falls = start.isPlank && (Stage(end) == .prone || Stage(end) == .back)
      let legs = Movement(from: start, to: end, route: route).waypoints.count
      return falls ? collapse.value : change.value * (1 + 0.6 * Double(legs))
    }
    if start.isUpright != end.isUpright { return (end.isUpright ? ascent : descent).value }
    if start.isPlank, end.isInvertedOrLying, end != .downwardDog { return collapse.value }
    return change.value
  }
}

/// The rate of a session's frames.
package struct ClockParameters: ScriptParameters {
  /// Frames per second.
  package var rate = Hertz(30)
  /// Frames per second once the device has become warm.
  package var warmRate = Hertz(15)
  /// When that happens; 600 s is longer than most sessions.
  package var warmAfter = Seconds(600)

  /// 30 frames per second throughout.
  package init() {}

  package static let section = "clock"

  package static let fields: [ScriptField<Self>] = [
    ScriptField("rate_hz", "Hz", 1...120, \.rate.value, "frames per second"),
    ScriptField("warm_rate_hz", "Hz", 1...120, \.warmRate.value, "frames per second once warm"),
    ScriptField(
      "warm_after_s", "s", 0...600, \.warmAfter.value, "when the rate changes to the warm one"),
  ]
}
