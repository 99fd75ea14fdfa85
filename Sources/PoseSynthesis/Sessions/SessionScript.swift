package import PoseModel

/// The whole input of the synthesis: on one platform, the same script gives the same bytes.
///
/// Sines and logarithms come from the platform's C library. Rounding to 0.1 mm almost always hides
/// differences between platforms.
package struct SessionScript: Hashable, Sendable {
  package var name = "session"
  package var seed: UInt64 = 1
  package var subject = SubjectParameters()
  package var holds: [Hold]
  package var transitions = TransitionParameters()
  package var motion = MotionParameters()
  package var criterion = FormCriterion()
  package var camera = CameraParameters()
  package var clock = ClockParameters()
  package var output = OutputParameters()
  package var noise = NoisePreset.phone.parameters
  package var errors: ErrorBank?
  package var tags: [String: String] = [:]

  package init(holds: [Hold]) { self.holds = holds }

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

  package func frameCount() throws -> Int {
    try validate()
    let duration = Timeline(self).duration
    if let errors { return ErrorClock(errors, self).times(duration: duration).count }
    return FrameClock(clock, noise: noise.capture, duration: duration, seed: seed).times.count
  }
}

package struct OutputParameters: ScriptParameters {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case camera
    case pelvis
    /// Normalized 2D joints with confidences and the origin at the lower left.
    case vision2d
    /// 2D joints in pixels with confidences and the origin at the top left.
    case coco17
  }

  package var kind = Kind.camera
  package var skeleton = SkeletonModel.template
  package var height = HeightEstimation.reference

  package init() {}

  package static let section = "output"
  package static let fields: [ScriptField<Self>] = []

  package static let words: [ScriptWord<Self>] = [
    .init("recording", \.kind, "camera axes, pelvis axes with matrices, or 2D joints"),
    .init("skeleton", \.skeleton, "own bone lengths, or those of Vision's template"),
    .init("height", \.height, "1.8 m for everyone, or measured"),
  ]
}

extension SessionScript {
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

  package mutating func apply(_ assignment: ScriptAssignment) throws {
    guard let section = Self.sections.first(where: { $0.name == assignment.section }) else {
      throw ScriptError.unknownField(field: assignment.section, allowed: Self.sections.map(\.name))
    }
    try section.apply(assignment.value, to: assignment.key, of: &self)
  }
}

extension Hold {
  package static let sections: [ScriptSection<Hold>] = [
    ScriptSection(\Hold.form), ScriptSection(\Hold.placement), ScriptSection(\Hold.drift),
  ]
}

package struct Hold: Hashable, Sendable {
  package var posture: Posture
  package var duration: Seconds
  package var placement = PlacementParameters()
  package var form = FormParameters()
  package var drift = DriftParameters()

  package static let durations = 0.5...600.0

  package init(_ posture: Posture, for duration: Seconds) {
    self.posture = posture
    self.duration = duration
  }

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

package struct TransitionParameters: ScriptParameters {
  package var route = MovementRoute.direct
  package var descent = Seconds(3.5)
  package var ascent = Seconds(3)
  package var change = Seconds(1.5)
  package var collapse = Seconds(0.7)
  package var correction = Seconds(1)

  package init() {}

  package static let section = "transitions"

  package static let words: [ScriptWord<Self>] = [
    .init("route", \.route, "postures passed on the way: few, or those that people pass")
  ]

  package static let fields: [ScriptField<Self>] = [
    .init("descent_s", 1...10, \.descent.value, "upright to floor; 2.5 to 5 s"),
    .init("ascent_s", 1...10, \.ascent.value, "floor to upright; 2 to 4 s"),
    .init("change_s", 0.3...10, \.change.value, "floor to floor; 1 to 2.5 s"),
    .init("collapse_s", 0.2...5, \.collapse.value, "plank to lying; 0.4 to 1 s"),
    .init("correction_s", 0.2...10, \.correction.value, "form to form within a posture"),
  ]

  /// On the route by stages, a movement on the floor takes 60 % more time per additional leg.
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

package struct ClockParameters: ScriptParameters {
  package var rate = Hertz(30)
  package var warmRate = Hertz(15)
  package var warmAfter = Seconds(600)

  package init() {}

  package static let section = "clock"

  package static let fields: [ScriptField<Self>] = [
    .init("rate_hz", 1...120, \.rate.value, "frames per second"),
    .init("warm_rate_hz", 1...120, \.warmRate.value, "frames per second once warm"),
    .init("warm_after_s", 0...600, \.warmAfter.value, "when the rate changes to the warm one"),
  ]
}
